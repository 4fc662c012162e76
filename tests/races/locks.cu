// Locks by atomics. What is done between taking and giving back is in order.
#define KERNEL extern "C" __global__ void
__device__ void take(unsigned *lock)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
}
__device__ void give(unsigned *lock)
{
    __threadfence();
    atomicExch(lock, 0);
}

KERNEL locked(unsigned *lock, unsigned *sum)
{
    take(lock);
    *sum += threadIdx.x;
    give(lock);
}

KERNEL read_outside(unsigned *lock, unsigned *sum, unsigned *out)
{
    take(lock);
    *sum += threadIdx.x; // racy read_outside
    give(lock);
    out[blockIdx.x * blockDim.x + threadIdx.x] = *sum; // racy read_outside
}

KERNEL two_locks(unsigned *lock, unsigned *sum)
{
    take(&lock[threadIdx.x % 2]);
    *sum += 1; // racy two_locks
    give(&lock[threadIdx.x % 2]);
}

KERNEL lock_each(unsigned *lock, unsigned *sum)
{
    unsigned k = threadIdx.x % 4;
    take(&lock[k]);
    sum[k] += 1;
    give(&lock[k]);
}

// Given back too early.
KERNEL too_early(unsigned *lock, unsigned *sum)
{
    take(lock);
    unsigned v = *sum; // racy too_early
    give(lock);
    *sum = v + 1; // racy too_early
}

// Whether the lock was got is not looked at.
KERNEL not_looked(unsigned *lock, unsigned *sum)
{
    atomicCAS(lock, 0, 1);
    __threadfence();
    *sum += 1; // racy not_looked
    __threadfence();
    atomicExch(lock, 0);
}

KERNEL try_lock(unsigned *lock, unsigned *sum)
{
    bool done = false;
    while (!done)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *sum += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}

// Half of the threads forget it.
KERNEL some_lock(unsigned *lock, unsigned *sum)
{
    if (threadIdx.x % 2)
        take(lock);
    *sum += 1; // racy some_lock
    if (threadIdx.x % 2)
        give(lock);
}

// By atomicExch, and without fences: in order on GPUs, but not by promise.
KERNEL no_fences(unsigned *lock, unsigned *sum)
{
    bool done = false;
    while (!done)
        if (atomicExch(lock, 1) == 0) {
            *sum += 1; // racy no_fences
            atomicExch(lock, 0);
            done = true;
        }
}

// One thread takes the lock for its block.
KERNEL lock_for_block(unsigned *lock, unsigned *data)
{
    if (threadIdx.x == 0)
        take(lock);
    __syncthreads();
    data[threadIdx.x] += blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        give(lock);
}

KERNEL block_goes_on(unsigned *lock, unsigned *data)
{
    if (threadIdx.x == 0)
        take(lock);
    __syncthreads();
    data[threadIdx.x] += blockIdx.x; // racy block_goes_on
    if (threadIdx.x == 0)
        give(lock);
}

KERNEL tickets(unsigned *next, volatile unsigned *serving, unsigned *sum)
{
    if (threadIdx.x)
        return;
    unsigned mine = atomicAdd(next, 1);
    while (*serving != mine)
        ;
    __threadfence();
    *sum = *sum * 3 + 1;
    __threadfence();
    *serving = mine + 1;
}

// Two locks always in the same order; each account is under its own.
KERNEL accounts(unsigned *lock, int *money)
{
    unsigned from = threadIdx.x % 4, to = (threadIdx.x + 1) % 4;
    unsigned a = from < to ? from : to, b = from < to ? to : from;
    take(&lock[a]);
    take(&lock[b]);
    money[from]--;
    money[to]++;
    give(&lock[b]);
    give(&lock[a]);
}

KERNEL accounts_one_lock(unsigned *lock, int *money)
{
    unsigned from = threadIdx.x % 4, to = (threadIdx.x + 1) % 4;
    take(&lock[from]);
    money[from]--; // racy accounts_one_lock
    money[to]++;   // racy accounts_one_lock
    give(&lock[from]);
}

// In shared memory, for the threads of a block.
KERNEL shared_lock(unsigned *out)
{
    __shared__ unsigned lock, sum;
    if (threadIdx.x == 0)
        lock = sum = 0;
    __syncthreads();
    while (atomicCAS(&lock, 0, 1) != 0)
        ;
    __threadfence_block();
    sum += 2;
    __threadfence_block();
    atomicExch(&lock, 0);
    __syncthreads();
    out[threadIdx.x] = sum;
}

// The lock itself is made by one thread, and nobody waits for that.
KERNEL lock_not_ready(unsigned *out)
{
    __shared__ unsigned lock;
    if (threadIdx.x == 64)
        lock = 0; // racy lock_not_ready
    out[threadIdx.x] = atomicAdd(&lock, 1); // racy lock_not_ready
}

// Given back by a plain write.
KERNEL plain_unlock(unsigned *lock, unsigned *sum)
{
    while (atomicCAS(lock, 0, 1) != 0) // racy plain_unlock
        ;
    __threadfence();
    *sum += 1;
    __threadfence();
    *lock = 0; // racy plain_unlock
}

KERNEL volatile_unlock(unsigned *lock, unsigned *sum)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *sum += 1;
    __threadfence();
    *(volatile unsigned *)lock = 0;
}

// A sum by compare and swap, from a first look that may be old.
KERNEL swap_loop(float *sum, const float *in)
{
    unsigned *at = (unsigned *)sum, old = *at, expected;
    do {
        expected = old;
        old = atomicCAS(at, expected, __float_as_uint(__uint_as_float(expected) + in[threadIdx.x]));
    } while (old != expected);
}

// A lock of the block's scope does not keep other blocks out.
KERNEL lock_of_block_scope(unsigned *lock, unsigned *sum)
{
    while (atomicCAS_block(lock, 0, 1) != 0) // racy lock_of_block_scope
        ;
    __threadfence();
    *sum += 1;
    __threadfence();
    atomicExch_block(lock, 0); // racy lock_of_block_scope
}
