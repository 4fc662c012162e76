// Integers: products and quotients of 64 bits, counting and moving bits, bytes, funnel shifts, saturation.
typedef unsigned long long u64;

extern "C" __global__ void integers_wide(const u64 *x, const u64 *y, u64 *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    u64 a = x[i], b = (y[i] >> (i % 64)) | 1, *to = out + 10 * i;
    to[0] = a / b, to[1] = a % b;
    to[2] = (long long)a / (long long)b, to[3] = (long long)a % (long long)b;
    to[4] = __umul64hi(a, b), to[5] = __mul64hi(a, b);
    to[6] = __popcll(a) | __clzll(b) << 8 | __ffsll(a) << 16, to[7] = __brevll(a);
    to[8] = (a << (i % 64)) ^ (long long)a >> (i % 61), to[9] = a * b + (a < b ? min(a, b) : ~b);
}

extern "C" __global__ void integers(const unsigned *x, const unsigned *y, unsigned *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = x[i], b = y[i] | 1, *to = out + 16 * i;
    to[0] = a / b, to[1] = a % b, to[2] = (int)a / (int)b, to[3] = (int)a % (int)b;
    to[4] = __umulhi(a, b), to[5] = __mulhi(a, b), to[6] = __popc(a) << 16 | __clz(b) << 8 | __ffs(a);
    to[7] = __brev(a), to[8] = __byte_perm(a, b, 0x2714), to[9] = __funnelshift_l(a, b, i % 40);
    to[10] = __funnelshift_rc(a, b, i % 40), to[11] = __usad(a, b, i), to[12] = __dp4a(a, b, i);
    to[14] = __mul24(a, b) ^ __umul24(a, b);
    asm("bfe.s32 %0, %1, %2, 9;" : "=r"(to[13]) : "r"(a), "r"(i % 30));
    to[15] = __vadd4(a, b) + __rhadd((int)a, (int)b) + abs((int)a) / 3;
}

// A remainder by a power that is not known, small types that wrap, and shifts past the width.
extern "C" __global__ void integers_small(const unsigned char *x, short *out, unsigned shift, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    signed char s = x[i];
    unsigned char u = x[i] * 3;
    short h = s * u;
    asm("shl.b16 %0, %0, %1;" : "+h"(h) : "r"(shift)); // past the width: nothing is left
    out[i] = h + (s >> 3) - u / 7 + (s % 5) * (u & 15);
}
