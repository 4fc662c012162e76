#include "measure/calibrate/latencies.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/compare.h"
#include "base/integers.h"
#include "measure/calibrate/latency_session.h"
#include "measure/calibrate/observations.h"
#include "measure/calibration.h"

/* Long copies show how far the time for bytes varies: their latency hardly counts. */

#define COPIES 1000                 /* of each direction under each load, in LATENCY_PLAN_NS */
#define WARM_UP 3                   /* copies each way that do not count: pages are touched for the first time */
#define MAX_NS INT64_C(10000000000) /* of the copies under one load */

/* Measures copies one way under one load. All other latencies have been measured, so progress is 1. */
static gcast_status measure_copies(latency_session *s, const gcast_latency_condition *c, const copy_fit *fit,
                                   samples *percents, gcast_error *err)
{
    if (s->options->progress && !s->options->progress(s->options->progress_data, 1))
        return gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
    int64_t usual_ns = max_i64(fit->overhead_ns + samples_bytes_ns(LATENCY_LONG_BYTES, fit->bytes_per_s), 1);
    int64_t count = latency_count(COPIES, s->options->latency_ns);
    size_t made;
    gcast_status status = latency_batch_time(s, c, (size_t)count, min_i64(count * usual_ns * 2, MAX_NS), &made, err);
    for (size_t i = 0; i < made && status == GCAST_OK; i++) {
        int64_t percent = (s->end_ns[i] - s->call_ns[i]) * 100 / usual_ns + 1;
        if (!vec_push(percents, percent))
            status = gcast_error_set_memory(err);
    }
    return status;
}

static gcast_status warm_up(latency_session *s, gcast_error *err)
{
    size_t made;
    gcast_status status = GCAST_OK;
    for (gcast_call_kind way = GCAST_CALL_H2D; way <= GCAST_CALL_D2H && status == GCAST_OK; way++)
        status = latency_batch_time(s, &(gcast_latency_condition){.call = way}, WARM_UP, MAX_NS, &made, err);
    return status;
}

/* Adds the time of each copy from its call until the host sees its end, in percent of the time by `copies`, rounded up;
 * with GPU and host idle and busy. Directions whose bandwidth is not known are left out. */
static gcast_status long_copies_measure(latency_session *s, const copy_fit copies[2], samples *percents,
                                        gcast_error *err)
{
    if (copies[0].bytes_per_s <= 0 && copies[1].bytes_per_s <= 0)
        return GCAST_OK;
    s->copy_bytes = LATENCY_LONG_BYTES;
    gcast_status status = warm_up(s, err);
    for (int load = 0; load < 4; load++)
        for (int way = 0; way < 2 && status == GCAST_OK; way++) {
            gcast_latency_condition c = {
                .call = way ? GCAST_CALL_D2H : GCAST_CALL_H2D, .gpu_busy = load % 2 == 1, .host_busy = load / 2 == 1};
            if (copies[way].bytes_per_s > 0)
                status = measure_copies(s, &c, &copies[way], percents, err);
        }
    s->copy_bytes = LATENCY_COPY_BYTES;
    return status;
}

static const int64_t one_in[] = {2, 10, 100, 1000, 10000, 100000, 1000000};
#define QUANTILES (sizeof one_in / sizeof one_in[0])
_Static_assert(QUANTILES <= GCAST_MAX_QUANTILES, "a GPU has room for these");

gcast_latency quantiles_of_samples(latency_samples *s)
{
    gcast_latency l = {.samples = (int64_t)s->longest_ns.count};
    int64_t *at = s->longest_ns.at;
    if (!l.samples)
        return l;
    qsort(at, s->longest_ns.count, sizeof *at, compare_i64);
    l.min_ns = min_i64(s->min_ns, at[0]);
    l.max_ns = at[l.samples - 1];
    for (size_t i = 0; i < QUANTILES && one_in[i] <= l.samples; i++)
        l.quantile[l.count++] = (gcast_quantile){one_in[i], at[l.samples - 1 - l.samples / one_in[i]]};
    return l;
}

gcast_latency quantiles_of_conditions(const gcast_latency_condition *conditions, size_t count, bool launches)
{
    gcast_latency all = {0};
    for (size_t i = 0; i < count; i++) {
        const gcast_latency *l = &conditions[i].latency;
        if ((conditions[i].call == GCAST_CALL_LAUNCH) != launches || !l->samples)
            continue;
        all.min_ns = all.samples ? min_i64(all.min_ns, l->min_ns) : l->min_ns;
        all.max_ns = max_i64(all.max_ns, l->max_ns);
        all.samples += l->samples;
        all.count = max_int(all.count, l->count);
        for (size_t q = 0; q < QUANTILES; q++) {
            int64_t ns = (int)q < l->count ? l->quantile[q].ns : l->max_ns;
            all.quantile[q] = (gcast_quantile){one_in[q], max_i64(all.quantile[q].ns, ns)};
        }
    }
    for (size_t q = (size_t)all.count; q < QUANTILES; q++)
        all.quantile[q] = (gcast_quantile){0};
    return all;
}

