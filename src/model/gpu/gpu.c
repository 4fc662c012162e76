/* A GPU and the memory it owns: created, copied, reduced to a partition; its lists and its names. */
#include "gridcast/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/api/argument_missing.h"
#include "base/arena.h"
#include "model/gpu/fields.h"
#include "model/gpu/gpcs/gpcs.h"

#define MAX_REACH 1000000 /* ns */

/* Assumed, where a GPU does not give them. */
#define DEFAULT_RETREAT_NS 1000
#define DEFAULT_JOB_OVERHEAD_NS 300

/* Of kernels that launch kernels: as measured on an H200, and for compute capabilities below 9.0 as Tang et al. (HPCA
 * 2017) have them for Kepler at 1,400 MHz: b 20,210 and A 1,721 cycles, 32 queues. Calls hold their warp as long as
 * that, as they do on an H200. */
static void assume_launches(gcast_gpu *gpu)
{
    bool cdp2 = gpu->limits.cc_major >= 9;
    gpu->child_launch_ns = cdp2 ? 6050 : 14436;
    gpu->child_step_ns = cdp2 ? 240 : 1229;
    gpu->child_call_ns = cdp2 ? 5300 : 14436;
    gpu->child_call_step_ns = cdp2 ? 220 : 1229;
    gpu->child_call_service_ns = cdp2 ? 40 : 0;
    gpu->child_refused_ns = cdp2 ? 12700 : 0;
    gpu->child_service_ns = cdp2 ? 210 : 0;
    gpu->child_end_ns = cdp2 ? 6000 : 0;
    gpu->child_pool = 2048;
    gpu->child_pool_grows = !cdp2;
    gpu->child_queues = cdp2 ? 64 : 32;
    gpu->child_forget = cdp2;
    gpu->child_level = cdp2 ? 2 : 0;
    gpu->child_sync = !cdp2;
    gpu->spawn_window_ns = 1024;
}

typedef struct owned_gpu {
    gcast_gpu gpu; /* first, so that a gcast_gpu is its handle */
    arena memory;  /* holds its text and lists */
} owned_gpu;

static gcast_gpu *allocate(void)
{
    owned_gpu *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->gpu.memory = &o->memory;
    return &o->gpu;
}

void gpu_set_defaults(gcast_gpu *gpu, const gcast_limits *limits, int sms)
{
    gpu->limits = *limits;
    gpu->sms = sms;
    gpu->sms_per_tpc = 1;
    gpu->copy_engines = 1;
    gpu->priority_levels = 1;
    gpu->copy_duplex_percent = 100;
    gpu->copy_slow_percent = 100;
    gpu->retreat_ns = DEFAULT_RETREAT_NS;
    gpu->job_overhead_ns = DEFAULT_JOB_OVERHEAD_NS;
    gpu->register_quarters = gpu_default_quarters(limits);
    assume_launches(gpu);
}

gcast_status gcast_gpu_create(const char *name, int cc_major, int cc_minor, int sms, gcast_gpu **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!name || !out)
        return argument_missing(err);
    const gcast_limits *limits = gcast_limits_find(cc_major, cc_minor);
    if (!limits)
        return gcast_error_set(err, GCAST_INPUT, "/cc", "compute capability %d.%d is not known", cc_major, cc_minor);
    gcast_gpu *gpu = allocate();
    if (!gpu || !(gpu->name = arena_strdup(gpu->memory, name))) {
        gcast_gpu_free(gpu);
        return gcast_error_set_memory(err);
    }
    gpu->title = gpu->name;
    gpu_set_defaults(gpu, limits, sms);
    *out = gpu;
    return GCAST_OK;
}

static bool is_assumed(const char *source)
{
    return source && strncasecmp(source, "assumed", 7) == 0;
}

/* What it costs to launch kernels from kernels is not known of this GPU, but taken from another. */
static bool assumes_launches(const gcast_gpu *gpu)
{
    const char *source = gpu_field_source(gpu, "child_launch_ns");
    gcast_gpu usual = {.limits = gpu->limits};
    assume_launches(&usual);
    if (source)
        return is_assumed(source);
    return gpu->child_launch_ns == usual.child_launch_ns && gpu->child_step_ns == usual.child_step_ns;
}

