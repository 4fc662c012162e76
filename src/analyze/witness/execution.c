/* Executions: made without lateness, copied, drawn, moved between frames, and unrolled into workloads. */
#include "analyze/witness/execution.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "model/workload/dependencies.h"

static size_t value_count(const frame *f)
{
    return 3 * f->unit_count + f->w->task_count + 3 * f->operation_count + f->listed_blocks;
}

static execution *allocate_execution(const frame *f)
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
    execution *e = allocate_execution(f);
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
    execution *e = allocate_execution(f);
    if (e)
        memcpy(e->values, original->values, value_count(f) * sizeof e->values[0]);
    return e;
}

void execution_release(execution *e)
{
    if (e && --e->references == 0)
        free(e);
}

/* The unit of the task's first open job, which must exist. */
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
        bool is_repeated = style == OP && u->task != GCAST_ONCE && first_unit(f, u->task) != x->unit; /* as the first */
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

/* Sporadic jobs at the minimum distance, some of them up to a period later. */
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

/* Copies the open values of a job from `unit` of one frame to unit `at` of another. */
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

/* Nominal releases by unit; 0 for ops that run once. */
static void find_nominal_releases(const frame *f, const execution *e, int64_t *nominal_ns)
{
    for (size_t i = 0; i < f->once_count; i++)
        nominal_ns[i] = 0;
    for (size_t t = 0; t < f->w->task_count; t++) {
        int64_t first_ns = e->phase_ns[t]; /* release of job 0, plus all stretches so far */
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
        if (!f->w->tasks[i].sporadic) /* the next job of a sporadic task may come arbitrarily late */
            cutoff = min_i64(cutoff, e->phase_ns[i] + f->next_number[i] * f->w->tasks[i].period_ns);
    return cutoff;
}

/* An execution that is unrolled into a workload without tasks, ranges and jitter. */
typedef struct unrolling {
    const frame *f;       /* the frame of the execution */
    const execution *e;   /* the execution */
    int64_t end_ns;       /* later releases are left out */
    gcast_workload *made; /* the new workload */
    size_t *places;       /* by op of the new workload: its operation */
    int64_t *nominal_ns;  /* by unit: its nominal release */
    size_t count;         /* of `places` */
    size_t *place_of;     /* by operation: its op in the new workload; SIZE_MAX: it is left out */
    uint32_t *after;      /* scratch: dependencies of one op */
    int64_t *block_ns;    /* scratch: durations of the blocks of one op */
    char *label;          /* scratch: a label */
    size_t label_size;    /* of `label` */
} unrolling;

static gcast_status copy_surroundings(unrolling *u, gcast_error *err)
{
    const gcast_workload *w = u->f->w;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < w->stream_count && status == GCAST_OK; i++)
        status = gcast_workload_add_stream(u->made, &w->streams[i], NULL, err);
    for (size_t i = 0; i < w->host_count && status == GCAST_OK; i++)
        status = gcast_workload_add_host(u->made, w->hosts[i], NULL, err);
    for (size_t i = 0; i < w->mask_count && status == GCAST_OK; i++)
        status = gcast_workload_add_mask(u->made, &w->masks[i], NULL, err);
    gcast_workload_set_partition(u->made, w->partition_sms);
    gcast_workload_set_connections(u->made, w->connections);
    return status;
}

/* Sets the durations of an op for an operation with open durations. */
static void fix_duration(const unrolling *u, size_t operation, gcast_op *op)
{
    const frame_operation *x = &u->f->operations[operation];
    bool is_listed = u->e->is_listed[operation];
    int64_t extra_ns = u->e->extra_ns[operation];
    if (!is_listed && !op->block_ns) {
        op->min_ns = op->max_ns = op->min_ns + extra_ns;
        return;
    }
    const int64_t *extras = is_listed ? &u->e->block_extra_ns[x->first_block] : NULL;
    for (uint64_t b = 0; b < op->blocks; b++)
        u->block_ns[b] = (op->block_ns ? op->block_ns[b] : op->min_ns) + (extras ? extras[b] : extra_ns);
    op->block_ns = u->block_ns;
    op->min_ns = op->max_ns = GCAST_UNKNOWN_NS;
}

/* Sets the dependencies of an op, except on operations that are left out: these are called after the end, so nothing
 * called before waits for them. */
static void set_after(unrolling *u, size_t operation, gcast_op *op)
{
    size_t count = 0;
    for (size_t k = 0; k < op->after_count; k++) {
        size_t dependency = dependencies_operation(operation, u->f->operations[operation].op, op->after[k]);
        if (u->place_of[dependency] != SIZE_MAX)
            u->after[count++] = (uint32_t)u->place_of[dependency];
    }
    op->after = count ? u->after : NULL;
    op->after_count = count;
}

static int64_t release_of(const unrolling *u, size_t operation)
{
    const frame_operation *x = &u->f->operations[operation];
    return u->f->w->ops[x->op].release_ns + u->nominal_ns[x->unit] + u->e->late_ns[x->unit];
}

/* Makes an op of a job before the open ones as short as possible. In an abridged frame, kernels have one block, which
 * is enough to join a connection. */
static void make_shortest(const frame *f, gcast_op *op)
{
    if (!op->block_ns && op->max_ns != GCAST_UNKNOWN_NS)
        op->max_ns = op->min_ns;
    if (!f->is_abridged || op->kind != GCAST_KIND_KERNEL)
        return;
    op->blocks = 1;
    op->block_ns = NULL;
    op->min_ns = op->max_ns = 1;
}

