"""Programs as those who compile ahead of time write them, by somebody who had not read the code; every third was put aside.

P: name, function, what makes its arguments (NumPy), precision, whether it was put aside.
"""
import numpy as np
import jax, jax.numpy as jnp
from jax import lax
from jax.scipy.special import gammaln, digamma, logsumexp
from jax.scipy.stats import norm

P = []
def prog(name, dtype="f32"):
    def deco(args):
        def reg(f):
            P.append((name, f, args, dtype, len(P) % 3 == 2))
            return f
        return reg
    return deco
R = lambda seed: np.random.default_rng(seed)

# ---------------------------------------------------------------- 1 forward kinematics
DH_A = np.array([0, 0, 0, 0.0825, -0.0825, 0, 0.088]); DH_D = np.array([0.333, 0, 0.316, 0, 0.384, 0, 0.107])
DH_AL = np.array([0, -1, 1, 1, -1, 1, 1]) * np.pi / 2
def fk_T(q):
    dt = q.dtype
    T = jnp.eye(4, dtype=dt)
    for i in range(7):
        c, s = jnp.cos(q[i]), jnp.sin(q[i])
        ca, sa = float(np.cos(DH_AL[i])), float(np.sin(DH_AL[i])); a, d = float(DH_A[i]), float(DH_D[i])
        A = jnp.array([[c, -s, 0, a], [s*ca, c*ca, -sa, -sa*d], [s*sa, c*sa, ca, ca*d], [0, 0, 0, 1]], dtype=dt)
        T = T @ A
    return T
@prog("arm_fk")(lambda: [R(1).uniform(-2, 2, 7)])
def arm_fk(q):
    return fk_T(q)

# 2 geometric Jacobian
def fk_pose(q):
    T = fk_T(q)
    Rm = T[:3, :3]
    ang = jnp.arccos(jnp.clip((jnp.trace(Rm) - 1) / 2, -0.999, 0.999))
    ax = jnp.stack([Rm[2,1]-Rm[1,2], Rm[0,2]-Rm[2,0], Rm[1,0]-Rm[0,1]]) / (2*jnp.sin(ang))
    return jnp.concatenate([T[:3, 3], ax*ang])
@prog("arm_ik_step")(lambda: [R(2).uniform(-1.5, 1.5, 7), R(3).uniform(-.5, .5, 6)])
def arm_ik_step(q, target):
    J = jax.jacfwd(fk_pose)(q)
    err = target - fk_pose(q)
    dq = 0.1 * J.T @ err
    return {"q": q + dq, "jacobian": J, "manip": jnp.sum(J * J)}

# 3* quadrotor rigid body step RK4
def quat_mul(a, b):
    w1,x1,y1,z1 = a; w2,x2,y2,z2 = b
    return jnp.stack([w1*w2-x1*x2-y1*y2-z1*z2, w1*x2+x1*w2+y1*z2-z1*y2, w1*y2-x1*z2+y1*w2+z1*x2, w1*z2+x1*y2-y1*x2+z1*w2])
def quat_R(q):
    w,x,y,z = q
    return jnp.stack([jnp.stack([1-2*(y*y+z*z), 2*(x*y-w*z), 2*(x*z+w*y)]), jnp.stack([2*(x*y+w*z), 1-2*(x*x+z*z), 2*(y*z-w*x)]), jnp.stack([2*(x*z-w*y), 2*(y*z+w*x), 1-2*(x*x+y*y)])])
def quad_dyn(s, u):
    p, v, q, w = s[:3], s[3:6], s[6:10], s[10:13]
    I = jnp.array([0.01, 0.012, 0.02], dtype=s.dtype)
    thrust = jnp.array([0, 0, 1], dtype=s.dtype) * jnp.sum(u)
    tau = jnp.stack([0.15*(u[1]-u[3]), 0.15*(u[2]-u[0]), 0.02*(u[0]-u[1]+u[2]-u[3])])
    acc = quat_R(q) @ thrust / 0.8 - jnp.array([0, 0, 9.81], dtype=s.dtype) - 0.1*v*jnp.linalg.norm(v)
    wd = (tau - jnp.cross(w, I*w)) / I
    qd = 0.5*quat_mul(q, jnp.concatenate([jnp.zeros(1, s.dtype), w]))
    return jnp.concatenate([v, acc, qd, wd])
@prog("quad_rk4")(lambda: [np.concatenate([[0,0,1,.1,.2,-.1], [.9,.1,.3,np.sqrt(1-.81-.01-.09)], [.1,-.2,.3]]), np.array([2.1,1.9,2.,2.05])])
def quad_rk4(state, motors):
    h = 0.005
    k1 = quad_dyn(state, motors); k2 = quad_dyn(state+h/2*k1, motors); k3 = quad_dyn(state+h/2*k2, motors); k4 = quad_dyn(state+h*k3, motors)
    n = state + h/6*(k1+2*k2+2*k3+k4)
    return n.at[6:10].set(n[6:10]/jnp.linalg.norm(n[6:10]))

