// Doubles: a polynomial by fma, quotient, root, roundings, and conversions to and from integers and floats.
extern "C" __global__ void doubles(const double *x, double *out, long long *whole, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], p = 0;
    for (int k = 10; k > 0; k--)
        p = fma(p, v, 1.0 / k);
    double q = (p - v) / (v * v + 0.1), r = sqrt(fabs(q));
    float narrow = (float)(r * 1e3);
    out[i] = p + floor(r) - ceil(q) + rint(q * 8) + trunc(v) + fmin(p, r) * fmax(q, v) + narrow;
    whole[i] = (long long)(q * 1e6) + (int)(r * 100) + (unsigned char)(fabs(v) * 10) + __double2ll_rn(p * 1e3);
}

// Each rounding of add, mul, fma, div and sqrt.
extern "C" __global__ void doubles_rounded(const double *x, const double *y, double *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i], b = y[i], *to = out + 20 * i;
    to[0] = __dadd_rn(a, b), to[1] = __dadd_rz(a, b), to[2] = __dadd_ru(a, b), to[3] = __dadd_rd(a, b);
    to[4] = __dmul_rn(a, b), to[5] = __dmul_rz(a, b), to[6] = __dmul_ru(a, b), to[7] = __dmul_rd(a, b);
    to[8] = __fma_rn(a, b, a), to[9] = __fma_rz(a, b, a), to[10] = __fma_ru(a, b, a), to[11] = __fma_rd(a, b, a);
    to[12] = __ddiv_rn(a, b), to[13] = __ddiv_rz(a, b), to[14] = __ddiv_ru(a, b), to[15] = __ddiv_rd(a, b);
    a = fabs(a);
    to[16] = __dsqrt_rn(a), to[17] = __dsqrt_rz(a), to[18] = __dsqrt_ru(a), to[19] = __dsqrt_rd(a);
}
