// The remainder of a quotient: exact with one rounding (fma), mostly lost with two.
// residual.ptx: nvcc -arch=sm_90 -lineinfo -ptx residual.cu
extern "C" __global__ void residual(const float *a, const float *b, float *left, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float quotient = a[i] / b[i];
    left[i] = a[i] - quotient * b[i];
}
