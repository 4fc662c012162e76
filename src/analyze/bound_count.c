/* Counting events, lemma 5 of docs/bound.md. */
#include "analyze/bound.h"

static wide div_up(wide a, wide b)
{
    return (a + b - 1) / b;
}

static wide div_down(wide a, wide b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* Both run once: may the call of i come before that of k? */
static bool may_be_first(const bound *b, const bound_op *i, const bound_op *k)
{
    bool no_hosts = i->op->host == GCAST_NO_HOST && k->op->host == GCAST_NO_HOST;
    if (i->op->host == k->op->host && !no_hosts)
        return i->index < k->index;
    if (no_hosts && i->early == k->early)
        return b->options->any_order || i->index < k->index;
    return i->early <= k->late;
}

static wide once(const bound *b, const bound_op *i, const bound_op *k, wide back, wide ahead)
{
    if (i == k || i->late + back <= k->early)
        return 0;
    if (i->op->host == k->op->host && i->awaited <= k->index && back <= i->response)
        return 0; /* it has ended before k is called */
    return ahead == BOUND_BEFORE ? k->period || may_be_first(b, i, k) : i->early <= k->late + ahead;
}

/* The jobs of one task are `period` apart, give or take the jitter; in one job the distance is fixed. */
static wide same_task(const bound_op *i, const bound_op *k, wide back, wide ahead)
{
    wide reach = wide_max(ahead, 0), distance = (wide)i->op->release_ns - k->op->release_ns;
    wide lo = -back - i->jitter - distance, hi = reach + i->jitter - distance;
    wide others = div_down(hi, i->period) - div_down(lo, i->period) - (lo < 0 && hi >= 0);
    bool same_job = i != k && distance > -back;
    if (ahead == BOUND_BEFORE)
        same_job = same_job && (distance < 0 || (distance == 0 && i->index < k->index));
    else
        same_job = same_job && distance <= reach;
    wide any = div_up(back + reach + i->jitter, i->period) - (i == k);
    return wide_max(wide_min(others + same_job, any), 0);
}

wide bound_count(bound *b, const bound_op *i, const bound_op *k, wide back, wide ahead)
{
    b->steps++;
    if (!i->period)
        return once(b, i, k, back, ahead);
    if (i->op->task == k->op->task)
        return same_task(i, k, back, ahead);
    wide reach = wide_max(ahead, 0);
    return i->early > k->late + reach ? 0 : div_up(back + reach + i->jitter, i->period);
}

wide bound_distance(const bound_op *i, const bound_op *k)
{
    if (!i->period && !k->period)
        return wide_max((wide)k->early - i->late, 0);
    if (i->op->task != k->op->task)
        return 0;
    wide distance = (wide)k->op->release_ns - i->op->release_ns;
    bool same_job = i != k && (distance > 0 || (distance == 0 && i->index < k->index));
    wide other_job = wide_max(distance + i->period - i->jitter, 0);
    return same_job ? wide_min(distance, other_job) : other_job;
}
