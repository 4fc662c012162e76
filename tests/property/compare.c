/* Every field of every operation and block, in one order, so that the first
 * difference is the same on every machine. */
#include "property/compare.h"
#include "model/workload/workload.h"

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
    X(channel)                                                                                                         \
    X(workers)                                                                                                         \
    X(retreated)                                                                                                       \
    X(repaired)

#define CHILD_FIELDS(X)                                                                                                \
    X(is_rest)                                                                                                         \
    X(parent)                                                                                                          \
    X(parent_block)                                                                                                    \
    X(launcher)                                                                                                        \
    X(first_item)                                                                                                      \
    X(items)                                                                                                           \
    X(place)                                                                                                           \
    X(queue)                                                                                                           \
    X(pool_ns)                                                                                                         \
    X(blocks_end_ns)

#define STATS(X)                                                                                                       \
    X(children)                                                                                                        \
    X(child_blocks)                                                                                                    \
    X(offloaded)                                                                                                       \
    X(items)                                                                                                           \
    X(kept)                                                                                                            \
    X(refused)                                                                                                         \
    X(early)                                                                                                           \
    X(max_live)                                                                                                        \
    X(overhead_ns)                                                                                                     \
    X(stream_wait_ns)                                                                                                  \
    X(pool_wait_ns)                                                                                                    \
    X(child_warp_ns)

#define SAME(format, index, name, got, want)                                                                           \
    do {                                                                                                               \
        if ((int64_t)(got) != (int64_t)(want)) {                                                                       \
            snprintf(difference, size, format " %s: simulator %" PRId64 ", oracle %" PRId64, (index), (name),          \
                     (int64_t)(got), (int64_t)(want));                                                                 \
            return false;                                                                                              \
        }                                                                                                              \
    } while (0)

/* Of a window, those blocks that run in it, and no others. */
static bool compare_window(const gcast_run *run, size_t i, const gcast_run_op *want, char *difference, size_t size)
{
    const gcast_run_op *got = &run->ops[i];
    uint64_t n = 0;
    for (uint64_t b = 0; b < want->block_count; b++) {
        const gcast_block *block = &want->blocks[b];
        if (block->start_ns >= run->window_to_ns || block->end_ns <= run->window_from_ns)
            continue;
        char name[64];
        snprintf(name, sizeof name, "block %" PRIu64 " in the window", b);
        SAME("operation %zu has", i, name, n < got->window_count, true);
        SAME("operation %zu index of", i, name, got->window_index[n], b);
        SAME("operation %zu start of", i, name, got->window[n].start_ns, block->start_ns);
        SAME("operation %zu SM of", i, name, got->window[n].sm, block->sm);
        SAME("operation %zu quarter of", i, name, got->window[n].quarter, block->quarter);
        SAME("operation %zu end of", i, name, got->window[n].end_ns, block->end_ns);
        n++;
    }
    SAME("operation %zu", i, "blocks in the window", got->window_count, n);
    return true;
}

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
    if (run->window_recorded && !compare_window(run, i, want, difference, size))
        return false;
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

/* Where there are plans, the oracle has jobs and not the workers, which are resident. */
static bool has_plan(const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].plan)
            return true;
    return false;
}

static bool compare_child(const gcast_run *run, size_t i, const oracle_result *oracle, char *difference, size_t size)
{
    const gcast_child *got = &run->children[i], *want = &oracle->children[i];
#define X(field) SAME("child %zu", i, #field, got->field, want->field);
    CHILD_FIELDS(X)
#undef X
    return compare_op(run, run->op_count + i, &oracle->ops[run->op_count + i], difference, size);
}

static bool compare_hangs(const gcast_hang *got, const gcast_hang *want, char *difference, size_t size)
{
    SAME("%s", "hang", "time_ns", got->time_ns, want->time_ns);
    SAME("%s", "hang", "op_count", got->op_count, want->op_count);
    for (size_t i = 0; i < want->op_count; i++) {
        SAME("hung %zu", i, "run_op", got->ops[i].run_op, want->ops[i].run_op);
        SAME("hung %zu", i, "resident", got->ops[i].resident, want->ops[i].resident);
        SAME("hung %zu", i, "not_started", got->ops[i].not_started, want->ops[i].not_started);
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
    SAME("%s", "run", "hangs", run->hang != NULL, oracle->hangs);
    if (run->hang && !compare_hangs(run->hang, &oracle->hang, difference, size))
        return false;
    if (run->blocks_recorded)
        SAME("%s", "run", "child_count", run->child_count, oracle->child_count);
    for (size_t i = 0; i < run->child_count; i++)
        if (!compare_child(run, i, oracle, difference, size))
            return false;
    if (run->launches) {
#define X(field) SAME("%s", "sum", #field, run->launches->field, oracle->stats.field);
        STATS(X)
#undef X
        if (!has_plan(run->workload))
            SAME("%s", "sum", "warp_ns", run->launches->warp_ns, oracle->stats.warp_ns);
    }
    return true;
}
