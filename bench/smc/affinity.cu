// Kernels whose jobs share data in groups, and jobs of one group are far from each other in number. What a group shares
// fits the L1 of an SM; what the jobs use that are on an SM at a time without a plan does not.

// Forces on particles. A job is blockDim / 8 particles of a cluster: job b is of cluster b % clusters. A cluster has
// `cells` cells of 8 particles; each particle has a list of `neighbours` cells of its cluster, a multiple of 8. Eight
// lanes read a cell.
extern "C" __global__ void neighbours(const float4 *__restrict__ position, const uint4 *__restrict__ list,
                                      float4 *__restrict__ force, unsigned clusters, unsigned cells,
                                      unsigned neighbours)
{
    unsigned lane = threadIdx.x % 8, particle = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    const float4 *cluster = position + (size_t)(blockIdx.x % clusters) * cells * 8;
    float4 me = cluster[particle % (cells * 8)];
    const uint4 *mine = list + (size_t)particle * (neighbours / 8);
    float x = 0, y = 0, z = 0;
    for (unsigned k = 0; k < neighbours / 8; k++) {
        uint4 eight = mine[k];
        unsigned pair[4] = {eight.x, eight.y, eight.z, eight.w};
#pragma unroll
        for (int p = 0; p < 8; p++) {
            float4 other = cluster[(pair[p / 2] >> p % 2 * 16 & 0xffff) * 8 + lane];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float pull = fmaxf(other.w - fmaf(dx, dx, fmaf(dy, dy, dz * dz)), 0);
            x = fmaf(dx, pull, x), y = fmaf(dy, pull, y), z = fmaf(dz, pull, z);
        }
    }
    for (int step = 4; step > 0; step /= 2) {
        x += __shfl_xor_sync(~0u, x, step);
        y += __shfl_xor_sync(~0u, y, step);
        z += __shfl_xor_sync(~0u, z, step);
    }
    if (lane == 0)
        force[particle] = make_float4(x, y, z, me.w);
}

// A sparse matrix of ones times four vectors. A job is blockDim rows whose columns are in a window of x: job b is of
// window b % windows. A row has `length` columns, counted from the start of the window.
extern "C" __global__ void sparse_rows(const unsigned short *__restrict__ columns, const float4 *__restrict__ x,
                                       float4 *__restrict__ y, unsigned windows, unsigned width, unsigned length)
{
    const float4 *window = x + (size_t)(blockIdx.x % windows) * width;
    const unsigned short *mine = columns + (size_t)blockIdx.x * blockDim.x * length + threadIdx.x;
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 4
    for (unsigned k = 0; k < length; k++) {
        float4 v = window[mine[k * blockDim.x]];
        sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A matrix product in tiles of 2 x 64. Job (j, i) reads panel j, of `depth` rows of 64 floats, once for each of its
// `tiles` tiles, which are below each other; jobs are numbered row by row. A tile's two rows of a lie interleaved. A
// block has 256 threads.
extern "C" __global__ void panels(const float2 *__restrict__ a, const float4 *__restrict__ b, float4 *__restrict__ c,
                                  unsigned depth, unsigned tiles)
{
    __shared__ float4 part[8][2][16];
    unsigned column = threadIdx.x % 16, warp = threadIdx.x / 32;
    const float4 *panel = b + (size_t)blockIdx.x * depth * 16 + column;
    for (unsigned tile = blockIdx.y * tiles; tile < (blockIdx.y + 1) * tiles; tile++) {
        float4 sum[2] = {};
#pragma unroll 4
        for (unsigned k = threadIdx.x / 16; k < depth; k += 16) {
            float4 v = panel[k * 16];
            float2 f = a[tile * depth + k];
            sum[0].x = fmaf(f.x, v.x, sum[0].x), sum[0].y = fmaf(f.x, v.y, sum[0].y);
            sum[0].z = fmaf(f.x, v.z, sum[0].z), sum[0].w = fmaf(f.x, v.w, sum[0].w);
            sum[1].x = fmaf(f.y, v.x, sum[1].x), sum[1].y = fmaf(f.y, v.y, sum[1].y);
            sum[1].z = fmaf(f.y, v.z, sum[1].z), sum[1].w = fmaf(f.y, v.w, sum[1].w);
        }
        for (int r = 0; r < 2; r++) {
            sum[r].x += __shfl_xor_sync(~0u, sum[r].x, 16), sum[r].y += __shfl_xor_sync(~0u, sum[r].y, 16);
            sum[r].z += __shfl_xor_sync(~0u, sum[r].z, 16), sum[r].w += __shfl_xor_sync(~0u, sum[r].w, 16);
            if (threadIdx.x % 32 < 16)
                part[warp][r][column] = sum[r];
        }
        __syncthreads();
        if (threadIdx.x < 32) {
            unsigned r = threadIdx.x / 16;
            float4 all = part[0][r][column];
            for (int w = 1; w < 8; w++) {
                float4 v = part[w][r][column];
                all.x += v.x, all.y += v.y, all.z += v.z, all.w += v.w;
            }
            c[((size_t)(tile * 2 + r) * gridDim.x + blockIdx.x) * 16 + column] = all;
        }
        __syncthreads();
    }
}
