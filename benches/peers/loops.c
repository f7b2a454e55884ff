// The small workloads of ../src/workloads as C loops written by hand, derivatives included; one thread.
// cc -O3 -march=native -fno-math-errno loops.c -lm && ./a.out PEER NAME INPUTS [--quick]
// reads the inputs of workload NAME in the folder INPUTS and prints a JSON object: {"workload", "peer" (PEER),
// "threads", "us" (median time of a call), "us_low", "us_high" (quartiles), "check" (as
// ../src/workloads/mod.rs has it)}; nothing for a workload that is not here.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// --- Inputs and results

typedef struct {
  union { void *data; double *d; float *f; int *i; };
  long n, shape[4];
  int rank;
} Array;
static Array in[8];
// Results: a value, and arrays of doubles and floats.
static double *out_d;
static float *out_f;
static long count_d, count_f;
// Where a second and a third result begin within an array.
static long second = -1, third = -1;

static void *need(void *p) {
  if (!p) exit(1);
  return p;
}
// A little-endian .npy file of version 1.
static int load(const char *path, Array *a) {
  unsigned char start[10];
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  if (fread(start, 1, 10, file) != 10) exit(1);
  long length = start[8] | start[9] << 8;
  char *header = need(calloc(length + 1, 1));
  if (fread(header, 1, length, file) != (size_t)length) exit(1);
  char *descr = need(strstr(header, "'<")), *shape = need(strchr(header, '('));
  long size = descr[3] - '0';
  a->n = 1, a->rank = 0;
  for (char *s = shape + 1; *s && *s != ')';) {
    if (*s < '0' || *s > '9') { s++; continue; }
    a->shape[a->rank] = strtol(s, &s, 10);
    a->n *= a->shape[a->rank++];
  }
  a->data = need(aligned_alloc(64, (a->n * size + 63) / 64 * 64));
  if (fread(a->data, size, a->n, file) != (size_t)a->n) exit(1);
  fclose(file);
  free(header);
  return 1;
}
static double *doubles(long n) { return need(calloc(count_d = n, sizeof(double))); }
static float *floats(long n) { return need(calloc(count_f = n, sizeof(float))); }

// --- Small functions of one array

