"""Writes reference.txt: python3 reference.py 100 7 > reference.txt (needs mpmath).

Per function a line `# name`, then lines of arguments, the exact result rounded to a double, both as hexadecimal
bits, and what the rounding left, in hundredths of a unit in the last place.
"""
import sys, struct, random
from mpmath import mp, mpf
import mpmath as m
mp.prec=200
N=int(sys.argv[1]); rnd=random.Random(int(sys.argv[2]))
def bits(x): return struct.unpack('<Q',struct.pack('<d',x))[0]
def flt(b): return struct.unpack('<d',struct.pack('<Q',b))[0]
def uni(a,b): return lambda: rnd.uniform(a,b)
def logu(a,b,s=True):
    import math
    def g():
        v=math.exp(rnd.uniform(math.log(a),math.log(b)))
        return v if not s or rnd.random()<.5 else -v
    return g
def wide(): return flt(rnd.getrandbits(64))
def widepos(): return abs(wide())
def near(pts,lo=-50,hi=-3):
    def g():
        p=rnd.choice(pts); return p*(1+rnd.choice([-1,1])*2.0**rnd.uniform(lo,hi)) if p else rnd.choice([-1,1])*2.0**rnd.uniform(lo,hi)
    return g
import math
hard=[float(mp.pi/2*k) for k in list(range(1,40))+[1000,12345,10**6,10**7,31415926,6*10**7]]+[6381956970095103*2.0**797, 5.319372648326541e255]
def trigpts(): return rnd.choice(hard)
def reflg(x):
    return m.log(abs(m.gamma(x))) if abs(x)<100 else (m.loggamma(x) if x>0 else m.log(m.pi/abs(x*m.sin(m.pi*x)))-m.loggamma(-x))
def erfinv(x):
    if abs(x)>=1: return None
    a=abs(mpf(x))
    if a==0: return mpf(0)
    c=1-a
    y=a*m.sqrt(m.pi)/2 if a<mpf('0.7') else m.sqrt(-m.log(c))*mpf('0.9')
    if a<mpf(10)**-20: 
        return mpf(x)*m.sqrt(m.pi)/2
    for _ in range(100):
        f=m.erf(y)-a if a<mpf('.7') else None
        if f is not None: st=-f*m.sqrt(m.pi)/2*m.exp(y*y)
        else:
            e=m.erfc(y); st=m.log(e/c)*e*m.sqrt(m.pi)/2*m.exp(y*y)
        y+=st
        if abs(st)<y*mpf(2)**-150: break
    return m.sign(x)*y
