/* Windows job by job: where offsets and periods say when others can be ready. Each job of the task in a hyperperiod is
 * looked at, with all windows that can reach it. */
#include "analyze/system/cores/core_level.h"
#include "base/checked.h"

#define MOST_JOBS 100000 /* of a task in a hyperperiod, beyond which offsets are left out */

/* A job of the task that is looked at. */
typedef struct one_job {
    core_level *l;
    const level_part *part;
    size_t own_count;
    int64_t nominal; /* of its root */
    int64_t base, reach;
    level_end limit; /* that is known without offsets */
    level_end e;     /* the latest so far, of all jobs */
} one_job;

static int64_t offset_of(const core_level *l, const core_burst *b)
{
    return l->x->s->tasks[b->root].offset_ns;
}

/* What bursts of other roots execute in a window that begins at `at`. */
static int64_t others_at(const core_level *l, int64_t at, int64_t w)
{
    int64_t sum = 0;
    for (size_t i = 0; i < l->lone_count; i++) {
        const core_burst *b = l->lone[i];
        int64_t jobs = b->sporadic ? level_any_jobs(b, w) : level_jobs_from(b, INT64_MAX, at - offset_of(l, b), w);
        sum = sum_of(sum, product_of(jobs, b->most));
    }
    for (size_t i = 0; l->group_count && i < l->group_end[l->group_count - 1]; i++) {
        const core_burst *b = l->joint[i];
        sum = sum_of(sum, product_of(level_jobs_from(b, INT64_MAX, at - offset_of(l, b), w), b->most));
    }
    return sum;
}

/* A window that begins so long after the job's nominal release. */
static void look(one_job *j, int64_t begin)
{
    core_level *l = j->l;
    int64_t w = j->base, terms = (int64_t)(l->lone_count + j->own_count) + 1;
    if (l->group_count)
        terms += (int64_t)l->group_end[l->group_count - 1];
    while ((l->x->offset_patience -= terms) > 0) {
        int64_t own = level_own_demand(l, j->own_count, begin, w);
        int64_t next = sum_of(j->base, sum_of(own, others_at(l, j->nominal + begin, w)));
        if (next <= w) {
            j->e.end = max_i64(j->e.end, sum_of(begin, w));
            j->e.own = max_i64(j->e.own, min_i64(w, begin + w - j->part->ready_min));
            return;
        }
        if (next > l->cap)
            break;
        w = next;
    }
    j->e.why = WHY_GIVES_UP;
}

/* Is anything to be won yet? */
static bool goes_on(const one_job *j)
{
    return j->e.why == WHY_BOUNDED && (j->e.end < j->limit.end || j->e.own < j->limit.own);
}

/* Windows that begin when a burst is ready at its latest, at `ready` and whole periods before, seen from the job. */
static void look_from(one_job *j, int64_t ready, int64_t period, int64_t first_job)
{
    int64_t k = max_i64(first_job, ceil_div(ready - j->part->ready_max, period));
    for (int64_t begin = ready - k * period; begin >= j->part->ready_min - j->reach && goes_on(j); begin -= period)
        look(j, begin);
}

static void look_at_job(one_job *j)
{
    const core_level *l = j->l;
    look(j, j->part->ready_max);
    for (size_t i = 0; i < j->own_count && goes_on(j); i++) {
        const own_term *term = &l->own[i];
        look_from(j, term->burst->ready_max, term->burst->period, term->last == INT64_MAX ? INT64_MIN : -term->last);
    }
    for (size_t i = 0; i < l->lone_count && goes_on(j); i++) {
        const core_burst *b = l->lone[i];
        if (!b->sporadic)
            look_from(j, b->ready_max + offset_of(l, b) - j->nominal, b->period, INT64_MIN);
    }
    for (size_t i = 0; l->group_count && i < l->group_end[l->group_count - 1] && goes_on(j); i++) {
        const core_burst *b = l->joint[i];
        look_from(j, b->ready_max + offset_of(l, b) - j->nominal, b->period, INT64_MIN);
    }
}

/* Jobs of the task until all periodic ones of its level are as they were; 0: too many. */
static int64_t jobs_in_hyperperiod(const core_level *l)
{
    int64_t own = l->x->s->tasks[l->task].period_ns, all = own;
    for (size_t i = 0; i < l->lone_count + (l->group_count ? l->group_end[l->group_count - 1] : 0); i++) {
        const core_burst *b = i < l->lone_count ? l->lone[i] : l->joint[i - l->lone_count];
        if (b->sporadic)
            continue;
        int64_t step = b->period / common_divisor(all, b->period);
        if (!checked_mul(all, step, &all) || all >= TIME_LIMIT || all / own > MOST_JOBS)
            return 0;
    }
    return all / own;
}

void level_use_offsets(core_level *l, const level_part *part, size_t own_count, int64_t base, int64_t reach,
                       level_end *e)
{
    const sys_task *of = &l->x->s->tasks[l->task];
    int64_t jobs = l->x->use_offsets && l->lone_count + l->group_count ? jobs_in_hyperperiod(l) : 0;
    if (!jobs || l->x->s->tasks[of->root].arrival == SYS_SPORADIC)
        return;
    one_job j = {.l = l, .part = part, .own_count = own_count, .base = base, .reach = reach, .limit = *e};
    j.e = (level_end){.end = INT64_MIN};
    for (int64_t n = 0; n < jobs && goes_on(&j); n++) {
        j.nominal = l->x->s->tasks[of->root].offset_ns + n * of->period_ns;
        look_at_job(&j);
    }
    if (j.e.why != WHY_BOUNDED)
        return;
    e->end = min_i64(e->end, j.e.end);
    e->own = min_i64(e->own, j.e.own);
}