static double scalar_f(void) { double x = *in[0].d; return sin(x * x) + exp(-x) * x; }
static double scalar_grad(void) {
  double x = *in[0].d, e = exp(-x);
  return 2 * x * cos(x * x) + e - e * x;
}
static double scalar_grad2(void) {
  double x = *in[0].d, e = exp(-x);
  return 2 * cos(x * x) - 4 * x * x * sin(x * x) - 2 * e + e * x;
}
static double rosenbrock_f(void) {
  double s[8] = {0}, *x = in[0].d;
  long i = 0, n = in[0].n;
  for (; i + 8 < n; i += 8)
    for (int k = 0; k < 8; k++) {
      double a = x[i + k], r = x[i + k + 1] - a * a, q = 1 - a;
      s[k] += 100 * r * r + q * q;
    }
  double total = 0;
  for (int k = 0; k < 8; k++) total += s[k];
  for (; i + 1 < n; i++) { double a = x[i], r = x[i + 1] - a * a, q = 1 - a; total += 100 * r * r + q * q; }
  return total;
}
static double rosenbrock_vg(void) {
  double *restrict x = in[0].d, *restrict g = out_d, s[8] = {0}, total = 0;
  long n = in[0].n, i = 1;
  double r0 = x[1] - x[0] * x[0], q0 = 1 - x[0];
  g[0] = -400 * x[0] * r0 - 2 * q0;
  total = 100 * r0 * r0 + q0 * q0;
  for (; i + 8 < n; i += 8)
    for (int k = 0; k < 8; k++) {
      double a = x[i + k], r = x[i + k + 1] - a * a, before = a - x[i + k - 1] * x[i + k - 1], q = 1 - a;
      s[k] += 100 * r * r + q * q;
      g[i + k] = -400 * a * r - 2 * q + 200 * before;
    }
  for (; i + 1 < n; i++) {
    double a = x[i], r = x[i + 1] - a * a, before = a - x[i - 1] * x[i - 1], q = 1 - a;
    total += 100 * r * r + q * q;
    g[i] = -400 * a * r - 2 * q + 200 * before;
  }
  g[n - 1] = 200 * (x[n - 1] - x[n - 2] * x[n - 2]);
  for (int k = 0; k < 8; k++) total += s[k];
  return total;
}
static double fused_f(void) {
  float *restrict x = in[0].f, a = *in[1].f, b = *in[2].f, s = 0;
  long n = in[0].n;
  double total = 0;
  // Blocks keep the rounding of a float sum small.
  for (long from = 0; from < n; from += 1024, total += s, s = 0)
    for (long i = from; i < n && i < from + 1024; i++)
      s += tanhf(a * x[i] + b) * expf(-x[i] * x[i]) + log1pf(x[i] * x[i]);
  return total / n;
}
static double fused_vg(void) {
  float *restrict x = in[0].f, *restrict g = out_f, a = *in[1].f, b = *in[2].f, w = 1.0f / in[0].n, s = 0;
  long n = in[0].n;
  double total = 0;
  for (long from = 0; from < n; from += 1024, total += s, s = 0)
    for (long i = from; i < n && i < from + 1024; i++) {
      float q = x[i] * x[i], t = tanhf(a * x[i] + b), e = expf(-q);
      s += t * e + log1pf(q);
      g[i] = w * ((1 - t * t) * a * e - 2 * x[i] * t * e + 2 * x[i] / (1 + q));
    }
  return total / n;
}
static double axpy_f(void) {
  float a = *in[0].f, *restrict x = in[1].f, *restrict y = in[2].f, *restrict z = out_f;
  for (long i = 0, n = in[1].n; i < n; i++) z[i] = a * x[i] + y[i] * y[i];
  return 0;
}
static double sweep_f(void) {
  double *restrict x = in[0].d, *restrict y = out_d;
  for (long i = 0, n = in[0].n; i < n; i++) y[i] = ((x[i] * x[i] + 1.5) * x[i] - 0.5) * x[i] + exp(-x[i] * x[i]);
  return 0;
}

// --- Softmax cross-entropy: the mean over rows of logsumexp(row) - row[label]

static float largest(const float *x, long n) {
  float m = x[0];
  for (long j = 1; j < n; j++) m = x[j] > m ? x[j] : m;
  return m;
}
static double xent_f(void) {
  long rows = in[0].shape[0], n = in[0].shape[1];
  double total = 0;
  for (long r = 0; r < rows; r++) {
    float *restrict x = in[0].f + r * n, m = largest(x, n), s = 0;
    for (long j = 0; j < n; j++) s += expf(x[j] - m);
    total += logf(s) + m - x[in[1].i[r]];
  }
  return total / rows;
}
static double xent_vg(void) {
  long rows = in[0].shape[0], n = in[0].shape[1];
  double total = 0;
  for (long r = 0; r < rows; r++) {
    float *restrict x = in[0].f + r * n, *restrict g = out_f + r * n, m = largest(x, n), s = 0;
    for (long j = 0; j < n; j++) s += g[j] = expf(x[j] - m);
    float scale = 1 / (s * rows);
    for (long j = 0; j < n; j++) g[j] *= scale;
    g[in[1].i[r]] -= 1.0f / rows;
    total += logf(s) + m - x[in[1].i[r]];
  }
  return total / rows;
}

// --- A Lorenz system under the Runge-Kutta method

#define STEPS 1000
static const double H = 0.01;
static void slope(const double *p, const double *s, double *k) {
  k[0] = p[0] * (s[1] - s[0]);
  k[1] = s[0] * (p[1] - s[2]) - s[1];
  k[2] = s[0] * s[1] - p[2] * s[2];
}
// Adds the pullback of `slope` at s of the cotangent c to ds and dp.
static void slope_pullback(const double *p, const double *s, const double *c, double *ds, double *dp) {
  ds[0] += -p[0] * c[0] + (p[1] - s[2]) * c[1] + s[1] * c[2];
  ds[1] += p[0] * c[0] - c[1] + s[0] * c[2];
  ds[2] += -s[0] * c[1] - p[2] * c[2];
  dp[0] += (s[1] - s[0]) * c[0];
  dp[1] += s[0] * c[1];
  dp[2] += -s[2] * c[2];
}
static void step(const double *p, double *s) {
  double k1[3], k2[3], k3[3], k4[3], t[3];
  slope(p, s, k1);
  for (int i = 0; i < 3; i++) t[i] = s[i] + H / 2 * k1[i];
  slope(p, t, k2);
  for (int i = 0; i < 3; i++) t[i] = s[i] + H / 2 * k2[i];
  slope(p, t, k3);
  for (int i = 0; i < 3; i++) t[i] = s[i] + H * k3[i];
  slope(p, t, k4);
  for (int i = 0; i < 3; i++) s[i] += H / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}
