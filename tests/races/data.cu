// Histograms, reductions, stencils and the like in global and shared memory.
#include <cooperative_groups.h>
#define KERNEL extern "C" __global__ void

KERNEL lanes_one_word(unsigned *x) { *x = threadIdx.x; } // racy lanes_one_word
KERNEL blocks_one_word(unsigned *x)
{
    if (threadIdx.x == 0)
        *x = blockIdx.x; // racy blocks_one_word
}
KERNEL all_write_seven(unsigned *x) { *x = 7; } // racy all_write_seven

KERNEL histogram_plain(const unsigned *in, unsigned *bins)
{
    bins[in[blockIdx.x * blockDim.x + threadIdx.x] % 16]++; // racy histogram_plain
}

KERNEL histogram_atomic(const unsigned *in, unsigned *bins)
{
    atomicAdd(&bins[in[blockIdx.x * blockDim.x + threadIdx.x] % 16], 1);
}

KERNEL histogram_shared(const unsigned *in, unsigned *bins)
{
    __shared__ unsigned s[16];
    if (threadIdx.x < 16)
        s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[in[blockIdx.x * blockDim.x + threadIdx.x] % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

KERNEL histogram_not_cleared(const unsigned *in, unsigned *bins)
{
    __shared__ unsigned s[16];
    if (threadIdx.x >= 112)
        s[threadIdx.x - 112] = 0; // racy histogram_not_cleared
    atomicAdd(&s[in[blockIdx.x * blockDim.x + threadIdx.x] % 16], 1); // racy histogram_not_cleared
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

KERNEL histogram_not_awaited(const unsigned *in, unsigned *bins)
{
    __shared__ unsigned s[16];
    if (threadIdx.x < 16)
        s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[in[blockIdx.x * blockDim.x + threadIdx.x] % 16], 1); // racy histogram_not_awaited
    if (threadIdx.x < 16)
        atomicAdd(&bins[threadIdx.x], s[threadIdx.x]); // racy histogram_not_awaited
}

// A histogram a warp, then all of them together.
KERNEL histogram_by_warp(const unsigned *in, unsigned *bins)
{
    __shared__ unsigned s[4][16];
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane < 16)
        s[warp][lane] = 0;
    __syncwarp();
    atomicAdd(&s[warp][in[threadIdx.x] % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        bins[threadIdx.x] = s[0][threadIdx.x] + s[1][threadIdx.x] + s[2][threadIdx.x] + s[3][threadIdx.x];
}

// Lanes with the same value agree on one of them.
KERNEL histogram_agreed(const unsigned *in, unsigned *bins)
{
    unsigned v = in[threadIdx.x] % 16, peers = __match_any_sync(~0u, v);
    if (threadIdx.x % 32 == __ffs(peers) - 1)
        atomicAdd(&bins[v], __popc(peers));
}

KERNEL plain_beside_atomic(unsigned *x)
{
    if (threadIdx.x < 32)
        atomicAdd(x, 1); // racy plain_beside_atomic
    else if (threadIdx.x == 32)
        *x += 1; // racy plain_beside_atomic
}

// The sum is read while other blocks still add.
KERNEL sum_read_early(const unsigned *in, unsigned *sum, unsigned *out)
{
    atomicAdd(sum, in[blockIdx.x * blockDim.x + threadIdx.x]); // racy sum_read_early
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = *sum; // racy sum_read_early
}

KERNEL sum_one_block(const unsigned *in, unsigned *sum, unsigned *out)
{
    atomicAdd(sum, in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = *sum;
}

KERNEL tree(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[256];
    s[threadIdx.x] = in[threadIdx.x];
    for (unsigned d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
    }
    if (threadIdx.x == 0)
        *out = s[0];
}

// No barriers from 32 on, as if the warp were in step.
KERNEL tree_short(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[256];
    s[threadIdx.x] = in[threadIdx.x];
    for (unsigned d = 128; d > 0; d /= 2) {
        if (d >= 32)
            __syncthreads();
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d]; // racy tree_short
    }
    if (threadIdx.x == 0)
        *out = s[0];
}

// Who comes last adds up what all blocks wrote.
KERNEL last_adds(const unsigned *in, volatile unsigned *part, unsigned *count, unsigned *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = in[blockIdx.x];
        __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        unsigned sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += part[b];
        *out = sum;
    }
}

// The same, read from what L1 may still have.
KERNEL last_adds_plain(const unsigned *in, unsigned *part, unsigned *count, unsigned *out)
{
    if (threadIdx.x)
        return;
    part[blockIdx.x] = in[blockIdx.x]; // racy last_adds_plain
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1)
        *out = part[0] + part[1] * 3; // racy last_adds_plain
}

KERNEL last_adds_no_fence(const unsigned *in, unsigned *part, unsigned *count, unsigned *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = in[blockIdx.x]; // racy last_adds_no_fence
        last = atomicAdd(count, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        unsigned sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += part[b]; // racy last_adds_no_fence
        *out = sum;
    }
}

// All threads of a block write, one counts, without waiting for the others.
KERNEL last_counts_early(const unsigned *in, unsigned *part, unsigned *count, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    part[i] = in[i]; // racy last_counts_early
    __threadfence();
    if (threadIdx.x == 0 && atomicAdd(count, 1) == gridDim.x - 1) {
        unsigned sum = 0;
        for (unsigned k = 0; k < gridDim.x * blockDim.x; k++)
            sum += part[k]; // racy last_counts_early
        *out = sum;
    }
}

KERNEL last_counts_all(const unsigned *in, volatile unsigned *part, unsigned *count, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    part[i] = in[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(count, 1) == gridDim.x - 1) {
        unsigned sum = 0;
        for (unsigned k = 0; k < gridDim.x * blockDim.x; k++)
            sum += part[k];
        *out = sum;
    }
}

// In place: the neighbour may have been overwritten, in this block or the next.
KERNEL stencil_in_place(unsigned *x)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = x[i] + x[i + 1]; // racy stencil_in_place
    __syncthreads();
    x[i] = v; // racy stencil_in_place
}

