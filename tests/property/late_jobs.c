#include "property/late_jobs.h"

#include <stdlib.h>

#include "model/workload/dependencies.h"
#include "model/workload/workload.h"
#include "support/builders.h"
#include "support/support.h"

/* When the job of an operation is released. */
static int64_t job_release(const gcast_workload *w, const gcast_run_op *ops, const int64_t *releases, size_t i)
{
    return releases[i] - w->ops[ops[i].op].release_ns;
}

/* Does the job of operation a come before that of b? */
static bool is_before(const gcast_workload *w, const gcast_run_op *ops, const int64_t *releases, size_t a, size_t b)
{
    int64_t x = job_release(w, ops, releases, a), y = job_release(w, ops, releases, b);
    int task = w->ops[ops[a].op].task, other = w->ops[ops[b].op].task;
    if (x != y)
        return x < y;
    return task != other ? task < other : ops[a].job < ops[b].job;
}

bool late_jobs_order(const gcast_workload *w, const gcast_run_op *ops, const int64_t *releases, size_t count,
                     size_t *order)
{
    bool is_plain = true;
    size_t n = 0, size;
    for (; n < w->once_count; n++)
        order[n] = n;
    for (size_t i = n; i < count; i += size) { /* a job at a time; few are far from their places */
        size = w->tasks[w->ops[ops[i].op].task].op_count;
        size_t place = n;
        while (place > w->once_count && is_before(w, ops, releases, i, order[place - 1])) {
            order[place - 1 + size] = order[place - 1];
            place--;
        }
        is_plain = is_plain && place == n;
        for (size_t k = 0; k < size; k++)
            order[place + k] = i + k;
        n += size;
    }
    assert_int_equal(n, count);
    return is_plain;
}

static void set_after(gcast_workload *made, const gcast_workload *w, const gcast_run_op *ops, const size_t *order,
                      size_t count)
{
    size_t *place = malloc((count + 1) * sizeof *place);
    uint32_t *after = malloc((w->op_count + 1) * sizeof *after);
    assert_true(place && after);
    for (size_t i = 0; i < count; i++)
        place[order[i]] = i;
    for (size_t i = 0; i < count; i++) {
        const gcast_op *op = &w->ops[ops[order[i]].op];
        for (size_t k = 0; k < op->after_count; k++)
            after[k] = (uint32_t)place[dependencies_operation(order[i], ops[order[i]].op, op->after[k])];
        assert_true(workload_set_after(made, i, after, op->after_count));
    }
    free(place);
    free(after);
}

gcast_workload *late_jobs_workload(const gcast_workload *w, const gcast_run_op *ops, const int64_t *releases,
                                   size_t count, size_t *order)
{
    gcast_error err;
    gcast_workload *made = support_workload(w->name, &err);
    assert_non_null(made);
    gcast_workload_set_partition(made, w->partition_sms);
    gcast_workload_set_connections(made, w->connections);
    for (size_t i = 0; i < w->stream_count; i++)
        assert_true(support_add_stream(made, w->streams[i], &err) >= 0);
    for (size_t i = 0; i < w->host_count; i++)
        assert_true(support_add_host(made, w->hosts[i], &err) >= 0);
    for (size_t i = 0; i < w->mask_count; i++)
        assert_true(support_add_mask(made, &w->masks[i], &err) >= 0);
    late_jobs_order(w, ops, releases, count, order);
    for (size_t i = 0; i < count; i++) {
        gcast_op op = w->ops[ops[order[i]].op];
        op.release_ns = op.task == GCAST_ONCE ? op.release_ns : releases[order[i]];
        op.task = GCAST_ONCE;
        op.after = NULL;
        op.after_count = 0;
        assert_int_equal(support_add_op(made, &op, &err), (int)i);
    }
    set_after(made, w, ops, order, count);
    return made;
}