static double lorenz_f(void) {
  double *x = in[0].d, s[3] = {x[0], x[1], x[2]};
  for (int i = 0; i < STEPS; i++) step(in[1].d, s);
  return s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
}
static double lorenz_vg(void) {
  static double tape[STEPS][3];
  double *x = in[0].d, *p = in[1].d, s[3] = {x[0], x[1], x[2]}, *ds = out_d, *dp = out_d + 3;
  for (int i = 0; i < STEPS; i++) { memcpy(tape[i], s, sizeof s); step(p, s); }
  for (int i = 0; i < 3; i++) ds[i] = 2 * s[i], dp[i] = 0;
  double value = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
  for (int n = STEPS - 1; n >= 0; n--) {
    double k1[3], k2[3], k3[3], s2[3], s3[3], s4[3], c[3], back[3], *z = tape[n];
    slope(p, z, k1);
    for (int i = 0; i < 3; i++) s2[i] = z[i] + H / 2 * k1[i];
    slope(p, s2, k2);
    for (int i = 0; i < 3; i++) s3[i] = z[i] + H / 2 * k2[i];
    slope(p, s3, k3);
    for (int i = 0; i < 3; i++) s4[i] = z[i] + H * k3[i];
    double total[3] = {ds[0], ds[1], ds[2]};
    // The stages in reverse: `c` is the cotangent of a stage's slope, `back` that of the state it was taken at.
    double weight[4] = {H / 6, H / 3, H / 3, H / 6}, reach[4] = {H / 2, H / 2, H, 0}, *at[4] = {z, s2, s3, s4};
    memset(back, 0, sizeof back);
    for (int k = 3; k >= 0; k--) {
      for (int i = 0; i < 3; i++) c[i] = weight[k] * ds[i] + reach[k] * back[i];
      memset(back, 0, sizeof back);
      slope_pullback(p, at[k], c, back, dp);
      for (int i = 0; i < 3; i++) total[i] += back[i];
    }
    memcpy(ds, total, sizeof total);
  }
  return value;
}

// --- 64 bodies under the leapfrog method, coordinates first

