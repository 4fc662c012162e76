#include "model/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/api.h"
#include "base/arena.h"
#include "base/integers.h"
#include "gridcast/gpu.h"
#include "gridcast/names.h"
#include "model/gpu_fields.h"

static gcast_status check_gpc_lists(int sms, const int *sizes, int gpcs, const int *list, gcast_error *err)
{
    bool seen[GCAST_MAX_SMS] = {false};
    int n = 0;
    for (int g = 0; g < gpcs; g++) {
        if (sizes[g] < 1 || sizes[g] > sms - n)
            return gcast_error_set(err, GCAST_INPUT, "/gpcs", "must list each SM from 0 to %d once", sms - 1);
        for (int i = 0; i < sizes[g]; i++, n++) {
            if (list[n] < 0 || list[n] >= sms || seen[list[n]])
                return gcast_error_set(err, GCAST_INPUT, "/gpcs", "must list each SM from 0 to %d once", sms - 1);
            seen[list[n]] = true;
        }
    }
    if (n != sms)
        return gcast_error_set(err, GCAST_INPUT, "/gpcs", "lists %d SMs, the GPU has %d", n, sms);
    return GCAST_OK;
}

/* Are the lists there, of at most as many GPCs as SMs? */
static bool gpcs_are_there(const gcast_gpu *gpu)
{
    return !gpu->gpc_count || (gpu->gpc_count > 0 && gpu->gpc_count <= gpu->sms && gpu->gpc_sizes && gpu->gpc_sms);
}

gcast_status gpcs_check(const gcast_gpu *gpu, gcast_error *err)
{
    if (!gpcs_are_there(gpu) || (gpu->gpc_count && gpu->sms > GCAST_MAX_SMS))
        return gcast_error_set(err, GCAST_INPUT, "/gpcs", "must list the SMs of each GPC");
    return gpu->gpc_count ? check_gpc_lists(gpu->sms, gpu->gpc_sizes, gpu->gpc_count, gpu->gpc_sms, err) : GCAST_OK;
}

/* Copies these lists into the GPU's own memory; false without memory. */
static bool keep_gpcs(gcast_gpu *gpu, const int *sizes, int gpcs, const int *list, int sms)
{
    int *own_sizes = arena_copy(gpu->memory, sizes, (size_t)gpcs * sizeof *sizes);
    int *own_list = arena_copy(gpu->memory, list, (size_t)sms * sizeof *list);
    if (!own_sizes || !own_list)
        return false;
    gpu->gpc_count = gpcs;
    gpu->gpc_sizes = own_sizes;
    gpu->gpc_sms = own_list;
    return true;
}

gcast_status gcast_gpu_set_gpcs(gcast_gpu *gpu, const int *sizes, int gpcs, const int *list, gcast_error *err)
{
    if (!gpu || !sizes || !list)
        return argument_missing(err);
    if (gpcs < 1 || gpu->sms > GCAST_MAX_SMS)
        return gcast_error_set(err, GCAST_INPUT, "/gpcs", "must list the SMs of each GPC");
    gcast_status status = check_gpc_lists(gpu->sms, sizes, gpcs, list, err);
    if (status != GCAST_OK)
        return status;
    return keep_gpcs(gpu, sizes, gpcs, list, gpu->sms) ? GCAST_OK : gcast_error_set_memory(err);
}

/* Copies the GPCs of `original` into the memory of `gpu`, its copy; false without memory. */
static bool gpcs_copy(const gcast_gpu *original, gcast_gpu *gpu)
{
    return !original->gpc_count ||
           keep_gpcs(gpu, original->gpc_sizes, original->gpc_count, original->gpc_sms, original->sms);
}

/* Keeps the SMs below `sms` of each GPC, and the GPCs that have any. False without memory. */
static bool gpcs_keep_first(gcast_gpu *gpu, int sms)
{
    if (!gpu->gpc_count)
        return true;
    int *sizes = arena_alloc_array(gpu->memory, (size_t)gpu->gpc_count, sizeof *sizes);
    int *list = arena_alloc_array(gpu->memory, (size_t)gpu->sms, sizeof *list);
    int gpcs = 0, n = 0;
    if (!sizes || !list)
        return false;
    for (int g = 0, from = 0; g < gpu->gpc_count; from += gpu->gpc_sizes[g++]) {
        int before = n;
        for (int i = 0; i < gpu->gpc_sizes[g]; i++)
            if (gpu->gpc_sms[from + i] < sms)
                list[n++] = gpu->gpc_sms[from + i];
        if (n > before)
            sizes[gpcs++] = n - before;
    }
    gpu->gpc_count = gpcs;
    gpu->gpc_sizes = sizes;
    gpu->gpc_sms = list;
    return true;
}

