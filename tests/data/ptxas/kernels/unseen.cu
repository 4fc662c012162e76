// Kernels that no constant of the estimate of registers was fitted to.
#include <cuda_fp16.h>
#include <math.h>
#include <stdint.h>
#define G extern "C" __global__
typedef uint32_t u32;
typedef uint64_t u64;
G void md5(const u32 *in, u32 *out, int n)
{
    const u32 S[4] = {7, 12, 17, 22};
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    u32 m[16];
    for (int i = 0; i < 16; i++)
        m[i] = in[t * 16 + i];
    u32 a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
#pragma unroll
    for (int i = 0; i < 32; i++) {
        u32 f = i < 16 ? (b & c) | (~b & d) : (d & b) | (~d & c);
        int g = i < 16 ? i : (5 * i + 1) & 15;
        u32 r = f + a + 0x9e3779b9u * i + m[g];
        a = d;
        d = c;
        c = b;
        b += __funnelshift_l(r, r, S[i & 3]);
    }
    out[t * 4] = a;
    out[t * 4 + 1] = b;
    out[t * 4 + 2] = c;
    out[t * 4 + 3] = d;
}
G void gemv(const float *A, const float *x, float *y, int m, int n)
{
    int r = blockIdx.x * 4 + threadIdx.x / 32, l = threadIdx.x & 31;
    if (r >= m)
        return;
    float s = 0;
    for (int c = l; c < n; c += 32)
        s += A[r * n + c] * x[c];
    for (int o = 16; o; o /= 2)
        s += __shfl_down_sync(~0u, s, o);
    if (l == 0)
        y[r] = s;
}
G void hgemm16(const __half *A, const __half *B, float *C, int n)
{
    __shared__ __half a[16][17], b[16][17];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
    float s = 0;
    for (int k = 0; k < n; k += 16) {
        a[y][x] = A[i * n + k + x];
        b[y][x] = B[(k + y) * n + j];
        __syncthreads();
        for (int q = 0; q < 16; q++)
            s += __half2float(a[y][q]) * __half2float(b[q][x]);
        __syncthreads();
    }
    C[i * n + j] = s;
}
G void attention_row(const float *Q, const float *K, const float *V, float *O, int n, float sc)
{
    __shared__ float s[128];
    int q = blockIdx.x, t = threadIdx.x;
    float m = -1e30f, l = 0, acc[4] = {};
    for (int b = 0; b < n; b += 128) {
        float d = 0;
        for (int k = 0; k < 64; k++)
            d += Q[q * 64 + k] * K[(b + t) * 64 + k];
        s[t] = d * sc;
        __syncthreads();
        float mm = m;
        for (int k = 0; k < 128; k++)
            mm = fmaxf(mm, s[k]);
        float c = __expf(m - mm);
        l *= c;
        for (int k = 0; k < 4; k++)
            acc[k] *= c;
        for (int k = 0; k < 128; k++) {
            float p = __expf(s[k] - mm);
            l += p;
            if (t < 16)
                for (int e = 0; e < 4; e++)
                    acc[e] += p * V[(b + k) * 64 + t * 4 + e];
        }
        m = mm;
        __syncthreads();
    }
    if (t < 16)
        for (int e = 0; e < 4; e++)
            O[q * 64 + t * 4 + e] = acc[e] / l;
}
G void adam(float *w, const float *g, float *m, float *v, int n, float lr, float b1, float b2, float eps, float c1,
            float c2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float gi = g[i], mi = b1 * m[i] + (1 - b1) * gi, vi = b2 * v[i] + (1 - b2) * gi * gi;
    m[i] = mi;
    v[i] = vi;
    w[i] -= lr * (mi * c1) / (sqrtf(vi * c2) + eps);
}
G void maxpool(const float *in, int *arg, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (2 * x + 1 >= w || 2 * y + 1 >= h)
        return;
    float best = -1e30f;
    int bi = 0;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            int p = (2 * y + j) * w + 2 * x + i;
            if (in[p] > best) {
                best = in[p];
                bi = p;
            }
        }
    out[y * (w / 2) + x] = best;
    arg[y * (w / 2) + x] = bi;
}
G void batchnorm(const float *x, float *y, const float *g, const float *b, const float *mu, const float *var, int n,
                 int c, int hw)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int k = i / hw % c;
    y[i] = (x[i] - mu[k]) * rsqrtf(var[k] + 1e-5f) * g[k] + b[k];
}
G void gelu(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = 0.5f * v * (1 + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
    }
}
G void wave2d(const float *p, const float *q, float *r, int w, int h, float c)
{
    __shared__ float s[18][34];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 16 + ty;
    int i = y * w + x;
    s[ty + 1][tx + 1] = q[i];
    if (tx == 0 && x > 0)
        s[ty + 1][0] = q[i - 1];
    if (tx == 31 && x < w - 1)
        s[ty + 1][33] = q[i + 1];
    if (ty == 0 && y > 0)
        s[0][tx + 1] = q[i - w];
    if (ty == 15 && y < h - 1)
        s[17][tx + 1] = q[i + w];
    __syncthreads();
    r[i] = 2 * s[ty + 1][tx + 1] - p[i] +
           c * (s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2] - 4 * s[ty + 1][tx + 1]);
}
G void poisson_rb(double *u, const double *f, int nx, int ny, int color, double h2, double om)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1 || ((x + y) & 1) != color)
        return;
    int i = y * nx + x;
    double r = 0.25 * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - h2 * f[i]);
    u[i] += om * (r - u[i]);
}
G void euler1d(const double *U, double *V, int n, double dt, double dx)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1 || i >= n - 1)
        return;
    double F[2][3];
    for (int s = 0; s < 2; s++) {
        int l = i - 1 + s;
        double r = U[l], m = U[n + l], e = U[2 * n + l], u = m / r, p = 0.4 * (e - 0.5 * m * u), a = sqrt(1.4 * p / r),
               r2 = U[l + 1], m2 = U[n + l + 1], e2 = U[2 * n + l + 1], u2 = m2 / r2, p2 = 0.4 * (e2 - 0.5 * m2 * u2),
               a2 = sqrt(1.4 * p2 / r2), sm = fmax(fabs(u) + a, fabs(u2) + a2);
        F[s][0] = 0.5 * (m + m2 - sm * (r2 - r));
        F[s][1] = 0.5 * (m * u + p + m2 * u2 + p2 - sm * (m2 - m));
        F[s][2] = 0.5 * ((e + p) * u + (e2 + p2) * u2 - sm * (e2 - e));
    }
    for (int k = 0; k < 3; k++)
        V[k * n + i] = U[k * n + i] - dt / dx * (F[1][k] - F[0][k]);
}
G void pagerank(const int *rp, const int *ci, const float *r, const int *deg, float *o, int n, float d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0;
    for (int k = rp[i]; k < rp[i + 1]; k++) {
        int j = ci[k];
        s += r[j] / deg[j];
    }
    o[i] = (1 - d) / n + d * s;
}
G void sssp(const int *rp, const int *ci, const int *w, int *dist, int *changed, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int d = dist[i];
    if (d == 0x7fffffff)
        return;
    for (int k = rp[i]; k < rp[i + 1]; k++) {
        int nd = d + w[k];
        if (atomicMin(&dist[ci[k]], nd) > nd)
            *changed = 1;
    }
}
G void union_find(int *p, const int2 *e, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    int a = e[i].x, b = e[i].y;
    while (1) {
        while (p[a] != a)
            a = p[a];
        while (p[b] != b)
            b = p[b];
        if (a == b)
            break;
        if (a < b) {
            int t = a;
            a = b;
            b = t;
        }
        if (atomicCAS(&p[a], a, b) == a)
            break;
    }
}
G void hash_insert(u64 *tab, const u32 *k, const u32 *v, int n, u32 mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    u32 h = k[i];
    h ^= h >> 16;
    h *= 0x85ebca6b;
    h ^= h >> 13;
    h *= 0xc2b2ae35;
    h ^= h >> 16;
    u64 kv = (u64)k[i] << 32 | v[i];
    for (;;) {
        u64 o = atomicCAS((unsigned long long *)&tab[h & mask], ~0ull, kv);
        if (o == ~0ull || (u32)(o >> 32) == k[i])
            break;
        h++;
    }
}
G void base64(const unsigned char *in, char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i * 3 >= n)
        return;
    u32 v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
    for (int k = 0; k < 4; k++) {
        u32 c = v >> (18 - 6 * k) & 63;
        out[4 * i + k] = c < 26 ? 'A' + c : c < 52 ? 'a' + c - 26 : c < 62 ? '0' + c - 52 : c == 62 ? '+' : '/';
    }
}
G void dna_kmers(const char *s, u64 *o, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + k > n)
        return;
    u64 f = 0, r = 0;
    for (int j = 0; j < k; j++) {
        u32 c = s[i + j] >> 1 & 3;
        f = f << 2 | c;
        r = r >> 2 | (u64)(c ^ 2) << 2 * (k - 1);
    }
    o[i] = f < r ? f : r;
}
G void smith_waterman(const char *a, const char *b, int *H, int la, int lb, int d, int gap)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = d - i;
    if (i >= la || j < 0 || j >= lb)
        return;
    int w = lb + 1, p = (i + 1) * w + j + 1;
    int m = H[p - w - 1] + (a[i] == b[j] ? 2 : -1), u = H[p - w] - gap, l = H[p - 1] - gap;
    H[p] = max(0, max(m, max(u, l)));
}
G void raymarch(float *o, int w, int h, float t)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float dx = (x - w * 0.5f) / h, dy = (y - h * 0.5f) / h, dz = 1, il = rsqrtf(dx * dx + dy * dy + dz * dz), px = 0,
          py = 0, pz = -3;
    dx *= il;
    dy *= il;
    dz *= il;
    float c = 0;
    for (int i = 0; i < 64; i++) {
        float qx = fabsf(px) - 1, qy = fabsf(py) - 1, qz = fabsf(pz) - 1,
              b = sqrtf(fmaxf(qx, 0) * fmaxf(qx, 0) + fmaxf(qy, 0) * fmaxf(qy, 0) + fmaxf(qz, 0) * fmaxf(qz, 0)) +
                  fminf(fmaxf(qx, fmaxf(qy, qz)), 0),
              s = sqrtf(px * px + py * py + pz * pz) - 1.3f, d = fmaxf(b, -s);
        if (d < 1e-3f) {
            c = 1 - i / 64.f;
            break;
        }
        px += dx * d;
        py += dy * d;
        pz += dz * d;
        if (pz > 9)
            break;
    }
    o[y * w + x] = c;
}
G void complex_gemm2(const double2 *A, const double2 *B, double2 *C, int n)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    if (i >= n || j + 1 >= n)
        return;
    double2 s = {0, 0}, t = {0, 0};
    for (int k = 0; k < n; k++) {
        double2 a = A[i * n + k], b = B[k * n + j], c = B[k * n + j + 1];
        s.x += a.x * b.x - a.y * b.y;
        s.y += a.x * b.y + a.y * b.x;
        t.x += a.x * c.x - a.y * c.y;
        t.y += a.x * c.y + a.y * c.x;
    }
    C[i * n + j] = s;
    C[i * n + j + 1] = t;
}
G void polyfit(const float *x, const float *y, float *o, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float S[7] = {}, T[4] = {};
    for (int i = 0; i < n; i++) {
        float v = x[t * n + i], w = y[t * n + i], p = 1;
        for (int k = 0; k < 7; k++) {
            S[k] += p;
            if (k < 4)
                T[k] += p * w;
            p *= v;
        }
    }
    for (int c = 0; c < 4; c++)
        o[t * 4 + c] = T[c] / S[c] + S[c + 3];
}
G void quick_select(float *a, int n, int k, float *o)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float *p = a + t * n;
    int l = 0, r = n - 1;
    while (l < r) {
        float v = p[(l + r) / 2];
        int i = l, j = r;
        while (i <= j) {
            while (p[i] < v)
                i++;
            while (p[j] > v)
                j--;
            if (i <= j) {
                float q = p[i];
                p[i] = p[j];
                p[j] = q;
                i++;
                j--;
            }
        }
        if (k <= j)
            r = j;
        else if (k >= i)
            l = i;
        else
            break;
    }
    o[t] = p[k];
}
G void bigint_mul(const u32 *a, const u32 *b, u32 *c, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    u32 r[16] = {};
#pragma unroll
    for (int i = 0; i < 8; i++) {
        u64 carry = 0;
        u32 x = a[t * 8 + i];
#pragma unroll
        for (int j = 0; j < 8; j++) {
            u64 v = (u64)x * b[t * 8 + j] + r[i + j] + carry;
            r[i + j] = (u32)v;
            carry = v >> 32;
        }
        r[i + 8] = (u32)carry;
    }
    for (int i = 0; i < 16; i++)
        c[t * 16 + i] = r[i];
}
G void dist_matrix(const float *x, float *d, int n, int k)
{
    __shared__ float a[16][33], b[16][33];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
    float s = 0;
    for (int q = 0; q < k; q += 32) {
        a[ty][tx] = x[i * k + q + tx];
        a[ty][tx + 16] = x[i * k + q + tx + 16];
        b[ty][tx] = x[(blockIdx.x * 16 + ty) * k + q + tx];
        b[ty][tx + 16] = x[(blockIdx.x * 16 + ty) * k + q + tx + 16];
        __syncthreads();
        for (int r = 0; r < 32; r++) {
            float t = a[ty][r] - b[tx][r];
            s += t * t;
        }
        __syncthreads();
    }
    d[i * n + j] = sqrtf(s);
}