# 4 EKF unicycle, range-bearing to 5 landmarks, sequential 2x2 updates
LM = np.array([[5, 1], [2, 7], [-3, 4], [8, -2], [-4, -4]], float)
def ekf_f(x, u): 
    return jnp.stack([x[0]+u[0]*jnp.cos(x[2])*0.1, x[1]+u[0]*jnp.sin(x[2])*0.1, x[2]+u[1]*0.1])
def ekf_h(x, l):
    d = l - x[:2]
    return jnp.stack([jnp.sqrt(d @ d), jnp.arctan2(d[1], d[0]) - x[2]])
@prog("ekf")(lambda: [np.array([.3,-.2,.4]), np.diag([.1,.1,.05]), np.array([1.,.2]), np.array([[5.0,-.1],[7.1,.9],[5.2,1.7],[7.6,-.6],[5.9,-2.8]])])
def ekf(x, cov, u, z):
    F = jax.jacfwd(ekf_f)(x, u)
    x = ekf_f(x, u); P_ = F @ cov @ F.T + 0.01*jnp.eye(3, dtype=x.dtype)
    nis = 0.
    for i in range(5):
        l = jnp.asarray(LM[i], x.dtype)
        H = jax.jacfwd(ekf_h)(x, l); r = z[i] - ekf_h(x, l)
        r = r.at[1].set(jnp.arctan2(jnp.sin(r[1]), jnp.cos(r[1])))
        S = H @ P_ @ H.T + jnp.diag(jnp.array([0.1, 0.02], x.dtype))
        det = S[0,0]*S[1,1]-S[0,1]*S[1,0]
        Si = jnp.array([[S[1,1], -S[0,1]], [-S[1,0], S[0,0]]]) / det
        K = P_ @ H.T @ Si
        x = x + K @ r; P_ = (jnp.eye(3, dtype=x.dtype) - K @ H) @ P_
        nis = nis + r @ Si @ r
    return x, P_, nis

# 5 IMU filter (Mahony) over 200 samples
def imu_in():
    r = R(5); t = np.arange(200)*.01
    g = np.stack([.5*np.sin(2*t), .3*np.cos(3*t), .2*np.sin(t)], 1)+.01*r.standard_normal((200,3))
    a = np.stack([.3*np.sin(t), .2*np.cos(t), 9.8+0*t], 1)+.05*r.standard_normal((200,3))
    return [np.array([1.,0,0,0]), g, a]
@prog("imu_mahony")(imu_in)
def imu_mahony(q0, gyro, accel):
    def step(c, ga):
        q, b = c; g, a = ga
        a = a / jnp.maximum(jnp.linalg.norm(a), 1e-6)
        w,x,y,z = q
        v = jnp.stack([2*(x*z-w*y), 2*(w*x+y*z), w*w-x*x-y*y+z*z])
        e = jnp.cross(a, v)
        b = b + 0.05*e*0.01
        om = g + 1.0*e + b
        q = q + 0.5*0.01*quat_mul(q, jnp.concatenate([jnp.zeros(1, q.dtype), om]))
        q = q/jnp.linalg.norm(q)
        roll = jnp.arctan2(2*(q[0]*q[1]+q[2]*q[3]), 1-2*(q[1]**2+q[2]**2)); pitch = jnp.arcsin(jnp.clip(2*(q[0]*q[2]-q[3]*q[1]), -1, 1))
        return (q, b), jnp.stack([roll, pitch])
    (q, b), rp = lax.scan(step, (q0, jnp.zeros(3, q0.dtype)), (gyro, accel))
    return {"q": q, "bias": b, "roll_pitch": rp}

# 6* MPC bicycle cost and gradient, horizon 40
@prog("mpc_grad")(lambda: [np.array([0.,.5,.1,3.]), .1*R(6).standard_normal((40,2)), np.stack([np.linspace(0,12,40), np.sin(np.linspace(0,3,40))],1)])
def mpc_grad(x0, controls, ref):
    def cost(us):
        def step(x, ur):
            u, r = ur
            d = 0.5*jnp.tanh(u[0]); a = 3*jnp.tanh(u[1])
            beta = jnp.arctan(0.5*jnp.tan(d))
            x = x + 0.1*jnp.stack([x[3]*jnp.cos(x[2]+beta), x[3]*jnp.sin(x[2]+beta), x[3]/1.4*jnp.sin(beta), a])
            e = x[:2]-r
            bar = -1e-2*jnp.log(jnp.maximum(8.-x[3], 1e-3))
            return x, e@e + 0.1*(u@u) + bar + 0.01*x[2]**2
        xf, c = lax.scan(step, x0, (us, ref))
        return jnp.sum(c) + jnp.sum((xf[:2]-ref[-1])**2)
    v, g = jax.value_and_grad(cost)(controls)
    return {"cost": v, "grad": g, "next": controls - 0.01*g}