#define BODIES 64
static const double STEP = 0.005, SOFTENING = 0.01;
static void acceleration(const double *restrict x, const double *restrict m, double *restrict a) {
  for (int i = 0; i < BODIES; i++) {
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < BODIES; j++) {
      double dx = x[j] - x[i], dy = x[BODIES + j] - x[BODIES + i], dz = x[2 * BODIES + j] - x[2 * BODIES + i];
      double inverse = 1 / sqrt(dx * dx + dy * dy + dz * dz + SOFTENING), c = m[j] * inverse * inverse * inverse;
      ax += c * dx, ay += c * dy, az += c * dz;
    }
    a[i] = ax, a[BODIES + i] = ay, a[2 * BODIES + i] = az;
  }
}
// Adds the pullback of the acceleration's cotangent g at x to gx.
static void acceleration_pullback(const double *restrict x, const double *restrict m, const double *restrict g,
                                  double *restrict gx) {
  enum { N = BODIES };
  for (int i = 0; i < N; i++) {
    double sx = 0, sy = 0, sz = 0;
    for (int j = 0; j < N; j++) {
      double dx = x[j] - x[i], dy = x[N + j] - x[N + i], dz = x[2 * N + j] - x[2 * N + i];
      double qx = m[i] * g[j] - m[j] * g[i], qy = m[i] * g[N + j] - m[j] * g[N + i];
      double qz = m[i] * g[2 * N + j] - m[j] * g[2 * N + i];
      double inverse = 1 / sqrt(dx * dx + dy * dy + dz * dz + SOFTENING), cube = inverse * inverse * inverse;
      double along = 3 * cube * inverse * inverse * (dx * qx + dy * qy + dz * qz);
      sx += cube * qx - along * dx, sy += cube * qy - along * dy, sz += cube * qz - along * dz;
    }
    gx[i] += sx, gx[N + i] += sy, gx[2 * N + i] += sz;
  }
}
static double energy(const double *restrict x, const double *restrict v, const double *restrict m) {
  enum { N = BODIES };
  double total = 0;
  for (int i = 0; i < N; i++) {
    double potential = -m[i] / sqrt(SOFTENING);
    for (int j = 0; j < N; j++) {
      double dx = x[j] - x[i], dy = x[N + j] - x[N + i], dz = x[2 * N + j] - x[2 * N + i];
      potential += m[j] / sqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
    }
    total += 0.5 * m[i] * (v[i] * v[i] + v[N + i] * v[N + i] + v[2 * N + i] * v[2 * N + i] - potential);
  }
  return total;
}
// The last state; the positions before every step and after the last go to `tape` if there is one.
static void leapfrog(double *x, double *v, const double *m, double (*tape)[3 * BODIES]) {
  double a[3 * BODIES];
  acceleration(x, m, a);
  for (int s = 0; s < 100; s++) {
    if (tape) memcpy(tape[s], x, sizeof *tape);
    for (int i = 0; i < 3 * BODIES; i++) v[i] += STEP / 2 * a[i], x[i] += STEP * v[i];
    acceleration(x, m, a);
    for (int i = 0; i < 3 * BODIES; i++) v[i] += STEP / 2 * a[i];
  }
  if (tape) memcpy(tape[100], x, sizeof *tape);
}
static double nbody_f(void) {
  double x[3 * BODIES], v[3 * BODIES];
  memcpy(x, in[0].d, sizeof x), memcpy(v, in[1].d, sizeof v);
  leapfrog(x, v, in[2].d, NULL);
  return energy(x, v, in[2].d);
}
static double nbody_vg(void) {
  enum { N = BODIES };
  static double tape[101][3 * N];
  double x[3 * N], v[3 * N], ga[3 * N], *m = in[2].d, *gx = out_d, *gv = out_d + 3 * N;
  memcpy(x, in[0].d, sizeof x), memcpy(v, in[1].d, sizeof v);
  leapfrog(x, v, m, tape);
  // The force on a body is its mass times its acceleration, and less the energy's derivative.
  acceleration(x, m, ga);
  for (int i = 0; i < 3 * N; i++) gx[i] = -m[i % N] * ga[i], gv[i] = m[i % N] * v[i], ga[i] = 0;
  for (int s = 100; s > 0; s--) {
    for (int i = 0; i < 3 * N; i++) ga[i] += STEP / 2 * gv[i];
    acceleration_pullback(tape[s], m, ga, gx);
    for (int i = 0; i < 3 * N; i++) gv[i] += STEP * gx[i], ga[i] = STEP / 2 * gv[i];
  }
  acceleration_pullback(tape[0], m, ga, gx);
  return energy(x, v, m);
}

// --- Many small problems

static double rosenbrock_batch_f(void) {
  for (long k = 0, n = in[0].shape[0]; k < n; k++) {
    float *restrict x = in[0].f + 10 * k, s = 0;
    for (int i = 0; i < 9; i++) { float r = x[i + 1] - x[i] * x[i], q = 1 - x[i]; s += 100 * r * r + q * q; }
    out_f[k] = s;
  }
  return 0;
}
static double rosenbrock_batch_vg(void) {
  long n = in[0].shape[0];
  for (long k = 0; k < n; k++) {
    float *restrict x = in[0].f + 10 * k, *restrict g = out_f + n + 10 * k, s = 0, before = 0;
    for (int i = 0; i < 9; i++) {
      float r = x[i + 1] - x[i] * x[i], q = 1 - x[i];
      s += 100 * r * r + q * q;
      g[i] = -400 * x[i] * r - 2 * q + 200 * before;
      before = r;
    }
    g[9] = 200 * before;
    out_f[k] = s;
  }
  return 0;
}
static double solve_batch_f(void) {
  for (long n = in[0].shape[0], p = 0; p < n; p++) {
    float a[4][5], x[4], s = 0;
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) a[i][j] = in[0].f[16 * p + 4 * i + j];
      a[i][4] = in[1].f[4 * p + i];
    }
    for (int k = 0; k < 4; k++)
      for (int i = k + 1; i < 4; i++) {
        float factor = a[i][k] / a[k][k];
        for (int j = k + 1; j < 5; j++) a[i][j] -= factor * a[k][j];
      }
    for (int i = 3; i >= 0; i--) {
      float rest = a[i][4];
      for (int j = i + 1; j < 4; j++) rest -= a[i][j] * x[j];
      x[i] = rest / a[i][i];
      s += x[i] * x[i];
    }
    out_f[p] = s;
  }
  return 0;
}

