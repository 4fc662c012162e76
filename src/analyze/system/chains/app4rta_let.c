/* LET latencies as APP4RTA computes them. */
#include "analyze/system/state.h"

sys_app4rta_let system_app4rta_let(const sys_system *s, const sys_chain *chain)
{
    sys_app4rta_let l = {0};
    for (size_t i = 0; i < chain->task_count; i++) {
        int64_t period = s->tasks[chain->tasks[i]].period_ns;
        int64_t before = i ? s->tasks[chain->tasks[i - 1]].period_ns : 0;
        bool is_last = i + 1 == chain->task_count;
        l.best_ns = sum_of(l.best_ns, period);
        l.worst_ns = sum_of(l.worst_ns, is_last ? period : sum_of(period, period));
        l.initial_ns = sum_of(l.initial_ns, sum_of(period, min_i64(before, period)));
    }
    return l;
}
