/* Only the heads of connections in the same half wait for the same turns, and each is of another stream. Turns are
 * turn_ns apart, and the first one is at most turn_ns from now (lemma 4 of docs/bound.md). */
#include "analyze/turn_wait.h"

#include "base/integers.h"
#include "model/gpu.h"

int64_t turn_wait_max_ns(const gcast_workload *w, const gcast_gpu *gpu, size_t kernel_streams, bool has_null_kernels)
{
    int connections = connections_in_force(w, gpu);
    size_t half = ((size_t)connections + 1) / 2, waiting = min_size(kernel_streams, half);
    /* With two streams, the first caller takes a connection of one half. The other half then has at least as many empty
     * connections, so the second caller takes one there. Both keep their connections. */
    bool in_two_halves = kernel_streams == 2 && connections % 2 == 0 && !has_null_kernels;
    return waiting < 2 || in_two_halves ? 0 : (int64_t)waiting * gpu->turn_ns;
}