#define CALL_NS 30000      /* a call until its end is seen, about */
#define BATCH_NS 250000000 /* the clocks are aligned so often: they drift by microseconds per second */
#define MIN_BATCH_NS 2000000

/* How many calls are made after each pause, under each condition. */
static const struct {
    int64_t pause_ns; /* from the end of a call to the next call */
    int64_t launches; /* in LATENCY_PLAN_NS */
    int64_t copies;   /* of each direction, in LATENCY_PLAN_NS */
} pauses[] = {{0, 100000, 5000}, {20000, 50000, 5000}, {1000000, 3000, 300}, {20000000, 200, 30}};
#define PAUSES (sizeof pauses / sizeof pauses[0])
_Static_assert(LATENCY_CONDITIONS == GCAST_CALLS * PAUSES * 4, "one for each");

/* Progress counts the time that calls should take. */
typedef struct latency_progress {
    const gcast_measure_options *options; /* of the caller */
    int64_t done_ns;                      /* of conditions that are done */
    int64_t all_ns;                       /* of all conditions */
} latency_progress;

static gcast_status report_progress(const latency_progress *p, int64_t done_ns, gcast_error *err)
{
    const gcast_measure_options *o = p->options;
    if (!o->progress || o->progress(o->progress_data, (double)(p->done_ns + done_ns) / (double)p->all_ns))
        return GCAST_OK;
    return gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
}

/* Fills in condition i: the host is idle first, then busy; in both cases the GPU is idle first, then busy. Returns the
 * number of calls. */
static int64_t fill_condition(gcast_latency_condition *c, size_t i, int64_t budget_ns)
{
    size_t pause = i % PAUSES, kind = i / PAUSES % GCAST_CALLS, load = i / PAUSES / GCAST_CALLS;
    *c = (gcast_latency_condition){.call = (gcast_call_kind)kind,
                                   .pause_ns = pauses[pause].pause_ns,
                                   .gpu_busy = load % 2 == 1,
                                   .host_busy = load / 2 == 1};
    int64_t count = kind == GCAST_CALL_LAUNCH ? pauses[pause].launches : pauses[pause].copies;
    return latency_count(count, budget_ns);
}

static int64_t expected_ns(const gcast_latency_condition *c, int64_t count)
{
    return count * (c->pause_ns + CALL_NS);
}

/* Runs batches until there are as many calls as planned, or one and a half times the expected time has passed. */
static gcast_status measure_condition(latency_session *s, gcast_latency_condition *c, int64_t count,
                                      const latency_progress *p, gcast_error *err)
{
    int64_t stop = clock_now_ns() + expected_ns(c, count) * 3 / 2, made = 0;
    latency_samples seen = {.min_ns = -1};
    gcast_status status = GCAST_OK;
    while (status == GCAST_OK && made < count && (!made || clock_now_ns() < stop)) {
        int64_t batch_ns = min_i64(max_i64(expected_ns(c, count - made) * 5 / 4, MIN_BATCH_NS), BATCH_NS);
        status = report_progress(p, expected_ns(c, made), err);
        if (status == GCAST_OK)
            status = latency_batch_run(s, c, (size_t)(count - made), batch_ns, &seen, err);
        made = (int64_t)seen.longest_ns.count;
    }
    c->latency = quantiles_of_samples(&seen);
    vec_free(&seen.longest_ns);
    return status;
}

static gcast_status measure_all(latency_session *s, latency_results *out, gcast_error *err)
{
    latency_progress p = {.options = s->options};
    int64_t counts[LATENCY_CONDITIONS];
    for (size_t i = 0; i < LATENCY_CONDITIONS; i++) {
        counts[i] = fill_condition(&out->conditions[i], i, s->options->latency_ns);
        p.all_ns += expected_ns(&out->conditions[i], counts[i]);
    }
    gcast_status status = latency_warm_up(s, err);
    for (size_t i = 0; i < LATENCY_CONDITIONS && status == GCAST_OK; i++) {
        status = measure_condition(s, &out->conditions[i], counts[i], &p, err);
        p.done_ns += expected_ns(&out->conditions[i], counts[i]);
    }
    out->widest_ns = s->widest_ns;
    out->host_threads = s->load.count;
    return status;
}

gcast_status latencies_measure(int sms, const gcast_measure_options *options, const copy_fit copies[2],
                               latency_results *out, samples *slow, gcast_error *err)
{
    latency_session s;
    gcast_status status = latency_session_open(&s, sms, options, err);
    if (status != GCAST_OK)
        return status;
    for (size_t i = 0; i < 2; i++)
        s.copy_ns[i] = copies[i].overhead_ns +
                       (copies[i].bytes_per_s > 0 ? samples_bytes_ns(LATENCY_COPY_BYTES, copies[i].bytes_per_s) : 0);
    status = measure_all(&s, out, err);
    if (status == GCAST_OK)
        status = long_copies_measure(&s, copies, slow, err);
    latency_session_close(&s);
    return status;
}