# 7 LQR Riccati 100 iterations, 8 states, 2 inputs
def lqr_in():
    r = R(7); A = np.eye(8)+.05*r.standard_normal((8,8)); B = .2*r.standard_normal((8,2))
    return [A, B, np.diag(r.uniform(.5,2,8)), np.diag([1.,.5])]
@prog("lqr")(lqr_in)
def lqr(A, B, Q, R):
    def it(P_, _):
        S = R + B.T @ P_ @ B
        det = S[0,0]*S[1,1]-S[0,1]*S[1,0]
        Si = jnp.array([[S[1,1], -S[0,1]], [-S[1,0], S[0,0]]])/det
        K = Si @ (B.T @ P_ @ A)
        Pn = Q + A.T @ P_ @ (A - B @ K)
        return 0.5*(Pn+Pn.T), jnp.max(jnp.abs(Pn-P_))
    P_, res = lax.scan(it, Q, None, length=100)
    S = R + B.T @ P_ @ B
    K = jnp.linalg.solve(S, B.T @ P_ @ A)
    return K, P_, res

# 8 FIR
@prog("fir")(lambda: [R(8).standard_normal(4096), np.sinc((np.arange(63)-31)*.2)*np.hamming(63)])
def fir(x, taps):
    return jnp.convolve(x, taps/jnp.sum(taps), mode="same")

# 9* IIR direct form order 6 by scan
from numpy import poly
_po = [.7*np.exp(1j*.5), .8*np.exp(1j*1.1), .75*np.exp(1j*2.)]
@prog("iir")(lambda: [R(9).standard_normal(1000), poly(-np.ones(6))*.002, np.real(poly(_po+[p.conjugate() for p in _po]))])
def iir(x, b, a):
    def step(z, xi):
        y = b[0]*xi + z[0]
        z = jnp.concatenate([z[1:], jnp.zeros(1, z.dtype)]) + b[1:]*xi - a[1:]*y
        return z, y
    z, y = lax.scan(step, jnp.zeros(6, x.dtype), x)
    return y, jnp.sqrt(jnp.mean(y**2))

# 10 biquad cascade, 4 sections, 2 channels
@prog("biquads")(lambda: [R(10).standard_normal((2000,2)), np.stack([np.array([.2,.4,.2,-1.2+.1*k,.5-.05*k]) for k in range(4)])])
def biquads(audio, sos):
    def step(z, x):
        out = []
        for k in range(4):
            b0,b1,b2,a1,a2 = sos[k]
            y = b0*x + z[k,0]
            out.append(jnp.stack([b1*x - a1*y + z[k,1], b2*x - a2*y]))
            x = y
        return jnp.stack(out), x
    z, y = lax.scan(step, jnp.zeros((4,2,2), audio.dtype), audio)
    return {"audio": y, "peak_db": 20*jnp.log10(jnp.max(jnp.abs(y), axis=0))}

# 11 windowed normalized correlation with a template
@prog("ncc")(lambda: [R(11).standard_normal(2048), np.hanning(64)*np.sin(np.arange(64)*.4)])
def ncc(signal, template):
    n = template.shape[0]
    idx = jnp.arange(signal.shape[0]-n+1)[:,None] + jnp.arange(n)[None,:]
    w = signal[idx]
    w = w - w.mean(1, keepdims=True)
    t = template - template.mean()
    c = (w @ t) / (jnp.sqrt((w*w).sum(1)) * jnp.sqrt((t*t).sum()) + 1e-9)
    return c, jnp.argmax(c)

# 12* mel energies through a DFT matrix
def mel_in():
    r = R(12); n=256; k=np.arange(129)[:,None]*np.arange(n)[None]
    mel = np.maximum(0, 1-np.abs(np.linspace(0,1,129)[:,None]*26-np.arange(1,25)[None]*1.0)/1.5)
    return [r.standard_normal(256*20)*.1, np.cos(2*np.pi*k/n), np.sin(2*np.pi*k/n), mel]
@prog("mel")(mel_in)
def mel(audio, cos_table, sin_table, mel_matrix):
    frames = audio[(jnp.arange(38)*128)[:,None] + jnp.arange(256)[None]]
    pre = jnp.concatenate([frames[:,:1], frames[:,1:]-0.97*frames[:,:-1]], 1)
    w = 0.5-0.5*jnp.cos(2*jnp.pi*jnp.arange(256, dtype=audio.dtype)/256)
    f = pre*w
    p = (f@cos_table.T)**2 + (f@sin_table.T)**2
    e = jnp.log(p@mel_matrix + 1e-6)
    return e - e.mean(0), jnp.std(e, axis=0)

