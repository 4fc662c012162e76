#include "amalthea/lower/gpu_tasks.h"

#include <string.h>
#include <strings.h>

#include "amalthea/lower/lowering.h"
#include "amalthea/lower/task_units.h"
#include "amalthea/model.h"
#include "base/units.h"

#define DEFAULT_SLICE_NS 1000000 /* of the Tegra driver (GCAPS) */
#define DEFAULT_SWITCH_NS 200000 /* from one context to the next (GCAPS) */

int64_t stream_priority(const lowering *l, const sys_task *t)
{
    int64_t least = 0;
    for (size_t i = 0; i < t->step_count; i++) {
        const sys_given_kernel *k = given_kernel(l, t->steps[i].name);
        if (k && k->priority < least)
            least = k->priority;
    }
    return -least;
}

/* Is the priority of its stream given? */
static bool is_given(const lowering *l, const sys_task *t)
{
    for (size_t i = 0; i < t->step_count; i++) {
        const sys_given_kernel *k = given_kernel(l, t->steps[i].name);
        if (k && k->has_priority)
            return true;
    }
    return false;
}

/* The task, if it is on the GPU or a search may put it there; else NULL. */
static const lowered_task *gpu_task(const lowering *l, size_t task)
{
    const lowered_task *t = &l->tasks[task];
    bool may = l->given->searched && t->gpu_candidate && !t->why_not_gpu;
    return t->index >= 0 && (may || l->places[t->index].core == SYS_GPU) ? t : NULL;
}

/* The task's priority in the model; tasks without one come last. */
static bool model_priority(const lowering *l, const lowered_task *t, int64_t *priority)
{
    const am_allocation *a = t->allocation < 0 ? NULL : &l->m->allocations[t->allocation];
    *priority = a && a->has_priority ? a->priority : INT64_MIN;
    return a && a->has_priority;
}

static int sign(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static bool other_order(const lowering *l, const lowered_task *a, const lowered_task *b)
{
    int64_t of_a, of_b;
    bool a_said = model_priority(l, a, &of_a), b_said = model_priority(l, b, &of_b);
    if ((!a_said && !b_said) || (is_given(l, &l->made[a->index]) && is_given(l, &l->made[b->index])))
        return false;
    return sign(of_a, of_b) != sign(stream_priority(l, &l->made[a->index]), stream_priority(l, &l->made[b->index]));
}

static gcast_status tell_priorities(lowering *l)
{
    for (size_t i = 0; i < l->m->task_count; i++)
        for (size_t k = 0; gpu_task(l, i) && k < i; k++) {
            const lowered_task *b = gpu_task(l, k);
            if (!b || !other_order(l, gpu_task(l, i), b))
                continue;
            return finding_of_task(l, l->m->allocations[b->allocation < 0 ? l->tasks[i].allocation : b->allocation].at,
                                   i, SYS_CONDITION | SYS_APPROXIMATED,
                                   "The model's priorities of tasks on the GPU, such as %s and %s, are not used: the "
                                   "priorities of their streams are (--kernels).",
                                   l->m->tasks[k].name, l->m->tasks[i].name);
        }
    return GCAST_OK;
}

/* Is the scheduler not covered by priorities of streams, or by time slices, which have a finding of their own? */
static bool is_other(const lowering *l, const am_scheduler *s)
{
    bool fixed = s->algorithm == AM_SCHEDULING_FIXED_PRIORITY || s->algorithm == AM_SCHEDULING_OSEK;
    return *s->algorithm_name && !fixed && !l->given->has_sharing && !l->told_slices;
}

static gcast_status tell_algorithms(lowering *l)
{
    size_t count = 0;
    for (size_t i = 0; i < l->m->task_count; i++)
        count += gpu_task(l, i) != NULL;
    for (size_t i = 0; count > 1 && i < l->m->task_count; i++) {
        const lowered_task *t = gpu_task(l, i);
        const am_scheduler *s = t ? task_scheduler(l, t) : NULL;
        if (s && is_other(l, s))
            return finding_of_task(l, s->at, i, SYS_CONDITION | SYS_APPROXIMATED,
                                   "Scheduler %s of task %s on the GPU is %s, which is not used: each task on the GPU "
                                   "has a stream of its own.",
                                   s->name, l->m->tasks[i].name, s->algorithm_name);
    }
    return GCAST_OK;
}

gcast_status gpu_order_check(lowering *l)
{
    gcast_status status = tell_priorities(l);
    return status == GCAST_OK ? tell_algorithms(l) : status;
}

/* Finds a time slice among parameters: the last whose key begins with `key`. */
static gcast_status find_slice(lowering *l, const am_parameter *parameters, size_t count, const char *key,
                               size_t length, int64_t *ns)
{
    for (size_t i = 0; i < count; i++) {
        if (strncasecmp(parameters[i].key, key, length) != 0)
            continue;
        int64_t slice;
        if (!property_time(&parameters[i], &slice) || slice < 1 || slice > DAY_NS)
            return lower_error(l, parameters[i].at,
                               "The time slice %s is \"%s\", which is not a time of at most a day.", parameters[i].key,
                               parameters[i].value);
        *ns = slice;
    }
    return GCAST_OK;
}

static gcast_status of_tasks(lowering *l, size_t *with)
{
    static const char key[] = "TimeSlice";
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->task_count && status == GCAST_OK; i++) {
        const lowered_task *t = &l->tasks[i];
        if (t->index < 0 || t->allocation < 0)
            continue;
        const am_allocation *a = &l->m->allocations[t->allocation];
        int64_t *slice = &l->made[t->index].slice_ns;
        status = find_slice(l, a->parameters, a->parameter_count, key, sizeof key - 1, slice);
        *with += *slice > 0;
    }
    return status;
}

