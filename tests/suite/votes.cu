// What the lanes of a warp say together: any, all, ballot, match, and sums of the warp.
extern "C" __global__ void votes(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i] % 8;
    unsigned odd = __ballot_sync(~0u, v & 1);
    unsigned r = odd + 4 * __any_sync(~0u, v == 7) + 2 * __all_sync(~0u, v < 7);
    if (v & 1) // those that said so vote again, among themselves
        r ^= __ballot_sync(odd, v > 3) << 3;
    out[2 * i] = r;
    out[2 * i + 1] = __popc(__match_any_sync(~0u, v)) << 8 | __ffs(odd);
}

// Equal in all lanes or not; the order of equal values among themselves; the sum, least and union of a warp.
extern "C" __global__ void votes_reduce(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i] % 8, lane = threadIdx.x % 32;
    int same;
    unsigned all = __match_all_sync(~0u, (unsigned long long)v, &same);
    unsigned equal = __match_any_sync(~0u, v);
    unsigned rank = __popc(equal & ((1u << lane) - 1));
    out[i] = same << 31 | (all & 1) << 30 | rank << 24 | __reduce_add_sync(~0u, v) << 12 |
             __reduce_min_sync(equal, lane) << 4 | __reduce_or_sync(~0u, 1u << v % 4);
}

// The active threads: on one path of a branch no lane is seen that took the other, and each sees itself.
extern "C" __global__ void votes_active(unsigned *wrong)
{
    unsigned lane = threadIdx.x % 32;
    if (lane < 11) {
        unsigned low = __activemask();
        if (!(low >> lane & 1) || (low & ~0x7ffu))
            atomicAdd(&wrong[0], 1);
    } else {
        unsigned high = __activemask();
        if (!(high >> lane & 1) || (high & 0x7ffu))
            atomicAdd(&wrong[1], 1);
    }
}