bool gpu_launches_note(const gcast_gpu *gpu, char *note, size_t size)
{
    bool holds = gpu->child_call_ns || gpu->child_call_step_ns;
    if (assumes_launches(gpu))
        snprintf(note, size, "what it costs %.100s to launch kernels from kernels is assumed, not measured", gpu->name);
    else if (holds && is_assumed(gpu_field_source(gpu, "child_call_ns")))
        snprintf(note, size, "that launches hold their warps on %.100s is assumed (child_call_ns, child_call_step_ns)",
                 gpu->name);
    else
        return false;
    return true;
}

/* Is all there that a copy reads? A count of SMs that no GPU has is not the length of a list. */
static gcast_status check_lists(const gcast_gpu *gpu, gcast_error *err)
{
    bool has_list = gpu->tie_list || gpu->reach_ns || gpu->gpc_count;
    if (!gpu_sources_are_there(gpu))
        return gcast_error_set(err, GCAST_USAGE, "/sources", "a source of the GPU is missing, or has no text");
    if (!gpcs_are_there(gpu) || (has_list && (gpu->sms < 1 || gpu->sms > GCAST_MAX_SMS)))
        return gcast_error_set(err, GCAST_USAGE, NULL, "a list of SMs of the GPU is missing, or of %d SMs", gpu->sms);
    return GCAST_OK;
}

gcast_status gcast_gpu_copy(const gcast_gpu *original, gcast_gpu **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!original || !out)
        return argument_missing(err);
    gcast_status status = check_lists(original, err);
    if (status != GCAST_OK)
        return status;
    gcast_gpu *gpu = allocate();
    if (!gpu)
        return gcast_error_set_memory(err);
    arena *memory = gpu->memory;
    *gpu = *original;
    gpu->memory = memory;
    gpu->name = arena_strdup(memory, original->name ? original->name : "");
    gpu->title = arena_strdup(memory, original->title ? original->title : "");
    bool ok = gpu->name && gpu->title;
    if (ok && original->tie_list)
        ok = (gpu->tie_list = arena_copy(memory, original->tie_list, (size_t)original->sms * sizeof(int))) != NULL;
    if (ok && original->reach_ns)
        ok = (gpu->reach_ns = arena_copy(memory, original->reach_ns, (size_t)original->sms * sizeof(int))) != NULL;
    ok = ok && gpcs_copy(original, gpu);
    if (ok && original->source_count) {
        gcast_source *s = arena_alloc_array(memory, original->source_count, sizeof *s);
        gpu->sources = s;
        ok = s != NULL;
        for (size_t i = 0; ok && i < original->source_count; i++) {
            s[i].fields = arena_strdup(memory, original->sources[i].fields);
            s[i].text = arena_strdup(memory, original->sources[i].text);
            ok = s[i].fields && s[i].text;
        }
    }
    if (!ok) {
        gcast_gpu_free(gpu);
        return gcast_error_set_memory(err);
    }
    *out = gpu;
    return GCAST_OK;
}

void gcast_gpu_free(gcast_gpu *gpu)
{
    if (!gpu)
        return;
    arena_free(gpu->memory);
    free(gpu);
}

gcast_status gcast_gpu_keep_text(gcast_gpu *gpu, const char *text, const char **kept, gcast_error *err)
{
    if (kept)
        *kept = NULL;
    if (!gpu || !text || !kept)
        return argument_missing(err);
    const char *copy = arena_strdup(gpu->memory, text);
    if (!copy)
        return gcast_error_set_memory(err);
    *kept = copy;
    return GCAST_OK;
}

gcast_status gcast_gpu_set_tie_list(gcast_gpu *gpu, const int *list, int n, gcast_error *err)
{
    if (!gpu || !list)
        return argument_missing(err);
    bool seen[GCAST_MAX_SMS] = {false};
    if (n != gpu->sms || n > GCAST_MAX_SMS)
        return gcast_error_set(err, GCAST_INPUT, "/tie_order", "lists %d SMs, the GPU has %d", n, gpu->sms);
    for (int i = 0; i < n; i++) {
        if (list[i] < 0 || list[i] >= n || seen[list[i]])
            return gcast_error_set(err, GCAST_INPUT, "/tie_order", "must list each SM from 0 to %d once", n - 1);
        seen[list[i]] = true;
    }
    int *copy = arena_copy(gpu->memory, list, (size_t)n * sizeof *copy);
    if (!copy)
        return gcast_error_set_memory(err);
    gpu->tie_order = GCAST_TIES_LIST;
    gpu->tie_list = copy;
    return GCAST_OK;
}

