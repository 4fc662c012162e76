// Flow, filters, transforms and forces, floats, doubles and halves: to see what ptxas makes of them.
#include <math.h>
// double cfd flux
struct F3 {
    double x, y, z;
};
extern "C" __global__ void cfd_flux(const double *var, const int *nb, const double *nrm, double *flux, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double g = 1.4;
    double d = var[i], mx = var[i + n], my = var[i + 2 * n], mz = var[i + 3 * n], e = var[i + 4 * n];
    double vx = mx / d, vy = my / d, vz = mz / d, s2 = vx * vx + vy * vy + vz * vz, p = (g - 1.0) * (e - 0.5 * d * s2),
           a = sqrt(g * p / d);
    double fd = 0, fx = 0, fy = 0, fz = 0, fe = 0;
    for (int j = 0; j < 4; j++) {
        int k = nb[j * n + i];
        double nx = nrm[(j * 3) * n + i], ny = nrm[(j * 3 + 1) * n + i], nz = nrm[(j * 3 + 2) * n + i],
               len = sqrt(nx * nx + ny * ny + nz * nz);
        if (k >= 0) {
            double dn = var[k], mxn = var[k + n], myn = var[k + 2 * n], mzn = var[k + 3 * n], en = var[k + 4 * n];
            double ux = mxn / dn, uy = myn / dn, uz = mzn / dn, s2n = ux * ux + uy * uy + uz * uz,
                   pn = (g - 1.0) * (en - 0.5 * dn * s2n), an = sqrt(g * pn / dn);
            double f = -len * 0.2 * 0.5 * (sqrt(s2) + sqrt(s2n) + a + an);
            fd += f * (d - dn);
            fe += f * (e - en);
            fx += f * (mx - mxn);
            fy += f * (my - myn);
            fz += f * (mz - mzn);
            f = 0.5 * nx;
            fd += f * (mxn + mx);
            fe += f * ((en + pn) * ux + (e + p) * vx);
            fx += f * (mxn * ux + pn + mx * vx + p);
            f = 0.5 * ny;
            fd += f * (myn + my);
            fy += f * (myn * uy + pn + my * vy + p);
            f = 0.5 * nz;
            fd += f * (mzn + mz);
            fz += f * (mzn * uz + pn + mz * vz + p);
        } else if (k == -1) {
            fx -= nx * p;
            fy -= ny * p;
            fz -= nz * p;
        }
    }
    flux[i] = fd;
    flux[i + n] = fx;
    flux[i + 2 * n] = fy;
    flux[i + 3 * n] = fz;
    flux[i + 4 * n] = fe;
}
// kalman 2x2
extern "C" __global__ void kalman(float *x, float *P, const float *z, int steps, int n, float q, float r, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float p0 = x[2 * i], v0 = x[2 * i + 1], a = P[4 * i], b = P[4 * i + 1], c = P[4 * i + 2], d = P[4 * i + 3];
    for (int s = 0; s < steps; s++) {
        p0 = p0 + dt * v0;
        float a1 = a + dt * (b + c) + dt * dt * d + q, b1 = b + dt * d, c1 = c + dt * d, d1 = d + q;
        float y = z[s * n + i] - p0, S = a1 + r, k0 = a1 / S, k1 = c1 / S;
        p0 = p0 + k0 * y;
        v0 = v0 + k1 * y;
        a = a1 - k0 * a1;
        b = b1 - k0 * b1;
        c = c1 - k1 * a1;
        d = d1 - k1 * b1;
    }
    x[2 * i] = p0;
    x[2 * i + 1] = v0;
    P[4 * i] = a;
    P[4 * i + 1] = b;
    P[4 * i + 2] = c;
    P[4 * i + 3] = d;
}
// biquad
extern "C" __global__ void biquad(const float *in, float *out, int n, int ch, float b0, float b1, float b2, float a1,
                                  float a2)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= ch)
        return;
    float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (int i = 0; i < n; i++) {
        float x = in[i * ch + c], y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
        x2 = x1;
        x1 = x;
        y2 = y1;
        y1 = y;
        out[i * ch + c] = y;
    }
}
// quaternion rotate
extern "C" __global__ void quat(const float4 *q, const float3 *v, float3 *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 a = q[i];
    float3 p = v[i];
    float tx = 2 * (a.y * p.z - a.z * p.y), ty = 2 * (a.z * p.x - a.x * p.z), tz = 2 * (a.x * p.y - a.y * p.x);
    o[i] = make_float3(p.x + a.w * tx + a.y * tz - a.z * ty, p.y + a.w * ty + a.z * tx - a.x * tz,
                       p.z + a.w * tz + a.x * ty - a.y * tx);
}
// rk4 lorenz
__device__ void lor(float x, float y, float z, float *d)
{
    d[0] = 10.0f * (y - x);
    d[1] = x * (28.0f - z) - y;
    d[2] = x * y - 2.6666667f * z;
}
extern "C" __global__ void rk4(float3 *s, int n, int steps, float h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float3 p = s[i];
    for (int k = 0; k < steps; k++) {
        float a[3], b[3], c[3], d[3];
        lor(p.x, p.y, p.z, a);
        lor(p.x + 0.5f * h * a[0], p.y + 0.5f * h * a[1], p.z + 0.5f * h * a[2], b);
        lor(p.x + 0.5f * h * b[0], p.y + 0.5f * h * b[1], p.z + 0.5f * h * b[2], c);
        lor(p.x + h * c[0], p.y + h * c[1], p.z + h * c[2], d);
        p.x += h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0]);
        p.y += h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1]);
        p.z += h / 6 * (a[2] + 2 * b[2] + 2 * c[2] + d[2]);
    }
    s[i] = p;
}
// dct8
extern "C" __global__ void dct8(float *d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *p = d + 8 * i;
    float x0 = p[0], x1 = p[1], x2 = p[2], x3 = p[3], x4 = p[4], x5 = p[5], x6 = p[6], x7 = p[7];
    float a = x0 + x7, b = x1 + x6, c = x2 + x5, e = x3 + x4, f = x0 - x7, g = x1 - x6, h = x2 - x5, k = x3 - x4;
    const float C1 = .98078528f, C3 = .83146961f, C5 = .55557023f, C7 = .19509032f, C2 = .92387953f, C6 = .38268343f,
                C4 = .70710678f;
    float aa = a + e, bb = b + c, cc = a - e, dd = b - c;
    p[0] = C4 * (aa + bb);
    p[4] = C4 * (aa - bb);
    p[2] = C2 * cc + C6 * dd;
    p[6] = C6 * cc - C2 * dd;
    p[1] = C1 * f + C3 * g + C5 * h + C7 * k;
    p[3] = C3 * f - C7 * g - C1 * h - C5 * k;
    p[5] = C5 * f - C1 * g + C7 * h + C3 * k;
    p[7] = C7 * f - C5 * g + C3 * h - C1 * k;
}
// jacobi eigen 2x2 / qr givens
extern "C" __global__ void givens(float *A, float *c, float *s, int n)
{
    int j = threadIdx.x + blockIdx.x * blockDim.x;
    if (j >= n)
        return;
    for (int i = 0; i + 1 < n; i++) {
        float a = A[i * n + j], b = A[(i + 1) * n + j], cc = c[i], ss = s[i];
        A[i * n + j] = cc * a + ss * b;
        A[(i + 1) * n + j] = cc * b - ss * a;
    }
}
// householder
extern "C" __global__ void house(double *A, const double *v, double beta, int m, int n)
{
    int j = threadIdx.x + blockIdx.x * blockDim.x;
    if (j >= n)
        return;
    double w = 0;
    for (int i = 0; i < m; i++)
        w += v[i] * A[i * n + j];
    w *= beta;
    for (int i = 0; i < m; i++)
        A[i * n + j] -= w * v[i];
}
// fdtd
extern "C" __global__ void fdtd(const float *ez, float *hx, float *hy, float *ezn, int w, int h, float k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    int i = y * w + x;
    float nhx = hx[i] - k * (ez[i + w] - ez[i]), nhy = hy[i] + k * (ez[i + 1] - ez[i]);
    hx[i] = nhx;
    hy[i] = nhy;
    ezn[i] = ez[i] + k * (nhy - hy[i - 1] - nhx + hx[i - w]);
}
// bilateral
extern "C" __global__ void bilateral(const float *in, float *out, int w, int h, float is2, float ir2)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float c = in[y * w + x], s = 0, ws = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int xx = min(max(x + dx, 0), w - 1), yy = min(max(y + dy, 0), h - 1);
            float v = in[yy * w + xx], d = v - c, wt = __expf(-(float)(dx * dx + dy * dy) * is2 - d * d * ir2);
            s += wt * v;
            ws += wt;
        }
    out[y * w + x] = s / ws;
}
// lennard jones double
extern "C" __global__ void lj(const double *x, double *f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double xi = x[3 * i], yi = x[3 * i + 1], zi = x[3 * i + 2], fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < n; j++) {
        if (j == i)
            continue;
        double dx = xi - x[3 * j], dy = yi - x[3 * j + 1], dz = zi - x[3 * j + 2], r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < 6.25) {
            double i2 = 1.0 / r2, i6 = i2 * i2 * i2, g = i2 * i6 * (48.0 * i6 - 24.0);
            fx += g * dx;
            fy += g * dy;
            fz += g * dz;
        }
    }
    f[3 * i] = fx;
    f[3 * i + 1] = fy;
    f[3 * i + 2] = fz;
}
// bicubic
extern "C" __global__ void bicubic(const float *in, float *out, int w, int h, float sx, float sy)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float fx = x * sx, fy = y * sy;
    int ix = (int)fx, iy = (int)fy;
    fx -= ix;
    fy -= iy;
    float r = 0;
    for (int j = -1; j < 3; j++) {
        float ty = fabsf(j - fy), wy = ty < 1   ? (1.5f * ty - 2.5f) * ty * ty + 1
                                       : ty < 2 ? ((-0.5f * ty + 2.5f) * ty - 4) * ty + 2
                                                : 0;
        float q = 0;
        for (int i = -1; i < 3; i++) {
            float tx = fabsf(i - fx), wx = tx < 1   ? (1.5f * tx - 2.5f) * tx * tx + 1
                                           : tx < 2 ? ((-0.5f * tx + 2.5f) * tx - 4) * tx + 2
                                                    : 0;
            int xx = min(max(ix + i, 0), w - 1), yy = min(max(iy + j, 0), h - 1);
            q += wx * in[yy * w + xx];
        }
        r += wy * q;
    }
    out[y * w + x] = r;
}
// half
#include <cuda_bf16.h>
#include <cuda_fp16.h>
extern "C" __global__ void haxpy(const __half2 *x, __half2 *y, __half2 a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        __half2 p = __hmul2(a, x[i]);
        y[i] = __hsub2(y[i], p);
    }
}
extern "C" __global__ void hdot(const __half *x, const __half *y, __half *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half s = __float2half(0);
    for (int k = i; k < n; k += 256)
        s = __hadd(s, __hmul(x[k], y[k]));
    o[i] = s;
}
extern "C" __global__ void bdot(const __nv_bfloat162 *x, const __nv_bfloat162 *y, __nv_bfloat162 *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_bfloat162 s = x[i];
    for (int k = i; k < n; k += 256)
        s = s - x[k] * y[k];
    o[i] = s;
}
extern "C" __global__ void hops(const __half *x, __half *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 2 < n) {
        __half a = x[i], b = x[i + 1], c = x[i + 2];
        o[i] = a * b - c * a;
        o[i + n] = a - b * c;
        o[i + 2 * n] = a * a + b * b + c * c;
    }
}
