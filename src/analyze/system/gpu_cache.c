/* Finds the GPU's ends by tasks, priorities and releases; makes missing ones by the methods for workloads. */
#include "analyze/system/gpu_cache.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/call_latency.h"
#include "analyze/exact/utilization.h"
#include "analyze/system/gpu_response.h"
#include "simulate/launchable.h"

#define MOST_ENTRIES 65536 /* with as many, all are forgotten */

sys_gpu_cache *system_gpu_cache_create(void)
{
    return calloc(1, sizeof(sys_gpu_cache));
}

static void forget_entries(sys_gpu_cache *cache)
{
    arena_free(&cache->memory);
    index_free(&cache->index);
    vec_free(&cache->entries);
    cache->memory = (arena){0};
    cache->last = NULL;
}

void gpu_cache_clear(sys_gpu_cache *cache)
{
    forget_entries(cache);
    free(cache->scratch);
    *cache = (sys_gpu_cache){0};
}

void system_gpu_cache_free(sys_gpu_cache *cache)
{
    if (!cache)
        return;
    gpu_cache_clear(cache);
    free(cache);
}

void gpu_cache_trim(sys_gpu_cache *cache)
{
    cache->last = NULL;
    if (cache->entries.count >= MOST_ENTRIES)
        forget_entries(cache);
}

/* For searches: rounds up by at most a sixteenth, so that similar releases share an entry. */
static int64_t rounded(int64_t jitter)
{
    int64_t unit = 1;
    while (unit <= jitter >> 5)
        unit *= 2;
    return jitter > TIME_LIMIT / 2 ? jitter : round_up(jitter, unit);
}

/* The entry with this key, or NULL. */
static cache_entry *find_entry(const sys_gpu_cache *cache, uint64_t hash, const int64_t *key, size_t count)
{
    for (index_probe p = index_start(&cache->index, hash); index_next(&cache->index, &p);) {
        cache_entry *e = cache->entries.at[p.value];
        if (e->key_count == count && !memcmp(e->key, key, count * sizeof *key))
            return e;
    }
    return NULL;
}

static bool is_among(const gpu_ends *ends, const char *text)
{
    for (size_t i = 0; i < ends->assumption_count; i++)
        if (!strcmp(ends->assumptions[i], text))
            return true;
    return false;
}

/* Adds the assumptions of an analysis. */
static bool add_assumptions(arena *memory, gpu_ends *ends, const gcast_analysis *a)
{
    const char **all = arena_alloc_array(memory, ends->assumption_count + a->assumption_count + 1, sizeof *all);
    if (!all)
        return false;
    for (size_t i = 0; i < ends->assumption_count; i++)
        all[i] = ends->assumptions[i];
    ends->assumptions = all;
    for (size_t i = 0; i < a->assumption_count; i++)
        if (!is_among(ends, a->assumptions[i]) &&
            !(all[ends->assumption_count++] = arena_strdup(memory, a->assumptions[i])))
            return false;
    return true;
}

/* Keeps the tightest bounds of several analyses. */
static bool keep_answer(arena *memory, gpu_ends *ends, const gcast_analysis *a)
{
    int64_t *worst = (int64_t *)(uintptr_t)ends->worst; /* our own memory */
    if (!worst) {
        ends->worst = worst = arena_alloc_array(memory, a->response_count + 1, sizeof *worst);
        for (size_t i = 0; worst && i < a->response_count; i++)
            worst[i] = GCAST_NO_BOUND;
    }
    if (!worst)
        return false;
    ends->conditional = call_latency_is_assumed(&a->launch) || call_latency_is_assumed(&a->copy);
    for (size_t i = 0; i < a->response_count; i++)
        worst[i] = min_i64(worst[i], a->responses[i].worst_ns);
    if (!a->complete && !*ends->why_not)
        ends->why_not = arena_strdup(memory, a->why_not ? a->why_not : "");
    return ends->why_not && (!a->complete || add_assumptions(memory, ends, a));
}

static gcast_status ask_method(arena *memory, const system_work *x, const gcast_workload *w, gcast_method method,
                               const gcast_analyze_options *options, gpu_ends *ends)
{
    gcast_analysis *a;
    gcast_status status = gcast_workload_analyze(w, x->s->gpu, method, options, &a, x->err);
    if (status != GCAST_OK)
        return status;
    status = keep_answer(memory, ends, a) ? GCAST_OK : gcast_error_set_memory(x->err);
    gcast_analysis_free(a);
    return status;
}

static bool all_awaited(const system_work *x)
{
    for (size_t i = 0; i < x->s->task_count; i++)
        if (!x->tasks[i].on_core && x->s->tasks[i].waiter == SYS_NONE)
            return false;
    return true;
}