/* Tasks without a slice have the maximum slice of the scheduler of the GPU. */
static gcast_status of_schedulers(lowering *l)
{
    static const char key[] = "maximumTimeslice";
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->scheduler_count && status == GCAST_OK; i++) {
        const am_scheduler *s = &l->m->schedulers[i];
        bool gpu = false;
        for (size_t k = 0; k < s->unit_count; k++)
            gpu |= s->units[k] == l->gpu_unit;
        if (gpu)
            status = find_slice(l, s->parameters, s->parameter_count, key, sizeof key - 1, &l->s->slice_ns);
    }
    return status;
}

/* Assumes what the model does not say, where slices are asked for. */
static gcast_status fill_in(lowering *l)
{
    gcast_status status = GCAST_OK;
    bool silent = false;
    for (size_t i = 0; i < l->s->task_count; i++)
        silent |= l->places[i].core == SYS_GPU && !l->made[i].slice_ns;
    if (!l->s->slice_ns)
        l->s->slice_ns = DEFAULT_SLICE_NS;
    if (silent)
        status = finding_of_gpu(l, lower_nowhere(), SYS_CONDITION | SYS_APPROXIMATED,
                                "Tasks on the GPU without a time slice get one of %lld us.",
                                (long long)(l->s->slice_ns / 1000));
    if (l->given->switch_ns >= 0 || status != GCAST_OK)
        return status;
    return finding_of_gpu(
        l, lower_nowhere(), SYS_CONDITION | SYS_APPROXIMATED,
        "The model does not say how long the GPU takes to switch contexts: %d us are assumed, as published for Tegra.",
        DEFAULT_SWITCH_NS / 1000);
}

gcast_status time_slices_find(lowering *l)
{
    size_t with = 0;
    if (l->gpu_unit < 0)
        return GCAST_OK;
    gcast_status status = of_tasks(l, &with);
    if (status == GCAST_OK)
        status = of_schedulers(l);
    l->s->sharing = l->given->has_sharing ? l->given->sharing : SYS_ONE_CONTEXT;
    l->s->switch_ns = l->given->switch_ns >= 0 ? l->given->switch_ns : DEFAULT_SWITCH_NS;
    if (status != GCAST_OK || !l->s->gpu)
        return status;
    if (l->s->sharing == SYS_SLICES)
        return fill_in(l);
    if (l->given->has_sharing || (!with && !l->s->slice_ns))
        return GCAST_OK;
    l->told_slices = true;
    return finding_of_gpu(l, lower_nowhere(), SYS_CONDITION | SYS_APPROXIMATED,
                          "The model has time slices for the GPU, but one context is analysed, in which each GPU task "
                          "has its own stream; --contexts slices uses the slices.");
}

