// Lanes of a warp: in step before Volta, on their own since then.
#define KERNEL extern "C" __global__ void

KERNEL lanes_no_sync(unsigned *out)
{
    __shared__ unsigned s[32];
    s[threadIdx.x] = threadIdx.x;                // racy lanes_no_sync
    out[threadIdx.x] = s[(threadIdx.x + 1) % 32]; // racy lanes_no_sync
}

KERNEL lanes_sync(unsigned *out)
{
    __shared__ unsigned s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = s[(threadIdx.x + 1) % 32];
}

// The last 32 values, as reductions were written before Volta.
KERNEL volatile_reduce(unsigned *out)
{
    __shared__ unsigned s[64];
    volatile unsigned *v = s;
    unsigned t = threadIdx.x;
    v[t] = t;
    v[t + 32] = t * 2;
    __syncthreads();
    v[t] += v[t + 32];
    v[t] += v[t + 16]; // racy volatile_reduce
    v[t] += v[t + 8];
    v[t] += v[t + 4];
    v[t] += v[t + 2];
    v[t] += v[t + 1];
    if (t == 0)
        *out = v[0];
}

KERNEL synced_reduce(unsigned *out)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = t;
    s[t + 32] = t * 2;
    __syncwarp();
    for (unsigned d = 32; d > 0; d /= 2) {
        unsigned v = s[t + d];
        __syncwarp();
        s[t] += t < d ? v : 0;
        __syncwarp();
    }
    if (t == 0)
        *out = s[0];
}

KERNEL shuffle_reduce(const unsigned *in, unsigned *out)
{
    __shared__ unsigned part[8];
    unsigned v = in[threadIdx.x];
    for (unsigned d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (unsigned i = 0; i < blockDim.x / 32; i++)
            sum += part[i];
        *out = sum;
    }
}

// Warps meet in their own, but the results of all are read at once.
KERNEL shuffle_no_barrier(const unsigned *in, unsigned *out)
{
    __shared__ unsigned part[8];
    unsigned v = in[threadIdx.x];
    for (unsigned d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v; // racy shuffle_no_barrier
    __syncwarp();
    if (threadIdx.x < 8)
        out[threadIdx.x] = part[threadIdx.x]; // racy shuffle_no_barrier
}

// Each half of the warp meets for itself and reads the other's.
KERNEL half_sync(unsigned *out)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x, half = t < 16 ? 0xffffu : 0xffff0000u;
    s[t] = t; // racy half_sync
    __syncwarp(half);
    out[t] = s[31 - t]; // racy half_sync
}

KERNEL half_sync_own(unsigned *out)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x, half = t < 16 ? 0xffffu : 0xffff0000u;
    s[t] = t;
    __syncwarp(half);
    out[t] = s[t ^ 5];
}

// One path writes, the other reads; that they lie behind each other in the program is no order.
KERNEL two_paths(unsigned *out)
{
    __shared__ unsigned s[16];
    if (threadIdx.x < 16)
        s[threadIdx.x] = threadIdx.x; // racy two_paths
    else
        out[threadIdx.x] = s[threadIdx.x - 16]; // racy two_paths
}

KERNEL two_paths_meet(unsigned *out)
{
    __shared__ unsigned s[16];
    if (threadIdx.x < 16) {
        s[threadIdx.x] = threadIdx.x;
        __syncwarp();
    } else {
        __syncwarp();
        out[threadIdx.x] = s[threadIdx.x - 16];
    }
}

// Lanes of one instruction write one word.
KERNEL one_word(unsigned *out)
{
    __shared__ unsigned x;
    x = threadIdx.x; // racy one_word
    __syncwarp();
    out[threadIdx.x] = x;
}

// Only a shuffle is between: lanes have met, but memory is in no order by that.
KERNEL shuffle_between(unsigned *out)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    s[t] = t * 3;                                          // racy shuffle_between
    unsigned v = __shfl_xor_sync(~0u, t, 1);
    out[t] = v + *(volatile unsigned *)&s[(t + 1) % 32]; // racy shuffle_between
}

// What lanes vote on is theirs, what they write, too.
KERNEL voting(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x, lane = t % 32, m = __ballot_sync(~0u, in[t] & 1);
    unsigned at = __popc(m & ((1u << lane) - 1));
    if (in[t] & 1)
        s[t / 32 * 32 + at] = in[t];
    __syncwarp();
    out[t] = lane < __popc(m) ? s[t / 32 * 32 + lane] : 0;
}

// The same with one place for all warps.
KERNEL voting_one_place(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x, lane = t % 32, m = __ballot_sync(~0u, in[t] & 1);
    unsigned at = __popc(m & ((1u << lane) - 1));
    if (in[t] & 1)
        s[at] = in[t]; // racy voting_one_place
    __syncwarp();
    out[t] = lane < __popc(m) ? s[lane] : 0; // racy voting_one_place
}
