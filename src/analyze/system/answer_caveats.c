/* Effects of findings spread over groups of tasks; sentences of an answer. */
#include "analyze/system/answer_caveats.h"

#include <stdarg.h>
#include <stdio.h>

#include "analyze/system/gpu_cache.h"

/* Groups of tasks that affect each other: a union-find forest. */
typedef struct task_groups {
    int *parent; /* by task; a group's representative is its own parent */
} task_groups;

static int group_of(task_groups *g, int task)
{
    while (g->parent[task] != task)
        task = g->parent[task] = g->parent[g->parent[task]];
    return task;
}

static void join_groups(task_groups *g, int a, int b)
{
    g->parent[group_of(g, a)] = group_of(g, b);
}

/* first_on: by core, the GPU last: its first task, or SYS_NONE. */
static void find_groups(const system_work *x, task_groups *g, int *first_on)
{
    const sys_system *s = x->s;
    for (size_t i = 0; i <= s->core_count; i++)
        first_on[i] = SYS_NONE;
    for (int i = 0; (size_t)i < s->task_count; i++)
        g->parent[i] = i;
    for (int i = 0; (size_t)i < s->task_count; i++) {
        int core = x->places[i].core;
        int *first = &first_on[core == SYS_GPU ? (int)s->core_count : core];
        if (*first == SYS_NONE)
            *first = i;
        join_groups(g, i, *first);
        if (s->tasks[i].trigger != SYS_NONE)
            join_groups(g, i, s->tasks[i].trigger);
    }
}

/* Can more jobs of a task be pending than its activation limit? Further ones would be lost. */
static bool task_loses_jobs(const system_work *x, int task)
{
    const sys_task *def = &x->s->tasks[task];
    const task_state *t = &x->tasks[task];
    return def->activation_limit && minus(t->worst, t->release_min) > product_of(def->activation_limit, def->period_ns);
}

bool task_effects_find(const system_work *x, arena *memory, sys_task_answer *tasks)
{
    const sys_system *s = x->s;
    task_groups g = {arena_alloc_array(memory, s->task_count + 1, sizeof *g.parent)};
    int *first_on = arena_alloc_array(memory, s->core_count + 1, sizeof *first_on);
    unsigned *of_group = arena_alloc_array(memory, s->task_count + 1, sizeof *of_group), of_all = 0;
    if (!g.parent || !first_on || !of_group)
        return false;
    find_groups(x, &g, first_on);
    for (size_t i = 0; i < s->finding_count; i++) {
        const sys_finding *f = &s->findings[i];
        if (f->task >= 0)
            of_group[group_of(&g, f->task)] |= f->effects;
        else if (f->task == SYS_ALL_TASKS)
            of_all |= f->effects;
        else if (f->task == SYS_GPU_TASKS && first_on[s->core_count] != SYS_NONE)
            of_group[group_of(&g, first_on[s->core_count])] |= f->effects;
    }
    for (int i = 0; (size_t)i < s->task_count; i++)
        if (task_loses_jobs(x, i))
            of_group[group_of(&g, i)] |= SYS_CONDITION | SYS_APPROXIMATED;
    for (int i = 0; (size_t)i < s->task_count; i++)
        tasks[i].effects = of_group[group_of(&g, i)] | of_all | (s->loose ? SYS_APPROXIMATED : 0);
    return true;
}

gcast_deadline_verdict verdict_with_effects(gcast_deadline_verdict v, unsigned effects, bool grows, bool seen)
{
    unsigned against = SYS_ELSEWHERE | (seen ? SYS_APPROXIMATED : 0) | (grows ? 0 : SYS_LEFT_OUT);
    if (v == GCAST_DEADLINE_MET && effects & SYS_CONDITION)
        return GCAST_DEADLINE_MET_IF;
    return v == GCAST_DEADLINE_MISSED && effects & against ? GCAST_DEADLINE_OPEN : v;
}

unsigned limit_effects(const sys_task_answer *tasks, const sys_limit *l)
{
    unsigned effects = l->effects;
    if (l->kind == SYS_LIMIT_RESPONSE)
        effects |= tasks[l->task].effects;
    for (size_t i = 0; i < l->span_count; i++)
        effects |= tasks[l->spans[i].task].effects;
    if (l->kind == SYS_LIMIT_DELAY)
        effects |= tasks[l->source.task].effects | tasks[l->target.task].effects;
    return effects;
}

