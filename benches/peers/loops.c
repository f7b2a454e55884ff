// The small workloads of ../src/workloads.rs as C loops written by hand, derivatives included; one thread.
// gcc -O3 -march=native -fno-math-errno loops.c -lm && ./a.out [--quick]
// Prints one JSON object a line: {"workload", "peer", "threads", "us" (median time of a call), "check"}.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double enough = 0.4, sample = 50e-6;
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
static int order(const void *a, const void *b) { return *(double *)a < *(double *)b ? -1 : 1; }

// What a workload reads and writes. `check` is the sum of absolute values of the results.
typedef struct { double *x, *gx, value; float *xf, *gf; long n; } Data;
typedef double (*Call)(Data *);

static double timed(Call f, Data *d, long repeats) {
  static volatile double sink;
  double start = now();
  for (long i = 0; i < repeats; i++) sink = f(d);
  (void)sink;
  return now() - start;
}
static void measure(const char *name, Call f, Data *d) {
  static double samples[100000];
  double check = f(d);
  long repeats = 1, count = 0;
  while (timed(f, d, repeats) < sample) repeats *= 2;
  double start = now();
  while (count < 100000 && (count < 3 || now() - start < enough)) samples[count++] = timed(f, d, repeats) / repeats;
  qsort(samples, count, sizeof *samples, order);
  printf("{\"workload\": \"%s\", \"peer\": \"c\", \"threads\": 1, \"us\": %g", name, samples[count / 2] * 1e6);
  if (!isnan(check)) printf(", \"check\": %.17g", check);
  printf("}\n");
}
// Sums what a gradient holds; called once per workload, outside the timing.
static double sum_f(const float *g, long n) { double s = 0; for (long i = 0; i < n; i++) s += fabs(g[i]); return s; }
static double sum_d(const double *g, long n) { double s = 0; for (long i = 0; i < n; i++) s += fabs(g[i]); return s; }

static double scalar_f(Data *d) { double x = d->x[0]; return sin(x * x) + exp(-x) * x; }
static double scalar_grad(Data *d) {
  double x = d->x[0], e = exp(-x);
  return 2 * x * cos(x * x) + e - e * x;
}
static double scalar_grad2(Data *d) {
  double x = d->x[0], e = exp(-x);
  return 2 * cos(x * x) - 4 * x * x * sin(x * x) - 2 * e + e * x;
}

static double rosenbrock_f(Data *d) {
  double s[8] = {0}, *x = d->x;
  long i = 0;
  for (; i + 8 < d->n; i += 8)
    for (int k = 0; k < 8; k++) {
      double a = x[i + k], r = x[i + k + 1] - a * a, q = 1 - a;
      s[k] += 100 * r * r + q * q;
    }
  double total = 0;
  for (int k = 0; k < 8; k++) total += s[k];
  for (; i + 1 < d->n; i++) { double a = x[i], r = x[i + 1] - a * a, q = 1 - a; total += 100 * r * r + q * q; }
  return total;
}
static double rosenbrock_vg(Data *d) {
  double *x = d->x, *g = d->gx;
  long n = d->n;
  g[0] = 0;
  for (long i = 0; i + 1 < n; i++) g[i + 1] = 200 * (x[i + 1] - x[i] * x[i]);
  for (long i = 0; i + 1 < n; i++) g[i] += -400 * x[i] * (x[i + 1] - x[i] * x[i]) - 2 * (1 - x[i]);
  return rosenbrock_f(d);
}

static double fused_f(Data *d) {
  float *x = d->xf, a = 1.3f, b = 0.2f;
  double s = 0;
  for (long i = 0; i < d->n; i++) s += tanhf(a * x[i] + b) * expf(-x[i] * x[i]) + log1pf(x[i] * x[i]);
  return s / d->n;
}
static double fused_vg(Data *d) {
  float *x = d->xf, *g = d->gf, a = 1.3f, b = 0.2f, w = 1.0f / d->n;
  double s = 0;
  for (long i = 0; i < d->n; i++) {
    float q = x[i] * x[i], t = tanhf(a * x[i] + b), e = expf(-q);
    s += t * e + log1pf(q);
    g[i] = w * ((1 - t * t) * a * e - 2 * x[i] * t * e + 2 * x[i] / (1 + q));
  }
  return s / d->n;
}

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
static double lorenz_f(Data *d) {
  double s[3] = {d->x[0], d->x[1], d->x[2]};
  for (int i = 0; i < STEPS; i++) step(d->x + 3, s);
  return s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
}
static double lorenz_vg(Data *d) {
  static double tape[STEPS][3];
  double *p = d->x + 3, s[3] = {d->x[0], d->x[1], d->x[2]}, *ds = d->gx, *dp = d->gx + 3;
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

// Runs once for the check value, with the gradient's elements added.
#define CHECKED(name, call, extra) \
  static double name(Data *d) { static Data *seen; double v = call(d); if (seen == d) return v; seen = d; return fabs(v) + (extra); }
CHECKED(scalar_f_checked, scalar_f, 0)
CHECKED(scalar_grad_checked, scalar_grad, 0)
CHECKED(scalar_grad2_checked, scalar_grad2, 0)
CHECKED(rosenbrock_f_checked, rosenbrock_f, 0)
CHECKED(rosenbrock_vg_checked, rosenbrock_vg, sum_d(d->gx, d->n))
CHECKED(fused_f_checked, fused_f, 0)
CHECKED(fused_vg_checked, fused_vg, sum_f(d->gf, d->n))
CHECKED(lorenz_f_checked, lorenz_f, 0)
CHECKED(lorenz_vg_checked, lorenz_vg, sum_d(d->gx, 6))

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "--quick")) enough = 0.02, sample = 20e-6;
  static double point[1] = {0.7}, start[6] = {1, 1, 1, 10, 28, 8.0 / 3}, back[6];
  Data s = {.x = point};
  measure("scalar.f", scalar_f_checked, &s);
  measure("scalar.grad", scalar_grad_checked, &s);
  measure("scalar.grad2", scalar_grad2_checked, &s);
  long sizes[] = {10, 1000, 1000000};
  for (int k = 0; k < 3; k++) {
    long n = sizes[k];
    Data *d = calloc(1, sizeof *d);
    d->n = n, d->x = malloc(n * sizeof(double)), d->gx = malloc(n * sizeof(double));
    for (long i = 0; i < n; i++) d->x[i] = sin(0.37 * i + 1);
    char name[64];
    snprintf(name, sizeof name, "rosenbrock.%ld.f", n), measure(name, rosenbrock_f_checked, d);
    snprintf(name, sizeof name, "rosenbrock.%ld.vg", n), measure(name, rosenbrock_vg_checked, d);
  }
  long lengths[] = {10000, 1000000};
  for (int k = 0; k < 2; k++) {
    long n = lengths[k];
    Data *d = calloc(1, sizeof *d);
    d->n = n, d->xf = malloc(n * sizeof(float)), d->gf = malloc(n * sizeof(float));
    for (long i = 0; i < n; i++) d->xf[i] = sin(0.37 * i + 2);
    char name[64];
    snprintf(name, sizeof name, "fused.%ld.f", n), measure(name, fused_f_checked, d);
    snprintf(name, sizeof name, "fused.%ld.vg", n), measure(name, fused_vg_checked, d);
  }
  Data l = {.x = start, .gx = back};
  measure("lorenz.1000.f", lorenz_f_checked, &l);
  measure("lorenz.1000.vg", lorenz_vg_checked, &l);
  return 0;
}
