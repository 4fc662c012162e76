// How far neighbours read from each other: in global memory (sectors a request) and in shared memory (banks).
extern "C" __global__ void strides_global(const float *in, float *out, unsigned stride, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride % n];
}

extern "C" __global__ void strides_shared(const unsigned *in, unsigned *out, unsigned stride)
{
    __shared__ unsigned s[2048];
    unsigned t = threadIdx.x;
    for (unsigned k = t; k < 2048; k += blockDim.x)
        s[k] = in[k];
    __syncthreads();
    unsigned sum = 0;
    for (unsigned k = 0; k < 8; k++)
        sum += s[(t * stride + k) % 2048];
    out[blockIdx.x * blockDim.x + t] = sum;
}
