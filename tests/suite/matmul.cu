// C = A B of n x n floats. Tiled: 16 x 16 threads share two tiles, the inner loop is unrolled; n is any number.
#define T 16

extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, unsigned n)
{
    __shared__ float as[T][T], bs[T][T];
    unsigned tx = threadIdx.x, ty = threadIdx.y;
    unsigned row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
    float sum = 0;
    for (unsigned k = 0; k < n; k += T) {
        as[ty][tx] = row < n && k + tx < n ? a[row * n + k + tx] : 0;
        bs[ty][tx] = column < n && k + ty < n ? b[(k + ty) * n + column] : 0;
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < T; i++)
            sum += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

extern "C" __global__ void matmul_naive(const float *a, const float *b, float *c, unsigned n)
{
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || column >= n)
        return;
    float sum = 0;
    for (unsigned k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
