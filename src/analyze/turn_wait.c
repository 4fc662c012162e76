/* A bound of the wait for a turn. Only the heads of a half's connections, each of another stream, have turns at a
 * time; turns that are given are one turn_ns after the other, the first of them at most that from now. */
#include "analyze/turn_wait.h"

int64_t turns_most_ns(const gcast_workload *w, const gcast_gpu *gpu, size_t kernel_streams, bool null_kernels)
{
    int connections = w->connections >= 0 ? w->connections : gpu->connections;
    size_t half = ((size_t)connections + 1) / 2, most = kernel_streams < half ? kernel_streams : half;
    /* Two streams: the first to call finds an even connection, the second then one of the other half, where
     * more are empty or as many, and both keep theirs. */
    bool apart = kernel_streams == 2 && connections % 2 == 0 && !null_kernels;
    return most < 2 || apart ? 0 : (int64_t)most * gpu->turn_ns;
}
