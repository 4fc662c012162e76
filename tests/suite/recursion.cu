// Functions that call themselves and each other, to a depth that differs by thread.
__device__ __noinline__ unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

__device__ __noinline__ void quicksort(int *v, int low, int high)
{
    if (low >= high)
        return;
    int pivot = v[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (v[i] < pivot)
            i++;
        while (v[j] > pivot)
            j--;
        if (i <= j) {
            int t = v[i];
            v[i++] = v[j];
            v[j--] = t;
        }
    }
    quicksort(v, low, j);
    quicksort(v, i, high);
}

extern "C" __global__ void recursion(unsigned *fib, unsigned *ack)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    fib[i] = fibonacci(i % 11);
    ack[i] = ackermann(i % 3, i % 4);
}

// Each thread sorts its own part of the buffer.
extern "C" __global__ void sort_parts(int *v, int part)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    quicksort(v + i * part, 0, part - 1);
}
