// Compiled by clang, without any header of CUDA: other instructions, other names than nvcc's.
#define ID(what, d) __nvvm_read_ptx_sreg_##what##_##d()

extern "C" __attribute__((global)) void by_clang(const int *in, int *out, unsigned n)
{
    static __attribute__((shared)) int s[256];
    unsigned t = ID(tid, x), i = ID(ctaid, x) * ID(ntid, x) + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    int least = s[t];
    for (unsigned k = 0; k < ID(ntid, x); k++)
        if (s[k] < least && (s[k] ^ (int)t) % 3 == 0)
            least = s[k];
    if (i < n)
        out[i] = least;
}

extern "C" __attribute__((global)) void by_clang_double(const double *in, float *out, unsigned n)
{
    for (unsigned i = ID(ctaid, x) * ID(ntid, x) + ID(tid, x); i < n; i += ID(nctaid, x) * ID(ntid, x)) {
        double v = in[i];
        out[i] = v > 0.5 ? (float)(v * v) : (float)((long long)(v * 1000) / 7);
    }
}
