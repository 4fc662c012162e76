/* One execution: made as the workload says, copied, drawn, and its release times. */
#include "analyze/witness/execution.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"

static size_t value_count(const frame *f)
{
    return 3 * f->unit_count + f->w->task_count + 3 * f->operation_count + f->listed_blocks;
}

static execution *allocate(const frame *f)
{
    execution *e = malloc(sizeof *e + (value_count(f) + 1) * sizeof e->values[0]);
    if (!e)
        return NULL;
    e->references = 1;
    e->late_ns = e->values;
    e->stretch_ns = e->late_ns + f->unit_count;
    e->order = e->stretch_ns + f->unit_count;
    e->phase_ns = e->order + f->unit_count;
    e->extra_ns = e->phase_ns + f->w->task_count;
    e->latency_ns = e->extra_ns + f->operation_count;
    e->is_listed = e->latency_ns + f->operation_count;
    e->block_extra_ns = e->is_listed + f->operation_count;
    return e;
}

execution *execution_plain(const frame *f, bool is_longest)
{
    execution *e = allocate(f);
    if (!e)
        return NULL;
    memset(e->values, 0, value_count(f) * sizeof e->values[0]);
    for (size_t i = 0; i < f->unit_count; i++)
        e->order[i] = i < f->once_count ? (int64_t)i : f->units[i].task;
    for (size_t i = 0; i < f->w->task_count; i++)
        e->phase_ns[i] = f->w->tasks[i].offset_ns;
    for (size_t i = 0; i < f->operation_count && is_longest; i++) {
        e->extra_ns[i] = f->operations[i].range_ns;
        e->latency_ns[i] = f->operations[i].latency_range_ns;
    }
    return e;
}

execution *execution_copy(const frame *f, const execution *original)
{
    execution *e = allocate(f);
    if (e)
        memcpy(e->values, original->values, value_count(f) * sizeof e->values[0]);
    return e;
}

void execution_release(execution *e)
{
    if (e && --e->references == 0)
        free(e);
}

/* The first job of a task that has one of which something is open. */
static size_t first_unit(const frame *f, int task)
{
    size_t job = f->first_job[task];
    while (f->unit_of_job[job] < f->first_open)
        job++;
    return f->unit_of_job[job];
}

static void draw_durations(const frame *f, execution *e, draw *d)
{
    enum { OP, OPERATION, BLOCK, STYLES };
    int style = (int)draw_to(d, STYLES - 1);
    for (size_t i = frame_first_open(f); i < f->operation_count; i++) {
        const frame_operation *x = &f->operations[i];
        const frame_unit *u = &f->units[x->unit];
        bool is_repeated = style == OP && u->task != GCAST_ONCE && first_unit(f, u->task) != x->unit; /* as in it */
        size_t first = is_repeated ? f->units[first_unit(f, u->task)].first_operation : 0;
        e->extra_ns[i] = is_repeated ? e->extra_ns[first + i - u->first_operation] : draw_extreme(d, x->range_ns);
        e->is_listed[i] = style == BLOCK && x->first_block != NOT_LISTED;
        for (uint64_t b = 0; e->is_listed[i] && b < f->w->ops[x->op].blocks; b++)
            e->block_extra_ns[x->first_block + b] = draw_extreme(d, x->range_ns);
    }
}

static void draw_releases(const frame *f, execution *e, draw *d)
{
    enum { PUNCTUAL, FIRST_LATE, EXTREMES, ANY, STYLES };
    int style = (int)draw_to(d, STYLES - 1);
    for (size_t i = max_size(f->once_count, f->first_open); i < f->unit_count; i++) {
        const frame_unit *u = &f->units[i];
        int64_t jitter = f->w->tasks[u->task].jitter_ns;
        e->late_ns[i] = style == PUNCTUAL     ? 0
                        : style == FIRST_LATE ? (first_unit(f, u->task) == i ? jitter : 0)
                        : style == EXTREMES   ? draw_to(d, 1) * jitter
                                              : draw_to(d, jitter);
    }
    for (size_t i = 0; f->any_phase && i < f->w->task_count; i++)
        e->phase_ns[i] =
            f->w->tasks[i].offset_ns + (draw_percent(d, 30) ? 0 : draw_to(d, f->w->tasks[i].period_ns - 1));
}

/* All jobs at the minimum distance, or now and then a longer one: by up to a period, or so much that the job comes with
 * one of another task. */
static void draw_distances(const frame *f, execution *e, draw *d)
{
    int percent = (int)draw_to(d, 3) * 15;
    for (size_t i = f->once_count; f->has_sporadic && i < f->unit_count; i++) {
        const gcast_task *t = &f->w->tasks[f->units[i].task];
        bool is_stretched = t->sporadic && draw_percent(d, percent);
        e->stretch_ns[i] = is_stretched ? draw_to(d, t->period_ns) : 0;
    }
}

