#include "analyze/witness/mutation.h"

#include "base/minmax.h"

#define MAX_DISTANCE_BITS 5 /* how far from an operation choices are changed: up to 32 places */
#define TRIES 8             /* until an operation is found of which something is open */

/* An index below count, mostly near another. */
static size_t pick_near(size_t near, size_t count, draw *d)
{
    if (draw_percent(d, 20))
        return draw_index(d, count);
    int64_t distance = draw_to(d, INT64_C(1) << draw_to(d, MAX_DISTANCE_BITS));
    int64_t place = (int64_t)near + (draw_percent(d, 60) ? -distance : distance);
    return (size_t)min_i64(max_i64(place, 0), (int64_t)count - 1);
}

/* An operation, mostly one of the focus, else mostly one near the late one. */
static size_t pick_operation(const frame *f, const mutation_target *t, draw *d)
{
    return t->focus_count && draw_percent(d, 65) ? t->focus[draw_index(d, t->focus_count)].operation
                                                 : pick_near(t->late, f->operation_count, d);
}

/* Another value from 0 to max: an end of the range, one at a distance that is a power of two, or any. */
static int64_t change_value(int64_t value, int64_t max, draw *d)
{
    if (draw_percent(d, 45))
        return draw_percent(d, 50) ? 0 : max;
    if (draw_percent(d, 40))
        return draw_to(d, max);
    int bits = 0;
    while (max >> bits > 1)
        bits++;
    int64_t step = INT64_C(1) << draw_to(d, bits);
    return draw_percent(d, 50) ? max_i64(value - step, 0) : value > max - step ? max : value + step;
}

/* Gives each block of an operation an extra time of its own, at first that of all. */
static void list_operation(const frame *f, execution *e, size_t operation)
{
    const frame_operation *x = &f->operations[operation];
    if (e->is_listed[operation])
        return;
    e->is_listed[operation] = true;
    for (uint64_t b = 0; b < f->w->ops[x->op].blocks; b++)
        e->block_extra_ns[x->first_block + b] = e->extra_ns[operation];
}

static void change_blocks(const frame *f, execution *e, size_t operation, draw *d)
{
    const frame_operation *x = &f->operations[operation];
    size_t blocks = (size_t)f->w->ops[x->op].blocks, first = draw_index(d, blocks);
    size_t end = draw_percent(d, 60) ? first + 1 : first + 1 + draw_index(d, blocks - first);
    list_operation(f, e, operation);
    int64_t *extra_ns = &e->block_extra_ns[x->first_block], value = change_value(extra_ns[first], x->range_ns, d);
    for (size_t b = first; b < end; b++)
        extra_ns[b] = value;
}

static bool change_duration(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    size_t operation = pick_operation(f, t, d);
    for (int i = 0; i < TRIES && !f->operations[operation].range_ns; i++)
        operation = pick_operation(f, t, d);
    const frame_operation *x = &f->operations[operation];
    if (!x->range_ns)
        return false;
    if (x->first_block != NOT_LISTED && draw_percent(d, 50)) {
        change_blocks(f, e, operation, d);
        return true;
    }
    int64_t value = change_value(e->extra_ns[operation], x->range_ns, d);
    bool is_for_all = draw_percent(d, 10); /* operations of this op */
    for (size_t i = is_for_all ? frame_first_open(f) : operation; i < f->operation_count; i++) {
        if (f->operations[i].op == x->op) {
            e->extra_ns[i] = value;
            e->is_listed[i] = false;
        }
        if (!is_for_all)
            break;
    }
    return true;
}

/* Sets the durations of all operations of the focus that are of one op, or in one stream, or all, to an end of their
 * ranges. */
static bool change_group(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    enum { SAME_OP, SAME_STREAM, ALL, GROUPS };
    if (!t->focus_count)
        return false;
    int group = (int)draw_to(d, GROUPS - 1);
    bool is_longest = draw_percent(d, 50), is_changed = false;
    uint32_t chosen = f->operations[t->focus[draw_index(d, t->focus_count)].operation].op;
    for (size_t i = 0; i < t->focus_count; i++) {
        size_t operation = t->focus[i].operation;
        const frame_operation *x = &f->operations[operation];
        bool is_in = group == SAME_OP       ? x->op == chosen
                     : group == SAME_STREAM ? f->w->ops[x->op].stream == f->w->ops[chosen].stream
                                            : true;
        if (!is_in || !x->range_ns)
            continue;
        e->extra_ns[operation] = is_longest ? x->range_ns : 0;
        e->is_listed[operation] = false;
        is_changed = true;
    }
    return is_changed;
}

static bool change_release(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    for (int i = 0; i < TRIES; i++) {
        size_t unit = f->operations[pick_operation(f, t, d)].unit;
        int64_t jitter = f->units[unit].task == GCAST_ONCE ? 0 : f->w->tasks[f->units[unit].task].jitter_ns;
        if (!jitter || unit < f->first_open)
            continue;
        e->late_ns[unit] = change_value(e->late_ns[unit], jitter, d);
        return true;
    }
    return false;
}

