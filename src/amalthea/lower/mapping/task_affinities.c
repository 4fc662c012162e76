#include "amalthea/lower/mapping/task_affinities.h"

#include <stdio.h>

#include "amalthea/lower/findings.h"

static gcast_status set_cores(lowering *l, const am_affinity *from, sys_affinity *a)
{
    bool *cores = from->unit_count ? lower_array(l, l->s->core_count + 1, sizeof *cores) : NULL;
    if (from->unit_count && !cores)
        return GCAST_RESOURCE;
    for (size_t i = 0; i < from->unit_count; i++) {
        if (from->units[i] == l->gpu_unit)
            cores[l->s->core_count] = true;
        else if (l->core_of[from->units[i]] >= 0)
            cores[l->core_of[from->units[i]]] = true;
    }
    a->cores = cores;
    return GCAST_OK;
}

/* Tasks that are left out are nowhere. */
static gcast_status make_one(lowering *l, const am_affinity *from, sys_affinity *a)
{
    int *tasks = lower_array(l, from->task_count, sizeof *tasks),
        *groups = lower_array(l, from->task_count, sizeof *groups);
    name_list names = {0};
    char words[400];
    if (!tasks || !groups)
        return GCAST_RESOURCE;
    *a = (sys_affinity){.together = from->together, .tasks = tasks, .groups = groups};
    for (size_t i = 0; i < from->task_count; i++) {
        int task = l->tasks[from->tasks[i]].index;
        if (task < 0)
            continue;
        groups[a->task_count] = from->groups[i];
        tasks[a->task_count++] = task;
        names_add(&names, l->made[task].name);
    }
    snprintf(words, sizeof words, "%s on %s", names_text(&names), from->together ? "one core" : "different cores");
    a->words = lower_keep(l, words);
    return a->words ? set_cores(l, from, a) : GCAST_RESOURCE;
}

gcast_status affinities_make(lowering *l)
{
    size_t count = l->m->affinities.count;
    sys_affinity *all = lower_array(l, count, sizeof *all);
    gcast_status status = all ? GCAST_OK : GCAST_RESOURCE;
    for (size_t i = 0; i < count && status == GCAST_OK; i++)
        status = make_one(l, &l->m->affinities.at[i], &all[i]);
    l->s->affinities = all;
    l->s->affinity_count = status == GCAST_OK ? count : 0;
    return status;
}
