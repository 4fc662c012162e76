/* An execution as a workload without tasks, ranges and jitter. */
#include "analyze/witness/unrolled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/witness/execution.h"
#include "model/workload/dependencies/dependencies.h"

typedef struct unrolling {
    const frame *f;       /* the frame of the execution */
    const execution *e;   /* what is unrolled */
    int64_t end_ns;       /* later releases are left out */
    gcast_workload *made; /* the workload that is built */
    size_t *places;       /* the operation of each of its ops */
    int64_t *nominal_ns;  /* by unit: its release without jitter */
    size_t count;         /* how many there will be */
    size_t *place_of;     /* by operation: which op stands for it; SIZE_MAX: it is left out */
    uint32_t *after;      /* what one op is after, for as many as any has */
    int64_t *block_ns;    /* durations of the blocks of one op, for as many as any has */
    char *label;          /* a label, for as many characters as any has */
    size_t label_size;    /* of label */
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

/* Sets the duration of an op that stands for an operation with open durations. */
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

/* Sets what an op is after. What is left out is called after the end, and nothing that was called before waits for it.
 */
static void set_after(unrolling *u, size_t operation, gcast_op *op)
{
    size_t count = 0;
    for (size_t k = 0; k < op->after_count; k++) {
        size_t named = dependencies_operation(operation, u->f->operations[operation].op, op->after[k]);
        if (u->place_of[named] != SIZE_MAX)
            u->after[count++] = (uint32_t)u->place_of[named];
    }
    op->after = count ? u->after : NULL;
    op->after_count = count;
}

static int64_t release_of(const unrolling *u, size_t operation)
{
    const frame_operation *x = &u->f->operations[operation];
    return u->f->w->ops[x->op].release_ns + u->nominal_ns[x->unit] + u->e->late_ns[x->unit];
}

/* What a job before the open ones takes. Where only the first jobs are there, one block of a kernel is enough to join
 * what the kernel joins. */
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

/* A job in the order in which jobs that are released together are called. */
typedef struct called_job {
    int64_t release_ns; /* when it is released, late or not */
    int task;           /* whose job it is */
    size_t unit;        /* of the frame */
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

/* Late jobs, and those of sporadic tasks, are in another order than that of the frame. */
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

/* Memory for one op, for as much as any has; false without. */
static bool allocate(unrolling *u)
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
    if (!allocate(&u)) {
        gcast_error_set_memory(err);
    } else {
        execution_nominal_ns(f, e, u.nominal_ns);
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