gcast_status gcast_gpu_set_reach(gcast_gpu *gpu, const int *list, int n, gcast_error *err)
{
    if (!gpu || !list)
        return argument_missing(err);
    if (n != gpu->sms)
        return gcast_error_set(err, GCAST_INPUT, "/reach_ns", "lists %d SMs, the GPU has %d", n, gpu->sms);
    for (int i = 0; i < n; i++)
        if (list[i] < 0 || list[i] > MAX_REACH)
            return gcast_error_set(err, GCAST_INPUT, "/reach_ns", "must be from 0 to %d", MAX_REACH);
    int *copy = arena_copy(gpu->memory, list, (size_t)n * sizeof *copy);
    if (!copy)
        return gcast_error_set_memory(err);
    gpu->reach_ns = copy;
    return GCAST_OK;
}

gcast_status gcast_gpu_partition(gcast_gpu *gpu, int sms, gcast_error *err)
{
    if (!gpu)
        return argument_missing(err);
    if (sms < 1 || sms > gpu->sms)
        return gcast_error_set(err, GCAST_INPUT, "/partition/sms", "a partition of %d SMs cannot be had of %d", sms,
                               gpu->sms);
    gcast_status status = check_lists(gpu, err);
    if (status != GCAST_OK)
        return status;
    if (gpu->tie_list) {
        int *list = arena_alloc_array(gpu->memory, (size_t)sms, sizeof *list), n = 0;
        if (!list)
            return gcast_error_set_memory(err);
        for (int r = 0; r < gpu->sms; r++)
            if (gpu->tie_list[r] < sms)
                list[n++] = gpu->tie_list[r];
        gpu->tie_list = list;
    }
    if (!gpcs_keep_first(gpu, sms))
        return gcast_error_set_memory(err);
    gpu->sms = sms;
    return GCAST_OK;
}

void gcast_gpu_tie_ranks(const gcast_gpu *gpu, int *order)
{
    if (!gpu || !order)
        return;
    int n = gpu->sms;
    for (int r = 0; r < n; r++) {
        switch (gpu->tie_order) {
        case GCAST_TIES_DESCENDING:
            order[r] = n - 1 - r;
            break;
        case GCAST_TIES_EVEN_ODD:
            order[r] = r < (n + 1) / 2 ? 2 * r : 2 * (r - (n + 1) / 2) + 1;
            break;
        case GCAST_TIES_LIST:
            order[r] = gpu->tie_list ? gpu->tie_list[r] : r;
            break;
        default:
            order[r] = r;
        }
    }
}

static const char *const placements[] = {
#define X(id, name, text) name,
    GCAST_PLACEMENT_TABLE(X)
#undef X
};

static const char *const tie_orders[] = {
#define X(id, name, text) name,
    GCAST_TIES_TABLE(X)
#undef X
};

const char *gcast_placement_name(gcast_placement p)
{
    return (unsigned)p < GCAST_PLACEMENTS ? placements[p] : "?";
}

bool gcast_placement_find(const char *name, gcast_placement *p)
{
    if (!name || !p)
        return false;
    for (int i = 0; i < GCAST_PLACEMENTS; i++)
        if (strcmp(placements[i], name) == 0) {
            *p = (gcast_placement)i;
            return true;
        }
    return false;
}

const char *gcast_tie_order_name(gcast_tie_order t)
{
    return (unsigned)t < GCAST_TIE_ORDERS ? tie_orders[t] : "?";
}

bool gcast_tie_order_find(const char *name, gcast_tie_order *t)
{
    if (!name || !t)
        return false;
    for (int i = 0; i < GCAST_TIE_ORDERS; i++)
        if (strcmp(tie_orders[i], name) == 0) {
            *t = (gcast_tie_order)i;
            return true;
        }
    return false;
}
