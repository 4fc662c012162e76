#include "simulate/explain/sweep/kernel_switches.h"

#include <stdlib.h>

#include "simulate/run_ops.h"

static int by_time(const void *a, const void *b)
{
    const kernel_switch *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->run_op < y->run_op ? -1 : x->run_op > y->run_op;
}

bool explain_switches_init(explain_switches *s, const gcast_run *run)
{
    bool ok = true;
    *s = (explain_switches){.switch_ns = run->gpu->switch_ns};
    for (size_t i = 0; i < run_total(run) && s->switch_ns && ok; i++)
        if (!run->ops[i].skipped && run_spec(run, i)->kind == GCAST_KIND_KERNEL)
            ok = vec_push(&s->all, ((kernel_switch){run->ops[i].dispatched_ns, i}));
    if (s->all.count)
        qsort(s->all.at, s->all.count, sizeof *s->all.at, by_time);
    return ok;
}

void explain_switches_free(explain_switches *s)
{
    vec_free(&s->all);
}

size_t explain_switched_from(explain_switches *s, int64_t time)
{
    while (s->next < s->all.count && s->all.at[s->next].time + s->switch_ns <= time)
        s->next++;
    return s->next < s->all.count && s->all.at[s->next].time <= time ? s->all.at[s->next].run_op : SIZE_MAX;
}