/* A longer or shorter distance of a sporadic job from the one before; half of the time the next job keeps its time. */
static bool change_distance(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    for (int i = 0; f->has_sporadic && i < TRIES; i++) {
        size_t unit = f->operations[pick_operation(f, t, d)].unit;
        const frame_unit *u = &f->units[unit];
        if (u->task == GCAST_ONCE || !f->w->tasks[u->task].sporadic)
            continue;
        int64_t before_ns = e->stretch_ns[unit], period_ns = f->w->tasks[u->task].period_ns;
        e->stretch_ns[unit] = change_value(before_ns, max_i64(period_ns, before_ns), d);
        size_t next = f->first_job[u->task] + u->job + 1; /* sporadic tasks have all their jobs in the frame */
        if (next < f->first_job[u->task + 1] && draw_percent(d, 50)) {
            int64_t *next_ns = &e->stretch_ns[f->unit_of_job[next]];
            *next_ns = max_i64(*next_ns - (e->stretch_ns[unit] - before_ns), 0);
        }
        return true;
    }
    return false;
}

static bool change_latency(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    for (int i = 0; f->has_latencies && i < TRIES; i++) {
        size_t operation = pick_operation(f, t, d);
        if (!f->operations[operation].latency_range_ns)
            continue;
        e->latency_ns[operation] = change_value(e->latency_ns[operation], f->operations[operation].latency_range_ns, d);
        return true;
    }
    return false;
}

static bool change_order(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    for (int i = 0; f->any_order && i < TRIES; i++) {
        size_t a = f->operations[pick_operation(f, t, d)].unit, b = pick_near(a, f->unit_count, d);
        int64_t moved = e->order[a];
        if (a < f->first_open || b < f->first_open || (a < f->once_count) != (b < f->once_count) ||
            moved == e->order[b] || !frame_may_move(f, a) || !frame_may_move(f, b))
            continue;
        e->order[a] = e->order[b];
        e->order[b] = moved;
        return true;
    }
    return false;
}

static bool change_phase(const frame *f, execution *e, draw *d)
{
    if (!f->any_phase || !f->w->task_count)
        return false;
    size_t task = draw_index(d, f->w->task_count);
    const gcast_task *t = &f->w->tasks[task];
    e->phase_ns[task] = t->offset_ns + change_value(e->phase_ns[task] - t->offset_ns, t->period_ns - 1, d);
    return true;
}

/* Adds to a value of 0 to max; false where it would leave its range. */
static bool shift_value(int64_t *value, int64_t max, int64_t by)
{
    if (!by || *value + by < 0 || *value + by > max)
        return false;
    *value += by;
    return true;
}

static void shift_blocks(const frame *f, execution *e, size_t operation, int64_t by)
{
    const frame_operation *x = &f->operations[operation];
    for (uint64_t b = 0; e->is_listed[operation] && b < f->w->ops[x->op].blocks; b++) {
        int64_t *extra_ns = &e->block_extra_ns[x->first_block + b];
        *extra_ns = min_i64(max_i64(*extra_ns + by, 0), x->range_ns);
    }
}

/* A time of an operation at which something may change for others. */
static int64_t pick_time(const focus_operation *x, draw *d)
{
    int64_t times[] = {x->arrive_ns, x->enter_ns, x->start_ns, x->end_ns};
    return times[draw_to(d, 3)];
}

/* Lets an operation end, or reach its queue, just before or after something happens to another: races tip there. */
static bool change_meeting(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    for (int i = 0; t->focus_count > 1 && i < TRIES; i++) {
        const focus_operation *a = &t->focus[draw_index(d, t->focus_count)];
        const focus_operation *b = &t->focus[draw_index(d, t->focus_count)];
        const frame_operation *x = &f->operations[a->operation];
        const frame_unit *u = &f->units[x->unit];
        int64_t jitter_ns = u->task == GCAST_ONCE || x->unit < f->first_open ? 0 : f->w->tasks[u->task].jitter_ns;
        int64_t at_ns = pick_time(b, d) + draw_to(d, 2) - 1, to_end_ns = at_ns - a->end_ns;
        if (a == b)
            continue;
        if (x->range_ns && shift_value(&e->extra_ns[a->operation], x->range_ns, to_end_ns)) {
            shift_blocks(f, e, a->operation, to_end_ns);
            return true;
        }
        int64_t by = draw_percent(d, 50) ? to_end_ns : at_ns - a->arrive_ns;
        if (shift_value(&e->late_ns[x->unit], jitter_ns, by) ||
            shift_value(&e->latency_ns[a->operation], x->latency_range_ns, by))
            return true;
    }
    return false;
}

static bool change_one(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    switch (draw_to(d, 11)) {
    case 0:
        return change_order(f, e, t, d);
    case 1:
    case 2:
        return change_release(f, e, t, d);
    case 3:
        return change_phase(f, e, d);
    case 4:
        return change_distance(f, e, t, d);
    case 5:
        return change_latency(f, e, t, d);
    case 6:
        return change_group(f, e, t, d);
    case 7:
    case 8:
        return change_meeting(f, e, t, d);
    default:
        return change_duration(f, e, t, d);
    }
}

void mutation_apply(const frame *f, execution *e, const mutation_target *t, draw *d)
{
    for (int64_t n = 1 + draw_to(d, 2); n > 0; n--)
        for (int i = 0; i < TRIES && !change_one(f, e, t, d); i++)
            ;
}