# 13 MLP, online step
def mlp_in():
    r = R(13); s=lambda *d: r.standard_normal(d)/np.sqrt(d[0])
    return [{"w1": s(32,64), "b1": np.zeros(64), "w2": s(64,64), "b2": np.zeros(64), "w3": s(64,10), "b3": np.zeros(10)}, r.standard_normal((16,32)), r.integers(0,10,16).astype(np.int32)]
@prog("mlp_step")(mlp_in)
def mlp_step(params, x, labels):
    def loss(p):
        h = jax.nn.relu(x@p["w1"]+p["b1"]); h = jax.nn.gelu(h@p["w2"]+p["b2"])
        lg = jax.nn.log_softmax(h@p["w3"]+p["b3"])
        return -jnp.mean(jnp.take_along_axis(lg, labels[:,None], 1))
    l, g = jax.value_and_grad(loss)(params)
    return jax.tree.map(lambda p, d: p-0.05*d, params, g), l

# 14 GRU over 50 steps
def gru_in(h=32, i=12, T=50, seed=14):
    r = R(seed); s=lambda *d: r.standard_normal(d)/np.sqrt(d[0])
    return [{"wx": s(i,3*h), "wh": s(h,3*h), "b": .1*r.standard_normal(3*h), "wo": s(h,4)}, r.standard_normal((T,i))]
def gru_fwd(p, xs):
    n = p["wh"].shape[0]
    def cell(h, x):
        gx = x@p["wx"]+p["b"]; gh = h@p["wh"]
        r = jax.nn.sigmoid(gx[:n]+gh[:n]); z = jax.nn.sigmoid(gx[n:2*n]+gh[n:2*n])
        c = jnp.tanh(gx[2*n:]+r*gh[2*n:])
        h = (1-z)*c+z*h
        return h, h@p["wo"]
    return lax.scan(cell, jnp.zeros(n, xs.dtype), xs)
@prog("gru50")(gru_in)
def gru50(params, xs):
    h, y = gru_fwd(params, xs)
    return jax.nn.softmax(y[-1]), h

# 15* keyword spotter, conv1d
def kws_in():
    r = R(15); s=lambda *d: r.standard_normal(d)/np.sqrt(np.prod(d[:-1]))
    return [r.standard_normal((1,49,10)), s(5,10,32), s(3,1,32), s(1,32,32), s(3,32,16), s(16,12), np.zeros(12)]
@prog("kws")(kws_in)
def kws(mfcc, k1, kdw, kpw, k2, wd, bd):
    dn = ("NWC", "WIO", "NWC")
    h = jax.nn.relu(lax.conv_general_dilated(mfcc, k1, (2,), "SAME", dimension_numbers=dn))
    h = lax.conv_general_dilated(h, kdw, (1,), "SAME", dimension_numbers=dn, feature_group_count=32)
    h = jax.nn.relu(lax.conv_general_dilated(h, kpw, (1,), "SAME", dimension_numbers=dn))
    h = h / (1e-3 + jnp.std(h, axis=-1, keepdims=True))
    h = jax.nn.relu(lax.conv_general_dilated(h, k2, (1,), "VALID", rhs_dilation=(2,), dimension_numbers=dn))
    h = lax.reduce_window(h, -jnp.inf, lax.max, (1,3,1), (1,3,1), "VALID").mean(1)
    return jax.nn.softmax(h@wd+bd)[0]

# 16 transformer block
def tr_in():
    r = R(16); d=64; s=lambda *q: r.standard_normal(q)/np.sqrt(q[0])
    return [r.standard_normal((32,d)), {"qkv": s(d,3*d), "o": s(d,d), "up": s(d,4*d), "down": s(4*d,d), "g1": np.ones(d), "g2": np.ones(d)}]
