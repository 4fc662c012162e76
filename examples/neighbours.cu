// Adds each element's right neighbour. Without SYNC it reads what another warp may not have
// written yet.
// neighbours.ptx: nvcc -arch=sm_75 -lineinfo -ptx neighbours.cu
extern "C" __global__ void neighbours(const float *in, float *out)
{
    __shared__ float tile[128];
    unsigned i = threadIdx.x;
    tile[i] = in[blockIdx.x * 128 + i];
#ifdef SYNC
    __syncthreads();
#endif
    out[blockIdx.x * 128 + i] = tile[i] + tile[(i + 1) % 128];
}
