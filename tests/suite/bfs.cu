// Breadth first search: one step of it, and the whole of it in one block with a barrier that also asks.
#define FAR 0xffffffffu

extern "C" __global__ void bfs_step(const unsigned *rows, const unsigned *columns, unsigned *level, unsigned now,
                                    unsigned n, unsigned *found)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != now)
        return;
    for (unsigned k = rows[v]; k < rows[v + 1]; k++)
        if (atomicCAS(&level[columns[k]], FAR, now + 1) == FAR)
            atomicAdd(found, 1);
}

extern "C" __global__ void bfs_all(const unsigned *rows, const unsigned *columns, unsigned *level, unsigned start,
                                   unsigned n, unsigned *depth)
{
    for (unsigned v = threadIdx.x; v < n; v += blockDim.x)
        level[v] = v == start ? 0 : FAR;
    unsigned now = 0;
    int more = 1;
    __syncthreads();
    while (more) {
        more = 0;
        for (unsigned v = threadIdx.x; v < n; v += blockDim.x)
            if (level[v] == now)
                for (unsigned k = rows[v]; k < rows[v + 1]; k++)
                    if (atomicCAS(&level[columns[k]], FAR, now + 1) == FAR)
                        more = 1;
        now++;
        more = __syncthreads_or(more);
    }
    if (threadIdx.x == 0)
        *depth = now - 1;
}