F={
 'exp':(m.exp,[uni(-750,710),uni(-2,2),logu(1e-20,700)]),
 'expm1':(m.expm1,[uni(-50,710),uni(-2,2),logu(1e-20,700)]),
 'log':(m.log,[widepos,uni(.3,3),near([1.0])]),
 'log1p':(m.log1p,[widepos,uni(-.99,3),logu(1e-20,.9),near([-1.0],-50,-1)]),
 'sin':(m.sin,[trigpts,wide,uni(-10,10),logu(1e-10,1e9)]),
 'cos':(m.cos,[trigpts,wide,uni(-10,10),logu(1e-10,1e9)]),
 'tan':(m.tan,[trigpts,wide,uni(-10,10),logu(1e-10,1e9)]),
 'tanh':(m.tanh,[uni(-20,20),uni(-2,2),logu(1e-20,1)]),
 'sinh':(m.sinh,[uni(-710.4,710.4),uni(-2,2),logu(1e-20,1)]),
 'cosh':(m.cosh,[uni(-710.4,710.4),uni(-2,2),logu(1e-20,1)]),
 'logistic':(lambda x:1/(1+m.exp(-x)),[uni(-745,40),uni(-10,10),uni(-2,2),logu(1e-20,1)]),
 'cbrt':(lambda x:m.sign(x)*m.cbrt(abs(x)),[wide,uni(-9,9)]),
 'rsqrt':(lambda x:1/m.sqrt(x),[widepos,uni(.1,9)]),
 'atan':(m.atan,[wide,uni(-3,3),logu(1e-20,1e20)]),
 'asin':(m.asin,[uni(-1,1),logu(1e-20,1),near([1.0,.5,-.5,-1.0])]),
 'acos':(m.acos,[uni(-1,1),logu(1e-20,1),near([1.0,.5,-.5,-1.0])]),
 'asinh':(m.asinh,[wide,uni(-3,3),logu(1e-20,1e20)]),
 'acosh':(m.acosh,[widepos,uni(1,3),near([1.0]),logu(1,1e20,False)]),
 'atanh':(m.atanh,[uni(-1,1),logu(1e-20,1),near([1.0,-1.0])]),
 'erf':(m.erf,[uni(-6,6),uni(-1.2,1.2),logu(1e-20,1)]),
 'erfc':(m.erfc,[uni(-6,27),uni(-1.2,1.2),uni(.4,6),uni(24,26.5)]),
 'erf_inv':(erfinv,[uni(-1,1),logu(1e-20,1),near([1.0,-1.0],-53)]),
 'lgamma':(reflg,[uni(0,12),uni(-20,0),logu(1e-20,1e20,False),near([1.0,2.0,-2.457024738220801,-3.0,-20.0,8.0,3.0])]),
 'digamma':(lambda x:m.digamma(x),[uni(0,12),uni(-20,0),logu(1e-20,1e20,False),near([1.4616321449683622,-.504083008264455,-3.0,-20.0,8.0])]),
 'pow':(lambda x,y:m.power(x,y),None),
 'atan2':(lambda y,x:m.atan2(y,x),None),
}
def rounded(v):
    h=mpf(float(v)) if abs(v)>mpf(2)**-1022 else m.ldexp(m.nint(m.ldexp(v,1074)),-1074)
    h=float(h)
    e=max(math.frexp(h)[1],-1021) if h else -1021
    u=m.ldexp(1,e-53)
    return h,int(m.nint((v-mpf(h))/u*100))
only=sys.argv[3:]
def emit(*xs_v):
    *xs,v=xs_v
    if v is None or isinstance(v,m.mpc) and v.imag!=0: return False
    v=m.re(v)
    if m.isnan(v) or m.isinf(v) or v==0 or abs(v)>mpf(1.79e308): return False
    h,r=rounded(v)
    if math.isinf(h): return False
    print(*(f"{bits(x):x}" for x in xs),f"{bits(h):x}",r)
    return True
for name,(f,gens) in F.items():
    if only and name not in only: continue
    print('#',name)
    k=0
    while k<N:
        try:
            if name=='pow':
                c=rnd.randrange(5)
                x=widepos() if c<2 else math.exp(rnd.uniform(-3,3)) if c<4 else near([1.0])()
                if math.isnan(x) or math.isinf(x) or x==0: continue
                y=rnd.uniform(-740,709)/math.log(x) if c!=3 else rnd.choice([2,3,.5,-1,-2,1.5,10,.1,1e-3,-.3333])
                k+=emit(x,y,f(mpf(x),mpf(y)))
            elif name=='atan2':
                c=rnd.randrange(3)
                if c==0: y,x=wide(),wide()
                elif c==1: y,x=rnd.uniform(-3,3),rnd.uniform(-3,3)
                else: x=rnd.uniform(-3,3); y=x*rnd.choice([-1,1])*2.0**rnd.uniform(-60,60)
                if any(math.isnan(v) or math.isinf(v) for v in (x,y)): continue
                k+=emit(y,x,f(mpf(y),mpf(x)))
            else:
                x=gens[k%len(gens)]()
                if math.isnan(x) or math.isinf(x): continue
                if name in('acosh',) and x<1: continue
                if name in('asin','acos','atanh','erf_inv') and abs(x)>=1: continue
                if name=='log1p' and x<=-1 : continue
                mp.prec=1300 if name in('sin','cos','tan') and abs(x)>1e15 else 200
                k+=emit(x,f(mpf(x)))
                mp.prec=200
        except (ValueError,OverflowError,ZeroDivisionError) as e: continue