KERNEL stencil_two_buffers(const unsigned *x, unsigned *y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + x[i + 1];
}

KERNEL stencil_grid_sync(unsigned *x, unsigned *y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (unsigned r = 0; r < 3; r++) {
        y[i] = x[i] + x[(i + 1) % n];
        cooperative_groups::this_grid().sync();
        x[i] = y[i] + y[(i + 1) % n];
        cooperative_groups::this_grid().sync();
    }
}

KERNEL stencil_one_grid_sync(unsigned *x, unsigned *y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (unsigned r = 0; r < 3; r++) {
        y[i] = x[i] + x[(i + 1) % n]; // racy stencil_one_grid_sync
        cooperative_groups::this_grid().sync();
        x[i] = y[i] + y[(i + 1) % n]; // racy stencil_one_grid_sync
    }
}

// Ranges of blocks overlap by one element.
KERNEL overlap(unsigned *x, unsigned n)
{
    for (unsigned i = blockIdx.x * n + threadIdx.x; i <= (blockIdx.x + 1) * n; i += blockDim.x)
        x[i] = i + blockIdx.x; // racy overlap
}

KERNEL no_overlap(unsigned *x, unsigned n)
{
    for (unsigned i = blockIdx.x * n + threadIdx.x; i < (blockIdx.x + 1) * n; i += blockDim.x)
        x[i] = i + blockIdx.x;
}

KERNEL transpose_in_place(unsigned *x, unsigned n)
{
    unsigned r = threadIdx.y + blockIdx.y * blockDim.y, c = threadIdx.x + blockIdx.x * blockDim.x;
    unsigned v = x[r * n + c]; // racy transpose_in_place
    x[c * n + r] = v;          // racy transpose_in_place
}

KERNEL transpose_pairs(unsigned *x, unsigned n)
{
    unsigned r = threadIdx.y + blockIdx.y * blockDim.y, c = threadIdx.x + blockIdx.x * blockDim.x;
    if (r < c) {
        unsigned a = x[r * n + c], b = x[c * n + r];
        x[r * n + c] = b;
        x[c * n + r] = a;
    }
}

// A place in a list from an atomic is the thread's own.
KERNEL append(const unsigned *in, unsigned *list, unsigned *count)
{
    unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (v & 1)
        list[atomicAdd(count, 1)] = v;
}

KERNEL append_plain(const unsigned *in, unsigned *list, unsigned *count)
{
    unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (v & 1) {
        unsigned at = *count; // racy append_plain
        *count = at + 1;      // racy append_plain
        list[at] = v;
    }
}

KERNEL scatter(const unsigned *to, unsigned *x)
{
    x[to[threadIdx.x]] = threadIdx.x; // racy scatter
}