// --- Bundle adjustment: cameras, points, weights, observations, and which camera and point each is of

// The weighted errors of an observation, and, unless it is null, their derivatives by camera (11), point (3) and weight.
static inline void observe(const double *camera, const double *point, double w, const double *seen, double *miss,
                           double (*jacobian)[15]) {
  double x[3], a[3], y[3], across[3], angle = 0, along = 0;
  for (int k = 0; k < 3; k++) x[k] = point[k] - camera[3 + k], angle += camera[k] * camera[k];
  angle = sqrt(angle);
  double s = sin(angle), c = cos(angle);
  for (int k = 0; k < 3; k++) a[k] = camera[k] / angle, along += a[k] * x[k];
  for (int k = 0; k < 3; k++) {
    int l = (k + 1) % 3, m = (k + 2) % 3;
    across[k] = a[l] * x[m] - a[m] * x[l];
    y[k] = x[k] * c + across[k] * s + a[k] * along * (1 - c);
  }
  double flat[2] = {y[0] / y[2], y[1] / y[2]}, f = camera[6], near = camera[9], far = camera[10];
  double r = flat[0] * flat[0] + flat[1] * flat[1], bend = 1 + near * r + far * r * r;
  for (int i = 0; i < 2; i++) miss[i] = w * (flat[i] * bend * f + camera[7 + i] - seen[i]);
  if (!jacobian) return;
  // By the angle, and by each element of the rotation: the angle changes, and the axis.
  double turned[3][3], rotation[3][3], by_angle[3];
  for (int k = 0; k < 3; k++) by_angle[k] = -x[k] * s + across[k] * c + a[k] * along * s;
  double by_axis[3][3]; // [element of y][element of the axis]
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < 3; j++) {
      double cross = k == j ? 0 : (j == (k + 1) % 3 ? x[(k + 2) % 3] : -x[(k + 1) % 3]);
      double turn = k == j ? 0 : (j == (k + 1) % 3 ? -a[(k + 2) % 3] : a[(k + 1) % 3]);
      by_axis[k][j] = cross * s + (a[k] * x[j] + (k == j ? along : 0)) * (1 - c);
      rotation[k][j] = turn * s + a[k] * a[j] * (1 - c) + (k == j ? c : 0);
    }
  for (int k = 0; k < 3; k++) {
    double radial = 0;
    for (int j = 0; j < 3; j++) radial += by_axis[k][j] * a[j];
    for (int j = 0; j < 3; j++) turned[k][j] = by_angle[k] * a[j] + (by_axis[k][j] - radial * a[j]) / angle;
  }
  for (int i = 0; i < 2; i++) {
    double *row = jacobian[i], to[3], slope = near + 2 * far * r;
    double by_flat[2] = {2 * flat[i] * flat[0] * slope, 2 * flat[i] * flat[1] * slope};
    by_flat[i] += bend;
    to[0] = w * f * by_flat[0] / y[2], to[1] = w * f * by_flat[1] / y[2];
    to[2] = -(to[0] * flat[0] + to[1] * flat[1]);
    for (int j = 0; j < 3; j++) {
      double turn = 0, move = 0;
      for (int k = 0; k < 3; k++) turn += to[k] * turned[k][j], move += to[k] * rotation[k][j];
      row[j] = turn, row[3 + j] = -move, row[11 + j] = move;
    }
    row[6] = w * flat[i] * bend;
    row[7] = i == 0 ? w : 0, row[8] = i == 1 ? w : 0;
    row[9] = w * f * flat[i] * r, row[10] = w * f * flat[i] * r * r;
    row[14] = miss[i] / w;
  }
}
static double ba_f(void) {
  long p = in[2].n;
  for (long i = 0; i < p; i++) {
    double w = in[2].d[i];
    observe(in[0].d + 11 * in[4].i[i], in[1].d + 3 * in[5].i[i], w, in[3].d + 2 * i, out_d + 2 * i, 0);
    out_d[2 * p + i] = 1 - w * w;
  }
  return 0;
}
static double ba_jacobian(void) {
  long p = in[2].n;
  for (long i = 0; i < p; i++) {
    double w = in[2].d[i], *miss = out_d + 30 * p + 2 * i;
    double (*rows)[15] = (double (*)[15])(out_d + 30 * i);
    observe(in[0].d + 11 * in[4].i[i], in[1].d + 3 * in[5].i[i], w, in[3].d + 2 * i, miss, rows);
    out_d[32 * p + i] = -2 * w;
  }
  return 0;
}