static gcast_status add_operation(unrolling *u, size_t operation, gcast_error *err)
{
    const frame_operation *x = &u->f->operations[operation];
    gcast_op op = u->f->w->ops[x->op];
    if (op.task != GCAST_ONCE) {
        snprintf(u->label, u->label_size, "%s%s%u", op.label, u->f->separator, x->job);
        op.label = u->label;
    }
    op.release_ns = release_of(u, operation);
    op.extra_latency_ns += u->e->latency_ns[operation];
    set_after(u, operation, &op);
    if (x->range_ns)
        fix_duration(u, operation, &op);
    else if (x->unit < u->f->first_open)
        make_shortest(u->f, &op);
    return gcast_workload_add_op(u->made, &op, NULL, err);
}

/* Gives the operations of a unit their places, unless they are left out. */
static void place_unit(unrolling *u, size_t unit)
{
    const frame_unit *x = &u->f->units[unit];
    if (x->task != GCAST_ONCE && u->f->horizon_ns && u->nominal_ns[unit] >= u->f->horizon_ns)
        return;
    for (size_t i = x->first_operation; i < x->first_operation + x->operation_count; i++) {
        if (u->f->w->ops[u->f->operations[i].op].host == GCAST_NO_HOST && release_of(u, i) > u->end_ns)
            continue;
        u->place_of[i] = u->count;
        u->places[u->count++] = i;
    }
}

/* A job, in the order of calls. */
typedef struct called_job {
    int64_t release_ns; /* its release, late or not */
    int task;           /* its task */
    size_t unit;        /* its unit in the frame */
} called_job;

static int by_call(const void *a, const void *b)
{
    const called_job *x = a, *y = b;
    if (x->release_ns != y->release_ns)
        return x->release_ns < y->release_ns ? -1 : 1;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* Places the jobs by release, which differs from the order of the frame if jobs are late or sporadic. */
static void place_by_release(unrolling *u, called_job *jobs)
{
    const frame *f = u->f;
    size_t count = f->unit_count - f->once_count;
    for (size_t i = 0; i < count; i++) {
        size_t unit = f->once_count + i;
        jobs[i] = (called_job){u->nominal_ns[unit] + u->e->late_ns[unit], f->units[unit].task, unit};
    }
    qsort(jobs, count, sizeof *jobs, by_call);
    for (size_t i = 0; i < count; i++)
        place_unit(u, jobs[i].unit);
}

static void place_in_order(unrolling *u, size_t *next_job)
{
    const frame *f = u->f;
    for (size_t i = f->once_count; i < f->unit_count; i++) {
        int64_t task = u->e->order[i];
        place_unit(u, f->unit_of_job[f->first_job[task] + next_job[task]++]);
    }
}

static gcast_status add_operations(unrolling *u, gcast_error *err)
{
    const frame *f = u->f;
    bool by_release = !f->any_order;
    called_job *jobs = by_release ? malloc((f->unit_count + 1) * sizeof *jobs) : NULL;
    size_t *next_job = calloc(f->w->task_count + 1, sizeof *next_job);
    gcast_status status = !next_job || (by_release && !jobs) ? gcast_error_set_memory(err) : GCAST_OK;
    for (size_t i = 0; i < f->once_count && status == GCAST_OK; i++)
        place_unit(u, (size_t)u->e->order[i]);
    if (status == GCAST_OK && by_release)
        place_by_release(u, jobs);
    else if (status == GCAST_OK)
        place_in_order(u, next_job);
    for (size_t i = 0; i < u->count && status == GCAST_OK; i++)
        status = add_operation(u, u->places[i], err);
    free(jobs);
    free(next_job);
    return status;
}

/* Allocates scratch memory that is enough for each op; false without memory. */
static bool allocate_scratch(unrolling *u)
{
    const frame *f = u->f;
    size_t label_length = 0, after_count = 0;
    uint64_t blocks = 0;
    for (size_t i = 0; i < f->operation_count; i++) {
        const gcast_op *op = &f->w->ops[f->operations[i].op];
        size_t length = strlen(op->label);
        label_length = length > label_length ? length : label_length;
        after_count = op->after_count > after_count ? op->after_count : after_count;
        bool is_listed = f->operations[i].range_ns && (op->block_ns || f->operations[i].first_block != NOT_LISTED);
        blocks = is_listed && op->blocks > blocks ? op->blocks : blocks;
    }
    u->label_size = label_length + sizeof f->separator + 16;
    u->label = malloc(u->label_size);
    u->block_ns = malloc((blocks + 1) * sizeof *u->block_ns);
    u->after = malloc((after_count + 1) * sizeof *u->after);
    u->nominal_ns = malloc((f->unit_count + 1) * sizeof *u->nominal_ns);
    u->place_of = malloc((f->operation_count + 1) * sizeof *u->place_of);
    for (size_t i = 0; u->place_of && i < f->operation_count; i++)
        u->place_of[i] = SIZE_MAX;
    return u->label && u->block_ns && u->after && u->nominal_ns && u->place_of;
}

gcast_status unrolled_create(const frame *f, const execution *e, int64_t end_ns, gcast_workload **w, size_t *places,
                             gcast_error *err)
{
    unrolling u = {.f = f, .e = e, .end_ns = end_ns, .places = places};
    gcast_status status = GCAST_RESOURCE;
    if (!allocate_scratch(&u)) {
        gcast_error_set_memory(err);
    } else {
        find_nominal_releases(f, e, u.nominal_ns);
        status = gcast_workload_create(f->w->name, &u.made, err);
    }
    if (status == GCAST_OK)
        status = copy_surroundings(&u, err);
    if (status == GCAST_OK)
        status = add_operations(&u, err);
    free(u.label);
    free(u.block_ns);
    free(u.after);
    free(u.nominal_ns);
    free(u.place_of);
    if (status != GCAST_OK) {
        gcast_workload_free(u.made);
        return status;
    }
    *w = u.made;
    return GCAST_OK;
}
