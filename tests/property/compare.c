/* Every field of every operation and block, in one order, so that the first
 * difference is the same on every machine. */
#include "property/compare.h"

#include <inttypes.h>

#define FIELDS(X)                                                                                                      \
    X(op)                                                                                                              \
    X(job)                                                                                                             \
    X(skipped)                                                                                                         \
    X(release_ns)                                                                                                      \
    X(call_ns)                                                                                                         \
    X(return_ns)                                                                                                       \
    X(arrive_ns)                                                                                                       \
    X(head_ns)                                                                                                         \
    X(enter_ns)                                                                                                        \
    X(start_ns)                                                                                                        \
    X(dispatched_ns)                                                                                                   \
    X(end_ns)                                                                                                          \
    X(engine)                                                                                                          \
    X(connection)                                                                                                      \
    X(channel)

#define SAME(format, index, name, got, want)                                                                           \
    do {                                                                                                               \
        if ((int64_t)(got) != (int64_t)(want)) {                                                                       \
            snprintf(difference, size, format " %s: simulator %" PRId64 ", oracle %" PRId64, (index), (name),          \
                     (int64_t)(got), (int64_t)(want));                                                                 \
            return false;                                                                                              \
        }                                                                                                              \
    } while (0)

static bool compare_op(const gcast_run *run, size_t i, const gcast_run_op *want, char *difference, size_t size)
{
    const gcast_run_op *got = &run->ops[i];
    gcast_kind kind = run->workload->ops[want->op].kind;
#define X(field) SAME("operation %zu", i, #field, got->field, want->field);
    FIELDS(X)
#undef X
    if (want->skipped)
        return true;
    SAME("operation %zu", i, "launch", got->launch, want->launch);
    if (gcast_kind_on_gpu(kind))
        SAME("operation %zu", i, "entry", got->entry, want->entry);
    SAME("operation %zu", i, "block_count", got->block_count, want->block_count);
    if (kind == GCAST_KIND_KERNEL)
        SAME("operation %zu", i, "has blocks", got->blocks != NULL, run->blocks_recorded);
    for (uint64_t b = 0; got->blocks && b < want->block_count; b++) {
        char name[64];
        snprintf(name, sizeof name, "block %" PRIu64, b);
        SAME("operation %zu start of", i, name, got->blocks[b].start_ns, want->blocks[b].start_ns);
        SAME("operation %zu SM of", i, name, got->blocks[b].sm, want->blocks[b].sm);
        SAME("operation %zu quarter of", i, name, got->blocks[b].quarter, want->blocks[b].quarter);
        SAME("operation %zu end of", i, name, got->blocks[b].end_ns, want->blocks[b].end_ns);
    }
    return true;
}

bool compare_runs(const gcast_run *run, const oracle_result *oracle, char *difference, size_t size)
{
    SAME("%s", "run", "op_count", run->op_count, oracle->op_count);
    SAME("%s", "run", "connections", run->connections, oracle->connections);
    SAME("%s", "run", "horizon_ns", run->horizon_ns, oracle->horizon_ns);
    for (size_t i = 0; i < oracle->op_count; i++)
        if (!compare_op(run, i, &oracle->ops[i], difference, size))
            return false;
    SAME("%s", "run", "end_ns", run->end_ns, oracle->end_ns);
    return true;
}
