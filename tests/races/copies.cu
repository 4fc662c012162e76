// Double buffers, asynchronous copies, barriers as objects.
#include <cuda/barrier>
#include <cuda_pipeline.h>
#define KERNEL extern "C" __global__ void

KERNEL double_buffer(const unsigned *in, unsigned *out, unsigned rounds)
{
    __shared__ unsigned s[2][64];
    unsigned t = threadIdx.x, sum = 0;
    s[0][t] = in[t];
    for (unsigned r = 0; r < rounds; r++) {
        __syncthreads();
        if (r + 1 < rounds)
            s[(r + 1) % 2][t] = in[(r + 1) * 64 + t];
        sum = sum * 3 + s[r % 2][63 - t];
    }
    out[t] = sum;
}

KERNEL single_buffer(const unsigned *in, unsigned *out, unsigned rounds)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x, sum = 0;
    s[t] = in[t];
    for (unsigned r = 0; r < rounds; r++) {
        __syncthreads();
        sum = sum * 3 + s[63 - t]; // racy single_buffer
        if (r + 1 < rounds)
            s[t] = in[(r + 1) * 64 + t]; // racy single_buffer
    }
    out[t] = sum;
}

// A barrier every other round is not enough for two buffers.
KERNEL double_buffer_half(const unsigned *in, unsigned *out, unsigned rounds)
{
    __shared__ unsigned s[2][64];
    unsigned t = threadIdx.x, sum = 0;
    s[0][t] = in[t];
    for (unsigned r = 0; r < rounds; r++) {
        if (r % 2 == 0)
            __syncthreads();
        if (r + 1 < rounds)
            s[(r + 1) % 2][t] = in[(r + 1) * 64 + t]; // racy double_buffer_half
        sum = sum * 3 + s[r % 2][63 - t];             // racy double_buffer_half
    }
    out[t] = sum;
}

KERNEL copy_own(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[128];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = s[threadIdx.x];
}

KERNEL copy_not_awaited(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[128];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4); // racy copy_not_awaited
    __pipeline_commit();
    out[threadIdx.x] = s[threadIdx.x]; // racy copy_not_awaited
}

// Awaited by each for its own, but read from another.
KERNEL copy_no_barrier(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[128];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4); // racy copy_no_barrier
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = s[127 - threadIdx.x]; // racy copy_no_barrier
}

KERNEL copy_barrier(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[128];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = s[127 - threadIdx.x];
}

// A barrier does not wait for copies.
KERNEL copy_only_barrier(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[128];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4); // racy copy_only_barrier
    __pipeline_commit();
    __syncthreads();
    out[threadIdx.x] = s[127 - threadIdx.x]; // racy copy_only_barrier
}

// Two stages: while one is read, the next is copied.
KERNEL stages(const unsigned *in, unsigned *out, unsigned rounds)
{
    __shared__ unsigned s[2][64];
    unsigned t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
    for (unsigned r = 0; r < rounds; r++) {
        if (r + 1 < rounds)
            __pipeline_memcpy_async(&s[(r + 1) % 2][t], &in[(r + 1) * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum = sum * 3 + s[r % 2][63 - t];
        __syncthreads();
    }
    out[t] = sum;
}

// One group too many may still be under way.
KERNEL stages_too_late(const unsigned *in, unsigned *out, unsigned rounds)
{
    __shared__ unsigned s[2][64];
    unsigned t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4); // racy stages_too_late
    __pipeline_commit();
    for (unsigned r = 0; r < rounds; r++) {
        if (r + 1 < rounds)
            __pipeline_memcpy_async(&s[(r + 1) % 2][t], &in[(r + 1) * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(2);
        __syncthreads();
        sum = sum * 3 + s[r % 2][63 - t]; // racy stages_too_late
        __syncthreads();
    }
    out[t] = sum;
}

KERNEL object_barrier(const unsigned *in, unsigned *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    __shared__ unsigned s[64];
    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    for (unsigned r = 0; r < 3; r++) {
        s[threadIdx.x] = in[threadIdx.x] + r;
        b.arrive_and_wait();
        out[r * 64 + threadIdx.x] = s[63 - threadIdx.x];
        b.arrive_and_wait();
    }
}

// Written between arriving and waiting.
KERNEL object_barrier_late(const unsigned *in, unsigned *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    __shared__ unsigned s[64];
    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    auto token = b.arrive();
    s[threadIdx.x] = in[threadIdx.x]; // racy object_barrier_late
    b.wait(static_cast<decltype(token) &&>(token));
    out[threadIdx.x] = s[63 - threadIdx.x]; // racy object_barrier_late
}

// Nobody waits for the barrier to be made.
KERNEL object_not_made(unsigned *out)
{
    __shared__ unsigned long long b;
    unsigned at = (unsigned)__cvta_generic_to_shared(&b);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at) : "memory"); // racy object_not_made
    unsigned long long token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory"); // racy object_not_made
    out[threadIdx.x] = 1;
}

// A copy that counts at a barrier: who waits there has it.
KERNEL copy_to_object(const unsigned *in, unsigned *out)
{
    __shared__ unsigned long long b;
    __shared__ unsigned s[64];
    unsigned at = (unsigned)__cvta_generic_to_shared(&b), t = threadIdx.x;
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at) : "memory");
    __syncthreads();
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
    unsigned over = 0;
    while (!over)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over) : "r"(at) : "memory");
    out[t] = s[63 - t];
}