// --- Elementwise functions, in both types

#define EACH(NAME, F32, F64)                                                                                     \
  static double NAME##_f32(void) {                                                                               \
    float *restrict p = in[0].f, *restrict q = out_f;                                                            \
    for (long i = 0, n = in[0].n; i < n; i++) { float x = p[i]; q[i] = F32; }                                    \
    return 0;                                                                                                    \
  }                                                                                                              \
  static double NAME##_f64(void) {                                                                               \
    double *restrict p = in[0].d, *restrict q = out_d;                                                           \
    for (long i = 0, n = in[0].n; i < n; i++) { double x = p[i]; q[i] = F64; }                                   \
    return 0;                                                                                                    \
  }
#define LIBRARY(NAME) EACH(e_##NAME, NAME##f(x), NAME(x))
LIBRARY(exp) LIBRARY(expm1) LIBRARY(log) LIBRARY(log1p) LIBRARY(sin) LIBRARY(cos) LIBRARY(tan) LIBRARY(tanh)
LIBRARY(sinh) LIBRARY(cosh) LIBRARY(atan) LIBRARY(sqrt) LIBRARY(erf) LIBRARY(cbrt) LIBRARY(lgamma)
EACH(e_negate, -x, -x)
EACH(e_rsqrt, 1 / sqrtf(x), 1 / sqrt(x))
EACH(e_reciprocal, 1 / x, 1 / x)
EACH(e_power, powf(x, 1.7f), pow(x, 1.7))
EACH(e_logistic, 1 / (1 + expf(-x)), 1 / (1 + exp(-x)))

// --- The table, and the measurement

typedef double (*Call)(void);
// What arrays a workload writes: none, or as many elements as its first input, of floats or doubles, or other.
typedef enum { VALUE, LIKE_F32, LIKE_F64, AXPY, LORENZ, BODIES_2, ROWS, ROWS_AND_LIKE, ERRORS, BUNDLE } Results;
#define BOTH(NAME) {"elementwise.f32." #NAME, e_##NAME##_f32, LIKE_F32}, {"elementwise.f64." #NAME, e_##NAME##_f64, LIKE_F64}
// Names without their size; those of elementwise functions are whole.
static const struct { const char *name; Call call; Results results; } TABLE[] = {
  {"scalar.f", scalar_f, VALUE}, {"scalar.grad", scalar_grad, VALUE}, {"scalar.grad2", scalar_grad2, VALUE},
  {"rosenbrock.f", rosenbrock_f, VALUE}, {"rosenbrock.vg", rosenbrock_vg, LIKE_F64},
  {"fused.f", fused_f, VALUE}, {"fused.vg", fused_vg, LIKE_F32}, {"axpy.f", axpy_f, AXPY},
  {"sweep.f", sweep_f, LIKE_F64}, {"xent.f", xent_f, VALUE}, {"xent.vg", xent_vg, LIKE_F32},
  {"lorenz.f", lorenz_f, VALUE}, {"lorenz.vg", lorenz_vg, LORENZ}, {"nbody_root.f", nbody_f, VALUE},
  {"nbody_root.vg", nbody_vg, BODIES_2},
  {"rosenbrock_batch.f", rosenbrock_batch_f, ROWS}, {"rosenbrock_batch.vg", rosenbrock_batch_vg, ROWS_AND_LIKE},
  {"solve_batch.f", solve_batch_f, ROWS}, {"ba.f", ba_f, ERRORS}, {"ba.jacobian", ba_jacobian, BUNDLE},
  BOTH(exp), BOTH(expm1), BOTH(log), BOTH(log1p), BOTH(sin), BOTH(cos), BOTH(tan), BOTH(tanh), BOTH(sinh), BOTH(cosh),
  BOTH(atan), BOTH(sqrt), BOTH(erf), BOTH(cbrt), BOTH(lgamma), BOTH(negate), BOTH(rsqrt), BOTH(reciprocal), BOTH(power),
  BOTH(logistic),
};

