/* From a source to the next target, where both come with jobs of their own: for any phase, and job by job over a
 * hyperperiod where offsets are known. */
#include "analyze/system/limits/limit_delay.h"
#include "base/checked.h"

/* Jobs of the source after which it all repeats, with those that only the first target can follow; 0: not known, or too
 * many. */
static int64_t jobs_to_look_at(const limit_next *n)
{
    int64_t all, step = n->target.period / common_divisor(n->source.period, n->target.period);
    if (!n->fixed || n->source.sporadic || n->target.sporadic || n->from.max_ns == SYS_UNBOUNDED ||
        n->to.max_ns == SYS_UNBOUNDED || !checked_mul(n->source.period, step, &all) || all >= TIME_LIMIT)
        return 0;
    int64_t first_target = n->target.offset + max_i64(0, n->to.max_ns - n->from.min_ns - n->least);
    int64_t jobs = (max_i64(n->source.offset, first_target) + all) / n->source.period + 1;
    return jobs > n->most_jobs ? 0 : jobs;
}

/* A source that a job of the target just misses waits for the next one, a period later. */
static int64_t just_missed(const limit_next *n)
{
    return sum_of(n->least, sum_of(n->target.period - 1, n->to.max_ns - n->to.min_ns));
}

static int64_t most_of_job(const limit_next *n, int64_t nominal)
{
    int64_t first = nominal + n->from.min_ns, last = nominal + n->from.max_ns;
    int64_t job = max_i64(0, ceil_div(first + n->least - n->to.min_ns - n->target.offset, n->target.period));
    int64_t release = n->target.offset + job * n->target.period, most = release + n->to.max_ns - first;
    bool misses = release + n->to.min_ns - n->least < last;
    return misses ? max_i64(most, just_missed(n)) : most;
}

int64_t limit_next_most(const limit_next *n)
{
    if (n->target.sporadic || n->to.max_ns == SYS_UNBOUNDED)
        return SYS_UNBOUNDED;
    int64_t jobs = jobs_to_look_at(n), most = INT64_MIN;
    for (int64_t k = 0; k < jobs; k++)
        most = max_i64(most, most_of_job(n, n->source.offset + k * n->source.period));
    if (jobs)
        return most;
    int64_t begins = n->fixed ? n->target.offset - n->source.offset : n->target.period - 1;
    return max_i64(just_missed(n), sum_of(begins, n->to.max_ns - n->from.min_ns));
}

static int64_t least_of_job(const limit_next *n, int64_t nominal)
{
    int64_t first = nominal + n->from.min_ns + n->least;
    int64_t job = max_i64(0, ceil_div(first - n->to.max_ns - n->target.offset, n->target.period));
    int64_t release = n->target.offset + job * n->target.period;
    return max_i64(n->least, release + n->to.min_ns - nominal - n->from.max_ns);
}

int64_t limit_next_least(const limit_next *n)
{
    int64_t jobs = jobs_to_look_at(n), least = jobs ? INT64_MAX : n->least;
    for (int64_t k = 0; k < jobs; k++)
        least = min_i64(least, least_of_job(n, n->source.offset + k * n->source.period));
    return least;
}
