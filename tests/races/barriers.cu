// Barriers of a block. A line with "racy NAME" is one of the two that race in kernel NAME.
#define KERNEL extern "C" __global__ void
__device__ void wait(unsigned id, unsigned threads) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
__device__ void arrive(unsigned id, unsigned threads) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory"); }

KERNEL no_barrier(unsigned *out)
{
    __shared__ unsigned s[256];
    s[threadIdx.x] = threadIdx.x + 1;             // racy no_barrier
    out[threadIdx.x] = s[(threadIdx.x + 64) % 256]; // racy no_barrier
}

KERNEL one_barrier(unsigned *out)
{
    __shared__ unsigned s[256];
    s[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    out[threadIdx.x] = s[(threadIdx.x + 64) % 256];
}

// The next round writes while others still read.
KERNEL no_second_barrier(unsigned *out)
{
    __shared__ unsigned s[128];
    unsigned sum = 0;
    for (unsigned r = 0; r < 4; r++) {
        s[threadIdx.x] = threadIdx.x + r; // racy no_second_barrier
        __syncthreads();
        sum += s[(threadIdx.x + 37) % 128]; // racy no_second_barrier
    }
    out[threadIdx.x] = sum;
}

KERNEL two_barriers(unsigned *out)
{
    __shared__ unsigned s[128];
    unsigned sum = 0;
    for (unsigned r = 0; r < 4; r++) {
        s[threadIdx.x] = threadIdx.x + r;
        __syncthreads();
        sum += s[(threadIdx.x + 37) % 128];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// A named barrier of warps 1 and 2 orders nothing between warps 0 and 3.
KERNEL others_barrier(unsigned *out)
{
    __shared__ unsigned x;
    unsigned warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        x = out[0]; // racy others_barrier
    if (warp == 1 || warp == 2)
        wait(1, 64);
    if (warp == 3)
        out[threadIdx.x] = x; // racy others_barrier
}

KERNEL own_barrier(unsigned *out)
{
    __shared__ unsigned x;
    unsigned warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        x = out[0];
    if (warp == 0 || warp == 3)
        wait(1, 64);
    else
        wait(2, 64);
    if (warp == 3)
        out[threadIdx.x] = x;
}

// Who only arrives does not wait: its second write meets the reader.
KERNEL arrive_then_write(unsigned *out)
{
    __shared__ unsigned x[32];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        x[lane] = 1;
        arrive(1, 64);
        x[lane] = 2; // racy arrive_then_write
    } else {
        wait(1, 64);
        out[lane] = x[lane]; // racy arrive_then_write
    }
}

KERNEL arrive_once(unsigned *out)
{
    __shared__ unsigned x[32];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        x[lane] = 1;
        arrive(1, 64);
    } else {
        wait(1, 64);
        out[lane] = x[31 - lane];
    }
}

// Who waits first and arrives for others hands on nothing of what comes later.
KERNEL wrong_way(unsigned *out)
{
    __shared__ unsigned x[32];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        wait(1, 64);
        x[lane] = lane; // racy wrong_way
    } else {
        arrive(1, 64);
        out[lane] = x[lane]; // racy wrong_way
    }
}

// Two barriers with different numbers are two barriers.
KERNEL other_number(unsigned *out)
{
    __shared__ unsigned x[64];
    unsigned pair = threadIdx.x / 64, t = threadIdx.x % 64;
    x[t] = threadIdx.x;          // racy other_number
    wait(1 + pair, 64);
    out[threadIdx.x] = x[63 - t]; // racy other_number
}

KERNEL own_number(unsigned *out)
{
    __shared__ unsigned x[2][64];
    unsigned pair = threadIdx.x / 64, t = threadIdx.x % 64;
    x[pair][t] = threadIdx.x;
    wait(1 + pair, 64);
    out[threadIdx.x] = x[pair][63 - t];
}

// A producer and a consumer hand a slot to and fro by two barriers.
KERNEL to_and_fro(unsigned *out)
{
    __shared__ unsigned slot[32];
    unsigned lane = threadIdx.x % 32;
    for (unsigned r = 0; r < 6; r++)
        if (threadIdx.x < 32) {
            if (r)
                wait(2, 64);
            slot[lane] = lane * r;
            arrive(1, 64);
        } else {
            wait(1, 64);
            out[r * 32 + lane] = slot[31 - lane];
            if (r < 5)
                arrive(2, 64);
        }
}

// The same, but nobody tells the producer that the slot is free.
KERNEL only_to(unsigned *out)
{
    __shared__ unsigned slot[32];
    unsigned lane = threadIdx.x % 32;
    for (unsigned r = 0; r < 6; r++)
        if (threadIdx.x < 32) {
            slot[lane] = lane * r; // racy only_to
            arrive(1 + r, 64);
        } else {
            wait(1 + r, 64);
            out[r * 32 + lane] = slot[31 - lane]; // racy only_to
        }
}

// Barriers that also count are barriers.
KERNEL counting(unsigned *out)
{
    __shared__ unsigned s[192];
    s[threadIdx.x] = threadIdx.x;
    int odd = __syncthreads_count(threadIdx.x & 1);
    out[threadIdx.x] = s[191 - threadIdx.x] + odd;
    int any = __syncthreads_or(threadIdx.x == 5);
    s[threadIdx.x] = any;
    int all = __syncthreads_and(threadIdx.x < 500);
    out[threadIdx.x] += s[(threadIdx.x + 3) % 192] + all;
}

// Half of the block leaves; the others meet without it.
KERNEL half_leaves(unsigned *out)
{
    __shared__ unsigned s[128];
    if (threadIdx.x >= 64)
        return;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}

// A scan in place: each step reads what the step before wrote, and the one beside it overwrites.
KERNEL scan_one_barrier(unsigned *out)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (unsigned d = 1; d < 128; d *= 2) {
        if (t >= d)
            s[t] += s[t - d]; // racy scan_one_barrier
        __syncthreads();
    }
    out[t] = s[t];
}

KERNEL scan_two_barriers(unsigned *out)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (unsigned d = 1; d < 128; d *= 2) {
        unsigned v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    out[t] = s[t];
}

// The barrier is in a branch that only some rounds take.
KERNEL barrier_sometimes(unsigned *out)
{
    __shared__ unsigned s[128];
    unsigned v = threadIdx.x;
    for (unsigned r = 0; r < 4; r++) {
        s[threadIdx.x] = v; // racy barrier_sometimes
        if (r % 2 == 0)
            __syncthreads();
        v += s[(threadIdx.x + 32) % 128]; // racy barrier_sometimes
        __syncthreads();
    }
    out[threadIdx.x] = v;
}
