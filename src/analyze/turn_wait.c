/* Only heads of connections of the same half, each of another stream, wait for turns of one kind. Turns follow each
 * other by turn_ns, and the first is at most turn_ns from now (lemma 4 of docs/bound.md). */
#include "analyze/turn_wait.h"

#include "base/minmax.h"

int64_t turn_wait_max_ns(const gcast_workload *w, const gcast_gpu *gpu, size_t kernel_streams, bool has_null_kernels)
{
    int connections = w->connections >= 0 ? w->connections : gpu->connections;
    size_t half = ((size_t)connections + 1) / 2, waiting = min_size(kernel_streams, half);
    /* Of two streams, the first to call joins a connection of one half; then at least as many connections are empty in
     * the other half, which the second one joins. Both keep theirs. */
    bool in_two_halves = kernel_streams == 2 && connections % 2 == 0 && !has_null_kernels;
    return waiting < 2 || in_two_halves ? 0 : (int64_t)waiting * gpu->turn_ns;
}
