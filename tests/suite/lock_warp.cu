// A lock that the lanes of one warp fight for. Before Volta the lane that holds it waits for those that spin:
// it never ends. Since Volta every thread gets on, and each adds to the plain counter once.
extern "C" __global__ void lock_warp(unsigned *lock, volatile unsigned *count)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *count = *count + 1;
    __threadfence();
    atomicExch(lock, 0);
}

// The same, written so that it ends on every GPU: the holder lets go inside the loop.
extern "C" __global__ void lock_inside(unsigned *lock, volatile unsigned *count)
{
    bool done = false;
    while (!done)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *count = *count + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}

// A lock in shared memory for each of `locks` accounts; thread i moves i from one to the next under both locks,
// taken in order of their numbers.
extern "C" __global__ void lock_accounts(unsigned *money, unsigned locks)
{
    extern __shared__ unsigned shared[];
    unsigned *lock = shared;
    volatile unsigned *account = shared + locks;
    for (unsigned k = threadIdx.x; k < locks; k += blockDim.x) {
        lock[k] = 0;
        account[k] = money[k];
    }
    __syncthreads();
    unsigned from = threadIdx.x % locks, to = (from + 1) % locks;
    unsigned first = min(from, to), second = max(from, to);
    while (atomicCAS(&lock[first], 0, 1) != 0)
        ;
    while (atomicCAS(&lock[second], 0, 1) != 0)
        ;
    __threadfence_block();
    account[from] = account[from] - threadIdx.x;
    account[to] = account[to] + threadIdx.x;
    __threadfence_block();
    atomicExch(&lock[second], 0);
    atomicExch(&lock[first], 0);
    __syncthreads();
    for (unsigned k = threadIdx.x; k < locks; k += blockDim.x)
        money[k] = account[k];
}
