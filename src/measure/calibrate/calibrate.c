/* gcast_calibration_measure runs the probes, each in a session of its own, then kernels that launch kernels, and at
 * last many calls for their latencies. gcast_calibration_apply puts the results into a GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/arena.h"
#include "base/integers.h"
#include "measure/calibrate/latencies.h"
#include "measure/calibrate/observations.h"
#include "measure/calibrate/probes.h"
#include "measure/calibration.h"
#include "measure/devrt/child_runs.h"
#include "model/gpu.h"
#include "model/gpu_fields.h"

typedef struct owned_calibration {
    gcast_calibration c; /* first, so that a gcast_calibration is its handle */
    arena memory;        /* holds the order and the reach */
    gcast_gpu *gpu;      /* which was measured */
} owned_calibration;

#define PROBE_NS 400000000     /* of a probe, about */
#define MAX_REACH_DIFFERENCE 8 /* ns: halves that differ by more do not agree */
#define OVERLAP_PERCENT 50     /* of a copy's time: more of it counts as "at once" */

static const gcast_reading table[GCAST_READINGS] = {
#define X(id, name, unit, text) [GCAST_READ_##id] = {name, text, GCAST_UNIT_##unit, 0, 0, 0, 0},
    GCAST_READING_TABLE(X)
#undef X
};

/* Progress counts all probes, the kernels that launch kernels as one more, and latencies by their time. */
typedef struct probe_progress {
    const gcast_measure_options *options; /* of the caller */
    size_t probe; /* the current one; probe_count: kernels that launch kernels; then latencies */
} probe_progress;

static bool report_progress(void *data, double fraction)
{
    const probe_progress *t = data;
    double latencies = (double)t->options->latency_ns / PROBE_NS, all = (double)(probe_count + 1) + latencies;
    double done = (double)t->probe + (t->probe > probe_count ? latencies : 1) * fraction;
    return t->options->progress(t->options->progress_data, done / all);
}

/* Runs a probe and learns from its runs. Those of the first probe tell which GPU it is. */
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

/* Measures kernels that launch kernels. Where that cannot be done, the calibration goes on without them. */
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

/* gcast_calibration_apply sets fields of a GPU, and replaces the sources of each. */

typedef struct sources {
    gcast_source *at; /* in the memory of the GPU */
    size_t count;     /* of sources */
} sources;

/* Removes a word from `fields`, which are separated by spaces. */
static void drop_word(char *fields, const char *word)
{
    size_t n = strlen(word);
    for (char *p = fields; (p = strstr(p, word));) {
        bool starts = p == fields || p[-1] == ' ', ends = p[n] == ' ' || !p[n];
        if (!starts || !ends) {
            p += n;
            continue;
        }
        char *after = p + n + (p[n] == ' ');
        memmove(p, after, strlen(after) + 1);
    }
    size_t length = strlen(fields);
    if (length && fields[length - 1] == ' ')
        fields[length - 1] = '\0';
}

/* Removes a field from all sources. */
static bool drop_sources(gcast_gpu *gpu, sources *s, const char *field)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        char *fields = arena_strdup(gpu->memory, s->at[i].fields);
        if (!fields)
            return false;
        drop_word(fields, field);
        if (*fields)
            s->at[kept++] = (gcast_source){fields, s->at[i].text};
    }
    s->count = kept;
    return true;
}

/* Adds a source for a field that has others. */
static bool append_source(gcast_gpu *gpu, sources *s, const char *field, const char *text)
{
    s->at[s->count++] = (gcast_source){field, arena_strdup(gpu->memory, text)};
    gpu->sources = s->at;
    gpu->source_count = s->count;
    return s->at[s->count - 1].text != NULL;
}

/* Adds the only source of a field. */
static bool add_source(gcast_gpu *gpu, sources *s, const char *field, const char *text)
{
    return drop_sources(gpu, s, field) && append_source(gpu, s, field, text);
}

/* Applies the longest of many times, as it need not be rare. */
static bool apply_longest(gcast_gpu *gpu, sources *s, const gcast_reading *r)
{
    char text[160];
    const gpu_field *field = gpu_field_find(r->name);
    if (!r->samples || !field || !gpu_field_set(gpu, field, max_i64(r->max, field->lo)))
        return true;
    snprintf(text, sizeof text, "measured: the longest of %zu, %lld..%lld %%", r->samples, (long long)r->min,
             (long long)r->max);
    return add_source(gpu, s, field->key, text);
}

static bool apply_number(gcast_gpu *gpu, sources *s, const gcast_reading *r)
{
    char text[160];
    const gpu_field *field = gpu_field_find(r->name);
    static const char *const units[] = {[GCAST_UNIT_NS] = " ns",
                                        [GCAST_UNIT_PS] = " ps",
                                        [GCAST_UNIT_RATE] = " bytes/s",
                                        [GCAST_UNIT_PERCENT] = " %",
                                        [GCAST_UNIT_COUNT] = ""};
    if (!r->samples || !field || !gpu_field_set(gpu, field, r->median))
        return true;
    snprintf(text, sizeof text, "measured: median of %zu, %lld..%lld%s", r->samples, (long long)r->min,
             (long long)r->max, units[r->unit]);
    return add_source(gpu, s, field->key, text);
}

