/* The verdict of an answer for a system, and the line that says why: tasks, chains and limits that miss deadlines, are
 * open, or meet them on a condition. */
#include <stdio.h>

#include "base/text.h"
#include "system/system_handle.h"

#define MAX_NAMED 20 /* tasks, chains and limits in a list */

/* Lists tasks, chains and limits with this verdict behind a title; false: there are none. */
static bool list_verdicts(const sys_answer *r, gcast_deadline_verdict v, const char *title, text *t)
{
    size_t n = 0;
    const sys_system *s = r->of;
    for (size_t i = 0; i < s->task_count; i++)
        if (r->tasks[i].verdict == v && n++ < MAX_NAMED)
            text_printf(t, "%s%s", n == 1 ? title : ", ", s->tasks[i].name);
    for (size_t i = 0; r->chains && i < s->chain_count; i++)
        if ((r->chains[i].reaction_verdict == v || r->chains[i].age_verdict == v) && n++ < MAX_NAMED)
            text_printf(t, "%schain %s", n == 1 ? title : ", ", s->chains[i].name);
    for (size_t i = 0; r->limits && i < s->limit_count; i++)
        if (r->limits[i].verdict == v && n++ < MAX_NAMED)
            text_printf(t, "%slimit %s", n == 1 ? title : ", ", s->limits[i].name);
    if (n > MAX_NAMED)
        text_printf(t, " and %zu more", n - MAX_NAMED);
    return n > 0;
}

/* Lists tasks without a bound; false: there are none. */
static bool list_unbounded(const sys_answer *r, text *t)
{
    size_t n = 0;
    for (size_t i = 0; i < r->of->task_count; i++)
        if (r->tasks[i].worst_ns == SYS_UNBOUNDED && n++ < MAX_NAMED)
            text_printf(t, "%s%s", n == 1 ? "no bound is known for " : ", ", r->of->tasks[i].name);
    if (n > MAX_NAMED)
        text_printf(t, " and %zu more", n - MAX_NAMED);
    return n > 0;
}

/* Does anything depend on what is assumed of the GPU, or on what is left out or assumed of the model? */
static void find_conditions(const sys_answer *r, bool *gpu, bool *model)
{
    *model = false;
    *gpu = r->rests_on_assumed;
    for (size_t i = 0; i < r->of->task_count; i++)
        *gpu |= r->tasks[i].on_gpu;
    for (size_t i = 0; i < r->of->task_count; i++)
        *model |= (r->tasks[i].effects & SYS_CONDITION) != 0;
    for (size_t i = 0; i < r->of->limit_count; i++)
        *model |= (r->of->limits[i].effects & SYS_CONDITION) != 0;
    for (size_t i = 0; i < r->of->chain_count; i++)
        *model |= (r->of->chains[i].effects & SYS_CONDITION) != 0;
}

/* Lists deadlines that are met on conditions, and says on which; false: there are none. */
static bool list_conditional(const sys_answer *r, text *t)
{
    bool gpu, model;
    char title[300];
    find_conditions(r, &gpu, &model);
    snprintf(title, sizeof title,
             "deadlines are met on the condition that %s%s%s: ", gpu ? "the assumed values of the GPU hold" : "",
             gpu && model ? ", and that " : "",
             model ? "nothing left out or assumed of the model makes a time longer (see the lines with condition)"
                   : "");
    return list_verdicts(r, GCAST_DEADLINE_MET_IF, title, t);
}

/* Lists broken constraints on where tasks run; false: there are none. */
static bool list_broken(const sys_answer *r, bool more, text *t)
{
    size_t n = 0;
    for (size_t i = 0; i < r->of->affinity_count; i++)
        if (!system_affinity_holds(r->of, &r->of->affinities[i], r->places) && n++ < MAX_NAMED)
            text_printf(t, "%s%s", n > 1 ? ", " : more ? "; broken: " : "broken: ", r->of->affinities[i].words);
    return n > 0;
}

/* Says how many requirements are not checked; false: none. */
static bool list_unchecked(const sys_answer *r, bool more, text *t)
{
    size_t count = system_unchecked(r->of);
    if (count)
        text_printf(t, "%s%zu requirement%s not checked (see the lines with not checked)",
                    more ? "; " : "deadlines are met, but ", count,
                    count == 1 ? " of the model is" : "s of the model are");
    return count > 0;
}

char *system_verdict(const sys_answer *r, gcast_deadline_verdict *verdict)
{
    text t;
    text_open(&t, NULL, NULL);
    bool missed = list_verdicts(r, GCAST_DEADLINE_MISSED, "deadlines missed: ", &t);
    bool open = list_verdicts(r, GCAST_DEADLINE_OPEN, missed ? "; open: " : "deadlines open: ", &t);
    open = open || missed || list_unbounded(r, &t);
    bool broken = list_broken(r, open, &t);
    bool bad = open || broken;
    bool conditional = !bad && list_conditional(r, &t);
    conditional = !bad && (list_unchecked(r, conditional, &t) || conditional);
    *verdict = missed || broken ? GCAST_DEADLINE_MISSED
               : open           ? GCAST_DEADLINE_OPEN
               : conditional    ? GCAST_DEADLINE_MET_IF
                                : GCAST_DEADLINE_MET;
    return text_take(&t, NULL);
}
