#include "analyze/system/system_work.h"

#include <stdalign.h>
#include <stdlib.h>

#include "analyze/system/gpu/gpu_cache_state.h"

/* Takes memory from one block, or only counts it where there is no block yet. */
typedef struct taker {
    char *block;
    size_t used;
} taker;

static void *take(taker *t, size_t count, size_t size)
{
    const size_t unit = alignof(max_align_t);
    void *p = t->block ? t->block + t->used : NULL;
    t->used += (count * size + unit - 1) / unit * unit;
    return p;
}

static void take_all(system_work *x, taker *t)
{
    size_t tasks = x->s->task_count + 1, steps = x->step_count + tasks; /* pieces: one more than waits, per task */
    x->tasks = take(t, tasks, sizeof *x->tasks);
    x->steps = take(t, steps, sizeof *x->steps);
    x->pieces = take(t, steps, sizeof *x->pieces);
    x->bursts = take(t, steps, sizeof *x->bursts);
    x->order = take(t, tasks, sizeof *x->order);
    x->lone = take(t, steps, sizeof *x->lone);
    x->joint = take(t, steps, sizeof *x->joint);
    x->group_end = take(t, steps, sizeof *x->group_end);
    x->group_of = take(t, tasks, sizeof *x->group_of);
    x->own = take(t, steps, sizeof *x->own);
    x->releases = take(t, tasks, sizeof *x->releases);
    x->loads = take(t, tasks, sizeof *x->loads);
    x->gpu_key = take(t, 4 * tasks + steps, sizeof *x->gpu_key);
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