const char *system_sentence(arena *memory, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return arena_strdup(memory, text);
}

static const char *name_of(const system_work *x, int task)
{
    return task == SYS_NONE ? "another task" : x->s->tasks[task].name;
}

const char *system_why_not(const system_work *x, int task, arena *memory)
{
    const task_state *t = &x->tasks[task];
    const char *core = t->on_core ? x->s->cores[x->places[task].core].name : "the GPU";
    switch (t->why) {
    case WHY_OVERLOAD: {
        if (!t->on_core)
            return system_sentence(memory, "the time slices of other contexts leave too little of the GPU for it");
        int load = t->load > 1e6 ? 1000000000 : (int)(t->load * 1000 + 0.999);
        return system_sentence(memory,
                               "%.200s is overloaded: the code of the task and of tasks that run before it needs %d.%d "
                               "%% of its time or more",
                               core, load / 10, load % 10);
    }
    case WHY_PERIOD:
        return system_sentence(memory, "it waits for other tasks, and may not have ended when it is released again");
    case WHY_RELEASE:
        return system_sentence(memory, "no bound is known for the time at which %.200s triggers it",
                               name_of(x, t->other));
    case WHY_WAITS:
        return system_sentence(memory, "no bound is known for how long it waits for %.200s", name_of(x, t->other));
    case WHY_INTERFERES:
        return system_sentence(
            memory, "%.200s runs before it on %.200s, and no bound is known for the release or end of that task",
            name_of(x, t->other), core);
    case WHY_GPU:
        return system_sentence(memory, "the analysis of the GPU has no bound: %.400s", x->gpu_why_not);
    case WHY_TOO_LONG:
        return system_sentence(
            memory,
            "%.200s may be busy with it and with tasks that run before it for more than 64 times the longest period",
            core);
    case WHY_GIVES_UP:
    case WHY_BOUNDED:
        break;
    }
    return system_sentence(memory, "the analysis stopped: it takes too many steps");
}

/* Waits that should hold the core but would then never end. */
static bool add_ended_waits(const system_work *x, sys_answer *a, const char **texts)
{
    for (size_t i = 0; i < x->piece_count; i++) {
        const core_piece *p = &x->pieces[i];
        int task = x->bursts[p->burst].task;
        if (p->waits_for == SYS_NONE || !p->suspends || !x->places[task].busy)
            continue;
        texts[a->assumption_count] =
            system_sentence(&a->memory,
                            "%.200s does not hold its core while it waits for %.200s, which is on the same core and "
                            "does not run before it: such a wait would never end",
                            x->s->tasks[task].name, x->s->tasks[p->waits_for].name);
        if (!texts[a->assumption_count++])
            return false;
    }
    return true;
}

static bool add_lost_jobs(const system_work *x, sys_answer *a, const char **texts)
{
    for (int i = 0; (size_t)i < x->s->task_count; i++) {
        if (!task_loses_jobs(x, i))
            continue;
        texts[a->assumption_count] = system_sentence(
            &a->memory, "no job of %.200s is lost, though more may be pending than its activation limit of %d",
            x->s->tasks[i].name, x->s->tasks[i].activation_limit);
        if (!texts[a->assumption_count++])
            return false;
    }
    return true;
}

bool system_assumptions(const system_work *x, sys_answer *a)
{
    const gpu_ends *gpu = gpu_cache_last(x->cache);
    size_t most = x->piece_count + x->s->task_count + (gpu ? gpu->assumption_count : 0) + 2;
    const char **texts = arena_alloc_array(&a->memory, most, sizeof *texts);
    if (!texts)
        return false;
    a->assumptions = texts;
    texts[a->assumption_count++] =
        "each core runs the ready task of the highest priority, switches take no time, and tasks of equal priority run "
        "in any order";
    if (!add_ended_waits(x, a, texts) || !add_lost_jobs(x, a, texts))
        return false;
    for (size_t i = 0; gpu && i < gpu->assumption_count; i++)
        if (!(texts[a->assumption_count++] = system_sentence(&a->memory, "GPU: %.900s", gpu->assumptions[i])))
            return false;
    return true;
}
