// Tables in constant memory: read alike by all lanes (a filter), and at places that differ (CRC-32 by nibbles).
__constant__ float filter[9] = {0.0625f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.0625f};
__constant__ unsigned crc[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                 0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
__device__ unsigned calls = 100;

extern "C" __global__ void constants_filter(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += filter[(dy + 1) * 3 + dx + 1] *
                   in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
    out[y * width + x] = sum;
}

// The CRC-32 of `length` bytes a thread; a variable of the module counts the threads.
extern "C" __global__ void constants_crc(const unsigned char *text, unsigned length, unsigned *out, unsigned n,
                                         unsigned *most)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, c = ~0u;
    if (i >= n)
        return;
    for (unsigned k = 0; k < length; k++) {
        c ^= text[i * length + k];
        c = c >> 4 ^ crc[c & 15];
        c = c >> 4 ^ crc[c & 15];
    }
    out[i] = ~c;
    atomicMax(most, atomicAdd(&calls, 1) + 1);
}
