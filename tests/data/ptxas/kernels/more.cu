// Particles, pictures, sorting, lattices and searches: to see what ptxas makes of them.
#include <math.h>
#include <stdint.h>
#define G extern "C" __global__
typedef uint32_t u32;
struct P {
    float x, y, z, vx, vy, vz, m, r;
};
G void particles(P *p, int n, float dt, float gx, float gy, float gz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    P a = p[i];
    a.vx += gx * dt;
    a.vy += gy * dt;
    a.vz += gz * dt;
    a.x += a.vx * dt;
    a.y += a.vy * dt;
    a.z += a.vz * dt;
    if (a.y < a.r) {
        a.y = 2 * a.r - a.y;
        a.vy = -a.vy * 0.8f;
    }
    p[i] = a;
}
G void boids(const float4 *p, const float4 *v, float4 *o, int n, float r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 a = p[i], b = v[i];
    float cx = 0, cy = 0, cz = 0, sx = 0, sy = 0, sz = 0, ax = 0, ay = 0, az = 0;
    int k = 0;
    for (int j = 0; j < n; j++) {
        float4 q = p[j];
        float dx = q.x - a.x, dy = q.y - a.y, dz = q.z - a.z, d = dx * dx + dy * dy + dz * dz;
        if (d < r * r && j != i) {
            float4 w = v[j];
            cx += q.x;
            cy += q.y;
            cz += q.z;
            sx -= dx / d;
            sy -= dy / d;
            sz -= dz / d;
            ax += w.x;
            ay += w.y;
            az += w.z;
            k++;
        }
    }
    if (k) {
        b.x += 0.01f * (cx / k - a.x) + 0.1f * sx + 0.05f * (ax / k - b.x);
        b.y += 0.01f * (cy / k - a.y) + 0.1f * sy + 0.05f * (ay / k - b.y);
        b.z += 0.01f * (cz / k - a.z) + 0.1f * sz + 0.05f * (az / k - b.z);
    }
    o[i] = b;
}
G void jacobi_svd(float *A, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    float a[9], v[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int i = 0; i < 9; i++)
        a[i] = A[t * 9 + i];
    for (int it = 0; it < 4; it++) {
#pragma unroll
        for (int p = 0; p < 2; p++)
#pragma unroll
            for (int q = p + 1; q < 3; q++) {
                float app = a[p * 3 + p], aqq = a[q * 3 + q], apq = a[p * 3 + q];
                if (fabsf(apq) < 1e-9f)
                    continue;
                float th = 0.5f * (aqq - app) / apq, tt = (th < 0 ? -1.f : 1.f) / (fabsf(th) + sqrtf(th * th + 1)),
                      c = rsqrtf(tt * tt + 1), s = tt * c;
                for (int k = 0; k < 3; k++) {
                    float x = a[k * 3 + p], y = a[k * 3 + q];
                    a[k * 3 + p] = c * x - s * y;
                    a[k * 3 + q] = s * x + c * y;
                }
                for (int k = 0; k < 3; k++) {
                    float x = a[p * 3 + k], y = a[q * 3 + k];
                    a[p * 3 + k] = c * x - s * y;
                    a[q * 3 + k] = s * x + c * y;
                }
                for (int k = 0; k < 3; k++) {
                    float x = v[k * 3 + p], y = v[k * 3 + q];
                    v[k * 3 + p] = c * x - s * y;
                    v[k * 3 + q] = s * x + c * y;
                }
            }
    }
    for (int i = 0; i < 9; i++)
        A[t * 9 + i] = a[i] + v[i];
}
G void sobel(const unsigned char *in, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    const unsigned char *p = in + y * w + x;
    int gx = -p[-w - 1] + p[-w + 1] - 2 * p[-1] + 2 * p[1] - p[w - 1] + p[w + 1],
        gy = -p[-w - 1] - 2 * p[-w] - p[-w + 1] + p[w - 1] + 2 * p[w] + p[w + 1];
    out[y * w + x] = min(255, abs(gx) + abs(gy));
}
G void median9(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    float v[9];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            v[j * 3 + i] = in[(y + j - 1) * w + x + i - 1];
#pragma unroll
    for (int i = 0; i < 5; i++)
#pragma unroll
        for (int j = i + 1; j < 9; j++) {
            float a = fminf(v[i], v[j]), b = fmaxf(v[i], v[j]);
            v[i] = a;
            v[j] = b;
        }
    out[y * w + x] = v[4];
}
G void rgb2yuv(const uchar4 *in, uchar4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uchar4 p = in[i];
    float r = p.x, g = p.y, b = p.z, y = 0.299f * r + 0.587f * g + 0.114f * b, u = 0.492f * (b - y) + 128,
          v = 0.877f * (r - y) + 128;
    out[i] = make_uchar4((unsigned char)y, (unsigned char)u, (unsigned char)v, p.w);
}
G void lz_match(const unsigned char *s, int *len, int *dist, int n, int win)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int bl = 0, bd = 0;
    for (int d = 1; d <= win && d <= i; d++) {
        int l = 0;
        while (l < 64 && i + l < n && s[i + l] == s[i - d + l])
            l++;
        if (l > bl) {
            bl = l;
            bd = d;
        }
    }
    len[i] = bl;
    dist[i] = bd;
}
G void levenshtein(const char *a, const char *b, int *o, int la, int lb)
{
    __shared__ int row[2][257];
    int t = threadIdx.x;
    for (int j = t; j <= lb; j += blockDim.x)
        row[0][j] = j;
    __syncthreads();
    for (int i = 1; i <= la; i++) {
        int *c = row[i & 1], *p = row[~i & 1];
        if (t == 0) {
            c[0] = i;
            for (int j = 1; j <= lb; j++) {
                int x = p[j] + 1, y = c[j - 1] + 1, z = p[j - 1] + (a[i - 1] != b[j - 1]);
                c[j] = min(x, min(y, z));
            }
        }
        __syncthreads();
    }
    if (t == 0)
        *o = row[la & 1][lb];
}
G void radix_pass(const u32 *in, u32 *out, u32 *hist, int n, int shift)
{
    __shared__ u32 h[16];
    if (threadIdx.x < 16)
        h[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    u32 k = i < n ? in[i] : ~0u, d = k >> shift & 15;
    u32 m = __match_any_sync(~0u, d);
    int lane = threadIdx.x & 31, leader = __ffs(m) - 1;
    u32 base = 0;
    if (lane == leader)
        base = atomicAdd(&h[d], __popc(m));
    base = __shfl_sync(~0u, base, leader) + __popc(m & ((1u << lane) - 1));
    __syncthreads();
    if (threadIdx.x < 16)
        hist[blockIdx.x * 16 + threadIdx.x] = h[threadIdx.x];
    if (i < n)
        out[base] = k;
}
G void kmeans(const float *x, const float *c, int *a, int n, int k, int d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best = 1e30f;
    int bi = 0;
    for (int j = 0; j < k; j++) {
        float s = 0;
        for (int q = 0; q < d; q++) {
            float t = x[q * n + i] - c[j * d + q];
            s += t * t;
        }
        if (s < best) {
            best = s;
            bi = j;
        }
    }
    a[i] = bi;
}
G void knn(const float3 *p, int n, int *idx, float *dist)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float bd[8];
    int bi[8];
    for (int k = 0; k < 8; k++) {
        bd[k] = 1e30f;
        bi[k] = -1;
    }
    float3 a = p[i];
    for (int j = 0; j < n; j++) {
        float dx = p[j].x - a.x, dy = p[j].y - a.y, dz = p[j].z - a.z, d = dx * dx + dy * dy + dz * dz;
        if (j != i && d < bd[7]) {
            bd[7] = d;
            bi[7] = j;
#pragma unroll
            for (int k = 7; k > 0; k--)
                if (bd[k] < bd[k - 1]) {
                    float t = bd[k];
                    bd[k] = bd[k - 1];
                    bd[k - 1] = t;
                    int u = bi[k];
                    bi[k] = bi[k - 1];
                    bi[k - 1] = u;
                }
        }
    }
    for (int k = 0; k < 8; k++) {
        idx[i * 8 + k] = bi[k];
        dist[i * 8 + k] = bd[k];
    }
}
G void lbm(const float *f, float *g, int w, int h, float om)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const float wt[9] = {4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
    float q[9], r = 0, ux = 0, uy = 0;
    for (int i = 0; i < 9; i++) {
        int xx = (x - cx[i] + w) % w, yy = (y - cy[i] + h) % h;
        q[i] = f[(i * h + yy) * w + xx];
        r += q[i];
        ux += cx[i] * q[i];
        uy += cy[i] * q[i];
    }
    ux /= r;
    uy /= r;
    float u2 = ux * ux + uy * uy;
    for (int i = 0; i < 9; i++) {
        float cu = cx[i] * ux + cy[i] * uy, e = wt[i] * r * (1 + 3 * cu + 4.5f * cu * cu - 1.5f * u2);
        g[(i * h + y) * w + x] = q[i] + om * (e - q[i]);
    }
}
G void lbm3d(const float *f, float *g, int n, float om)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float q[19], r = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int k = 0; k < 19; k++) {
        q[k] = f[k * n + i];
        r += q[k];
        ux += ((k % 3) - 1) * q[k];
        uy += ((k / 3 % 3) - 1) * q[k];
        uz += ((k / 9 % 3) - 1) * q[k];
    }
    float ir = 1 / r;
    ux *= ir;
    uy *= ir;
    uz *= ir;
    float u2 = 1 - 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int k = 0; k < 19; k++) {
        float cu = ((k % 3) - 1) * ux + ((k / 3 % 3) - 1) * uy + ((k / 9 % 3) - 1) * uz;
        g[k * n + i] = q[k] + om * ((1.0f / 19) * r * (u2 + 3 * cu + 4.5f * cu * cu) - q[k]);
    }
}
G void tridiag(const double *a, const double *b, const double *c, double *d, double *w, int n, int m)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= m)
        return;
    double bb = b[t];
    d[t] /= bb;
    for (int i = 1; i < n; i++) {
        int k = i * m + t;
        w[k] = c[k - m] / bb;
        bb = b[k] - a[k] * w[k];
        d[k] = (d[k] - a[k] * d[k - m]) / bb;
    }
    for (int i = n - 2; i >= 0; i--) {
        int k = i * m + t;
        d[k] -= w[k + m] * d[k + m];
    }
}
G void cholesky4(double *A, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    double a[16];
    for (int i = 0; i < 16; i++)
        a[i] = A[i * n + t];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        for (int k = 0; k < j; k++)
            a[j * 4 + j] -= a[j * 4 + k] * a[j * 4 + k];
        a[j * 4 + j] = sqrt(a[j * 4 + j]);
#pragma unroll
        for (int i = j + 1; i < 4; i++) {
            for (int k = 0; k < j; k++)
                a[i * 4 + j] -= a[i * 4 + k] * a[j * 4 + k];
            a[i * 4 + j] /= a[j * 4 + j];
        }
    }
    for (int i = 0; i < 16; i++)
        A[i * n + t] = a[i];
}
G void montecarlo_pi(u32 *o, u32 seed, int it)
{
    u32 s = seed ^ (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u, c = 0;
    for (int i = 0; i < it; i++) {
        s = s * 1664525u + 1013904223u;
        float x = (s >> 8) * (1 / 16777216.f);
        s = s * 1664525u + 1013904223u;
        float y = (s >> 8) * (1 / 16777216.f);
        c += x * x + y * y < 1;
    }
    atomicAdd(o, c);
}
G void bvh(const float4 *node, const float4 *tri, const float4 *ray, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 o = ray[2 * i], d = ray[2 * i + 1];
    float ix = 1 / d.x, iy = 1 / d.y, iz = 1 / d.z, best = 1e30f;
    int st[24], sp = 0;
    st[sp++] = 0;
    while (sp) {
        int k = st[--sp];
        float4 a = node[2 * k], b = node[2 * k + 1];
        float x0 = (a.x - o.x) * ix, x1 = (b.x - o.x) * ix, y0 = (a.y - o.y) * iy, y1 = (b.y - o.y) * iy,
              z0 = (a.z - o.z) * iz, z1 = (b.z - o.z) * iz;
        float lo = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fminf(z0, z1)),
              hi = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fmaxf(z0, z1));
        if (lo > hi || hi < 0 || lo > best)
            continue;
        int l = __float_as_int(a.w), r = __float_as_int(b.w);
        if (l < 0) {
            for (int q = ~l; q < r; q++) {
                float4 t = tri[q];
                float w = t.x * d.x + t.y * d.y + t.z * d.z, v = (t.w - (t.x * o.x + t.y * o.y + t.z * o.z)) / w;
                if (v > 0 && v < best)
                    best = v;
            }
        } else {
            st[sp++] = l;
            st[sp++] = r;
        }
    }
    out[i] = best;
}
G void scan_block(const int *in, int *out, int *sums, int n)
{
    __shared__ int s[1024];
    int t = threadIdx.x, i = blockIdx.x * 1024 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int o = 1; o < 1024; o *= 2) {
        int v = t >= o ? s[t - o] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t];
    if (t == 1023)
        sums[blockIdx.x] = s[t];
}
G void reduce4(const float4 *in, float *out, int n)
{
    __shared__ float s[8];
    float a = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 v = in[i];
        a += v.x + v.y + v.z + v.w;
    }
    for (int o = 16; o; o /= 2)
        a += __shfl_down_sync(~0u, a, o);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = a;
    __syncthreads();
    if (threadIdx.x < 8) {
        a = s[threadIdx.x];
        for (int o = 4; o; o /= 2)
            a += __shfl_down_sync(0xff, a, o);
        if (threadIdx.x == 0)
            atomicAdd(out, a);
    }
}
G void transpose32(const float *in, float *out, int w, int h)
{
    __shared__ float t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < w && y + j < h)
            t[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < h && y + j < w)
            out[(y + j) * h + x] = t[threadIdx.x][threadIdx.y + j];
}
G __launch_bounds__(1024) void lb1024(const float *x, float *y, int n)
{
    int i = blockIdx.x * 1024 + threadIdx.x;
    float a[24];
#pragma unroll
    for (int k = 0; k < 24; k++)
        a[k] = x[(i + k * 7919) % n];
    float s = 0;
#pragma unroll
    for (int k = 0; k < 24; k++) {
        float t = a[k];
#pragma unroll
        for (int q = 0; q < 24; q++)
            t = t * a[q] + a[(q + k) % 24];
        s += t;
    }
    y[i] = s;
}
G __launch_bounds__(256, 4) void lb256_4(const float *x, float *y, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    float a[40];
#pragma unroll
    for (int k = 0; k < 40; k++)
        a[k] = x[(i + k * 7919) % n];
    float s = 0;
#pragma unroll
    for (int k = 0; k < 40; k++) {
        float t = a[k];
        s += t * a[(k * 7) % 40] - a[(k * 3 + 1) % 40] * s;
    }
    y[i] = s;
}
