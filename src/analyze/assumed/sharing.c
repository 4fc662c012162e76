/* Tries other placements and quarters; with less room on the GPU nothing is shown. */
#include "analyze/assumed/sharing.h"

#include <string.h>

#include "model/gpu.h"
#include "model/gpu_fields.h"

/* There are too many placements to try, but bound holds for all of them. Exact and explore use the GPU's own. */
static const char *const placements[] = {"placement", "tie_order"};
#define PLACEMENTS (sizeof placements / sizeof placements[0])
#define QUARTERS "register_quarters"
#define CARVEOUTS "carveouts"

/* What limits how many blocks are resident. Carveouts, the sizes of shared memory, count only if they have a source. */
static const char *const rooms[] = {
    "sms",         "threads_per_sm", "warps_per_sm", "blocks_per_sm",   "registers_per_sm", "register_unit",
    "smem_per_sm", "smem_reserved",  "smem_unit",    "barriers_per_sm", "resident_grids",   CARVEOUTS};
#define ROOMS (sizeof rooms / sizeof rooms[0])
_Static_assert(PLACEMENTS + 1 + ROOMS <= SHARING_MAX, "more than places");

static bool has_kernels(const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL)
            return true;
    return false;
}

static bool is_assumed_room(const gcast_workload *w, const gcast_gpu *gpu, size_t i)
{
    bool is_given =
        (i == 0 && w->partition_sms) || (strcmp(rooms[i], CARVEOUTS) == 0 && !gpu_field_source(gpu, CARVEOUTS));
    return !is_given && gcast_gpu_assumes(gpu, rooms[i]);
}

size_t sharing_assumed_rooms(const gcast_workload *w, const gcast_gpu *gpu, const char *found[SHARING_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < ROOMS && has_kernels(w); i++)
        if (is_assumed_room(w, gpu, i))
            found[count++] = rooms[i];
    return count;
}

bool sharing_assume_placement(const gcast_gpu *gpu)
{
    bool assumes = false;
    for (size_t i = 0; i < PLACEMENTS; i++)
        assumes = assumes || gcast_gpu_assumes(gpu, placements[i]);
    return assumes && gpu->sms > 1;
}

bool sharing_assume_quarters(const gcast_gpu *gpu)
{
    const gcast_limits *l = &gpu->limits;
    return gcast_gpu_assumes(gpu, QUARTERS) && l->registers_per_sm % GCAST_QUARTERS == 0 &&
           l->warps_per_sm % GCAST_QUARTERS == 0;
}

/* Marks the deadlines that bound already showed to be met in the answer; true: all. */
static bool take_shown(moved_trial *t)
{
    const gcast_answer *a = t->answer;
    bool met = true;
    for (size_t i = 0; i < a->response_count; i++) {
        t->shown[i] = !is_shown_met(a, i);
        for (size_t k = 0; k < a->analysis_count && !t->shown[i]; k++) {
            const gcast_response *r = &a->analyses[k]->responses[i];
            t->shown[i] = a->analyses[k]->complete && a->analyses[k]->method == GCAST_METHOD_BOUND &&
                          r->worst_ns != GCAST_NO_BOUND && gcast_answer_slack_ns(a, r) >= 0;
        }
        met = met && t->shown[i];
    }
    return met;
}

static int64_t value_of(const gcast_gpu *gpu, const char *field)
{
    const gpu_field *number = gpu_field_find(field);
    if (number)
        return gpu_field_get(gpu, number);
    return strcmp(field, QUARTERS) == 0      ? gpu->register_quarters
           : strcmp(field, CARVEOUTS) == 0   ? gpu->limits.carveouts
           : strcmp(field, "placement") == 0 ? (int64_t)gpu->placement
                                             : (int64_t)gpu->tie_order;
}

/* Lists the field if it is assumed, and marks the deadlines that the trial does not show to be met. */
static void rest_on(owned_answer *o, const moved_trial *t, const char *field)
{
    int64_t value = value_of(t->base.gpu, field);
    if (!gcast_gpu_assumes(t->base.gpu, field))
        return;
    o->assumed[o->a.assumed_count++] = (gcast_assumed){.field = field,
                                                       .value = value,
                                                       .is_count = !gpu_field_find(field),
                                                       .downward = true,
                                                       .tried = true,
                                                       .matters = true,
                                                       .limit = value};
    for (size_t i = 0; i < o->a.response_count; i++)
        o->responses[i].rests_on_assumed = o->responses[i].rests_on_assumed || !t->shown[i];
}

static gcast_status try_placements(owned_answer *o, moved_trial *t, gcast_error *err)
{
    gcast_status status = moved_trial_reset(t, err);
    bool met = take_shown(t);
    if (status == GCAST_OK && !met)
        status = moved_trial_ask_method(t, GCAST_METHOD_BOUND, false, &met, err);
    for (size_t i = 0; i < PLACEMENTS && status == GCAST_OK && !met; i++)
        rest_on(o, t, placements[i]);
    return status;
}

static gcast_status try_quarters(owned_answer *o, moved_trial *t, gcast_error *err)
{
    const change other = {.kind = CHANGE_GPU_FIELD, .name = QUARTERS, .value = !t->base.gpu->register_quarters};
    gcast_status status = moved_trial_reset(t, err);
    bool met = false;
    if (status == GCAST_OK)
        status = variant_change(&t->moved, &other, err);
    if (status != GCAST_OK)
        return status;
    moved_trial_clear(t);
    status = moved_trial_ask_method(t, GCAST_METHOD_BOUND, false, &met, err);
    if (status == GCAST_OK && !met)
        rest_on(o, t, QUARTERS);
    return status;
}

/* No analysis helps: a result with less room does not hold for amounts between. */
static void rest_on_rooms(owned_answer *o, moved_trial *t)
{
    const char *found[SHARING_MAX];
    size_t count = sharing_assumed_rooms(o->a.workload, t->base.gpu, found);
    moved_trial_clear(t);
    for (size_t i = 0; i < count; i++)
        rest_on(o, t, found[i]);
}

gcast_status sharing_try(owned_answer *o, moved_trial *t, gcast_error *err)
{
    gcast_status status = sharing_assume_placement(t->base.gpu) ? try_placements(o, t, err) : GCAST_OK;
    if (status == GCAST_OK)
        rest_on_rooms(o, t);
    if (status == GCAST_OK && sharing_assume_quarters(t->base.gpu))
        status = try_quarters(o, t, err);
    return status;
}
