#include "measure/latency/measure_latencies.h"

#include "base/clock.h"
#include "base/minmax.h"
#include "measure/latency/latency_batch.h"
#include "measure/latency/latency_session.h"
#include "measure/latency/long_copies.h"
#include "measure/latency/quantiles_of.h"

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

/* How far the work is, by the time that calls should take. */
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

/* The host is idle first, then busy; in both cases the GPU is idle first, then busy. Returns the number of calls. */
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

/* In batches, until there are as many calls as planned or half as much time again has passed as they should take. */
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
