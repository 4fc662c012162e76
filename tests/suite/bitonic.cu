// Bitonic sort of `size` keys a block, a power of two, with any number of threads.
extern "C" __global__ void bitonic(int *keys, unsigned size)
{
    extern __shared__ int s[];
    int *mine = keys + blockIdx.x * size;
    for (unsigned i = threadIdx.x; i < size; i += blockDim.x)
        s[i] = mine[i];
    __syncthreads();
    for (unsigned run = 2; run <= size; run *= 2)
        for (unsigned step = run / 2; step > 0; step /= 2) {
            for (unsigned i = threadIdx.x; i < size; i += blockDim.x) {
                unsigned other = i ^ step;
                if (other > i && (s[i] > s[other]) == ((i & run) == 0)) {
                    int t = s[i];
                    s[i] = s[other];
                    s[other] = t;
                }
            }
            __syncthreads();
        }
    for (unsigned i = threadIdx.x; i < size; i += blockDim.x)
        mine[i] = s[i];
}
