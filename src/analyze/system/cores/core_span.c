/* core_span_most: how long a part of a job takes from when the task has its core (docs/amalthea-analysis.md, 18). */
#include "analyze/system/cores/core_level.h"
#include "analyze/system/cores/core_response.h"

/* What is known of the steps of a span. */
typedef struct span_sum {
    int64_t most;      /* code, and waits that are not covered */
    int64_t last_most; /* code behind the last wait */
    bool waits;
    int64_t suspensions;
} span_sum;

static span_sum sum_up(const system_work *x, const core_span *span)
{
    const sys_task *of = &x->s->tasks[span->task];
    const core_piece *p = &x->pieces[x->tasks[span->task].first_piece];
    span_sum sum = {0};
    for (uint32_t i = span->first; i < span->end; i++) {
        if (of->steps[i].kind == SYS_RUN) {
            int64_t most = system_step_time(x->s, &of->steps[i], x->places[span->task].core).max_ns;
            sum.most = sum_of(sum.most, most);
            sum.last_most = sum_of(sum.last_most, most);
        } else if (of->steps[i].kind == SYS_WAIT) {
            while (p->first <= i)
                p++; /* the piece behind the wait begins with the step after it */
            sum.most = sum_of(sum.most, p->covered ? 0 : p->wait_most);
            sum.suspensions += !p->covered && p->suspends;
            sum.last_most = 0;
            sum.waits = true;
        }
    }
    return sum;
}

/* May it give way where executions of the system do not? */
static bool may_yield(const sys_task *of, const core_span *span)
{
    for (uint32_t i = span->first - (!span->starts && span->first); i < span->end; i++)
        if (of->steps[i].yields)
            return true;
    return false;
}

/* Does it keep its core all the time? */
static bool keeps_core(const system_work *x, const core_span *span, const span_sum *sum)
{
    const sys_task *of = &x->s->tasks[span->task];
    bool one_step = span->end == span->first + 1 && span->starts && !span->to_start;
    return !sum->waits && !may_yield(of, span) &&
           (of->preemption == SYS_NON_PREEMPTIVE || (of->preemption == SYS_COOPERATIVE && one_step) ||
            (!sum->most && !span->to_start));
}

int64_t core_span_most(system_work *x, const core_span *span)
{
    core_level l;
    if ((x->patience -= span->end - span->first) <= 0)
        return SYS_UNBOUNDED;
    span_sum sum = sum_up(x, span);
    if (keeps_core(x, span, &sum))
        return sum.most;
    level_make(x, span->task, &l);
    if (!l.may_be_alone || sum.most >= TIME_LIMIT)
        return SYS_UNBOUNDED;
    level_part part = {.ready_min = span->ready.min_ns,
                       .ready_max = span->ready.max_ns,
                       .step = span->end,
                       .alone = true,
                       .most = sum.most,
                       .instant = span->to_start || (sum.waits && !sum.last_most),
                       .blockings = sum.suspensions};
    return level_part_end(&l, &part).own;
}
