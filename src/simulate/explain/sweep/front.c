#include "simulate/explain/sweep/front.h"

#include <stdlib.h>

#include "simulate/run_ops.h"

static int by_turn(const void *a, const void *b)
{
    const front_kernel *x = a, *y = b;
    if (x->level != y->level)
        return x->level - y->level;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

bool explain_front_init(explain_front *f, const gcast_run *run, size_t me)
{
    int mine = run_level(run, me);
    bool ok = true;
    *f = (explain_front){.levels = mine + 1};
    for (size_t i = 0; i < run->op_count && ok; i++) {
        if (i == me || run->ops[i].skipped || run_spec(run, i)->kind != GCAST_KIND_KERNEL)
            continue;
        front_kernel k = {run_level(run, i), run->ops[i].entry, i};
        if (k.level < mine || (k.level == mine && k.entry < run->ops[me].entry))
            ok = vec_push(&f->all, k);
    }
    if (f->all.count)
        qsort(f->all.at, f->all.count, sizeof *f->all.at, by_turn);
    f->next = calloc((size_t)f->levels, sizeof *f->next);
    f->end = calloc((size_t)f->levels, sizeof *f->end);
    if (!ok || !f->next || !f->end)
        return false;
    size_t at = 0;
    for (int level = 0; level < f->levels; level++) {
        f->next[level] = at;
        while (at < f->all.count && f->all.at[at].level == level)
            at++;
        f->end[level] = at;
    }
    return true;
}

/* Kernels of a level enter, and start their last block, in the order of their entries. */
size_t explain_ahead(explain_front *f, const gcast_run *run, int64_t t, int *level)
{
    for (*level = 0; *level < f->levels; ++*level) {
        size_t *next = &f->next[*level];
        while (*next < f->end[*level] && run->ops[f->all.at[*next].run_op].dispatched_ns <= t)
            ++*next;
        if (*next < f->end[*level] && run->ops[f->all.at[*next].run_op].enter_ns <= t)
            return f->all.at[*next].run_op;
    }
    return SIZE_MAX;
}

void explain_front_free(explain_front *f)
{
    vec_free(&f->all);
    free(f->next);
    free(f->end);
}
