// Finance, grids, matrices and rays: kernels of usual kinds, to see what ptxas makes of them.
#include <math.h>
__device__ float cnd(float d)
{
    const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f, A5 = 1.330274429f,
                R = 0.39894228f;
    float K = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float c = R * expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
    return d > 0 ? 1.0f - c : c;
}
extern "C" __global__ void black_scholes(float *call, float *put, const float *S, const float *X, const float *T,
                                         float r, float v, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float s = sqrtf(T[i]), d1 = (logf(S[i] / X[i]) + (r + 0.5f * v * v) * T[i]) / (v * s), d2 = d1 - v * s;
        float c1 = cnd(d1), c2 = cnd(d2), e = expf(-r * T[i]);
        call[i] = S[i] * c1 - X[i] * e * c2;
        put[i] = X[i] * e * (1.0f - c2) - S[i] * (1.0f - c1);
    }
}
extern "C" __global__ void hotspot(const float *t, const float *p, float *o, int w, int h, float rx, float ry, float rz,
                                   float cap, float amb)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int i = y * w + x;
    float c = t[i], n = y ? t[i - w] : c, s = y < h - 1 ? t[i + w] : c, e = x < w - 1 ? t[i + 1] : c,
          ww = x ? t[i - 1] : c;
    o[i] = c + cap * (p[i] + (s + n - 2.0f * c) * ry + (e + ww - 2.0f * c) * rx + (amb - c) * rz);
}
extern "C" __global__ void srad1(float *J, float *C, float *dN, float *dS, float *dW, float *dE, int w, int h, float q0)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int i = y * w + x;
    float jc = J[i], n = J[y ? i - w : i] - jc, s = J[y < h - 1 ? i + w : i] - jc, ww = J[x ? i - 1 : i] - jc,
          e = J[x < w - 1 ? i + 1 : i] - jc;
    float g2 = (n * n + s * s + ww * ww + e * e) / (jc * jc), l = (n + s + ww + e) / jc,
          num = 0.5f * g2 - ((1.0f / 16.0f) * (l * l)), den = 1 + 0.25f * l, q = num / (den * den);
    den = (q - q0) / (q0 * (1 + q0));
    float c = 1.0f / (1.0f + den);
    c = c < 0 ? 0 : c > 1 ? 1 : c;
    C[i] = c;
    dN[i] = n;
    dS[i] = s;
    dW[i] = ww;
    dE[i] = e;
}
struct V4 {
    float v, x, y, z;
};
extern "C" __global__ void lava(const V4 *rA, const float *q, V4 *f, int n, float a2)
{
    __shared__ V4 sh[64];
    __shared__ float sq[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    V4 me = rA[i], acc = {0, 0, 0, 0};
    for (int b = 0; b < n; b += 64) {
        sh[threadIdx.x] = rA[b + threadIdx.x];
        sq[threadIdx.x] = q[b + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; j++) {
            float r2 = me.v + sh[j].v - (me.x * sh[j].x + me.y * sh[j].y + me.z * sh[j].z), u2 = a2 * r2,
                  vij = expf(-u2), fs = 2 * vij;
            float dx = me.x - sh[j].x, dy = me.y - sh[j].y, dz = me.z - sh[j].z;
            float fx = fs * dx, fy = fs * dy, fz = fs * dz;
            acc.v += sq[j] * vij;
            acc.x += sq[j] * fx;
            acc.y += sq[j] * fy;
            acc.z += sq[j] * fz;
        }
        __syncthreads();
    }
    f[i] = acc;
}
extern "C" __global__ void lu_row(float *m, int n, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + k + 1, i = blockIdx.y * blockDim.y + threadIdx.y + k + 1;
    if (i < n && j < n)
        m[i * n + j] -= m[i * n + k] * m[k * n + j];
}
extern "C" __global__ void lu_block(float *m, int n)
{
    __shared__ float s[16][17];
    int t = threadIdx.x;
    for (int i = 0; i < 16; i++)
        s[i][t] = m[i * n + t];
    __syncthreads();
    for (int i = 0; i < 15; i++) {
        if (t > i) {
            for (int j = 0; j < i; j++)
                s[t][i] -= s[t][j] * s[j][i];
            s[t][i] /= s[i][i];
        }
        __syncthreads();
        if (t > i) {
            for (int j = 0; j < i + 1; j++)
                s[i + 1][t] -= s[i + 1][j] * s[j][t];
        }
        __syncthreads();
    }
    for (int i = 0; i < 16; i++)
        m[i * n + t] = s[i][t];
}
// complex fft radix-4
__device__ float2 cmul(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
extern "C" __global__ void fft4(float2 *d, int n, int s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 4)
        return;
    float2 a = d[i], b = d[i + n / 4], c = d[i + n / 2], e = d[i + 3 * n / 4];
    float ang = -6.2831853f * (float)(i % s) / (float)(4 * s);
    float2 w = make_float2(cosf(ang), sinf(ang)), w2 = cmul(w, w), w3 = cmul(w2, w);
    b = cmul(b, w);
    c = cmul(c, w2);
    e = cmul(e, w3);
    float2 p = make_float2(a.x + c.x, a.y + c.y), q = make_float2(a.x - c.x, a.y - c.y),
           r = make_float2(b.x + e.x, b.y + e.y), t = make_float2(b.y - e.y, e.x - b.x);
    d[i] = make_float2(p.x + r.x, p.y + r.y);
    d[i + n / 4] = make_float2(q.x + t.x, q.y + t.y);
    d[i + n / 2] = make_float2(p.x - r.x, p.y - r.y);
    d[i + 3 * n / 4] = make_float2(q.x - t.x, q.y - t.y);
}
// mandelbrot / julia
extern "C" __global__ void julia(unsigned *o, int w, int h, float cr, float ci, int it)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float zr = 3.0f * x / w - 1.5f, zi = 2.0f * y / h - 1.0f;
    int k = 0;
    while (k < it && zr * zr + zi * zi < 4.0f) {
        float t = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = t;
        k++;
    }
    o[y * w + x] = k;
}
extern "C" __global__ void mandel2(unsigned *o, int w, int h, int it)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float cr = 3.0f * x / w - 2.0f, ci = 2.0f * y / h - 1.0f, zr = 0, zi = 0, r2 = 0, i2 = 0;
    int k = 0;
    for (; k < it && r2 + i2 < 4.0f; k++) {
        zi = 2.0f * zr * zi + ci;
        zr = r2 - i2 + cr;
        r2 = zr * zr;
        i2 = zi * zi;
    }
    o[y * w + x] = k;
}
// ray sphere
struct Ray {
    float3 o, d;
};
__device__ float dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
__device__ float3 sub(float3 a, float3 b)
{
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__device__ float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
extern "C" __global__ void rays(const Ray *r, const float4 *s, int ns, float *t, float3 *nrm, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Ray a = r[i];
    float best = 1e30f;
    int hit = -1;
    for (int k = 0; k < ns; k++) {
        float3 c = make_float3(s[k].x, s[k].y, s[k].z), oc = sub(a.o, c);
        float b = dot(oc, a.d), q = dot(oc, oc) - s[k].w * s[k].w, h = b * b - q;
        if (h > 0) {
            float d = -b - sqrtf(h);
            if (d > 1e-4f && d < best) {
                best = d;
                hit = k;
            }
        }
    }
    t[i] = best;
    if (hit >= 0) {
        float3 p = make_float3(a.o.x + best * a.d.x - s[hit].x, a.o.y + best * a.d.y - s[hit].y,
                               a.o.z + best * a.d.z - s[hit].z);
        float l = rsqrtf(dot(p, p));
        nrm[i] = make_float3(p.x * l, p.y * l, p.z * l);
    }
}
extern "C" __global__ void triangles(const float3 *v, const float3 *o, const float3 *d, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float3 e1 = sub(v[3 * i + 1], v[3 * i]), e2 = sub(v[3 * i + 2], v[3 * i]), p = cross(d[i], e2);
    float det = dot(e1, p);
    if (fabsf(det) < 1e-8f) {
        out[i] = -1;
        return;
    }
    float inv = 1.0f / det;
    float3 t = sub(o[i], v[3 * i]);
    float u = dot(t, p) * inv;
    float3 q = cross(t, e1);
    float w = dot(d[i], q) * inv;
    out[i] = u < 0 || w < 0 || u + w > 1 ? -1 : dot(e2, q) * inv;
}
