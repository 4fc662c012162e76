#include "simulate/explain/sweep/front.h"

#include <stdlib.h>

#include "simulate/run_ops.h"

/* Those of a window are sorted by level and entry. */
bool explain_front_init(explain_front *f, const gcast_run *run, size_t run_op, const kernel_windows *w,
                        const kernel_numbers *window)
{
    int own_level = run_level(run, run_op);
    bool ok = true;
    *f = (explain_front){.level_count = own_level + 1};
    for (size_t i = 0; i < window->count && ok; i++) {
        const indexed_kernel *k = &w->kernels[window->at[i]];
        front_kernel x = {k->level, k->entry, k->run_op};
        if (k->level < own_level || (k->level == own_level && k->entry < run->ops[run_op].entry))
            ok = vec_push(&f->kernels, x);
    }
    f->next = calloc((size_t)f->level_count, sizeof *f->next);
    f->end = calloc((size_t)f->level_count, sizeof *f->end);
    if (!ok || !f->next || !f->end)
        return false;
    size_t index = 0;
    for (int level = 0; level < f->level_count; level++) {
        f->next[level] = index;
        while (index < f->kernels.count && f->kernels.at[index].level == level)
            index++;
        f->end[level] = index;
    }
    return true;
}

/* Kernels of a level are fully dispatched in the order in which they entered. */
size_t explain_front_at(explain_front *f, const gcast_run *run, int64_t time, int *level)
{
    for (*level = 0; *level < f->level_count; ++*level) {
        size_t *next = &f->next[*level];
        while (*next < f->end[*level] && run->ops[f->kernels.at[*next].run_op].dispatched_ns <= time)
            ++*next;
        if (*next < f->end[*level] && run->ops[f->kernels.at[*next].run_op].enter_ns <= time)
            return f->kernels.at[*next].run_op;
    }
    return SIZE_MAX;
}

void explain_front_free(explain_front *f)
{
    vec_free(&f->kernels);
    free(f->next);
    free(f->end);
}