/* An overloaded GPU delays some task for ever. If others wait for all of its tasks, none of them has a bound, so no
 * further analysis is needed; searches need none in any case. */
static gcast_status check_overload(arena *memory, const system_work *x, const gcast_workload *w, gpu_ends *ends,
                                   bool *overloaded)
{
    char why[256];
    gcast_status status = launchable_check(w, x->s->gpu, x->err);
    *overloaded = status == GCAST_OK && (x->options->tasks_only || all_awaited(x)) &&
                  exact_overload(w, x->s->gpu, true, why, sizeof why);
    if (!*overloaded)
        return status;
    int64_t *worst = arena_alloc_array(memory, w->op_count + 1, sizeof *worst);
    ends->worst = worst;
    ends->why_not = arena_strdup(memory, why);
    for (size_t i = 0; worst && i < w->op_count; i++)
        worst[i] = GCAST_NO_BOUND;
    return worst && ends->why_not ? GCAST_OK : gcast_error_set_memory(x->err);
}

/* Always asks bound for any phase: it is fast, and never shrinks where releases vary more. */
static gcast_status ask_methods(arena *memory, const system_work *x, const gcast_workload *w, gpu_ends *ends)
{
    static const gcast_method methods[] = {GCAST_METHOD_BOUND, GCAST_METHOD_EXACT, GCAST_METHOD_EXPLORE};
    gcast_analyze_options options = x->options->gpu;
    gcast_method only = x->options->gpu_method;
    options.any_phase = true;
    options.any_order = true; /* tasks on different cores may trigger operations at one time */
    ends->why_not = "";
    gcast_status status = ask_method(memory, x, w, GCAST_METHOD_BOUND, &options, ends);
    options.any_phase = false;
    for (size_t i = 0; i < sizeof methods / sizeof *methods && x->gpu_offsets && status == GCAST_OK; i++)
        if (only == GCAST_METHODS || only == methods[i])
            status = ask_method(memory, x, w, methods[i], &options, ends);
    return status;
}

static gcast_status make_entry(sys_gpu_cache *cache, const system_work *x, const cache_entry *from, cache_entry **out)
{
    gcast_workload *w;
    cache_entry *e = arena_copy(&cache->memory, from, sizeof *from);
    const int64_t *key = arena_copy(&cache->memory, from->key, from->key_count * sizeof *key);
    if (!e || !key)
        return gcast_error_set_memory(x->err);
    gcast_status status = gpu_workload_make(x->s, x->places, x->releases, &w, NULL, x->err);
    if (status != GCAST_OK)
        return status;
    e->key = key;
    bool overloaded;
    status = check_overload(&cache->memory, x, w, &e->ends, &overloaded);
    if (status == GCAST_OK && !overloaded)
        status = ask_methods(&cache->memory, x, w, &e->ends);
    gcast_workload_free(w);
    if (status == GCAST_OK &&
        (!vec_push(&cache->entries, e) || !index_add(&cache->index, e->hash, (uint32_t)cache->entries.count - 1)))
        status = gcast_error_set_memory(x->err);
    *out = e;
    return status;
}

gcast_status gpu_cache_find(sys_gpu_cache *cache, system_work *x, const gpu_ends **ends)
{
    size_t count = 0;
    x->gpu_key[count++] = x->gpu_offsets;
    for (size_t i = 0; i < x->s->task_count; i++) {
        if (x->tasks[i].on_core)
            continue;
        sys_range r = {x->tasks[i].release_min, x->tasks[i].release_max};
        if (!x->gpu_offsets) /* for any phase only the jitter counts */
            r = (sys_range){0, r.max_ns - r.min_ns};
        if (x->options->tasks_only)
            r.max_ns = rounded(r.max_ns);
        x->releases[i] = r;
        int64_t part[] = {(int64_t)i, x->places[i].priority, r.min_ns, r.max_ns};
        memcpy(&x->gpu_key[count], part, sizeof part);
        count += sizeof part / sizeof *part;
    }
    cache_entry wanted = {
        .hash = index_hash(x->gpu_key, count * sizeof *x->gpu_key), .key = x->gpu_key, .key_count = count};
    cache_entry *e = find_entry(cache, wanted.hash, wanted.key, count);
    gcast_status status = e ? GCAST_OK : make_entry(cache, x, &wanted, &e);
    if (status == GCAST_OK)
        *ends = cache->last = &e->ends;
    return status;
}

const gpu_ends *gpu_cache_last(const sys_gpu_cache *cache)
{
    return cache->last;
}
