// The game of life on a torus, several generations in one block, two planes of bytes in shared memory.
extern "C" __global__ void life(unsigned char *cells, int width, int height, int generations)
{
    extern __shared__ unsigned char plane[];
    int size = width * height;
    unsigned char *now = plane, *next = plane + size;
    for (int i = threadIdx.x; i < size; i += blockDim.x)
        now[i] = cells[i] & 1;
    for (int g = 0; g < generations; g++) {
        __syncthreads();
        for (int i = threadIdx.x; i < size; i += blockDim.x) {
            int x = i % width, y = i / width, sum = 0;
            for (int d = 0; d < 9; d++)
                if (d != 4)
                    sum += now[(y + d / 3 + height - 1) % height * width + (x + d % 3 + width - 1) % width];
            next[i] = sum == 3 || (sum == 2 && now[i]);
        }
        unsigned char *old = now;
        now = next;
        next = old;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < size; i += blockDim.x)
        cells[i] = now[i];
}
