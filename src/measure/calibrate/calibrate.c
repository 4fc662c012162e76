/* gcast_calibration_measure: the probes one after another, each in a session of its own. */
#include "gridcast/calibrate.h"

#include <stdlib.h>

#include "base/api/options_copy.h"
#include "base/arena.h"
#include "measure/calibrate/probes.h"
#include "measure/calibrate/sm_order.h"

typedef struct owned_calibration {
    gcast_calibration c; /* first, so that a gcast_calibration is its handle */
    arena memory;
    gcast_gpu *gpu;
} owned_calibration;

static const gcast_reading table[GCAST_READINGS] = {
#define X(id, name, unit, text) [GCAST_READ_##id] = {name, text, GCAST_UNIT_##unit, 0, 0, 0, 0},
    GCAST_READING_TABLE(X)
#undef X
};

/* How much is done: of one probe after the other. */
typedef struct telling {
    const gcast_measure_options *options;
    size_t probe;
} telling;

static bool tell(void *data, double fraction)
{
    const telling *t = data;
    return t->options->progress(t->options->progress_data, ((double)t->probe + fraction) / (double)probe_count);
}

/* The first probe's runs tell what GPU it is. */
static gcast_status run_probe(owned_calibration *o, lessons *l, const probe *p, int sms,
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

static gcast_status conclude(owned_calibration *o, lessons *l, gcast_error *err)
{
    gcast_calibration *c = &o->c;
    for (size_t i = 0; i < GCAST_READINGS; i++) {
        gcast_reading *r = &c->readings[i];
        samples *s = &l->seen[i];
        *r = table[i];
        r->samples = s->count;
        r->median = samples_median(s);
        r->least = s->count ? s->at[0] : 0;
        r->most = s->count ? s->at[s->count - 1] : 0;
    }
    size_t sms = (size_t)c->gpu->sms;
    order_summary orders = orders_summarize(l->orders.at, l->orders.count / sms, c->gpu->sms);
    c->launches = orders.launches;
    c->orders = orders.distinct;
    c->same_places = orders.same_places;
    if (c->launches)
        c->order = arena_copy(&o->memory, &l->orders.at[orders.usual * sms], sms * sizeof *c->order);
    if (c->launches && !c->order)
        return gcast_error_set_memory(err);
    int *reach = arena_alloc_array(&o->memory, sms, sizeof *reach);
    if (reach && reach_settle(&l->reach, c->gpu->sms, reach, &c->reach_apart))
        c->reach = reach;
    return reach ? GCAST_OK : gcast_error_set_memory(err);
}

gcast_status gcast_calibration_measure(int sms, const gcast_measure_options *given, size_t repeat,
                                       gcast_calibration **out, gcast_error *err)
{
    gcast_measure_options own = gcast_measure_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_measure_options", err);
    if (status != GCAST_OK)
        return status;
    lessons l = {0};
    owned_calibration *o = calloc(1, sizeof *o);
    if (!o)
        return gcast_error_set_memory(err);
    o->c.memory = o;
    if (!repeat)
        repeat = 1;
    telling t = {.options = &own};
    gcast_measure_options told = own;
    if (told.progress) {
        told.progress = tell;
        told.progress_data = &t;
    }
    for (; t.probe < probe_count && status == GCAST_OK; t.probe++) {
        if (told.progress && !tell(&t, 0))
            status = gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
        else
            status = run_probe(o, &l, &probes[t.probe], sms, &told, repeat, err);
    }
    if (status == GCAST_OK)
        status = conclude(o, &l, err);
    lessons_free(&l);
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
