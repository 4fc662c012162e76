/* Sentences of an answer: why there is no bound, and what it rests on. */
#include "analyze/system/answer_texts.h"

#include <stdarg.h>
#include <stdio.h>

#include "analyze/system/effects/task_effects.h"
#include "analyze/system/gpu/gpu_cache.h"

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
            return system_sentence(memory, "the turns of other contexts leave too little of the GPU for it");
        int load = t->load > 1e6 ? 1000000000 : (int)(t->load * 1000 + 0.999);
        return system_sentence(memory,
                               "%.200s is overloaded: the code of the task and of those that go before it needs %d.%d "
                               "%% of its time or more",
                               core, load / 10, load % 10);
    }
    case WHY_PERIOD:
        return system_sentence(memory, "it waits for others, and may not have ended when it is released again");
    case WHY_RELEASE:
        return system_sentence(memory, "no bound is known for when %.200s triggers it", name_of(x, t->other));
    case WHY_WAITS:
        return system_sentence(memory, "no bound is known for how long it waits for %.200s", name_of(x, t->other));
    case WHY_INTERFERES:
        return system_sentence(memory,
                               "%.200s goes before it on %.200s, and no bound is known for when that is ready or ends",
                               name_of(x, t->other), core);
    case WHY_GPU:
        return system_sentence(memory, "the analysis of the GPU has no bound: %.400s", x->gpu_why_not);
    case WHY_TOO_LONG:
        return system_sentence(memory,
                               "%.200s may be busy with it and with what goes before it for more than 64 of the "
                               "longest period",
                               core);
    case WHY_GIVES_UP:
    case WHY_BOUNDED:
        break;
    }
    return system_sentence(memory, "the analysis gave up: it takes too many steps");
}

/* Waits that are said to hold the core, and would never end. */
static bool add_ended_waits(const system_work *x, sys_answer *a, const char **texts)
{
    for (size_t i = 0; i < x->piece_count; i++) {
        const core_piece *p = &x->pieces[i];
        int task = x->bursts[p->burst].task;
        if (p->waits_for == SYS_NONE || !p->suspends || !x->places[task].busy)
            continue;
        texts[a->assumption_count] = system_sentence(
            &a->memory,
            "%.200s does not hold its core while it waits for %.200s, which is on the same core and goes not "
            "before it: such a wait would never end",
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