static void draw_latencies(const frame *f, execution *e, draw *d)
{
    enum { LONGEST, SHORTEST, EXTREMES, STYLES };
    int style = (int)draw_to(d, STYLES - 1);
    for (size_t i = 0; f->has_latencies && i < f->operation_count; i++) {
        int64_t range_ns = f->operations[i].latency_range_ns;
        e->latency_ns[i] = style == LONGEST ? range_ns : style == SHORTEST ? 0 : draw_extreme(d, range_ns);
    }
}

static void draw_order(const frame *f, execution *e, draw *d)
{
    for (size_t i = f->first_open; f->any_order && i < f->unit_count; i++) {
        size_t first = i < f->once_count ? 0 : max_size(f->once_count, f->first_open);
        size_t k = first + draw_index(d, i - first + 1);
        int64_t moved = e->order[i];
        if (!frame_may_move(f, i) || !frame_may_move(f, k))
            continue;
        e->order[i] = e->order[k];
        e->order[k] = moved;
    }
}

void execution_draw(const frame *f, execution *e, draw *d)
{
    draw_durations(f, e, d);
    draw_releases(f, e, d);
    draw_distances(f, e, d);
    draw_latencies(f, e, d);
    if (draw_percent(d, 50))
        draw_order(f, e, d);
}

execution *execution_whole(const frame *whole, const frame *window, const execution *e)
{
    execution *all = execution_plain(whole, false);
    if (!all)
        return NULL;
    size_t unit = window->first_open, operation = frame_first_open(window);
    size_t units = window->unit_count - unit, operations = window->operation_count - operation;
    size_t to_unit = whole->unit_count - units, to = whole->operation_count - operations;
    memcpy(&all->late_ns[to_unit], &e->late_ns[unit], units * sizeof *e->late_ns);
    memcpy(&all->order[to_unit], &e->order[unit], units * sizeof *e->order);
    memcpy(&all->extra_ns[to], &e->extra_ns[operation], operations * sizeof *e->extra_ns);
    memcpy(&all->latency_ns[to], &e->latency_ns[operation], operations * sizeof *e->latency_ns);
    memcpy(&all->is_listed[to], &e->is_listed[operation], operations * sizeof *e->is_listed);
    memcpy(all->block_extra_ns, e->block_extra_ns, window->listed_blocks * sizeof *e->block_extra_ns);
    return all;
}

/* Takes what is open of a job over; both frames have it. */
static void take_unit(const frame *from, const execution *e, size_t unit, const frame *to, execution *taken, size_t at)
{
    const frame_unit *a = &from->units[unit], *b = &to->units[at];
    taken->late_ns[at] = e->late_ns[unit];
    for (size_t i = 0; i < a->operation_count; i++) {
        size_t x = a->first_operation + i, y = b->first_operation + i;
        size_t first = from->operations[x].first_block, to_first = to->operations[y].first_block;
        taken->extra_ns[y] = e->extra_ns[x];
        taken->latency_ns[y] = e->latency_ns[x];
        taken->is_listed[y] = e->is_listed[x] && to_first != NOT_LISTED;
        if (taken->is_listed[y])
            memcpy(&taken->block_extra_ns[to_first], &e->block_extra_ns[first],
                   to->w->ops[to->operations[y].op].blocks * sizeof *e->block_extra_ns);
    }
}

void execution_take(const frame *from, const execution *e, const frame *to, execution *taken)
{
    for (size_t t = 0; t < to->w->task_count; t++) {
        size_t k = from->first_job[t];
        for (size_t j = to->first_job[t]; j < to->first_job[t + 1]; j++) {
            size_t at = to->unit_of_job[j];
            while (k < from->first_job[t + 1] && from->units[from->unit_of_job[k]].job < to->units[at].job)
                k++;
            if (k == from->first_job[t + 1] || at < to->first_open)
                continue;
            size_t unit = from->unit_of_job[k];
            if (from->units[unit].job == to->units[at].job && unit >= from->first_open)
                take_unit(from, e, unit, to, taken, at);
        }
    }
}

void execution_nominal_ns(const frame *f, const execution *e, int64_t *nominal_ns)
{
    for (size_t i = 0; i < f->once_count; i++)
        nominal_ns[i] = 0;
    for (size_t t = 0; t < f->w->task_count; t++) {
        int64_t first_ns = e->phase_ns[t]; /* of job 0, if it had been as much later as those up to this one together */
        for (size_t j = f->first_job[t]; j < f->first_job[t + 1]; j++) {
            size_t unit = f->unit_of_job[j];
            first_ns += e->stretch_ns[unit];
            nominal_ns[unit] = first_ns + f->units[unit].job * f->w->tasks[t].period_ns;
        }
    }
}

int64_t execution_cutoff_ns(const frame *f, const execution *e)
{
    int64_t cutoff = INT64_MAX;
    for (size_t i = 0; !f->is_whole && i < f->w->task_count; i++)
        if (!f->w->tasks[i].sporadic) /* the next job of a sporadic task may come as late as one likes */
            cutoff = min_i64(cutoff, e->phase_ns[i] + f->next_number[i] * f->w->tasks[i].period_ns);
    return cutoff;
}
