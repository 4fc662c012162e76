#include "analyze/witness/window/scan.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/witness/execution.h"
#include "analyze/witness/frame.h"
#include "base/minmax.h"
#include "model/workload/edit.h"

#define MAX_WEIGHT 500000                     /* of a scan */
#define BUDGET_PART 8                         /* the part of all operations that a scan may take at most */
#define MAX_HORIZON_NS (WORKLOAD_MAX_NS / 64) /* so that sums of a few times fit */

static bool is_possible(const late_search *s)
{
    const frame *f = s->f;
    return f->w->task_count && !f->has_sporadic && !f->any_phase && !f->is_fixed && !s->options->horizon_ns &&
           !s->options->hyperperiods;
}

/* The end of a hyperperiod after the largest offset, or the last time before which there is not too much. */
static int64_t choose_horizon(const late_search *s)
{
    uint64_t max_operations = s->options->max_operations;
    uint64_t max_weight = max_operations ? min_u64(MAX_WEIGHT, max_operations / BUDGET_PART) : MAX_WEIGHT;
    int64_t low = 0, end_ns = frame_hyperperiods_end(s->f, 1);
    if (frame_weight_of(s->f, 0, end_ns) <= max_weight)
        return end_ns;
    for (int64_t high = end_ns; high - low > 1;) {
        int64_t middle = low + (high - low) / 2;
        *(frame_weight_of(s->f, 0, middle) <= max_weight ? &low : &high) = middle;
    }
    return low;
}

/* What looks at a run of a scan. */
typedef struct scanner {
    scan *made;           /* to be filled in */
    const frame *f;       /* that is scanned */
    const gcast_gpu *gpu; /* its gaps */
    scan_tops *tops;      /* by op: its late jobs */
    int64_t *unit_end_ns; /* by unit: when its last operation ends; NULL: idle times are not looked for */
} scanner;

/* Responses that are equal are mostly of the same situation, so that one is enough. */
static void offer(scan_tops *tops, int64_t response_ns, uint32_t job)
{
    size_t place = 0;
    while (place < SCAN_TOP && tops->at[place].response_ns > response_ns)
        place++;
    if (place == SCAN_TOP || tops->at[place].response_ns == response_ns)
        return;
    memmove(&tops->at[place + 1], &tops->at[place], (SCAN_TOP - place - 1) * sizeof tops->at[0]);
    tops->at[place] = (scan_job){response_ns, job};
}

static void find_idle(scanner *x)
{
    const gcast_gpu *g = x->gpu;
    int64_t gap_ns = max_i64(max_i64(g->stream_gap_ns, g->event_gap_ns), max_i64(g->copy_gap_ns, g->handover_ns));
    int64_t busy_ns = 0, last_ns = -1;
    for (size_t i = 0; i < x->f->once_count; i++)
        busy_ns = max_i64(busy_ns, x->unit_end_ns[i]);
    for (size_t i = x->f->once_count; i < x->f->unit_count; i++) {
        const frame_unit *u = &x->f->units[i];
        const gcast_task *t = &x->f->w->tasks[u->task];
        int64_t release_ns = t->offset_ns + u->job * t->period_ns;
        if (release_ns > last_ns && (!i || busy_ns + gap_ns <= release_ns))
            x->made->idle_ns[x->made->idle_count++] = release_ns;
        last_ns = release_ns;
        busy_ns = max_i64(busy_ns, x->unit_end_ns[i]);
    }
}

static void look(void *data, const gcast_run *run, const size_t *places)
{
    scanner *x = data;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        const frame_operation *o = &x->f->operations[places[i]];
        if (x->unit_end_ns)
            x->unit_end_ns[o->unit] = max_i64(x->unit_end_ns[o->unit], r->end_ns);
        if (!r->skipped && gcast_response_ns(r) > 0)
            offer(&x->tops[o->op], gcast_response_ns(r), o->job);
    }
    if (x->unit_end_ns)
        find_idle(x);
}

/* All longest or all shortest. What is seen is kept at once, as the scan begins with the first job. */
static gcast_status scan_plain(late_search *s, scanner *x, frame *f, bool is_longest, gcast_error *err)
{
    latest unused;
    late_stage at = {.f = f, .window = f, .look = look, .look_data = x};
    execution *e = execution_plain(f, is_longest);
    if (!e)
        return gcast_error_set_memory(err);
    gcast_status status = late_has_budget(s) ? late_try(s, &at, e, NO_TARGET, &unused, err) : GCAST_OK;
    execution_release(e);
    return status;
}

static gcast_status scan_frame(late_search *s, scan *made, frame *f, gcast_error *err)
{
    made->idle_ns = malloc((f->unit_count + 1) * sizeof *made->idle_ns);
    made->longest = calloc(f->w->op_count + 1, sizeof *made->longest);
    made->shortest = calloc(f->w->op_count + 1, sizeof *made->shortest);
    int64_t *unit_end_ns = calloc(f->unit_count + 1, sizeof *unit_end_ns);
    gcast_status status = GCAST_OK;
    if (!made->idle_ns || !made->longest || !made->shortest || !unit_end_ns || !late_reserve(s, f->operation_count))
        status = gcast_error_set_memory(err);
    scanner longest = {.made = made, .f = f, .gpu = s->gpu, .tops = made->longest};
    scanner shortest = {.made = made, .f = f, .gpu = s->gpu, .tops = made->shortest, .unit_end_ns = unit_end_ns};
    if (status == GCAST_OK)
        status = scan_plain(s, &longest, f, true, err);
    if (status == GCAST_OK)
        status = scan_plain(s, &shortest, f, false, err);
    free(unit_end_ns);
    return status;
}

gcast_status scan_run(late_search *s, scan *made, gcast_error *err)
{
    frame *f;
    *made = (scan){0};
    if (!is_possible(s))
        return GCAST_OK;
    made->hyperperiod_ns = choose_horizon(s);
    made->horizon_ns = max_i64(made->hyperperiod_ns, s->f->end_ns);
    if (made->horizon_ns > MAX_HORIZON_NS) {
        made->horizon_ns = 0;
        return GCAST_OK;
    }
    gcast_status status = frame_cut(s->f, &(frame_part){.end_ns = made->horizon_ns}, &f, err);
    if (status != GCAST_OK)
        return status;
    status = scan_frame(s, made, f, err);
    frame_release(f);
    if (!made->idle_count)
        made->horizon_ns = 0; /* it was not simulated */
    return status;
}

void scan_free(scan *made)
{
    free(made->idle_ns);
    free(made->longest);
    free(made->shortest);
    *made = (scan){0};
}
