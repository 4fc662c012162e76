// Every thread takes the lock, adds one, and releases it. Before Volta the threads of a
// warp that wait keep the one that holds the lock from going on.
// lock.ptx: nvcc -arch=sm_75 -lineinfo -ptx lock.cu
extern "C" __global__ void lock(unsigned *taken, unsigned *sum)
{
    while (atomicCAS(taken, 0, 1) != 0)
        ;
    __threadfence();
    *(volatile unsigned *)sum += 1;
    __threadfence();
    atomicExch(taken, 0);
}
