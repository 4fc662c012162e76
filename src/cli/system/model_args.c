#include "cli/system/model_args.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "amalthea/model.h"
#include "amalthea/thesis_workload.h"
#include "analyze/system/system_analysis.h"
#include "base/units.h"
#include "cli/args.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "files/given_file.h"
#include "gridcast/read.h"
#include "model/system_given.h"

bool system_wanted(const args *a)
{
    struct stat st;
    const char *path = a->operand_count ? a->operands[0] : "";
    return path_ends_with(path, ".amxmi") || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static bool is_in(const option_spec *options, const char *name)
{
    for (; options && options->name; options++)
        if (strcmp(options->name, name) == 0)
            return true;
    return false;
}

gcast_status system_options_check(const args *a)
{
    bool wanted = system_wanted(a);
    if (!wanted && a->operand_count > 1)
        return say(GCAST_USAGE, "%s takes one workload; several files or a folder are an AMALTHEA model", a->cmd->name);
    for (size_t i = 0; i < a->given_count; i++) {
        const char *name = a->given[i].spec->name;
        bool of_system = is_in(a->cmd->system_options, name);
        if (of_system && !wanted)
            return say(GCAST_USAGE, "--%s needs an AMALTHEA model", name);
        if (wanted && !of_system && is_in(a->cmd->options, name) && !command_shared(a->cmd, name))
            return say(GCAST_USAGE, "--%s needs a workload, not an AMALTHEA model", name);
    }
    return GCAST_OK;
}

/* --kernels, --core, --wait, --chain and others add to the model or change it. */

/* --kernels FILE, and --kernels fill. */
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

/* Replaces "gpu" by the name of the model's GPU. */
static gcast_status name_gpu(const am_model *m, sys_given *g)
{
    for (size_t i = 0; i < g->task_count; i++) {
        sys_given_task *t = (sys_given_task *)&g->tasks[i];
        if (!t->core || strcmp(t->core, "gpu") != 0 || is_unit(m, "gpu"))
            continue;
        const char *unit = gpu_unit(m);
        if (!unit)
            return say(GCAST_USAGE, "task %s cannot be put on the GPU: the model has no GPU", t->name);
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

/* --wait, for all tasks. */
static gcast_status set_wait(const args *a, const am_model *m, sys_given *g)
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

/* --chain A,B,C */
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

/* Reads the file of --kernels, and changes it by the other options. Errors are printed. Free it with given_free. */
static gcast_status given_from_args(const args *a, const am_model *m, sys_given **g)
{
    *g = NULL;
    gcast_status status = read_kernels(a, g);
    if (status == GCAST_OK)
        status = read_numbers(a, *g);
    if (status == GCAST_OK)
        status = set_wait(a, m, *g);
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

/* The GPU of --gpu, with only the SMs of --sms; NULL without --gpu. */
static gcast_status load_gpu(const args *a, gcast_gpu **gpu)
{
    gcast_error err;
    int64_t sms = 0;
    const char *name = args_value(a, "gpu");
    gcast_status status = args_int(a, "sms", 1, GCAST_MAX_SMS, &sms);
    if (status != GCAST_OK)
        return status;
    if (!name && sms)
        return say(GCAST_USAGE, "--sms needs --gpu");
    if (name && gcast_gpu_load(name, gpu, &err) != GCAST_OK)
        return say_error(&err);
    if (sms && gcast_gpu_partition(*gpu, (int)sms, &err) != GCAST_OK)
        return say(GCAST_USAGE, "--sms %lld: %s has %d SMs", (long long)sms, (*gpu)->name, (*gpu)->sms);
    return GCAST_OK;
}

/* Reads the model of the operands and the options, but makes no system. */
static gcast_status opened_model_from_args(const args *a, opened_system *o)
{
    gcast_error err;
    *o = (opened_system){0};
    gcast_status status = load_gpu(a, &o->gpu);
    if (status == GCAST_OK && amalthea_read(a->operands, a->operand_count, &o->model, &err) != GCAST_OK)
        status = say_error(&err);
    if (status == GCAST_OK)
        status = given_from_args(a, o->model, &o->given);
    if (status != GCAST_OK)
        opened_system_free(o);
    return status;
}

gcast_status opened_system_from_args(const args *a, opened_system *o)
{
    gcast_error err;
    gcast_status status = opened_model_from_args(a, o);
    if (status == GCAST_OK && amalthea_system(o->model, o->gpu, o->given, &o->s, &err) != GCAST_OK) {
        status = say_error(&err);
        opened_system_free(o);
    }
    return status;
}

void opened_system_free(opened_system *o)
{
    system_free(o->s);
    given_free(o->given);
    if (o->model)
        amalthea_free(o->model);
    gcast_gpu_free(o->gpu);
    *o = (opened_system){0};
}

gcast_status say_system_error(const sys_system *s, gcast_error *err)
{
    if (!err->file[0])
        snprintf(err->file, sizeof err->file, "%s", s->source);
    return say_error(err);
}

/* A model becomes a workload: its part on the GPU, or its kernels as method thesis takes them. */

const option_spec convert_system_shared[] = {
    {"output", 0, NULL, "write the tasks on the GPU; - is standard output"},
    {"to", 0, NULL, NULL},
    {"force", 0, NULL, NULL},
    {"gpu", 0, NULL, NULL},
    {"sms", 0, NULL, NULL},
    {NULL, 0, NULL, NULL},
};

/* Are there bounds on when tasks on the GPU are released? */
static bool releases_known(const sys_answer *r)
{
    for (size_t i = 0; i < r->of->task_count; i++)
        if (r->places[i].core == SYS_GPU && r->tasks[i].release_max_ns == SYS_UNBOUNDED)
            return false;
    return true;
}

static bool has_gpu_tasks(const sys_system *s)
{
    for (size_t i = 0; i < s->task_count; i++)
        if (s->places[i].core == SYS_GPU)
            return true;
    return false;
}

static gcast_status make_workload(const sys_system *s, gcast_workload **w)
{
    gcast_error err;
    sys_answer *r;
    sys_analyze_options o = system_analyze_options_default();
    if (!has_gpu_tasks(s))
        return say(GCAST_INPUT, "%s: no task is on the GPU", s->source);
    if (s->sharing == SYS_SLICES)
        return say(GCAST_INPUT,
                   "%s: contexts share the GPU by time slices, which a workload cannot express; \"sharing\": "
                   "\"streams\" in the file of --kernels treats them as one",
                   s->source);
    o.gpu_method = GCAST_METHOD_BOUND;
    if (system_analyze(s, NULL, &o, &r, &err) != GCAST_OK)
        return say_system_error(s, &err);
    bool known = releases_known(r);
    if (!known)
        say_note("no bound is known for the release of tasks on the GPU: the workload releases them with the tasks "
                 "that start them");
    gcast_status status = system_gpu_workload(s, r->places, known ? r->tasks : NULL, w, NULL, &err);
    if (status != GCAST_OK)
        say_system_error(s, &err);
    system_answer_free(r);
    return status;
}

gcast_status model_workload_from_args(const args *a, gcast_workload **w, gcast_gpu **gpu)
{
    opened_system opened;
    *w = NULL;
    *gpu = NULL;
    gcast_status status = opened_system_from_args(a, &opened);
    if (status != GCAST_OK)
        return status;
    status = make_workload(opened.s, w);
    if (status == GCAST_OK) {
        *gpu = opened.gpu;
        opened.gpu = NULL;
    }
    opened_system_free(&opened);
    return status;
}

gcast_status model_thesis_from_args(const args *a, gcast_workload **w, gcast_gpu **gpu, int64_t **periods)
{
    gcast_error err;
    opened_system opened;
    *w = NULL;
    *gpu = NULL;
    *periods = NULL;
    gcast_status status = opened_model_from_args(a, &opened);
    if (status != GCAST_OK)
        return status;
    if (!opened.gpu)
        status = say(GCAST_USAGE, "%s names no GPU: give --gpu NAME (gridcast gpus lists the names)", a->operands[0]);
    else if (amalthea_thesis(opened.model, opened.gpu, opened.given, w, periods, &err) != GCAST_OK)
        status = say_error(&err);
    if (status == GCAST_OK) {
        *gpu = opened.gpu;
        opened.gpu = NULL;
    }
    opened_system_free(&opened);
    return status;
}
