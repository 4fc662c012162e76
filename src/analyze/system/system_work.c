/* Memory of an analysis, in one block that the next analysis uses again. */
#include "analyze/system/system_work.h"

#include <stdalign.h>
#include <stdlib.h>

#include "analyze/system/gpu_cache.h"

/* Hands out parts of one block; without a block it only counts their size. */
typedef struct taker {
    char *block;
    size_t used;
} taker;

static void *take_memory(taker *t, size_t count, size_t size)
{
    const size_t unit = alignof(max_align_t);
    void *p = t->block ? t->block + t->used : NULL;
    t->used += (count * size + unit - 1) / unit * unit;
    return p;
}

static void take_all(system_work *x, taker *t)
{
    size_t tasks = x->s->task_count + 1, steps = x->step_count + tasks; /* a task has one piece more than waits */
    x->tasks = take_memory(t, tasks, sizeof *x->tasks);
    x->steps = take_memory(t, steps, sizeof *x->steps);
    x->pieces = take_memory(t, steps, sizeof *x->pieces);
    x->bursts = take_memory(t, steps, sizeof *x->bursts);
    x->order = take_memory(t, tasks, sizeof *x->order);
    x->single = take_memory(t, steps, sizeof *x->single);
    x->grouped = take_memory(t, steps, sizeof *x->grouped);
    x->group_end = take_memory(t, steps, sizeof *x->group_end);
    x->group_of = take_memory(t, tasks, sizeof *x->group_of);
    x->own = take_memory(t, steps, sizeof *x->own);
    x->releases = take_memory(t, tasks, sizeof *x->releases);
    x->loads = take_memory(t, tasks, sizeof *x->loads);
    x->gpu_key = take_memory(t, 4 * tasks + steps, sizeof *x->gpu_key);
}

int system_trigger_step(const sys_system *s, int task, int other)
{
    for (int j = other; s->tasks[j].arrival == SYS_TRIGGERED; j = s->tasks[j].trigger)
        if (s->tasks[j].trigger == task)
            return (int)s->tasks[j].trigger_step;
    return -1;
}

bool system_work_init(system_work *x)
{
    taker t = {0};
    sys_gpu_cache *cache = x->cache;
    for (size_t i = 0; i < x->s->task_count; i++)
        x->step_count += x->s->tasks[i].step_count;
    take_all(x, &t);
    if (cache->scratch_size < t.used) {
        void *grown = realloc(cache->scratch, t.used);
        if (!grown)
            return false;
        cache->scratch = grown;
        cache->scratch_size = t.used;
    }
    t = (taker){.block = cache->scratch};
    take_all(x, &t);
    return true;
}
