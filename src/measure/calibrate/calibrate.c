/* gcast_calibration_measure: runs the probes, each in a session of its own, then kernels that launch kernels, and at
 * last many calls for their latencies. */
#include "gridcast/calibrate.h"

#include <stdlib.h>

#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "base/arena.h"
#include "measure/calibrate/probes.h"
#include "measure/calibrate/sm_order.h"
#include "measure/devrt/child_runs.h"
#include "measure/latency/measure_latencies.h"
#include "measure/latency/quantiles_of.h"

typedef struct owned_calibration {
    gcast_calibration c; /* first, so that a gcast_calibration is its handle */
    arena memory;        /* holds the order and the reach */
    gcast_gpu *gpu;      /* that was measured */
} owned_calibration;

static const gcast_reading table[GCAST_READINGS] = {
#define X(id, name, unit, text) [GCAST_READ_##id] = {name, text, GCAST_UNIT_##unit, 0, 0, 0, 0},
    GCAST_READING_TABLE(X)
#undef X
};

#define PROBE_NS 400000000 /* of a probe, about */

/* The progress of all probes, of the kernels that launch as one more, and of latencies by their time. */
typedef struct probe_progress {
    const gcast_measure_options *options; /* of the caller */
    size_t probe;                         /* the current one; probe_count: kernels that launch; then latencies */
} probe_progress;

static bool report_progress(void *data, double fraction)
{
    const probe_progress *t = data;
    double latencies = (double)t->options->latency_ns / PROBE_NS, all = (double)(probe_count + 1) + latencies;
    double done = (double)t->probe + (t->probe > probe_count ? latencies : 1) * fraction;
    return t->options->progress(t->options->progress_data, done / all);
}

/* The runs of the first probe tell which GPU it is. */
static gcast_status run_probe(owned_calibration *o, observations *l, const probe *p, int sms,
                              const gcast_measure_options *options, size_t repeat, gcast_error *err)
{
    gcast_workload *w;
    gcast_status status = probe_workload(p, sms, o->gpu, &w, err);
    if (status != GCAST_OK)
        return status;
    gcast_run **runs = calloc(repeat, sizeof(gcast_run *));
    status = runs ? gcast_workload_measure(w, options, runs, repeat, err) : gcast_error_set_memory(err);
    if (status == GCAST_OK && !o->gpu) {
        status = gcast_gpu_copy(runs[0]->gpu, &o->gpu, err);
        o->c.gpu = o->gpu;
    }
    for (size_t i = 0; i < repeat && status == GCAST_OK; i++)
        status = p->learn(l, runs[i], err);
    for (size_t i = 0; runs && i < repeat; i++)
        gcast_run_free(runs[i]);
    free(runs);
    gcast_workload_free(w);
    return status;
}

/* Kernels that launch kernels. The calibration is what it is without them. */
static gcast_status run_children(owned_calibration *o, observations *l, int sms, const gcast_measure_options *options,
                                 gcast_error *err)
{
    char reason[CHILD_REASON_BYTES] = "they are measured on the whole GPU only";
    gcast_status status = sms ? GCAST_OK : child_runs_measure(l, options, reason, err);
    if (status != GCAST_OK || !reason[0])
        return status;
    o->c.children_missing = arena_strdup(&o->memory, reason);
    return o->c.children_missing ? GCAST_OK : gcast_error_set_memory(err);
}

static gcast_status run_latencies(owned_calibration *o, observations *l, int sms, const gcast_measure_options *options,
                                  gcast_error *err)
{
    latency_results results;
    samples *r = l->readings;
    const copy_fit copies[] = {
        {samples_median(&r[GCAST_READ_H2D]), samples_median(&r[GCAST_READ_H2D_OVERHEAD])},
        {samples_median(&r[GCAST_READ_D2H]), samples_median(&r[GCAST_READ_D2H_OVERHEAD])},
    };
    if (options->latency_ns <= 0)
        return GCAST_OK;
    gcast_status status = latencies_measure(sms, options, copies, &results, &r[GCAST_READ_COPY_SLOW], err);
    if (status != GCAST_OK)
        return status;
    o->c.conditions = arena_copy(&o->memory, results.conditions, sizeof results.conditions);
    if (!o->c.conditions)
        return gcast_error_set_memory(err);
    o->c.condition_count = LATENCY_CONDITIONS;
    o->c.launch_quantiles = quantiles_of_conditions(results.conditions, LATENCY_CONDITIONS, true);
    o->c.copy_quantiles = quantiles_of_conditions(results.conditions, LATENCY_CONDITIONS, false);
    o->c.clocks_open_ns = results.widest_ns;
    o->c.host_threads = results.host_threads;
    return GCAST_OK;
}

/* Summarizes the observations. */
static gcast_status summarize(owned_calibration *o, observations *l, gcast_error *err)
{
    gcast_calibration *c = &o->c;
    for (size_t i = 0; i < GCAST_READINGS; i++) {
        gcast_reading *r = &c->readings[i];
        samples *s = &l->readings[i];
        *r = table[i];
        r->samples = s->count;
        r->median = samples_median(s);
        r->min = s->count ? s->at[0] : 0;
        r->max = s->count ? s->at[s->count - 1] : 0;
    }
    size_t sms = (size_t)c->gpu->sms;
    order_summary orders = orders_summarize(l->orders.at, l->orders.count / sms, c->gpu->sms);
    c->launches = orders.launches;
    c->orders = orders.distinct;
    c->same_places = orders.same_places;
    if (c->launches)
        c->order = arena_copy(&o->memory, &l->orders.at[orders.most_frequent * sms], sms * sizeof *c->order);
    if (c->launches && !c->order)
        return gcast_error_set_memory(err);
    int *reach = arena_alloc_array(&o->memory, sms, sizeof *reach);
    if (reach && reach_compute(&l->reach, c->gpu->sms, reach, &c->reach_difference_ns))
        c->reach = reach;
    return reach ? GCAST_OK : gcast_error_set_memory(err);
}

gcast_status gcast_calibration_measure(int sms, const gcast_measure_options *given, size_t repeat,
                                       gcast_calibration **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!out)
        return argument_missing(err);
    gcast_measure_options own = gcast_measure_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_measure_options", err);
    if (status != GCAST_OK)
        return status;
    observations l = {0};
    owned_calibration *o = calloc(1, sizeof *o);
    if (!o)
        return gcast_error_set_memory(err);
    o->c.memory = o;
    if (!repeat)
        repeat = 1;
    probe_progress t = {.options = &own};
    gcast_measure_options of_probe = own;
    if (of_probe.progress) {
        of_probe.progress = report_progress;
        of_probe.progress_data = &t;
    }
    for (; t.probe < probe_count && status == GCAST_OK; t.probe++) {
        if (own.progress && !report_progress(&t, 0))
            status = gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
        else
            status = run_probe(o, &l, &probes[t.probe], sms, &of_probe, repeat, err);
    }
    if (status == GCAST_OK)
        status = run_children(o, &l, sms, &of_probe, err);
    t.probe++;
    if (status == GCAST_OK)
        status = run_latencies(o, &l, sms, &of_probe, err);
    if (status == GCAST_OK)
        status = summarize(o, &l, err);
    observations_free(&l);
    if (status == GCAST_OK)
        *out = &o->c;
    else
        gcast_calibration_free(&o->c);
    return status;
}

void gcast_calibration_free(gcast_calibration *c)
{
    if (!c)
        return;
    owned_calibration *o = c->memory;
    gcast_gpu_free(o->gpu);
    arena_free(&o->memory);
    free(o);
}
