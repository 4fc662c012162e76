// y = a x + y. saxpy.ptx: nvcc -arch=sm_75 -lineinfo -ptx saxpy.cu
extern "C" __global__ void saxpy(unsigned n, float a, const float *x, float *y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
