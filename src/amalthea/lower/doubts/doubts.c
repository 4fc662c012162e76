#include "amalthea/lower/doubts/doubts.h"

#include "amalthea/lower/doubts/label_doubts.h"
#include "amalthea/lower/doubts/name_fit.h"
#include "amalthea/lower/findings.h"
#include "amalthea/lower/limits/task_deadlines.h"
#include "base/checked.h"
#include "base/text/units.h"

#define MAX_SWAPS 300 /* more limits than this are not compared with each other */

/* Each fits the task of the other better than its own. */
static bool swapped(const lowering *l, const am_limit *a, const am_limit *b)
{
    const char *task_a = l->m->tasks[a->entity].name, *task_b = l->m->tasks[b->entity].name;
    return a->entity != b->entity && a->upper_ps != b->upper_ps &&
           name_fit(a->name, task_b) > name_fit(a->name, task_a) &&
           name_fit(b->name, task_a) > name_fit(b->name, task_b);
}

static gcast_status tell_swapped(lowering *l, const am_limit *a, const am_limit *b)
{
    char time_a[40], time_b[40];
    units_format_time(a->upper_ps / 1000, time_a, sizeof time_a);
    units_format_time(b->upper_ps / 1000, time_b, sizeof time_b);
    return finding_doubt(l, a->at, 0,
                         "Two deadlines look swapped: %s (%s) limits %s, and %s (%s) limits %s. Each name fits the "
                         "other task better. They are taken as they are.",
                         a->name, time_a, l->m->tasks[a->entity].name, b->name, time_b, l->m->tasks[b->entity].name);
}

static gcast_status find_swapped(lowering *l)
{
    const am_model *m = l->m;
    gcast_status status = GCAST_OK;
    if (m->limit_count > MAX_SWAPS)
        return GCAST_OK;
    for (size_t i = 0; i < m->limit_count; i++)
        for (size_t k = i + 1; deadline_of_task(l, &m->limits[i]) && k < m->limit_count && status == GCAST_OK; k++)
            if (deadline_of_task(l, &m->limits[k]) && swapped(l, &m->limits[i], &m->limits[k]))
                status = tell_swapped(l, &m->limits[i], &m->limits[k]);
    return status;
}

/* Code of a task where it is, at worst; with what it waits for, or without. */
static int64_t worst_alone(const lowering *l, size_t task, bool waits, int depth)
{
    const sys_task *t = &l->made[task];
    int64_t sum = 0;
    for (size_t i = 0; i < t->step_count; i++) {
        const sys_step *step = &t->steps[i];
        int64_t more = 0;
        if (step->kind == SYS_RUN)
            more = system_step_time(l->s, step, l->places[task].core).max_ns;
        else if (step->kind == SYS_WAIT && waits && depth < 64)
            more = worst_alone(l, (size_t)step->task, true, depth + 1);
        if (!checked_add(sum, more, &sum))
            return INT64_MAX / 4;
    }
    return sum;
}

static const char *place_name(const lowering *l, size_t task)
{
    int core = l->places[task].core;
    return core == SYS_GPU ? l->s->gpu_name : l->s->cores[core].name;
}

/* Tasks that take longer than they may even when they are alone. */
static gcast_status find_too_long(lowering *l)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->s->task_count && status == GCAST_OK; i++) {
        const sys_task *t = &l->made[i];
        int64_t own = worst_alone(l, i, true, 0);
        char need[40], limit[40];
        units_format_time(own, need, sizeof need);
        if (t->deadline_ns && own > t->deadline_ns) {
            units_format_time(t->deadline_ns, limit, sizeof limit);
            status = finding_doubt(l, lower_at_task(l, i), 0,
                                   "Task %s takes up to %s alone on %s, more than its deadline of %s%s%s.", t->name,
                                   need, place_name(l, i), limit, *t->deadline_name ? ", " : "", t->deadline_name);
        } else if (own > t->period_ns) {
            units_format_time(t->period_ns, limit, sizeof limit);
            status = finding_doubt(l, lower_at_task(l, i), 0,
                                   "Task %s takes up to %s alone on %s, and comes every %s: it cannot keep up.",
                                   t->name, need, place_name(l, i), limit);
        }
    }
    return status;
}

/* Tasks that nothing limits, where others are limited. */
static gcast_status find_unlimited(lowering *l)
{
    name_list names = {0};
    size_t limited = 0, first = 0;
    for (size_t i = 0; i < l->s->task_count; i++) {
        limited += l->made[i].deadline_ns > 0;
        if (l->made[i].deadline_ns || l->made[i].arrival == SYS_TRIGGERED)
            continue;
        first = names.count ? first : i;
        names_add(&names, l->made[i].name);
    }
    if (!limited)
        return finding_doubt(l, lower_nowhere(), 0,
                             "No task has a deadline: response times are checked against nothing.");
    if (!names.count)
        return GCAST_OK;
    return finding_doubt(l, lower_at_task(l, first), 0, "No deadline is said for %s.", names_text(&names));
}

/* What a job takes of its core. Waiting for a task of the same core takes nothing beside what that one takes. */
static int64_t worst_held(const lowering *l, size_t task)
{
    const sys_task *t = &l->made[task];
    int64_t held = worst_alone(l, task, false, 0);
    for (size_t i = 0; l->places[task].busy && i < t->step_count; i++) {
        const sys_step *step = &t->steps[i];
        if (step->kind != SYS_WAIT || l->places[step->task].core == l->places[task].core)
            continue;
        if (!checked_add(held, worst_alone(l, (size_t)step->task, true, 0), &held))
            return INT64_MAX / 4;
    }
    return held;
}

/* Cores that are asked for more than they have. */
static gcast_status find_overload(lowering *l)
{
    gcast_status status = GCAST_OK;
    for (size_t c = 0; c < l->s->core_count && status == GCAST_OK; c++) {
        double load = 0;
        for (size_t i = 0; i < l->s->task_count; i++)
            if (l->places[i].core == (int)c)
                load += (double)worst_held(l, i) / (double)l->made[i].period_ns;
        if (load > 1.0 + 1e-9)
            status = finding_doubt(l, lower_nowhere(), 0,
                                   "%s is overloaded: its tasks take up to %.1f %% of its time, waits that hold it "
                                   "counted as if what they wait for were alone.",
                                   l->s->cores[c].name, load * 100);
    }
    return status;
}

/* Who holds the core that the task needs that it waits for. */
static gcast_status find_stuck(lowering *l)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->s->task_count && status == GCAST_OK; i++)
        for (size_t k = 0; l->places[i].busy && k < l->made[i].step_count && status == GCAST_OK; k++) {
            const sys_step *step = &l->made[i].steps[k];
            if (step->kind != SYS_WAIT || l->places[step->task].core != l->places[i].core ||
                l->places[step->task].priority > l->places[i].priority)
                continue;
            status =
                finding_doubt_of_task(l, lower_at_task(l, i), (size_t)l->origin[i], SYS_CONDITION,
                                      "Task %s holds %s while it waits for %s, which is on %s too and has no higher "
                                      "priority: it may wait for ever.",
                                      l->made[i].name, place_name(l, i), step->name, place_name(l, i));
        }
    return status;
}

gcast_status doubts_find(lowering *l)
{
    gcast_status status = find_swapped(l);
    if (status == GCAST_OK)
        status = find_too_long(l);
    if (status == GCAST_OK)
        status = find_unlimited(l);
    if (status == GCAST_OK)
        status = find_overload(l);
    if (status == GCAST_OK)
        status = find_stuck(l);
    return status == GCAST_OK ? label_doubts_find(l) : status;
}
