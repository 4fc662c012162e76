/* Releases of an op are its base, `period` apart, each up to `spread` later. */
#include "analyze/bound/event_counts.h"

#include "base/checked.h"

static wide spread(const bound_op *i)
{
    return i->period_ns ? i->jitter_ns : (wide)i->latest_release_ns - i->earliest_release_ns;
}

/* Are their nominal releases at no known distance of each other? */
static bool phase_is_open(const bound *b, const bound_op *i, const bound_op *k)
{
    return i->is_sporadic || k->is_sporadic || (i->op->task != k->op->task && b->options->any_phase);
}

/* How many numbers in (lo, hi] differ from `first` by a multiple of `step`? */
static wide in_step(wide lo, wide hi, wide first, wide step)
{
    return wide_max(wide_div_down(hi - first, step) - wide_div_down(lo - first, step), 0);
}

/* May i, released when k is, be called first? */
static bool wins_tie(const bound *b, const bound_op *i, const bound_op *k)
{
    bool no_hosts = i->op->host == GCAST_NO_HOST && k->op->host == GCAST_NO_HOST;
    if (k->period_ns)
        return true;
    if (i->op->host == k->op->host && !no_hosts)
        return i->index < k->index;
    return !no_hosts || b->options->any_order || (!i->period_ns && i->index < k->index);
}

/* The latest release of i in the window, after k's. */
static wide window_end(const bound *b, const bound_op *i, const bound_op *k, const bound_window *w)
{
    return w->called_before ? wide_min(w->after_ns, wins_tie(b, i, k) ? 0 : -1) : w->after_ns;
}

/* Both run once. */
static wide count_once(const bound *b, const bound_op *i, const bound_op *k, const bound_window *w)
{
    bool same_host = i->op->host == k->op->host && i->op->host != GCAST_NO_HOST;
    if (i == k || i->latest_release_ns + w->before_ns <= k->earliest_release_ns)
        return 0;
    if (same_host && i->awaited_from <= k->index && w->before_ns <= i->response_ns)
        return 0; /* it has ended before k is called */
    if (same_host && w->called_before && i->index > k->index)
        return 0;
    return i->earliest_release_ns <= k->latest_release_ns + window_end(b, i, k, w);
}

/* The jobs of one task are `period` apart, give or take the jitter; ops of one job are a fixed time apart. */
static wide count_same_task(const bound_op *i, const bound_op *k, const bound_window *w)
{
    wide end = w->called_before ? wide_min(w->after_ns, 0) : w->after_ns;
    wide distance = (wide)i->op->release_ns - k->op->release_ns;
    wide lo = -w->before_ns - i->jitter_ns - distance, hi = end + i->jitter_ns - distance;
    wide other_jobs = wide_div_down(hi, i->period_ns) - wide_div_down(lo, i->period_ns) - (lo < 0 && hi >= 0);
    bool same_job = i != k && distance > -w->before_ns && distance <= end;
    if (w->called_before)
        same_job = same_job && (distance < 0 || i->index < k->index);
    wide any_phase = wide_div_up(w->before_ns + end + i->jitter_ns, i->period_ns) - (i == k);
    if (i->is_sporadic)
        return wide_max(any_phase, 0);
    return wide_max(wide_min(other_jobs + same_job, any_phase), 0);
}

/* How many nominal releases of i, counted from that of k, are in (lo, hi]? They differ by that of the first releases
 * and a multiple of a step: the greatest common divisor of the periods or, where one of them runs once, the period. */
static wide in_phase(const bound_op *i, const bound_op *k, wide lo, wide hi)
{
    wide first = (wide)i->earliest_release_ns - k->earliest_release_ns;
    if (!k->period_ns) /* no job of i is before its first */
        return in_step(wide_max(lo, first - 1), hi, first, i->period_ns);
    if (!i->period_ns) /* no job of k is before its first */
        return in_step(lo, wide_min(hi, first), first, k->period_ns) > 0;
    wide periods = wide_div(hi - lo, i->period_ns), rest = hi - lo - periods * i->period_ns;
    return periods + (in_step(lo, lo + rest, first, common_divisor(i->period_ns, k->period_ns)) > 0);
}

wide bound_count_events(bound *b, const bound_op *i, const bound_op *k, const bound_window *w)
{
    b->steps++;
    if (i->never_called || w->before_ns + w->after_ns <= 0)
        return 0;
    if (!k->period_ns && !i->period_ns)
        return count_once(b, i, k, w);
    if (i->op->task == k->op->task)
        return count_same_task(i, k, w);
    wide end = window_end(b, i, k, w);
    if (end <= -w->before_ns)
        return 0;
    if (i->earliest_release_ns > k->latest_release_ns + end ||
        i->latest_release_ns + w->before_ns <= k->earliest_release_ns)
        return 0;
    wide any_phase = i->period_ns ? wide_div_up(w->before_ns + end + i->jitter_ns, i->period_ns) : 1;
    if (phase_is_open(b, i, k))
        return any_phase;
    return wide_min(any_phase, in_phase(i, k, -w->before_ns - spread(i), end + spread(k)));
}

wide bound_latest_release(const bound *b, const bound_op *i, const bound_op *k, const bound_window *w)
{
    wide end = window_end(b, i, k, w), first = (wide)i->earliest_release_ns - k->earliest_release_ns;
    if (!k->period_ns && !i->period_ns)
        return wide_min(end, (wide)i->latest_release_ns - k->earliest_release_ns);
    if (phase_is_open(b, i, k))
        return end;
    if (i->op->task != k->op->task) {
        int64_t step = common_divisor(i->period_ns, k->period_ns);
        wide hi = end + spread(k);
        return wide_min(end, first + wide_mul(step, wide_div_down(hi - first, step)) + spread(i));
    }
    wide same_job = i != k && first <= end ? first : -WIDE_HUGE;
    wide hi = end + i->jitter_ns - first, jobs = wide_div_down(hi, i->period_ns);
    jobs -= jobs == 0; /* it is another job */
    return wide_max(same_job, wide_min(end, first + wide_mul(jobs, i->period_ns) + i->jitter_ns));
}
