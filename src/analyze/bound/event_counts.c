/* Counting events, lemma 5 of docs/bound.md. Releases of an op are its base, `period` apart,
 * each up to `spread` later. */
#include "analyze/bound/bound.h"
#include "base/checked.h"

static wide div_up(wide a, wide b)
{
    return (a + b - 1) / b;
}

static wide div_down(wide a, wide b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static wide spread(const bound_op *i)
{
    return i->period ? i->jitter : (wide)i->late - i->early;
}

/* How many numbers in (lo, hi] are `first` and a multiple of `step` apart? */
static wide in_step(wide lo, wide hi, wide first, wide step)
{
    return wide_max(div_down(hi - first, step) - div_down(lo - first, step), 0);
}

/* May i, released when k is, be called first? */
static bool wins_tie(const bound *b, const bound_op *i, const bound_op *k)
{
    bool no_hosts = i->op->host == GCAST_NO_HOST && k->op->host == GCAST_NO_HOST;
    if (k->period)
        return true;
    if (i->op->host == k->op->host && !no_hosts)
        return i->index < k->index;
    return !no_hosts || b->options->any_order || (!i->period && i->index < k->index);
}

/* The latest release that counts, after k's. */
static wide latest(const bound *b, const bound_op *i, const bound_op *k, bound_window w)
{
    return w.before ? wide_min(w.ahead, wins_tie(b, i, k) ? 0 : -1) : w.ahead;
}

/* Both run once. */
static wide once(const bound *b, const bound_op *i, const bound_op *k, bound_window w)
{
    bool same_host = i->op->host == k->op->host && i->op->host != GCAST_NO_HOST;
    if (i == k || i->late + w.back <= k->early)
        return 0;
    if (same_host && i->awaited <= k->index && w.back <= i->response)
        return 0; /* it has ended before k is called */
    if (same_host && w.before && i->index > k->index)
        return 0;
    return i->early <= k->late + latest(b, i, k, w);
}

/* The jobs of one task are `period` apart, give or take the jitter; in one job the distance is fixed. */
static wide same_task(const bound_op *i, const bound_op *k, bound_window w)
{
    wide reach = w.before ? wide_min(w.ahead, 0) : w.ahead, distance = (wide)i->op->release_ns - k->op->release_ns;
    wide lo = -w.back - i->jitter - distance, hi = reach + i->jitter - distance;
    wide others = div_down(hi, i->period) - div_down(lo, i->period) - (lo < 0 && hi >= 0);
    bool same_job = i != k && distance > -w.back && distance <= reach;
    if (w.before)
        same_job = same_job && (distance < 0 || i->index < k->index);
    wide any = div_up(w.back + reach + i->jitter, i->period) - (i == k);
    return wide_max(wide_min(others + same_job, any), 0);
}

/* Nominal releases of i, less that of k, are `first` apart and a multiple of `step`; of these, between lo and hi. */
static wide in_phase(const bound_op *i, const bound_op *k, wide lo, wide hi)
{
    wide first = (wide)i->early - k->early;
    if (!k->period) /* the first job of i comes first */
        return in_step(wide_max(lo, first - 1), hi, first, i->period);
    if (!i->period) /* and so does that of k */
        return in_step(lo, wide_min(hi, first), first, k->period) > 0;
    wide whole = (hi - lo) / i->period, rest = (hi - lo) % i->period;
    return whole + (in_step(lo, lo + rest, first, common_divisor(i->period, k->period)) > 0);
}

wide bound_count(bound *b, const bound_op *i, const bound_op *k, bound_window w)
{
    b->steps++;
    if (i->never || w.back + w.ahead <= 0)
        return 0;
    if (!i->period && !k->period)
        return once(b, i, k, w);
    if (i->op->task == k->op->task)
        return same_task(i, k, w);
    wide reach = latest(b, i, k, w);
    if (reach <= -w.back)
        return 0;
    if (i->early > k->late + reach || i->late + w.back <= k->early)
        return 0;
    wide any = i->period ? div_up(w.back + reach + i->jitter, i->period) : 1;
    return b->options->any_phase ? any : wide_min(any, in_phase(i, k, -w.back - spread(i), reach + spread(k)));
}

wide bound_latest(const bound *b, const bound_op *i, const bound_op *k, bound_window w)
{
    wide reach = latest(b, i, k, w), first = (wide)i->early - k->early;
    if (!i->period && !k->period)
        return wide_min(reach, (wide)i->late - k->early);
    if (i->op->task != k->op->task && b->options->any_phase)
        return reach;
    if (i->op->task != k->op->task) {
        int64_t step = common_divisor(i->period, k->period);
        wide hi = reach + spread(k);
        return wide_min(reach, first + wide_mul(step, div_down(hi - first, step)) + spread(i));
    }
    wide same = i != k && first <= reach ? first : -BOUND_HUGE;
    wide hi = reach + i->jitter - first, jobs = div_down(hi, i->period);
    jobs -= jobs == 0; /* another job */
    return wide_max(same, wide_min(reach, first + wide_mul(jobs, i->period) + i->jitter));
}