/* A GPU owns the memory of its text and lists. */

#define MAX_REACH 1000000 /* ns */

/* Assumed, where a GPU does not give them. */
#define DEFAULT_RETREAT_NS 1000
#define DEFAULT_JOB_OVERHEAD_NS 300

/* The costs of launching kernels from kernels: as measured on an H200, and for compute capabilities below 9.0 as Tang
 * et al. (HPCA 2017) have them for Kepler at 1,400 MHz: b 20,210 and A 1,721 cycles, 32 queues. Calls are assumed to
 * hold their warp as long as that, as they do on an H200. */
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

/* Are the costs of launching kernels from kernels not known of this GPU, but taken from another? */
static bool assumes_launches(const gcast_gpu *gpu)
{
    const char *source = gpu_field_source(gpu, "child_launch_ns");
    gcast_gpu assumed = {.limits = gpu->limits};
    assume_launches(&assumed);
    if (source)
        return is_assumed(source);
    return gpu->child_launch_ns == assumed.child_launch_ns && gpu->child_step_ns == assumed.child_step_ns;
}

bool gpu_launches_note(const gcast_gpu *gpu, char *note, size_t size)
{
    bool holds = gpu->child_call_ns || gpu->child_call_step_ns;
    if (assumes_launches(gpu))
        snprintf(note, size, "the times of launches of kernels by kernels on %.100s are assumed, not measured",
                 gpu->name);
    else if (holds && is_assumed(gpu_field_source(gpu, "child_call_ns")))
        snprintf(note, size,
                 "the time that launches block their warps on %.100s is assumed (child_call_ns, child_call_step_ns)",
                 gpu->name);
    else
        return false;
    return true;
}

/* Is all there that a copy reads, and is the number of SMs a possible length of a list? */
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
        return gcast_error_set(err, GCAST_INPUT, "/partition/sms",
                               "a partition of %d SMs is not possible: the GPU has %d", sms, gpu->sms);
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

/* Measured latencies of calls have quantiles, which must fit together. */

int64_t gcast_latency_longest_ns(const gcast_latency *l, int64_t one_in)
{
    if (!l)
        return 0;
    if (!l->samples)
        return -1;
    for (int i = 0; one_in > 0 && i < l->count; i++)
        if (l->quantile[i].one_in >= one_in)
            return l->quantile[i].ns;
    return l->max_ns;
}

void latency_include(gcast_latency *l, int64_t usual_ns)
{
    if (!l->samples)
        return;
    l->min_ns = min_i64(l->min_ns, usual_ns);
    l->max_ns = max_i64(l->max_ns, usual_ns);
}

/* An error about an entry of the list; the last one has index `count`. */
static gcast_status entry_error(const char *path, int i, const char *key, gcast_error *err, const char *message)
{
    char entry[96];
    snprintf(entry, sizeof entry, "%s/%d/%s", path, i, key);
    return gcast_error_set(err, GCAST_INPUT, entry, "%s", message);
}

static gcast_status check_quantile(const gcast_latency *l, int i, const char *path, gcast_error *err)
{
    const gcast_quantile *q = &l->quantile[i];
    if (q->one_in < 2 || q->one_in > LATENCY_MAX_ONE_IN)
        return entry_error(path, i, "one_in", err, "must be from 2 to 1000000000");
    if (q->one_in > l->samples)
        return entry_error(path, i, "one_in", err, "must not be more than there are samples");
    if (i && q->one_in <= q[-1].one_in)
        return entry_error(path, i, "one_in", err, "must be larger than that of the entry before");
    if (q->ns < (i ? q[-1].ns : l->min_ns))
        return entry_error(path, i, "ns", err, i ? "must not be below that of the entry before" : "is below min_ns");
    return GCAST_OK;
}

/* Are the latencies consistent? `path` is that of the list in a GPU file. */
static gcast_status latency_check(const gcast_latency *l, const char *path, gcast_error *err)
{
    if (!l->samples)
        return GCAST_OK;
    if (l->count < 0 || l->count > GCAST_MAX_QUANTILES)
        return gcast_error_set(err, GCAST_INPUT, path, "must have at most %d quantiles", GCAST_MAX_QUANTILES);
    if (l->samples < 1 || l->samples > LATENCY_MAX_SAMPLES)
        return entry_error(path, l->count, "samples", err, "must be from 1 to 1000000000000");
    if (l->min_ns < 0 || l->min_ns > LATENCY_MAX_NS)
        return entry_error(path, l->count, "min_ns", err, "must be from 0 to 86400000000000");
    for (int i = 0; i < l->count; i++) {
        gcast_status status = check_quantile(l, i, path, err);
        if (status != GCAST_OK)
            return status;
    }
    if (l->max_ns > LATENCY_MAX_NS)
        return entry_error(path, l->count, "max_ns", err, "must be from 0 to 86400000000000");
    if (l->max_ns < (l->count ? l->quantile[l->count - 1].ns : l->min_ns))
        return entry_error(path, l->count, "max_ns", err, "must not be below any other time of the list");
    return GCAST_OK;
}

