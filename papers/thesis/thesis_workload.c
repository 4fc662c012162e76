#include "papers/thesis/thesis_workload.h"

#include <stdlib.h>

#include "amalthea/lower/lowering.h"
#include "amalthea/lower/processors.h"
#include "amalthea/lower/steps/kernel_shape.h"
#include "amalthea/lower/steps/runnable_cost.h"
#include "amalthea/lower/task_units.h"
#include "amalthea/model.h"
#include "model/workload/workload.h"

/* Kernels in the order of their launches. */
typedef struct thesis_kernels {
    lowering *l;
    int *runnables;
    int *tasks; /* the first task that calls each; -1: none */
    size_t count;
    bool *listed; /* for each runnable */
    int task;     /* the task whose items are walked through */
} thesis_kernels;

static bool is_kernel(const lowering *l, int runnable)
{
    const am_runnable *r = &l->m->runnables[runnable];
    return given_kernel(l, r->name) || property_find(r->properties, r->property_count, "GridSize") ||
           property_find(r->properties, r->property_count, "gridcast.grid");
}

static void list_kernel(thesis_kernels *k, int runnable)
{
    if (k->listed[runnable] || !is_kernel(k->l, runnable))
        return;
    k->listed[runnable] = true;
    k->tasks[k->count] = k->task;
    k->runnables[k->count++] = runnable;
}

static gcast_status list_call(lowering *l, const am_item *item, int runnable, void *data)
{
    (void)l, (void)runnable;
    if (item->kind == AM_ITEM_CALL && item->runnable >= 0)
        list_kernel(data, item->runnable);
    return GCAST_OK;
}

static gcast_status list_kernels(thesis_kernels *k)
{
    const am_model *m = k->l->m;
    gcast_status status = GCAST_OK;
    k->runnables = lower_scratch(k->l, m->runnable_count, sizeof *k->runnables);
    k->tasks = lower_scratch(k->l, m->runnable_count, sizeof *k->tasks);
    k->listed = lower_scratch(k->l, m->runnable_count, sizeof *k->listed);
    if (!k->runnables || !k->tasks || !k->listed)
        return GCAST_RESOURCE;
    for (k->task = 0; (size_t)k->task < m->task_count && status == GCAST_OK; k->task++)
        status = walk_task(k->l, k->task, list_call, k);
    k->task = -1;
    bool called = k->count > 0;
    for (size_t i = 0; !called && i < m->runnable_count; i++)
        list_kernel(k, (int)i);
    if (status == GCAST_OK && !k->count)
        return lower_error(k->l, (am_place){m->file_count ? m->files[0] : "", 0},
                           "No runnable has the custom property GridSize: there are no kernels.");
    return status;
}

/* The period of the task's stimulus, where it has one. */
static int64_t period_of(const am_model *m, int task)
{
    int64_t period = 0;
    for (size_t i = 0; task >= 0 && i < m->tasks[task].stimulus_count; i++) {
        int s = m->tasks[task].stimuli[i];
        if (s >= 0 && m->stimuli[s].kind == AM_STIMULUS_PERIODIC && m->stimuli[s].recurrence_ps >= 1000)
            period = m->stimuli[s].recurrence_ps / 1000;
    }
    return period;
}

/* Finds the GPU of the model; without one, only the time of a tick is known. */
static gcast_status find_processor(lowering *l)
{
    l->processors = lower_scratch(l, 1, sizeof *l->processors);
    if (!l->processors)
        return GCAST_RESOURCE;
    processor *p = &l->processors[0];
    *p = (processor){.unit = -1, .definition = -1, .name = "the GPU", .clock = tick_clock_unknown()};
    for (size_t i = 0; i < l->m->unit_count; i++)
        if (l->m->units[i].kind == AM_UNIT_PROCESSOR && processor_type(l->m, (int)i) == AM_PU_GPU) {
            p->unit = (int)i;
            p->definition = l->m->units[i].definition;
            p->name = l->m->definitions[p->definition].name;
        }
    double hz = p->unit < 0 ? 0 : l->m->units[p->unit].frequency;
    bool known = hz > 0 && tick_clock_of_frequency(hz, &p->clock);
    if (!known && l->given->tick_ps < 1)
        return lower_error(
            l, (am_place){l->m->file_count ? l->m->files[0] : "", 0},
            "The model has no GPU with a frequency, so the time of kernels is not known: give --tick TIME.");
    if (!known)
        p->clock = tick_clock_of_ps(l->given->tick_ps);
    l->processor_count = 1;
    l->gpu_processor = 0;
    l->gpu_unit = p->unit;
    l->only_memory = -1;
    l->line_bytes = l->given->line_bytes > 0 ? l->given->line_bytes : 64;
    return runnable_costs_start(l);
}