typedef struct tick_entries {
    size_t with, without; /* ticks with and without an entry for the GPU's definition */
} tick_entries;

static gcast_status count_entries(lowering *l, const am_item *item, int runnable, void *data)
{
    tick_entries *e = data;
    (void)runnable;
    if (item->kind != AM_ITEM_TICKS)
        return GCAST_OK;
    bool found = false;
    for (size_t i = 0; i < item->tick_count; i++)
        found |=
            item->ticks[i].definition >= 0 && item->ticks[i].definition == l->processors[l->gpu_processor].definition;
    e->with += found;
    e->without += !found;
    return GCAST_OK;
}

static bool put_on_gpu(const lowering *l, const lowered_task *t)
{
    for (size_t i = 0; i < t->unit_count; i++)
        if (t->units[i] == l->gpu_unit)
            return true;
    return false;
}

/* Why the structure of a task keeps it off the GPU; NULL: it does not. */
static const char *bad_form(const lowering *l, const lowered_task *t)
{
    if (!l->gpu)
        return "no GPU is named: give --gpu NAME";
    if (t->trigger < 0)
        return "it is not triggered by a task on a core";
    for (size_t k = 0; k < t->raw_count; k++)
        if (t->raw[k].kind == RAW_TRIGGER || t->raw[k].kind == RAW_WAIT)
            return "it triggers tasks or waits for events";
    for (const lowered_task *of = t; of->trigger >= 0; of = &l->tasks[of->trigger])
        if (l->tasks[of->trigger].raw[of->trigger_raw].maybe)
            return "a switch need not trigger it";
    return NULL;
}

static gcast_status find_candidate(lowering *l, size_t task)
{
    lowered_task *t = &l->tasks[task];
    const char *bad = bad_form(l, t);
    if (put_on_gpu(l, t)) {
        t->why_not_gpu = bad;
        t->why_at = l->m->tasks[task].at;
        t->gpu_candidate = !bad;
        return GCAST_OK;
    }
    tick_entries e = {0};
    gcast_status status = bad ? GCAST_OK : walk_task(l, (int)task, count_entries, &e);
    t->gpu_candidate = !bad && e.with && !e.without;
    return status;
}

typedef struct label_users {
    bool candidate;                /* the items are those of a candidate for the GPU */
    bool *by_candidate, *by_other; /* by label: such a task accesses it */
} label_users;

static gcast_status note_access(lowering *l, const am_item *item, int runnable, void *data)
{
    label_users *u = data;
    (void)l, (void)runnable;
    if (item->kind == AM_ITEM_ACCESS && item->label >= 0)
        (u->candidate ? u->by_candidate : u->by_other)[item->label] = true;
    return GCAST_OK;
}

gcast_status gpu_candidates_find(lowering *l)
{
    size_t labels = l->m->label_count;
    gcast_status status = GCAST_OK;
    label_users u = {.by_candidate = lower_scratch(l, labels, sizeof(bool)),
                     .by_other = lower_scratch(l, labels, sizeof(bool))};
    l->device_label = lower_scratch(l, labels, sizeof *l->device_label);
    if (!u.by_candidate || !u.by_other || !l->device_label)
        return GCAST_RESOURCE;
    for (size_t i = 0; l->gpu_unit >= 0 && i < l->m->task_count && status == GCAST_OK; i++)
        if (l->tasks[i].index >= 0)
            status = find_candidate(l, i);
    for (size_t i = 0; i < l->m->task_count && status == GCAST_OK; i++) {
        u.candidate = l->tasks[i].gpu_candidate;
        status = walk_task(l, (int)i, note_access, &u);
    }
    for (size_t i = 0; i < labels; i++)
        l->device_label[i] = u.by_candidate[i] && !u.by_other[i];
    return status;
}
