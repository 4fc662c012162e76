// A sparse matrix (CSR) times a vector: a thread a row, and a warp a row; rows are of different length.
extern "C" __global__ void spmv_row(const unsigned *rows, const unsigned *columns, const float *values, const float *x,
                                    float *y, unsigned n)
{
    unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0;
    for (unsigned k = rows[row]; k < rows[row + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}

extern "C" __global__ void spmv_warp(const unsigned *rows, const unsigned *columns, const float *values, const float *x,
                                     float *y, unsigned n)
{
    unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n)
        return;
    float sum = 0;
    for (unsigned k = rows[row] + lane; k < rows[row + 1]; k += 32)
        sum += values[k] * x[columns[k]];
    for (unsigned step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0)
        y[row] = sum;
}
