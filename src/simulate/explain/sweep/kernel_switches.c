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

bool explain_switches_init(explain_switches *s, const gcast_run *run, const kernel_windows *w,
                           const kernel_numbers *window)
{
    bool ok = true;
    *s = (explain_switches){.switch_ns = run->gpu->switch_ns};
    for (size_t i = 0; i < window->count && s->switch_ns && ok; i++) {
        size_t run_op = w->kernels[window->at[i]].run_op;
        ok = vec_push(&s->all, ((kernel_switch){run->ops[run_op].dispatched_ns, run_op}));
    }
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