static gcast_status make_op(lowering *l, int runnable, gcast_op *op)
{
    const am_runnable *r = &l->m->runnables[runnable];
    const am_item call = {.kind = AM_ITEM_CALL, .runnable = runnable, .least = 1, .most = 1, .at = r->at},
                  *calls = &call;
    cost_owner owner = {r->name, r->properties, r->property_count};
    kernel_shape shape;
    fine_cost c;
    sys_range ticks, alone;
    gcast_status status = items_cost(l, 0, &owner, &calls, 1, &c);
    if (status != GCAST_OK)
        return status;
    if (c.never)
        return lower_error(l, r->at, "The model does not say how long kernel %s takes on the GPU.", r->name);
    if (!fine_range(&l->processors[0].clock, c.min, c.max, &ticks))
        return lower_error(l, r->at, "Kernel %s takes longer than a day on the GPU.", r->name);
    status = kernel_shape_find(l, r->name, r->properties, r->property_count, r->at, &shape);
    return status == GCAST_OK ? kernel_op_make(l, r->name, r->at, &shape, ticks, op, &alone) : status;
}

static gcast_status add_kernel(thesis_kernels *k, size_t i, gcast_workload *w, int64_t *period)
{
    gcast_op op;
    gcast_status status = make_op(k->l, k->runnables[i], &op);
    if (status == GCAST_OK)
        status = gcast_workload_get_stream(w, (int)i + 1, &op.stream, k->l->err);
    if (status == GCAST_OK)
        status = gcast_workload_add_op(w, &op, NULL, k->l->err);
    *period = period_of(k->l->m, k->tasks[i]);
    return status;
}

static gcast_status make_workload(lowering *l, gcast_workload **w, int64_t **periods_ns)
{
    thesis_kernels k = {.l = l};
    const char *path = l->m->file_count ? l->m->files[0] : "";
    gcast_status status = find_processor(l);
    if (status == GCAST_OK)
        status = list_kernels(&k);
    if (status == GCAST_OK)
        status = gcast_workload_create(path, w, l->err);
    if (status == GCAST_OK)
        status = gcast_workload_set_source(*w, path, l->err);
    if (status != GCAST_OK)
        return status;
    *periods_ns = calloc(k.count, sizeof **periods_ns);
    if (!*periods_ns)
        return lower_no_memory(l);
    for (size_t i = 0; i < k.count && status == GCAST_OK; i++)
        status = add_kernel(&k, i, *w, &(*periods_ns)[i]);
    return status;
}

gcast_status amalthea_thesis(const am_model *m, const gcast_gpu *gpu, const sys_given *given, gcast_workload **w,
                             int64_t **periods_ns, gcast_error *err)
{
    static const sys_given nothing = {.file = "", .switch_ns = -1};
    sys_system texts = {0}; /* its arena has the texts of findings */
    lowering l = {.m = m, .gpu = gpu, .given = given ? given : &nothing, .err = err, .s = &texts};
    *w = NULL;
    *periods_ns = NULL;
    gcast_status status = make_workload(&l, w, periods_ns);
    if (status != GCAST_OK) {
        gcast_workload_free(*w);
        free(*periods_ns);
        *w = NULL;
        *periods_ns = NULL;
    }
    vec_free(&l.findings);
    arena_free(&l.scratch);
    arena_free(&texts.memory);
    return status;
}
