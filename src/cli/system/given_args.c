#include "cli/system/given_args.h"

#include <string.h>

#include "base/text/units.h"
#include "cli/say.h"
#include "files/system/given_file.h"

/* The file, and the word `fill`. */
static gcast_status read_kernels(const args *a, sys_given **g)
{
    gcast_error err;
    const char *file = NULL;
    bool fill = false;
    for (size_t i = 0; i < a->given_count; i++) {
        if (!args_is(a, i, "kernels"))
            continue;
        if (strcmp(a->given[i].value, "fill") == 0)
            fill = true;
        else if (file)
            return say(GCAST_USAGE, "--kernels takes one file");
        else
            file = a->given[i].value;
    }
    if (file && given_load(file, g, &err) != GCAST_OK)
        return say_error(&err);
    if (!file)
        *g = given_create();
    if (!*g)
        return say_no_memory();
    (*g)->fill = fill;
    return GCAST_OK;
}

/* The entry of a task, which is added where there is none; NULL without memory. */
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

static const char *gpu_unit(const am_model *m)
{
    for (size_t i = 0; i < m->unit_count; i++) {
        int d = m->units[i].definition;
        if (m->units[i].kind == AM_UNIT_PROCESSOR && d >= 0 && m->definitions[d].pu == AM_PU_GPU)
            return m->units[i].name;
    }
    return NULL;
}

static bool is_unit(const am_model *m, const char *name)
{
    for (size_t i = 0; i < m->unit_count; i++)
        if (m->units[i].kind == AM_UNIT_PROCESSOR && strcmp(m->units[i].name, name) == 0)
            return true;
    return false;
}

/* "gpu" stands for the model's GPU, whatever its name is. */
static gcast_status name_gpu(const am_model *m, sys_given *g)
{
    for (size_t i = 0; i < g->task_count; i++) {
        sys_given_task *t = (sys_given_task *)&g->tasks[i];
        if (!t->core || strcmp(t->core, "gpu") != 0 || is_unit(m, "gpu"))
            continue;
        const char *unit = gpu_unit(m);
        if (!unit)
            return say(GCAST_USAGE, "task %s cannot be put on the GPU: the model has none", t->name);
        if (!(t->core = arena_strdup(&g->memory, unit)))
            return say_no_memory();
    }
    return GCAST_OK;
}

/* TASK=CORE, where the task's name may contain a =. */
static gcast_status put_on_core(const am_model *m, sys_given *g, const char *value)
{
    const char *equals = strrchr(value, '=');
    char name[256];
    if (!equals || equals == value || !equals[1] || (size_t)(equals - value) >= sizeof name)
        return say(GCAST_USAGE, "--core is TASK=CORE, not %s", value);
    memcpy(name, value, (size_t)(equals - value));
    name[equals - value] = '\0';
    if (!is_task(m, name))
        return say(GCAST_USAGE, "--core: the model has no task %s", name);
    if (!is_unit(m, equals + 1) && strcmp(equals + 1, "gpu") != 0)
        return say(GCAST_USAGE, "--core: the model has no processing unit %s", equals + 1);
    sys_given_task *t = task_entry(g, name);
    if (!t || !(t->core = arena_strdup(&g->memory, equals + 1)))
        return say_no_memory();
    return GCAST_OK;
}

static gcast_status let_all_wait(const args *a, const am_model *m, sys_given *g)
{
    int how = 0;
    gcast_status status = args_choice(a, "wait", wait_choices, &how);
    for (size_t i = 0; status == GCAST_OK && args_has(a, "wait") && i < m->task_count; i++) {
        sys_given_task *t = task_entry(g, m->tasks[i].name);
        if (!t)
            return say_no_memory();
        t->has_busy = true;
        t->busy = how == 0;
    }
    return status;
}

/* A,B,C. */
static gcast_status add_chain(const am_model *m, sys_given *g, const char *value)
{
    size_t count = 1, n = 0;
    for (const char *c = value; *c; c++)
        count += *c == ',';
    char *names = arena_strdup(&g->memory, value);
    const char **tasks = arena_alloc_array(&g->memory, count, sizeof *tasks);
    sys_given_chain *chains = arena_alloc_array(&g->memory, g->chain_count + 1, sizeof *chains);
    const char *title = arena_strdup(&g->memory, value);
    if (!names || !tasks || !chains || !title)
        return say_no_memory();
    for (char *name = names, *comma; name; name = comma) {
        if ((comma = strchr(name, ',')))
            *comma++ = '\0';
        if (!is_task(m, name))
            return say(GCAST_USAGE, "--chain: the model has no task %s", name);
        tasks[n++] = name;
    }
    if (g->chain_count)
        memcpy(chains, g->chains, g->chain_count * sizeof *chains);
    chains[g->chain_count++] = (sys_given_chain){.name = title, .tasks = tasks, .task_count = n};
    g->chains = chains;
    return GCAST_OK;
}

/* Options that set one number. */
static gcast_status read_numbers(const args *a, sys_given *g)
{
    int contexts = 0;
    const char *tick = args_value(a, "tick");
    gcast_status status = args_choice(a, "contexts", contexts_choices, &contexts);
    if (status == GCAST_OK && args_has(a, "contexts")) {
        g->has_sharing = true;
        g->sharing = (sys_sharing)contexts;
    }
    if (args_has(a, "rate-monotonic"))
        g->rate_monotonic = true;
    g->searched = args_has(a, "map");
    if (tick && (!units_parse_picoseconds(tick, &g->tick_ps) || g->tick_ps < 1 || g->tick_ps > 1000000000000))
        return say(GCAST_USAGE, "--tick is a time from 1ps to 1s, such as 500ps or 1ns, not %s", tick);
    return status;
}

gcast_status given_from_args(const args *a, const am_model *m, sys_given **g)
{
    *g = NULL;
    gcast_status status = read_kernels(a, g);
    if (status == GCAST_OK)
        status = read_numbers(a, *g);
    if (status == GCAST_OK)
        status = let_all_wait(a, m, *g);
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "core"))
            status = put_on_core(m, *g, a->given[i].value);
        else if (args_is(a, i, "chain"))
            status = add_chain(m, *g, a->given[i].value);
    if (status == GCAST_OK)
        status = name_gpu(m, *g);
    if (status != GCAST_OK) {
        given_free(*g);
        *g = NULL;
    }
    return status;
}
