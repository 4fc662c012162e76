/* Options of gcast_system_read: places, chains and ways of waiting are added to what the file beside the model says. */
#include <stdio.h>
#include <string.h>

#include "base/api.h"
#include "system/system_handle.h"

#define MAX_TICK_PS 1000000000000 /* a second */

/* Refuses an entry of `cores` or `chains`. */
static gcast_status refuse(const char *list, size_t number, const char *what, const char *name, gcast_error *err)
{
    char path[60];
    snprintf(path, sizeof path, "/%s/%zu", list, number);
    return gcast_error_set(err, GCAST_USAGE, path, "%s %s", what, name);
}

/* The entry of a task, added if there is none; NULL without memory. */
static sys_given_task *task_entry(sys_given *g, const char *name)
{
    for (size_t i = 0; i < g->task_count; i++)
        if (strcmp(g->tasks[i].name, name) == 0)
            return (sys_given_task *)&g->tasks[i];
    sys_given_task *tasks = arena_alloc_array(&g->memory, g->task_count + 1, sizeof *tasks);
    const char *copy = arena_strdup(&g->memory, name);
    if (!tasks || !copy)
        return NULL;
    if (g->task_count)
        memcpy(tasks, g->tasks, g->task_count * sizeof *tasks);
    tasks[g->task_count] = (sys_given_task){.name = copy, .deadline_ns = -1};
    g->tasks = tasks;
    return &tasks[g->task_count++];
}

static bool is_task(const am_model *m, const char *name)
{
    for (size_t i = 0; i < m->task_count; i++)
        if (strcmp(m->tasks[i].name, name) == 0)
            return true;
    return false;
}

static bool is_unit(const am_model *m, const char *name)
{
    for (size_t i = 0; i < m->unit_count; i++)
        if (m->units[i].kind == AM_UNIT_PROCESSOR && strcmp(m->units[i].name, name) == 0)
            return true;
    return false;
}

/* The name of the model's GPU; NULL: it has none. */
static const char *gpu_unit(const am_model *m)
{
    for (size_t i = 0; i < m->unit_count; i++) {
        int d = m->units[i].definition;
        if (m->units[i].kind == AM_UNIT_PROCESSOR && d >= 0 && m->definitions[d].pu == AM_PU_GPU)
            return m->units[i].name;
    }
    return NULL;
}

/* Replaces "gpu" by the name of the model's GPU. */
static gcast_status name_gpu(const am_model *m, sys_given *g, gcast_error *err)
{
    for (size_t i = 0; i < g->task_count; i++) {
        sys_given_task *t = (sys_given_task *)&g->tasks[i];
        if (!t->core || strcmp(t->core, "gpu") != 0 || is_unit(m, "gpu"))
            continue;
        const char *unit = gpu_unit(m);
        if (!unit)
            return gcast_error_set(err, GCAST_USAGE, NULL, "task %s cannot be put on the GPU: the model has no GPU",
                                   t->name);
        if (!(t->core = arena_strdup(&g->memory, unit)))
            return gcast_error_set_memory(err);
    }
    return GCAST_OK;
}

/* TASK=CORE, where the task's name may contain a =. */
static gcast_status put_on_core(const gcast_system_options *o, size_t number, const am_model *m, sys_given *g,
                                gcast_error *err)
{
    const char *value = o->cores[number];
    if (!value)
        return argument_missing(err);
    const char *equals = strrchr(value, '=');
    if (!equals || equals == value || !equals[1])
        return refuse("cores", number, "it is TASK=CORE, not", value, err);
    char *name = arena_strdup(&g->memory, value);
    if (!name)
        return gcast_error_set_memory(err);
    name[equals - value] = '\0';
    if (!is_task(m, name))
        return refuse("cores", number, "the model has no task", name, err);
    if (!is_unit(m, equals + 1) && strcmp(equals + 1, "gpu") != 0)
        return refuse("cores", number, "the model has no processing unit", equals + 1, err);
    sys_given_task *t = task_entry(g, name);
    if (!t || !(t->core = arena_strdup(&g->memory, equals + 1)))
        return gcast_error_set_memory(err);
    return GCAST_OK;
}

/* A,B,C */
static gcast_status add_chain(const gcast_system_options *o, size_t number, const am_model *m, sys_given *g,
                              gcast_error *err)
{
    const char *value = o->chains[number];
    size_t count = 1, n = 0;
    if (!value)
        return argument_missing(err);
    for (const char *c = value; *c; c++)
        count += *c == ',';
    char *names = arena_strdup(&g->memory, value);
    const char **tasks = arena_alloc_array(&g->memory, count, sizeof *tasks);
    sys_given_chain *chains = arena_alloc_array(&g->memory, g->chain_count + 1, sizeof *chains);
    const char *title = arena_strdup(&g->memory, value);
    if (!names || !tasks || !chains || !title)
        return gcast_error_set_memory(err);
    for (char *name = names, *comma; name; name = comma) {
        if ((comma = strchr(name, ',')))
            *comma++ = '\0';
        if (!is_task(m, name))
            return refuse("chains", number, "the model has no task", name, err);
        tasks[n++] = name;
    }
    if (g->chain_count)
        memcpy(chains, g->chains, g->chain_count * sizeof *chains);
    chains[g->chain_count++] = (sys_given_chain){.name = title, .tasks = tasks, .task_count = n};
    g->chains = chains;
    return GCAST_OK;
}

/* Sets how all tasks wait. */
static gcast_status set_waiting(gcast_waiting waiting, const am_model *m, sys_given *g, gcast_error *err)
{
    if (waiting == GCAST_WAITING_AS_GIVEN)
        return GCAST_OK;
    for (size_t i = 0; i < m->task_count; i++) {
        sys_given_task *t = task_entry(g, m->tasks[i].name);
        if (!t)
            return gcast_error_set_memory(err);
        t->has_busy = true;
        t->busy = waiting == GCAST_WAITING_BUSY;
    }
    return GCAST_OK;
}

gcast_status model_options_check(const gcast_system_options *o, gcast_error *err)
{
    if ((o->core_count && !o->cores) || (o->chain_count && !o->chains))
        return argument_missing(err);
    if ((unsigned)o->waiting > GCAST_WAITING_SUSPEND || (unsigned)o->sharing > GCAST_SHARING_SLICES)
        return gcast_error_set(err, GCAST_USAGE, NULL, "waiting or sharing is none that there is");
    if (o->tick_ps < 0 || o->tick_ps > MAX_TICK_PS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a tick is 1 ps to 1 s long");
    return GCAST_OK;
}

gcast_status model_options_apply(const gcast_system_options *o, const am_model *m, sys_given *g, gcast_error *err)
{
    g->fill = o->fill;
    g->rate_monotonic = g->rate_monotonic || o->rate_monotonic;
    g->tick_ps = o->tick_ps ? o->tick_ps : g->tick_ps;
    if (o->sharing != GCAST_SHARING_AS_GIVEN) {
        g->has_sharing = true;
        g->sharing = o->sharing == GCAST_SHARING_SLICES ? SYS_SLICES : SYS_ONE_CONTEXT;
    }
    gcast_status status = set_waiting(o->waiting, m, g, err);
    for (size_t i = 0; i < o->core_count && status == GCAST_OK; i++)
        status = put_on_core(o, i, m, g, err);
    for (size_t i = 0; i < o->chain_count && status == GCAST_OK; i++)
        status = add_chain(o, i, m, g, err);
    return status == GCAST_OK ? name_gpu(m, g, err) : status;
}
