#include "files/examiner/read/unroll.h"

#include <stdio.h>
#include <string.h>

#include "base/api/hint.h"
#include "base/checked.h"
#include "base/minmax.h"
#include "files/examiner/read/bench_ops.h"
#include "model/workload/edit.h"
#include "model/workload/owned.h"

#define MAX_OPS 100000 /* of a workload: more is an error rather than a long wait */

/* A lower bound of the time that an iteration takes. */
static int64_t min_iteration_ns(const exam_bench *b)
{
    int64_t kernels = 0, delays = 0;
    for (size_t i = 0; i < b->ops.count; i++) {
        const gcast_op *op = &b->ops.at[i];
        if (op->kind == GCAST_KIND_KERNEL && op->min_ns != GCAST_UNKNOWN_NS && b->end_stream >= 0 &&
            !checked_add(kernels, op->min_ns, &kernels))
            kernels = INT64_MAX;
        if (!checked_add(delays, op->delay_ns, &delays))
            delays = INT64_MAX;
    }
    return max_i64(kernels, delays);
}

/* An error that a number of iterations in the options would prevent. */
static void fail_without_iterations(const exam_bench *b, const char *message)
{
    if (b->x->doc.status == GCAST_OK)
        hint_add(b->x->doc.err, GCAST_HINT_ITERATIONS, node_fail(b->at, "%s", message));
}

/* How many iterations the benchmark can have; 0 after an error. */
static int64_t iteration_count(const exam_bench *b, int64_t min_ns)
{
    int64_t n = b->max_iterations, limit = b->x->max_iterations;
    if (limit && (n == 0 || n > limit))
        n = limit;
    if (n == 0 && b->config->sync_every_iteration) {
        fail_without_iterations(b, "sync_every_iteration can wait forever without max_iterations");
        return 0;
    }
    /* with barriers all benchmarks have the same number */
    if (b->max_ns && min_ns && !b->config->sync_every_iteration) {
        int64_t possible = div_up(b->max_ns, min_ns);
        if (!n || possible < n)
            workload_owned(b->x->w)->counted_by_time = true;
        n = n ? min_i64(n, possible) : possible;
    }
    if (n == 0) {
        fail_without_iterations(b, b->max_ns ? "how often it loops depends on times that are not known"
                                             : "loops without end");
        return 0;
    }
    int64_t size;
    if (!checked_mul(n, (int64_t)b->ops.count, &size) || size > MAX_OPS - (int64_t)b->x->w->op_count) {
        char message[64];
        snprintf(message, sizeof message, "more than %d operations", MAX_OPS);
        fail_without_iterations(b, message);
        return 0;
    }
    return n;
}

/* Adds the wait at the end and the barrier at the start, and makes labels unique. */
static void complete_iteration(exam_bench *b)
{
    examiner *x = b->x;
    if (b->end_stream >= 0) {
        gcast_op sync = gcast_op_default(GCAST_KIND_SYNC);
        sync.stream = b->end_stream;
        bench_add(b, sync, b->label, ": end");
    }
    if (b->config->sync_every_iteration) {
        bench_add(b, gcast_op_default(GCAST_KIND_BARRIER), b->label, ": barrier");
        gcast_op *at = b->ops.at, barrier = at[b->ops.count - 1];
        memmove(at + 1, at, (b->ops.count - 1) * sizeof *at);
        at[0] = barrier;
    }
    for (size_t k = 0; k < b->ops.count && x->doc.status == GCAST_OK; k++) {
        gcast_op *op = &b->ops.at[k];
        op->label = unique_take(&x->labels, op->label);
        if (!op->label)
            node_fail_as(b->at, gcast_error_set_memory(x->doc.err));
    }
}

/* The first op of an iteration: that of the first iteration is called at the release, and later iterations do not begin
 * after max_time. */
static void begin_iteration(const exam_bench *b, int64_t iteration, gcast_op *op)
{
    if (iteration == 0) {
        op->release_ns = b->release_ns + op->delay_ns;
        op->delay_ns = 0;
    } else if (b->max_ns) {
        /* the limit is checked before the delay */
        int64_t skip = b->release_ns + b->max_ns;
        op->skip_ns = skip <= WORKLOAD_MAX_NS - op->delay_ns ? skip + op->delay_ns : GCAST_NEVER;
    }
}

static void add_op(exam_bench *b, gcast_op *op, int64_t iteration)
{
    examiner *x = b->x;
    if (iteration > 0) {
        size_t size = strlen(op->label) + 24;
        char *numbered = arena_alloc(&b->memory, size);
        if (numbered)
            snprintf(numbered, size, "%s#%lld", op->label, (long long)iteration + 1);
        op->label = numbered ? unique_take(&x->labels, numbered) : NULL;
    }
    if (!op->label)
        node_fail_as(b->at, gcast_error_set_memory(x->doc.err));
    else
        node_fail_as(b->at, gcast_workload_add_op(x->w, op, NULL, x->doc.err));
}

/* Keeps the name of the log of the newest host, where names are asked for; false without memory. */
static bool add_host_log(const exam_bench *b)
{
    exam_host_logs *logs = b->x->host_logs;
    if (!logs)
        return true;
    size_t size = strlen(b->log_name ? b->log_name : b->plugin) + 32;
    char *name = arena_alloc(&logs->memory, size);
    if (name && b->log_name)
        snprintf(name, size, "%s", b->log_name);
    else if (name)
        snprintf(name, size, "%s_%zu.json", b->plugin, b->place);
    return name && vec_push(&logs->names, name);
}

static int add_host(exam_bench *b)
{
    const char *name = unique_take(&b->x->hosts, b->label);
    int host = -1;
    if (!name || gcast_workload_add_host(b->x->w, name, &host, b->x->doc.err) != GCAST_OK || !add_host_log(b))
        node_fail_as(b->at, gcast_error_set_memory(b->x->doc.err));
    return host;
}

void examiner_unroll(exam_bench *b)
{
    examiner *x = b->x;
    int64_t min_ns = min_iteration_ns(b);
    complete_iteration(b);
    int64_t count = x->doc.status == GCAST_OK ? iteration_count(b, min_ns) : 0;
    int host = count ? add_host(b) : -1;
    if (b->config->sync_every_iteration && x->next_barrier < b->config->barrier + count)
        x->next_barrier = b->config->barrier + (int)count;
    for (int64_t i = 0; i < count; i++) {
        /* the last iteration has no wait at its end */
        size_t ops = b->ops.count - (i + 1 == count && b->end_stream >= 0);
        for (size_t k = 0; k < ops && x->doc.status == GCAST_OK; k++) {
            gcast_op op = b->ops.at[k];
            op.host = host;
            op.barrier = op.kind == GCAST_KIND_BARRIER ? b->config->barrier + (int)i : 0;
            if (k == 0)
                begin_iteration(b, i, &op);
            add_op(b, &op, i);
        }
    }
}
