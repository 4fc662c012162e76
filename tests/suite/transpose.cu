// Three ways to transpose: strided writes; a tile whose columns fall on one bank; a padded tile.
#define T 32

extern "C" __global__ void transpose_naive(const float *in, float *out, unsigned width, unsigned height)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}

template <int pad> __device__ void through_tile(const float *in, float *out, unsigned width, unsigned height)
{
    __shared__ float tile[T][T + pad];
    unsigned x = blockIdx.x * T + threadIdx.x, y0 = blockIdx.y * T;
    for (unsigned j = threadIdx.y; j < T; j += blockDim.y)
        if (x < width && y0 + j < height)
            tile[j][threadIdx.x] = in[(y0 + j) * width + x];
    __syncthreads();
    unsigned to_x = y0 + threadIdx.x, to_y0 = blockIdx.x * T;
    for (unsigned j = threadIdx.y; j < T; j += blockDim.y)
        if (to_x < height && to_y0 + j < width)
            out[(to_y0 + j) * height + to_x] = tile[threadIdx.x][j];
}

extern "C" __global__ void transpose_tile(const float *in, float *out, unsigned width, unsigned height)
{
    through_tile<0>(in, out, width, height);
}

extern "C" __global__ void transpose_padded(const float *in, float *out, unsigned width, unsigned height)
{
    through_tile<1>(in, out, width, height);
}