static double enough = 0.4, sample = 50e-6;
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
static int order(const void *a, const void *b) { return *(double *)a < *(double *)b ? -1 : 1; }
static double timed(Call f, long repeats) {
  static volatile double sink;
  double start = now();
  for (long i = 0; i < repeats; i++) sink = f();
  (void)sink;
  return now() - start;
}
static double weighted(double x, long i) {
  if (third >= 0 && i >= third) i -= third;
  else if (second >= 0 && i >= second) i -= second;
  return fabs(x) * (1 + i % 7 + (x < 0 ? 7 : 0));
}
static void measure(const char *peer, const char *name, Call f) {
  static double samples[100000];
  double check = weighted(f(), 0);
  for (long i = 0; i < count_d; i++) check += weighted(out_d[i], i);
  for (long i = 0; i < count_f; i++) check += weighted(out_f[i], i);
  long repeats = 1, n = 0;
  while (timed(f, repeats) < sample) repeats *= 2;
  double start = now();
  while (n < 100000 && (n < 3 || now() - start < enough)) samples[n++] = timed(f, repeats) / repeats;
  qsort(samples, n, sizeof *samples, order);
  printf("{\"workload\": \"%s\", \"peer\": \"%s\", \"threads\": 1, \"us\": %g, \"us_low\": %g, \"us_high\": %g, "
         "\"check\": %.17g}\n",
         name, peer, samples[n / 2] * 1e6, samples[n / 4] * 1e6, samples[3 * n / 4] * 1e6, check);
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const char *peer = argv[1], *name = argv[2], *inputs = argv[3], *first = strchr(name, '.'), *last = strrchr(name, '.');
  if (argc > 4 && !strcmp(argv[4], "--quick")) enough = 0.02, sample = 20e-6;
  if (!first) return 2;
  char family[256], path[4096];
  snprintf(family, sizeof family, "%.*s%s", (int)(first - name), name, last);
  for (size_t k = 0; k < sizeof TABLE / sizeof *TABLE; k++) {
    if (strcmp(TABLE[k].name, family) && strcmp(TABLE[k].name, name)) continue;
    for (int i = 0; i < 8; i++) {
      snprintf(path, sizeof path, "%s/%.*s/%d.npy", inputs, (int)(last - name), name, i);
      if (!load(path, &in[i])) break;
    }
    if (!in[0].data) return 1;
    switch (TABLE[k].results) {
      case VALUE: break;
      case LIKE_F32: out_f = floats(in[0].n); break;
      case LIKE_F64: out_d = doubles(in[0].n); break;
      case AXPY: out_f = floats(in[1].n); break;
      case LORENZ: out_d = doubles(6), second = 3; break;
      case BODIES_2: out_d = doubles(6 * BODIES), second = 3 * BODIES; break;
      case ROWS: out_f = floats(in[0].shape[0]); break;
      case ROWS_AND_LIKE: second = in[0].shape[0], out_f = floats(second + in[0].n); break;
      case ERRORS: out_d = doubles(3 * in[2].n), second = 2 * in[2].n; break;
      case BUNDLE: out_d = doubles(33 * in[2].n), second = 30 * in[2].n, third = 32 * in[2].n; break;
    }
    measure(peer, name, TABLE[k].call);
  }
  return 0;
}
