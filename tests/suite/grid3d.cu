// Three dimensions of blocks and threads: who is who, and seven points in a box.
extern "C" __global__ void grid3d(unsigned *out)
{
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned i = block * blockDim.x * blockDim.y * blockDim.z + thread;
    out[i] = threadIdx.x | threadIdx.y << 4 | threadIdx.z << 8 | blockIdx.x << 12 | blockIdx.y << 18 | blockIdx.z << 24;
}

extern "C" __global__ void box(const float *in, float *out, unsigned nx, unsigned ny, unsigned nz)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned z = blockIdx.z * blockDim.z + threadIdx.z, plane = nx * ny, i = z * plane + y * nx + x;
    if (x >= nx || y >= ny || z >= nz)
        return;
    float v = in[i] * -6;
    v += x > 0 ? in[i - 1] : 0, v += x + 1 < nx ? in[i + 1] : 0;
    v += y > 0 ? in[i - nx] : 0, v += y + 1 < ny ? in[i + nx] : 0;
    v += z > 0 ? in[i - plane] : 0, v += z + 1 < nz ? in[i + plane] : 0;
    out[i] = v;
}
