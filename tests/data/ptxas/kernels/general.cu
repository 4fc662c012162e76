// Hashes, products of matrices, reductions, integers and functions: to see what ptxas makes of them.
#include <math.h>
#include <stdint.h>
#define G extern "C" __global__
typedef uint32_t u32;
typedef uint64_t u64;
#define ROTR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
__constant__ u32 K256[64];
G void sha256(const u32 *in, u32 *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    u32 w[16];
    for (int i = 0; i < 16; i++)
        w[i] = in[t * 16 + i];
    u32 a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a, e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab,
        h = 0x5be0cd19;
#pragma unroll
    for (int i = 0; i < 64; i++) {
        if (i >= 16) {
            u32 s0 = w[(i + 1) & 15], s1 = w[(i + 14) & 15];
            s0 = ROTR(s0, 7) ^ ROTR(s0, 18) ^ (s0 >> 3);
            s1 = ROTR(s1, 17) ^ ROTR(s1, 19) ^ (s1 >> 10);
            w[i & 15] += s0 + s1 + w[(i + 9) & 15];
        }
        u32 t1 = h + (ROTR(e, 6) ^ ROTR(e, 11) ^ ROTR(e, 25)) + ((e & f) ^ (~e & g)) + K256[i] + w[i & 15],
            t2 = (ROTR(a, 2) ^ ROTR(a, 13) ^ ROTR(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    u32 *o = out + t * 8;
    o[0] = a;
    o[1] = b;
    o[2] = c;
    o[3] = d;
    o[4] = e;
    o[5] = f;
    o[6] = g;
    o[7] = h;
}
G void sgemm64(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float as[16][64], bs[16][64];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x * 64, by = blockIdx.y * 64;
    float acc[4][4] = {};
    int t = ty * 16 + tx;
    for (int k = 0; k < K; k += 16) {
        for (int i = 0; i < 4; i++) {
            int q = t + i * 256;
            as[q % 16][q / 16] = A[(by + q / 16) * K + k + q % 16];
            bs[q / 64][q % 64] = B[(k + q / 64) * N + bx + q % 64];
        }
        __syncthreads();
        for (int kk = 0; kk < 16; kk++) {
            float a[4], b[4];
            for (int i = 0; i < 4; i++) {
                a[i] = as[kk][ty * 4 + i];
                b[i] = bs[kk][tx * 4 + i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            C[(by + ty * 4 + i) * N + bx + tx * 4 + j] = acc[i][j];
}
G void sgemm128(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float as[8][128], bs[8][128];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16, bx = blockIdx.x * 128, by = blockIdx.y * 128, t = threadIdx.x;
    float acc[8][8] = {};
    for (int k = 0; k < K; k += 8) {
        float4 a = *(const float4 *)&A[(by + t / 2) * K + k + (t % 2) * 4],
               b = *(const float4 *)&B[(k + t / 32) * N + bx + (t % 32) * 4];
        as[(t % 2) * 4][t / 2] = a.x;
        as[(t % 2) * 4 + 1][t / 2] = a.y;
        as[(t % 2) * 4 + 2][t / 2] = a.z;
        as[(t % 2) * 4 + 3][t / 2] = a.w;
        *(float4 *)&bs[t / 32][(t % 32) * 4] = b;
        __syncthreads();
        for (int kk = 0; kk < 8; kk++) {
            float x[8], y[8];
            for (int i = 0; i < 8; i++) {
                x[i] = as[kk][ty * 8 + i];
                y[i] = bs[kk][tx * 8 + i];
            }
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++)
                    acc[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j += 4)
            *(float4 *)&C[(by + ty * 8 + i) * N + bx + tx * 8 + j] =
                make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
}
G void softmax(const float *x, float *y, int n)
{
    __shared__ float s[32];
    const float *p = x + blockIdx.x * n;
    float m = -1e30f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        m = fmaxf(m, p[i]);
    for (int o = 16; o; o >>= 1)
        m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = m;
    __syncthreads();
    m = s[0];
    for (int i = 1; i < blockDim.x / 32; i++)
        m = fmaxf(m, s[i]);
    float t = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        t += expf(p[i] - m);
    for (int o = 16; o; o >>= 1)
        t += __shfl_xor_sync(~0u, t, o);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = t;
    __syncthreads();
    t = 0;
    for (int i = 0; i < blockDim.x / 32; i++)
        t += s[i];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[blockIdx.x * n + i] = expf(p[i] - m) / t;
}
G void layernorm(const float *x, float *y, const float *g, const float *b, int n, float eps)
{
    __shared__ float s1[32], s2[32];
    const float *p = x + blockIdx.x * n;
    float a = 0, q = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float v = p[i];
        a += v;
        q += v * v;
    }
    for (int o = 16; o; o >>= 1) {
        a += __shfl_down_sync(~0u, a, o);
        q += __shfl_down_sync(~0u, q, o);
    }
    if (threadIdx.x % 32 == 0) {
        s1[threadIdx.x / 32] = a;
        s2[threadIdx.x / 32] = q;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        a = threadIdx.x < blockDim.x / 32 ? s1[threadIdx.x] : 0;
        q = threadIdx.x < blockDim.x / 32 ? s2[threadIdx.x] : 0;
        for (int o = 16; o; o >>= 1) {
            a += __shfl_down_sync(~0u, a, o);
            q += __shfl_down_sync(~0u, q, o);
        }
        if (threadIdx.x == 0) {
            s1[0] = a / n;
            s2[0] = rsqrtf(q / n - a / n * (a / n) + eps);
        }
    }
    __syncthreads();
    float m = s1[0], r = s2[0];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[blockIdx.x * n + i] = (p[i] - m) * r * g[i] + b[i];
}
G void conv3x3(const float *in, const float *w, float *out, int W, int H, int C)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H)
        return;
    float s = 0;
    for (int c = 0; c < C; c++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                int xx = x + i, yy = y + j;
                if (xx >= 0 && xx < W && yy >= 0 && yy < H)
                    s += in[(c * H + yy) * W + xx] * w[(c * 3 + j + 1) * 3 + i + 1];
            }
    out[y * W + x] = s;
}
G void stencil27(const float *in, float *out, int nx, int ny, int nz, float a, float b, float c, float d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= nx - 1 || j >= ny - 1)
        return;
    for (int k = 1; k < nz - 1; k++) {
        float s = 0;
        for (int z = -1; z <= 1; z++)
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++) {
                    int m = abs(x) + abs(y) + abs(z);
                    s += (m == 0 ? a : m == 1 ? b : m == 2 ? c : d) * in[((k + z) * ny + j + y) * nx + i + x];
                }
        out[(k * ny + j) * nx + i] = s;
    }
}
G void heat3d(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz, float r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1)
        return;
    int p = j * nx + i, s = nx * ny;
    float b = in[p], c = in[p + s];
    for (int k = 1; k < nz - 1; k++) {
        p += s;
        float t = in[p + s];
        out[p] = c + r * (in[p - 1] + in[p + 1] + in[p - nx] + in[p + nx] + b + t - 6 * c);
        b = c;
        c = t;
    }
}
G void aes_sub(const unsigned char *sb, u32 *d, const u32 *rk, int n)
{
    __shared__ u32 T[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        u32 s = sb[i], s2 = (s << 1) ^ ((s >> 7) * 0x11b);
        T[i] = s2 << 24 | s << 16 | s << 8 | (s2 ^ s);
    }
    __syncthreads();
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    u32 a = d[t * 4] ^ rk[0], b = d[t * 4 + 1] ^ rk[1], c = d[t * 4 + 2] ^ rk[2], e = d[t * 4 + 3] ^ rk[3];
    for (int r = 1; r < 10; r++) {
        u32 x = T[a >> 24] ^ __funnelshift_r(T[b >> 16 & 255], T[b >> 16 & 255], 8) ^
                __funnelshift_r(T[c >> 8 & 255], T[c >> 8 & 255], 16) ^ __funnelshift_r(T[e & 255], T[e & 255], 24) ^
                rk[r * 4];
        u32 y = T[b >> 24] ^ __funnelshift_r(T[c >> 16 & 255], T[c >> 16 & 255], 8) ^
                __funnelshift_r(T[e >> 8 & 255], T[e >> 8 & 255], 16) ^ __funnelshift_r(T[a & 255], T[a & 255], 24) ^
                rk[r * 4 + 1];
        u32 z = T[c >> 24] ^ __funnelshift_r(T[e >> 16 & 255], T[e >> 16 & 255], 8) ^
                __funnelshift_r(T[a >> 8 & 255], T[a >> 8 & 255], 16) ^ __funnelshift_r(T[b & 255], T[b & 255], 24) ^
                rk[r * 4 + 2];
        u32 w = T[e >> 24] ^ __funnelshift_r(T[a >> 16 & 255], T[a >> 16 & 255], 8) ^
                __funnelshift_r(T[b >> 8 & 255], T[b >> 8 & 255], 16) ^ __funnelshift_r(T[c & 255], T[c & 255], 24) ^
                rk[r * 4 + 3];
        a = x;
        b = y;
        c = z;
        e = w;
    }
    d[t * 4] = a;
    d[t * 4 + 1] = b;
    d[t * 4 + 2] = c;
    d[t * 4 + 3] = e;
}
G void philox(u32 *out, int n, u32 k0, u32 k1)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    u32 c0 = t, c1 = 0, c2 = 0, c3 = 0;
    for (int i = 0; i < 10; i++) {
        u32 h0 = __umulhi(0xD2511F53, c0), l0 = 0xD2511F53 * c0, h1 = __umulhi(0xCD9E8D57, c2), l1 = 0xCD9E8D57 * c2;
        c0 = h1 ^ c1 ^ k0;
        c1 = l1;
        c2 = h0 ^ c3 ^ k1;
        c3 = l0;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    ((uint4 *)out)[t] = make_uint4(c0, c1, c2, c3);
}
G void fft8(float2 *d, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    float2 v[8];
    for (int i = 0; i < 8; i++)
        v[i] = d[t + i * n];
    for (int s = 1; s < 8; s *= 2) {
        for (int i = 0; i < 8; i++)
            if (!(i & s)) {
                float a = -3.14159265f * (i & (s - 1)) / s;
                float2 w = make_float2(__cosf(a), __sinf(a)), x = v[i],
                       y = make_float2(v[i + s].x * w.x - v[i + s].y * w.y, v[i + s].x * w.y + v[i + s].y * w.x);
                v[i] = make_float2(x.x + y.x, x.y + y.y);
                v[i + s] = make_float2(x.x - y.x, x.y - y.y);
            }
    }
    for (int i = 0; i < 8; i++)
        d[t + i * n] = v[i];
}
G void inv4(const float *m, float *o, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    float a[16];
    for (int i = 0; i < 16; i++)
        a[i] = m[t * 16 + i];
    float r[16];
    r[0] = a[5] * a[10] * a[15] - a[5] * a[11] * a[14] - a[9] * a[6] * a[15] + a[9] * a[7] * a[14] +
           a[13] * a[6] * a[11] - a[13] * a[7] * a[10];
    r[4] = -a[4] * a[10] * a[15] + a[4] * a[11] * a[14] + a[8] * a[6] * a[15] - a[8] * a[7] * a[14] -
           a[12] * a[6] * a[11] + a[12] * a[7] * a[10];
    r[8] = a[4] * a[9] * a[15] - a[4] * a[11] * a[13] - a[8] * a[5] * a[15] + a[8] * a[7] * a[13] +
           a[12] * a[5] * a[11] - a[12] * a[7] * a[9];
    r[12] = -a[4] * a[9] * a[14] + a[4] * a[10] * a[13] + a[8] * a[5] * a[14] - a[8] * a[6] * a[13] -
            a[12] * a[5] * a[10] + a[12] * a[6] * a[9];
    float det = a[0] * r[0] + a[1] * r[4] + a[2] * r[8] + a[3] * r[12];
    det = 1.0f / det;
    o[t * 4] = r[0] * det;
    o[t * 4 + 1] = r[4] * det;
    o[t * 4 + 2] = r[8] * det;
    o[t * 4 + 3] = r[12] * det;
}
G void spmm(const int *rp, const int *ci, const float *v, const float *B, float *C, int n, int m)
{
    int r = blockIdx.x * blockDim.y + threadIdx.y, c = threadIdx.x;
    if (r >= n)
        return;
    float s = 0;
    for (int k = rp[r]; k < rp[r + 1]; k++)
        s += v[k] * B[ci[k] * m + c];
    C[r * m + c] = s;
}
G void nqueens(const u32 *in, u32 *out, int n, int N)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    u32 mask = (1u << N) - 1, cnt = 0;
    u32 st[16], dl[16], dr[16], av[16];
    int sp = 0;
    st[0] = in[t * 3];
    dl[0] = in[t * 3 + 1];
    dr[0] = in[t * 3 + 2];
    av[0] = mask & ~(st[0] | dl[0] | dr[0]);
    while (sp >= 0) {
        if (!av[sp]) {
            sp--;
            continue;
        }
        u32 b = av[sp] & -av[sp];
        av[sp] ^= b;
        u32 c = st[sp] | b;
        if (c == mask) {
            cnt++;
            continue;
        }
        st[sp + 1] = c;
        dl[sp + 1] = (dl[sp] | b) << 1;
        dr[sp + 1] = (dr[sp] | b) >> 1;
        sp++;
        av[sp] = mask & ~(st[sp] | dl[sp] | dr[sp]);
    }
    out[t] = cnt;
}
G void dmath(const double *x, double *y, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        y[t] = sin(x[t]) * exp(-x[t] * x[t]) + log(1.0 + fabs(x[t]));
}
G void derf(const double *x, double *y, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        y[t] = erf(x[t]) + pow(fabs(x[t]), 1.7);
}
G void fmath(const float *x, float *y, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        y[t] = sinf(x[t]) + powf(fabsf(x[t]), 1.3f) + tanhf(x[t]) + log1pf(fabsf(x[t]));
}
G void u64mod(const u64 *a, const u64 *b, u64 *o, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) {
        u64 q = a[t] / b[t], r = a[t] % b[t];
        o[t] = q * r + __umul64hi(a[t], b[t]);
    }
}
G void modpow(const u64 *a, u64 *o, u64 m, u64 e, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    u64 r = 1, b = a[t] % m;
    for (u64 k = e; k; k >>= 1) {
        if (k & 1)
            r = r * b % m;
        b = b * b % m;
    }
    o[t] = r;
}