static bool apply_engines(gcast_gpu *gpu, sources *s, const gcast_reading *opposite, const gcast_reading *same)
{
    char text[200];
    if (!opposite->samples || !same->samples)
        return true;
    bool at_once = opposite->median > OVERLAP_PERCENT;
    if (!at_once)
        gpu->copy_engines = 1;
    else if (gpu->copy_engines < 2)
        gpu->copy_engines = 2;
    snprintf(text, sizeof text,
             "measured: copies of opposite directions run %s (median of %zu), two of one direction %s (median of %zu)",
             at_once ? "at once" : "one after another", opposite->samples,
             same->median > OVERLAP_PERCENT ? "one after another" : "at once", same->samples);
    return add_source(gpu, s, "copy_engines", text);
}

bool gcast_calibration_stable(const gcast_calibration *c)
{
    if (!c)
        return false;
    return c->order && c->same_places * 2 >= c->gpu->sms;
}

static gcast_status apply_order(gcast_gpu *gpu, sources *s, const gcast_calibration *c, gcast_error *err)
{
    char text[160];
    bool stable = gcast_calibration_stable(c);
    gcast_status status = stable ? gcast_gpu_set_tie_list(gpu, c->order, gpu->sms, err) : GCAST_OK;
    if (!c->order || status != GCAST_OK)
        return status;
    if (c->orders == 1)
        snprintf(text, sizeof text, "measured: the same in %zu launches", c->launches);
    else
        snprintf(text, sizeof text, "%s %zu orders in %zu launches, which agree in %d of %d places",
                 stable ? "measured: the most frequent of" : "not measurable:", c->orders, c->launches, c->same_places,
                 gpu->sms);
    return add_source(gpu, s, "tie_order", text) ? GCAST_OK : gcast_error_set_memory(err);
}

bool gcast_calibration_reaches(const gcast_calibration *c)
{
    if (!c)
        return false;
    return c->reach && c->reach_difference_ns <= MAX_REACH_DIFFERENCE;
}

static gcast_status apply_reach(gcast_gpu *gpu, sources *s, const gcast_calibration *c, gcast_error *err)
{
    char text[160];
    if (!gcast_calibration_reaches(c))
        return GCAST_OK;
    gcast_status status = gcast_gpu_set_reach(gpu, c->reach, gpu->sms, err);
    if (status != GCAST_OK)
        return status;
    snprintf(text, sizeof text, "measured: means of two halves, which differ by %d ns at most", c->reach_difference_ns);
    return add_source(gpu, s, "reach_ns", text) ? GCAST_OK : gcast_error_set_memory(err);
}

/* Applies the latencies of launches or of copies, with one source per condition. */
static bool apply_latency(gcast_gpu *gpu, sources *s, const gcast_calibration *c, const char *field, bool launches)
{
    static const char *const calls[GCAST_CALLS] = {"launches", "copies to the device", "copies to the host"};
    const gcast_latency *all = launches ? &c->launch_quantiles : &c->copy_quantiles;
    if (!all->samples)
        return true;
    *(launches ? &gpu->launch_quantiles : &gpu->copy_quantiles) = *all;
    bool ok = drop_sources(gpu, s, field);
    for (size_t i = 0; i < c->condition_count && ok; i++) {
        const gcast_latency_condition *at = &c->conditions[i];
        const gcast_latency *l = &at->latency;
        char text[200];
        if ((at->call == GCAST_CALL_LAUNCH) != launches)
            continue;
        snprintf(text, sizeof text, "measured: %lld %s %lld us after the last, GPU %s, host %s: %lld..%lld ns",
                 (long long)l->samples, calls[at->call], (long long)(at->pause_ns / 1000),
                 at->gpu_busy ? "busy" : "idle", at->host_busy ? "busy" : "idle", (long long)l->min_ns,
                 (long long)l->max_ns);
        ok = append_source(gpu, s, field, text);
    }
    return ok;
}

gcast_status gcast_calibration_apply(const gcast_calibration *c, gcast_gpu *gpu, gcast_error *err)
{
    if (!c || !gpu)
        return argument_missing(err);
    size_t max_count = gpu->source_count + GCAST_READINGS + 3 + c->condition_count;
    sources s = {arena_alloc_array(gpu->memory, max_count, sizeof(gcast_source)), gpu->source_count};
    if (gpu->sms != c->gpu->sms)
        return gcast_error_set(err, GCAST_INPUT, "/sms", "measured on %d SMs, not %d", c->gpu->sms, gpu->sms);
    if (!s.at)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < s.count; i++)
        s.at[i] = gpu->sources[i];
    bool ok = true;
    for (size_t i = 0; i < GCAST_READINGS && ok; i++)
        ok = (i == GCAST_READ_COPY_SLOW ? apply_longest : apply_number)(gpu, &s, &c->readings[i]);
    ok = ok && apply_latency(gpu, &s, c, "launch_quantiles", true);
    ok = ok && apply_latency(gpu, &s, c, "copy_quantiles", false);
    latency_include(&gpu->launch_quantiles, gpu->launch_latency_ns);
    latency_include(&gpu->copy_quantiles, gpu->copy_latency_ns);
    ok = ok && apply_engines(gpu, &s, &c->readings[GCAST_READ_OVERLAP], &c->readings[GCAST_READ_SERIAL]);
    gcast_status status = ok ? apply_order(gpu, &s, c, err) : gcast_error_set_memory(err);
    return status == GCAST_OK ? apply_reach(gpu, &s, c, err) : status;
}