def rms(x, g): return x*lax.rsqrt(jnp.mean(x*x, -1, keepdims=True)+1e-5)*g
def block(x, p):
    T, d = x.shape; H=4
    q,k,v = [a.reshape(T,H,d//H).transpose(1,0,2) for a in jnp.split(rms(x,p["g1"])@p["qkv"], 3, -1)]
    s = q@k.transpose(0,2,1)/(d//H)**0.5
    s = jnp.where(jnp.tril(jnp.ones((T,T), bool)), s, -1e9)
    x = x + (jax.nn.softmax(s)@v).transpose(1,0,2).reshape(T,d)@p["o"]
    return x + jax.nn.silu(rms(x,p["g2"])@p["up"])@p["down"]
@prog("transformer")(tr_in)
def transformer(x, params):
    return block(x, params)

# 17 VAE decoder
def vae_in():
    r = R(17); s=lambda *d: r.standard_normal(d)/np.sqrt(np.prod(d[:-1]))
    return [r.standard_normal((1,8)), s(8,7*7*8), s(3,3,8,8), s(3,3,8,1)]
def vae_dec(z, w, k1, k2):
    h = jax.nn.elu(z@w).reshape(1,7,7,8)
    dn=("NHWC","HWIO","NHWC")
    h = jax.nn.softplus(lax.conv_transpose(h, k1, (2,2), "SAME", dimension_numbers=dn))
    return jax.nn.sigmoid(lax.conv_transpose(h, k2, (2,2), "SAME", dimension_numbers=dn))[...,0]
@prog("vae_decoder")(vae_in)
def vae_decoder(z, w, k1, k2):
    return vae_dec(z, w, k1, k2)

# 18* GRU gradient step
@prog("gru_step")(lambda: gru_in(16,6,50,18)+[R(19).standard_normal((50,4))])
def gru_step(params, xs, ys):
    def loss(p): return jnp.mean((gru_fwd(p, xs)[1]-ys)**2)
    l, g = jax.value_and_grad(loss)(params)
    n = jnp.sqrt(sum(jnp.sum(x*x) for x in jax.tree.leaves(g)))
    sc = jnp.minimum(1., 1./n)
    return jax.tree.map(lambda p, d: p-0.1*sc*d, params, g), l, n

# 19 Black-Scholes with greeks, 10,000 options
def bs_in():
    r = R(20); n=10000
    return [r.uniform(80,120,n), r.uniform(70,130,n), r.uniform(.05,2,n), r.uniform(.1,.6,n), np.array(.03)]
@prog("black_scholes")(bs_in)
def black_scholes(spot, strike, expiry, vol, rate):
    def price(s, k, t, v):
        d1 = (jnp.log(s/k)+(rate+0.5*v*v)*t)/(v*jnp.sqrt(t)); d2 = d1-v*jnp.sqrt(t)
        N = lambda d: 0.5*(1+lax.erf(d/np.sqrt(2.).item()))
        return s*N(d1)-k*jnp.exp(-rate*t)*N(d2)
    v, g = jax.vmap(jax.value_and_grad(price, argnums=(0,2,3)))(spot, strike, expiry, vol)
    gamma = jax.vmap(jax.grad(jax.grad(price)))(spot, strike, expiry, vol)
    return {"price": v, "delta": g[0], "theta": -g[1], "vega": g[2], "gamma": gamma}

# 20 Heston paths from given normals
@prog("heston")(lambda: [np.array([100.,.04]), np.array([1.5,.04,.5,-.7,.02]), R(21).standard_normal((126,2,128))])
def heston(s0v0, params, normals):
    kappa, theta, xi, rho, r = params
    dt = 1/252.
    def step(c, z):
        ls, v = c
        vp = jnp.maximum(v, 0.)
        z2 = rho*z[0]+jnp.sqrt(1-rho*rho)*z[1]
        ls = ls + (r-0.5*vp)*dt + jnp.sqrt(vp*dt)*z[0]
        v = v + kappa*(theta-vp)*dt + xi*jnp.sqrt(vp*dt)*z2
        return (ls, v), None
    n = normals.shape[2]
    (ls, v), _ = lax.scan(step, (jnp.full(n, jnp.log(s0v0[0])), jnp.full(n, s0v0[1])), normals)
    s = jnp.exp(ls)
    pay = jnp.exp(-r*0.5)*jnp.maximum(s-100., 0)
    return pay.mean(), pay.std()/jnp.sqrt(1.*n), s

# 21* yield curve bootstrap + interpolation + sensitivities
@prog("bootstrap", "f64")(lambda: [np.array([.01+.0012*i-.00002*i*i for i in range(30)]), np.linspace(.5,29.5,200)])
def bootstrap(par_rates, times):
    def curve(rates):
        def step(ann, c):
            df = (1-c*ann)/(1+c)
            return ann+df, df
        _, df = lax.scan(step, jnp.zeros((), rates.dtype), rates)
        return df
    df = curve(par_rates)
    t = jnp.arange(1, 31, dtype=par_rates.dtype)
    zero = -jnp.log(df)/t
    z = jnp.interp(times, t, zero)
    pv = jnp.sum(0.02*jnp.exp(-z*times))
    dv01 = 1e-4*jax.grad(lambda r: jnp.sum(jnp.exp(-jnp.interp(times, t, -jnp.log(curve(r))/t)*times))*0.02)(par_rates)
    return df, zero, pv, dv01

# 22 SABR (Hagan) vols and calibration gradient, 500 strikes
@prog("sabr")(lambda: [np.array([.2,.6,-.3,.4]), np.linspace(.5,1.6,500)*.04, np.array(.04), np.full(500,.3)])
def sabr(params, strikes, fwd, market):
    def vol(p, k):
        a,b,rho,nu = p; T=2.
        fk = (fwd*k)**((1-b)/2); lfk = jnp.log(fwd/k)
        z = nu/a*fk*lfk
        x = jnp.log((jnp.sqrt(1-2*rho*z+z*z)+z-rho)/(1-rho))
        zx = jnp.where(jnp.abs(z) < 1e-4, 1-0.5*rho*z, z/jnp.where(jnp.abs(z) < 1e-4, 1., x))
        den = fk*(1+((1-b)**2)/24*lfk**2+((1-b)**4)/1920*lfk**4)
        cor = 1+(((1-b)**2)/24*a*a/fk**2+rho*b*nu*a/(4*fk)+(2-3*rho*rho)/24*nu*nu)*T
        return a/den*zx*cor
    f = lambda p: jnp.mean((jax.vmap(lambda k: vol(p, k))(strikes)-market)**2)
    l, g = jax.value_and_grad(f)(params)
    return jax.vmap(lambda k: vol(params, k))(strikes), l, g

# 23 negative binomial regression, gradient
def nb_in():
    r=R(23); X=r.standard_normal((2000,5))*.4
    return [np.array([.3,-.2,.5,.1,0.]), np.array(.8), X, r.poisson(np.exp(X@[.3,-.2,.5,.1,0.]+.5)).astype(float)]
@prog("negbin_grad")(nb_in)
def negbin_grad(beta, log_r, X, counts):
    def nll(b, lr):
        r = jnp.exp(lr); eta = X@b
        return -jnp.sum(gammaln(counts+r)-gammaln(r)-gammaln(counts+1)+r*lr+counts*eta-(counts+r)*jnp.logaddexp(lr, eta))
    v, (gb, gr) = jax.value_and_grad(nll, argnums=(0,1))(beta, log_r)
    return {"nll": v, "beta": gb, "log_r": gr}

# 24* Dirichlet-multinomial, gradient
@prog("dirichlet_grad")(lambda: [R(24).standard_normal(12)*.5, R(25).multinomial(40, np.ones(12)/12, 150).astype(float)])
def dirichlet_grad(logits, counts):
    def nll(l):
        a = jax.nn.softplus(l)+0.05
        n = counts.sum(1)
        return -jnp.sum(gammaln(a.sum())-gammaln(n+a.sum())+jnp.sum(gammaln(counts+a)-gammaln(a), 1))
    v, g = jax.value_and_grad(nll)(logits)
    return v, g, digamma(jnp.exp(logits))-digamma(jnp.sum(jnp.exp(logits)))

# 25 beta-binomial and student t
@prog("bb_student")(lambda: [np.array([.2,.7,1.5]), R(26).binomial(20,.4,800).astype(float), R(27).standard_t(4, 1500)])
def bb_student(theta, successes, residuals):
    def bb(t):
        a, b = jnp.exp(t[0]), jnp.exp(t[1]); n=20.; k=successes
        bl = lambda x, y: gammaln(x)+gammaln(y)-gammaln(x+y)
        return -jnp.mean(gammaln(n+1.)-gammaln(k+1)-gammaln(n-k+1)+bl(k+a, n-k+b)-bl(a, b))
    def st(t):
        nu = 1+jnp.exp(t[2]); s = jnp.exp(t[0]*0.3)
        return -jnp.mean(gammaln((nu+1)/2)-gammaln(nu/2)-0.5*jnp.log(nu*jnp.pi)-jnp.log(s)-(nu+1)/2*jnp.log1p((residuals/s)**2/nu))
    v1, g1 = jax.value_and_grad(bb)(theta); v2, g2 = jax.value_and_grad(st)(theta)
    return v1, g1, v2, g2

# 26 long sums
@prog("longsum")(lambda: [R(28).standard_normal(300000)*2+10, R(29).standard_normal(300000)+3])
def longsum(x, y):
    m = x.mean(); v = x.var()
    return {"mean": m, "var": v, "dot": x@y, "cov": jnp.mean((x-m)*(y-y.mean())), "skew": jnp.mean((x-m)**3)/v**1.5, "lse": logsumexp(x)}

# 27* bilinear resize
@prog("resize")(lambda: [R(30).uniform(0,1,(60,80,3))])
def resize(img):
    return jax.image.resize(img, (90,120,3), "bilinear")

# 28 Sobel
@prog("sobel")(lambda: [R(31).uniform(0,1,(128,128))])
def sobel(img):
    p = jnp.pad(img, 1, mode="edge")
    s = lambda i, j: p[i:i+128, j:j+128]
    gx = s(0,2)+2*s(1,2)+s(2,2)-s(0,0)-2*s(1,0)-s(2,0); gy = s(2,0)+2*s(2,1)+s(2,2)-s(0,0)-2*s(0,1)-s(0,2)
    mag = jnp.sqrt(gx*gx+gy*gy); th = jnp.arctan2(gy, gx)
    b = (jnp.floor((th+jnp.pi)/(jnp.pi/4)).astype(jnp.int32)) % 8
    hist = jnp.zeros(8, img.dtype).at[b.ravel()].add(mag.ravel())
    return mag, th, hist/jnp.sum(hist)

# 29 non-local means
@prog("nlm")(lambda: [R(32).uniform(0,1,(48,48)), np.array(.15)])
def nlm(img, h):
    p = jnp.pad(img, 3, mode="reflect")
    num = jnp.zeros_like(img); den = jnp.zeros_like(img)
    box = lambda a: lax.reduce_window(a, jnp.zeros((), a.dtype), lax.add, (3,3), (1,1), "VALID")
    c = p[2:52, 2:52]
    for dy in range(-2,3):
        for dx in range(-2,3):
            q = p[2+dy:52+dy, 2+dx:52+dx]
            w = jnp.exp(-box((c-q)**2)/(9*h*h))
            num = num + w*q[1:-1,1:-1]; den = den + w
    return num/den

# 30* optical flow: Horn-Schunck 10 iterations
@prog("flow")(lambda: [R(33).uniform(0,1,(64,64)), R(34).uniform(0,1,(64,64))])
def flow(a, b):
    k = jnp.array([[1/12,1/6,1/12],[1/6,0,1/6],[1/12,1/6,1/12]], a.dtype)
    sm = lambda u: lax.conv_general_dilated(jnp.pad(u,1,mode="edge")[None,None], k[None,None], (1,1), "VALID")[0,0]
    Ix = 0.5*(jnp.roll(a,-1,1)-jnp.roll(a,1,1)); Iy = 0.5*(jnp.roll(a,-1,0)-jnp.roll(a,1,0)); It = b-a
    def it(_, uv):
        u, v = uv; ub, vb = sm(u), sm(v)
        t = (Ix*ub+Iy*vb+It)/(0.5+Ix*Ix+Iy*Iy)
        return ub-Ix*t, vb-Iy*t
    return lax.fori_loop(0, 10, it, (jnp.zeros_like(a), jnp.zeros_like(a)))

# 31 sun position (f64), 3000 times
@prog("sun", "f64")(lambda: [np.linspace(0, 366, 3000), np.array(52.5), np.array(13.4)])
def sun(days, lat, lon):
    r = jnp.pi/180
    g = (357.529+0.98560028*days)*r; q = 280.459+0.98564736*days
    L = (q+1.915*jnp.sin(g)+0.020*jnp.sin(2*g))*r
    e = (23.439-0.00000036*days)*r
    ra = jnp.arctan2(jnp.cos(e)*jnp.sin(L), jnp.cos(L)); dec = jnp.arcsin(jnp.sin(e)*jnp.sin(L))
    gmst = (18.697374558+24.06570982441908*days) % 24
    ha = (gmst*15+lon)*r-ra
    ph = lat*r
    el = jnp.arcsin(jnp.sin(ph)*jnp.sin(dec)+jnp.cos(ph)*jnp.cos(dec)*jnp.cos(ha))
    az = jnp.arctan2(-jnp.sin(ha), jnp.tan(dec)*jnp.cos(ph)-jnp.sin(ph)*jnp.cos(ha))
    refr = 1.02/jnp.tan((el/r+10.3/(el/r+5.11))*r)/60
    return {"elevation": el/r+jnp.where(el > -0.01, refr, 0.), "azimuth": (az/r) % 360, "distance": 1.00014-0.01671*jnp.cos(g)-0.00014*jnp.cos(2*g)}

# 32 great circle
@prog("great_circle")(lambda: [R(35).uniform(-80,80,50000), R(36).uniform(-180,180,50000), np.array([48.1,11.6])])
def great_circle(lat, lon, home):
    r = np.pi/180
    p1, p2 = lat*r, home[0]*r; dl = (home[1]-lon)*r
    h = jnp.sin((p2-p1)/2)**2+jnp.cos(p1)*jnp.cos(p2)*jnp.sin(dl/2)**2
    d = 2*6371.0088*jnp.arcsin(jnp.sqrt(jnp.clip(h, 0, 1)))
    brg = jnp.arctan2(jnp.sin(dl)*jnp.cos(p2), jnp.cos(p1)*jnp.sin(p2)-jnp.sin(p1)*jnp.cos(p2)*jnp.cos(dl))
    merc = jnp.log(jnp.tan(np.pi/4+p1/2))
    return d, brg, merc

# 33* field-oriented control loop: Clarke, Park, PI, inverse, motor
@prog("foc")(lambda: [np.array([0.,0.,0.,5.]), np.stack([np.zeros(500), 2+np.sin(np.arange(500)*.02)],1)])
def foc(motor0, iref):
    dt=1e-4; Ld,Lq,Rs,psi=1e-3,1.2e-3,.3,.05
    def step(c, ir):
        m, integ = c; idq = m[:2]; th, om = m[2], m[3]
        c_, s_ = jnp.cos(th), jnp.sin(th)
        al = c_*idq[0]-s_*idq[1]; be = s_*idq[0]+c_*idq[1]
        abc = jnp.stack([al, -0.5*al+0.8660254037844386*be, -0.5*al-0.8660254037844386*be])
        al2 = 2/3*(abc[0]-0.5*abc[1]-0.5*abc[2]); be2 = (abc[1]-abc[2])*0.5773502691896258
        i = jnp.stack([c_*al2+s_*be2, -s_*al2+c_*be2])
        e = ir-i; integ = jnp.clip(integ+e*dt*300, -10, 10); v = jnp.clip(2*e+integ, -24, 24)
        did = (v[0]-Rs*idq[0]+om*Lq*idq[1])/Ld; diq = (v[1]-Rs*idq[1]-om*(Ld*idq[0]+psi))/Lq
        te = 1.5*4*(psi*idq[1]+(Ld-Lq)*idq[0]*idq[1])
        th = jnp.mod(th+om*dt, 2*jnp.pi)
        m = jnp.stack([idq[0]+dt*did, idq[1]+dt*diq, th, om+dt*(te-0.01*om)/1e-3])
        return (m, integ), (abc, te)
    (m, integ), (abc, te) = lax.scan(step, (motor0, jnp.zeros(2, motor0.dtype)), iref)
    return {"motor": m, "abc": abc, "torque": te}

# 34 Kepler by Newton (f64) with while loop
@prog("kepler", "f64")(lambda: [R(37).uniform(0,2*np.pi,2000), R(38).uniform(0,.9,2000)])
def kepler(M, ecc):
    E = M + ecc*jnp.sin(M)
    def cond(c): return (c[1] < 30) & (c[2] > 1e-13)
    def body(c):
        E, k, _ = c
        d = (E-ecc*jnp.sin(E)-M)/(1-ecc*jnp.cos(E))
        return E-d, k+1, jnp.max(jnp.abs(d))
    E, k, _ = lax.while_loop(cond, body, (E, 0, jnp.asarray(1., M.dtype)))
    nu = 2*jnp.arctan2(jnp.sqrt(1+ecc)*jnp.sin(E/2), jnp.sqrt(1-ecc)*jnp.cos(E/2))
    return {"E": E, "nu": nu, "iterations": k}

# 35 J2 propagation (f64)
@prog("j2", "f64")(lambda: [np.array([7000.,0,0,0,5.2,5.4])])
def j2(state):
    mu, Re, J2 = 398600.4418, 6378.137, 1.08262668e-3
    def acc(s):
        r, v = s[:3], s[3:]
        n = jnp.linalg.norm(r); z2 = (r[2]/n)**2
        k = 1.5*J2*mu*Re**2/n**5
        a = -mu*r/n**3 + k*r*jnp.stack([5*z2-1, 5*z2-1, 5*z2-3])
        return jnp.concatenate([v, a])
    def step(s, _):
        h=30.
        k1=acc(s); k2=acc(s+h/2*k1); k3=acc(s+h/2*k2); k4=acc(s+h*k3)
        s = s+h/6*(k1+2*k2+2*k3+k4)
        return s, s[:3]
    return lax.scan(step, state, None, length=200)

# 36* normal equations over 300,000 samples, solved
@prog("normeq")(lambda: [R(39).standard_normal((300000,4))+1, R(40).standard_normal(300000)+2])
def normeq(X, y):
    G = X.T@X; c = X.T@y
    # Cholesky by hand, 4x4
    L = [[None]*4 for _ in range(4)]
    for i in range(4):
        for j in range(i+1):
            s = G[i,j]-sum(L[i][k]*L[j][k] for k in range(j))
            L[i][j] = jnp.sqrt(s) if i==j else s/L[j][j]
    z=[]
    for i in range(4): z.append((c[i]-sum(L[i][k]*z[k] for k in range(i)))/L[i][i])
    b=[None]*4
    for i in (3,2,1,0): b[i]=(z[i]-sum(L[k][i]*b[k] for k in range(i+1,4)))/L[i][i]
    b=jnp.stack(b); r=y-X@b
    return {"beta": b, "rss": r@r, "gram": G}