/* gcast_gpu_check: is every field of a GPU in range, and do the fields fit together? Paths are the JSON names of
 * fields.
 */

static gcast_status check_smem(const gcast_limits *l, gcast_error *err)
{
    if (l->smem_per_block > l->smem_per_sm - l->smem_reserved)
        return gcast_error_set(err, GCAST_INPUT, "/smem_per_block",
                               "%d and the reserve of %d are more than the SM's %d", l->smem_per_block,
                               l->smem_reserved, l->smem_per_sm);
    if (l->smem_per_block_default > l->smem_per_block)
        return gcast_error_set(err, GCAST_INPUT, "/smem_per_block_default", "%d is more than the %d with opt-in",
                               l->smem_per_block_default, l->smem_per_block);
    if (l->carveouts < 1 || l->carveouts > GCAST_MAX_CARVEOUTS || l->carveout[l->carveouts - 1] != l->smem_per_sm)
        return gcast_error_set(err, GCAST_INPUT, "/carveouts", "must list 1 to %d sizes, the last one the SM's %d",
                               GCAST_MAX_CARVEOUTS, l->smem_per_sm);
    for (int i = 0; i < l->carveouts; i++)
        if (l->carveout[i] < 0 || (i && l->carveout[i] <= l->carveout[i - 1]))
            return gcast_error_set(err, GCAST_INPUT, "/carveouts", "must ascend");
    return GCAST_OK;
}

gcast_status gcast_gpu_check(const gcast_gpu *gpu, gcast_error *err)
{
    if (!gpu)
        return argument_missing(err);
    if (!gpu->name || !gpu->title || !gpu_sources_are_there(gpu))
        return gcast_error_set(err, GCAST_INPUT, NULL, "a GPU without a name, title or sources");
    const gcast_limits *l = &gpu->limits;
    for (size_t i = 0; i < gpu_field_count; i++) {
        const gpu_field *f = &gpu_fields[i];
        int64_t v = gpu_field_get(gpu, f);
        char path[64];
        snprintf(path, sizeof path, "/%s", f->key);
        if (v < f->lo || v > f->hi)
            return gpu_field_range_error(f, path, v, err);
    }
    if ((unsigned)gpu->placement >= GCAST_PLACEMENTS)
        return gcast_error_set(err, GCAST_INPUT, "/placement", "there is no such placement");
    if ((unsigned)gpu->tie_order >= GCAST_TIE_ORDERS)
        return gcast_error_set(err, GCAST_INPUT, "/tie_order", "there is no such order");
    if (gpu->register_quarters && (l->registers_per_sm % GCAST_QUARTERS || l->warps_per_sm % GCAST_QUARTERS))
        return gcast_error_set(err, GCAST_INPUT, "/register_quarters", "registers and warps of an SM must divide by 4");
    if (gpu->wake_ns % 4)
        return gcast_error_set(err, GCAST_INPUT, "/wake_ns", "must be a multiple of 4 ns");
    if ((gpu->tie_order == GCAST_TIES_LIST) != (gpu->tie_list != NULL))
        return gcast_error_set(err, GCAST_INPUT, "/tie_order", "the list of SMs is missing");
    gcast_status status = latency_check(&gpu->launch_quantiles, "/launch_quantiles", err);
    if (status == GCAST_OK)
        status = latency_check(&gpu->copy_quantiles, "/copy_quantiles", err);
    if (status == GCAST_OK)
        status = gpcs_check(gpu, err);
    return status == GCAST_OK ? check_smem(l, err) : status;
}

bool gpu_name_placement(gcast_gpu *gpu, const char *name)
{
    int found;
    bool exists = gcast_find_name(GCAST_NAMES_PLACEMENT, name, &found);
    if (exists)
        gpu->placement = (gcast_placement)found;
    return exists;
}

bool gpu_name_tie_order(gcast_gpu *gpu, const char *name)
{
    int found;
    bool exists = gcast_find_name(GCAST_NAMES_TIE_ORDER, name, &found) && found != GCAST_TIES_LIST;
    if (exists)
        gpu->tie_order = (gcast_tie_order)found;
    return exists;
}
