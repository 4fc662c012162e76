#include "analyze/system/effects/task_effects.h"

/* Groups of tasks that touch each other, as trees: each task's entry leads towards that of its group. */
typedef struct task_groups {
    int *parent;
} task_groups;

static int group_of(task_groups *g, int task)
{
    while (g->parent[task] != task)
        task = g->parent[task] = g->parent[g->parent[task]];
    return task;
}

static void join(task_groups *g, int a, int b)
{
    g->parent[group_of(g, a)] = group_of(g, b);
}

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
        join(g, i, *first);
        if (s->tasks[i].trigger != SYS_NONE)
            join(g, i, s->tasks[i].trigger);
    }
}

bool task_loses_jobs(const system_work *x, int task)
{
    const sys_task *of = &x->s->tasks[task];
    const task_state *t = &x->tasks[task];
    return of->activation_limit && less(t->worst, t->release_min) > product_of(of->activation_limit, of->period_ns);
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
