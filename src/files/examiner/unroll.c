/* The iterations of an examiner benchmark, one after the other: what its
 * task_host.c does in its loop. Each iteration starts with a limit check (and a
 * barrier, where asked for) and ends with a wait for its stream. */
#include <stdio.h>
#include <string.h>

#include "base/api/hint.h"
#include "base/checked.h"
#include "files/examiner/examiner.h"
#include "model/workload/edit.h"

/* The least time an iteration takes, as far as it is known. */
static int64_t least_ns(const exam_bench *b)
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
    return kernels > delays ? kernels : delays;
}

/* An error that a number of iterations in the options would prevent. */
static void say_iterations(const exam_bench *b, const char *message)
{
    if (b->x->doc.status == GCAST_OK)
        hint_add(b->x->doc.err, GCAST_HINT_ITERATIONS, node_fail(b->at, "%s", message));
}

/* How often the benchmark can loop; 0 after an error. */
static int64_t iteration_count(const exam_bench *b, int64_t least)
{
    int64_t n = b->max_iterations, cap = b->x->iteration_cap;
    if (cap && (n == 0 || n > cap))
        n = cap;
    if (n == 0 && b->config->sync_every_iteration) {
        say_iterations(b, "sync_every_iteration can wait forever without max_iterations");
        return 0;
    }
    /* With a barrier everyone goes as far as the others. */
    if (b->max_ns && least && !b->config->sync_every_iteration) {
        int64_t possible = b->max_ns / least + (b->max_ns % least != 0);
        n = n && n < possible ? n : possible;
    }
    if (n == 0) {
        say_iterations(b, b->max_ns ? "how often it loops depends on times that are not known" : "loops without end");
        return 0;
    }
    int64_t size;
    if (!checked_mul(n, (int64_t)b->ops.count, &size) || size > EXAMINER_MAX_OPS - (int64_t)b->x->w->op_count) {
        char message[64];
        snprintf(message, sizeof message, "more than %d operations", EXAMINER_MAX_OPS);
        say_iterations(b, message);
        return 0;
    }
    return n;
}

/* The wait at the end, the barrier at the start, and labels that are different from all others. */
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

/* What is special about the first op of an iteration: the host's first is due
 * at the release, and later iterations do not begin after max_time. */
static void begin_iteration(const exam_bench *b, int64_t iteration, gcast_op *op)
{
    if (iteration == 0) {
        op->release_ns = b->release_ns + op->delay_ns;
        op->delay_ns = 0;
    } else if (b->max_ns) {
        /* The check comes before the delay. */
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

static int add_host(exam_bench *b)
{
    const char *name = unique_take(&b->x->hosts, b->label);
    int host = -1;
    if (!name || gcast_workload_add_host(b->x->w, name, &host, b->x->doc.err) != GCAST_OK)
        node_fail_as(b->at, gcast_error_set_memory(b->x->doc.err));
    return host;
}

void examiner_unroll(exam_bench *b)
{
    examiner *x = b->x;
    int64_t least = least_ns(b);
    complete_iteration(b);
    int64_t count = x->doc.status == GCAST_OK ? iteration_count(b, least) : 0;
    int host = count ? add_host(b) : -1;
    if (b->config->sync_every_iteration && x->next_barrier < b->config->barrier + count)
        x->next_barrier = b->config->barrier + (int)count;
    for (int64_t i = 0; i < count; i++) {
        /* Nobody waits for the end of the last iteration. */
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
