/* gcast_calibration_apply: sets fields of a GPU, and for each says where its value is from, in place of what was said
 * before. */
#include <stdio.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "base/arena.h"
#include "base/minmax.h"
#include "gridcast/calibrate.h"
#include "model/gpu/fields.h"
#include "model/gpu/latency.h"

#define MAX_REACH_DIFFERENCE 8 /* ns: halves that differ by more do not agree */
#define OVERLAP_PERCENT 50     /* of a copy's time: more of it counts as "at once" */

typedef struct sources {
    gcast_source *at; /* in the memory of the GPU */
    size_t count;     /* of these */
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

/* The longest of many, since nothing says that a time is rare. */
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

/* One source per condition. */
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
