/* The oracle's clock: at each time the phases of docs/model.md, "What happens at
 * one time", in their order; phase 1 is in oracle_ends.c, phase 2 in
 * oracle_hosts.c, phase 3 in oracle_queues.c and oracle_children.c. */
#include "property/oracle.h"

#include <string.h>

#include "property/oracle_state.h"
#include "property/oracle_sums.h"
#include "support/builders.h"

/* Phase 4. */

/* 0 is the lowest level; a CUDA priority of -1 is level 1. */
int oracle_level(const oracle_state *o, const oracle_op *x)
{
    if (oracle_is_child(x) && o->gpu->child_level)
        return o->gpu->child_level == 1 ? o->gpu->priority_levels - 1 : 0;
    if (x->child)
        return oracle_level(o, x->child->parent);
    if (x->op->cooperative)
        return o->gpu->priority_levels - 1;
    int level = -o->w->streams[x->op->stream].priority;
    if (level < 0)
        return 0;
    return level >= o->gpu->priority_levels ? o->gpu->priority_levels - 1 : level;
}

static oracle_op *head_of_level(oracle_state *o, int level)
{
    oracle_op *head = NULL;
    for (oracle_op *x = o->ops; x < o->ops + o->all; x++)
        if (x->in_queue && oracle_level(o, x) == level && (!head || x->queue_number < head->queue_number))
            head = x;
    return head;
}

bool oracle_grids_are_full(const oracle_state *o)
{
    int resident = 0;
    for (const oracle_op *x = o->ops; x < o->ops + o->all; x++)
        resident +=
            oracle_is_kernel(x) && !oracle_is_rest(x) && x->started > x->launch_first && !oracle_grid_is_over(o, x);
    return o->gpu->limits.resident_grids && resident >= o->gpu->limits.resident_grids;
}

/* X1, A2: the head of the highest level that has one, but for heads that wait to become resident. */
static oracle_op *execution_head(oracle_state *o)
{
    for (int level = o->gpu->priority_levels - 1; level >= 0; level--) {
        oracle_op *head = head_of_level(o, level);
        if (head && (head->started > head->launch_first || oracle_is_rest(head) || !oracle_grids_are_full(o)))
            return head;
    }
    return NULL;
}

/* "Starving": do the blocks on an SM leave a younger block no issue slots at this time? */
static bool starved(const oracle_state *o, int sm, int64_t time)
{
    int warps = 0, blocks = 0;
    for (const oracle_op *x = o->ops; x < o->ops + o->all; x++)
        for (uint64_t b = 0; b < x->started && oracle_has_body(x, GCAST_BODY_TIMER_SPIN); b++)
            if ((int)x->blocks[b].sm == sm && x->blocks[b].end_ns > time) {
                warps += (x->op->shape.threads + 31) / 32;
                blocks++;
            }
    bool may = o->options->scatter && blocks >= 3 && 5 * warps >= 3 * o->gpu->starving_warps;
    return o->gpu->starving_warps && (may || warps >= o->gpu->starving_warps);
}

void oracle_start_block(oracle_state *o, oracle_op *x, int sm)
{
    int64_t end = oracle_has_plan(x) ? -1 : oracle_waits(x) ? ORACLE_UNKNOWN : oracle_end(o, x, sm);
    int64_t last = end + oracle_starved_ns(o, x);
    while (oracle_is_plain(x) && end < last && starved(o, sm, end))
        end++;
    if (oracle_is_empty(o, sm))
        o->size[sm] = oracle_chosen_size(o, x->op);
    int quarter = o->gpu->register_quarters ? o->next_quarter[sm] : 0;
    x->age[x->started] = o->started_count++;
    x->blocks[x->started++] =
        (gcast_block){.start_ns = o->now, .end_ns = end, .sm = (uint32_t)sm, .quarter = (uint32_t)quarter};
    o->next_quarter[sm] = oracle_quarter_after(x->op, quarter);
    o->last_sm = sm;
    if (oracle_has_plan(x))
        oracle_worker_starts(o, x);
    if (x->started == 1)
        x->run.start_ns = o->now;
    if (oracle_is_dispatched(x)) {
        x->in_queue = false;
        o->last_dispatched = o->now;
        if (x->run.dispatched_ns < 0)
            x->run.dispatched_ns = o->now;
    }
}

bool oracle_switching(const oracle_state *o)
{
    return o->last_dispatched >= 0 && o->now < o->last_dispatched + o->gpu->switch_ns;
}

/* "Cooperative": do all blocks of x fit at once, or have they started? */
static bool fits_whole(const oracle_state *o, const oracle_op *x)
{
    return !x->op->cooperative || x->started || oracle_room(o, x) >= (int64_t)x->launch_size;
}

/* Starts the blocks that fit: of this kernel, or, if it is NULL, of every head. */
static void start_blocks(oracle_state *o, const oracle_op *kernel)
{
    while (!oracle_switching(o)) {
        oracle_op *x = execution_head(o);
        int sm = x && (!kernel || x == kernel) && fits_whole(o, x) ? oracle_place(o, x) : -1;
        if (sm < 0)
            return;
        oracle_start_block(o, x, sm);
    }
}

/* "Looks": the number of SMs (or TPCs, with their SMs in sms_each) on which blocks release resources now; *max_count:
 * the maximum number of these blocks on one of them. */
static int count_releasing(const oracle_state *o, int sms_each, int *max_count)
{
    int count[GCAST_MAX_SMS] = {0}, places = 0;
    *max_count = 0;
    for (const oracle_op *x = o->ops; x < o->ops + o->all; x++)
        for (uint64_t b = 0; !oracle_is_gone(o, x) && b < x->started; b++)
            if (oracle_seen_after(o, x, b) >= 0) {
                int *n = &count[(int)x->blocks[b].sm / sms_each];
                places += ++*n == 1;
                *max_count = *n > *max_count ? *n : *max_count;
            }
    return places;
}

/* The head starts blocks on the SMs whose releases have been seen: on all of them, or, where it is not -1, on only_sm.
 */
static void start_where_seen(oracle_state *o, const oracle_op *head, int only_sm)
{
    for (int sm = 0; sm < o->gpu->sms; sm++)
        o->closed[sm] = true;
    for (const oracle_op *x = o->ops; x < o->ops + o->all; x++)
        for (uint64_t b = 0; !oracle_is_gone(o, x) && b < x->started; b++)
            if (oracle_seen_after(o, x, b) >= 0 && (o->warps_first || oracle_seen_after(o, x, b) <= o->seen_until))
                o->closed[x->blocks[b].sm] = only_sm >= 0 && (int)x->blocks[b].sm != only_sm;
    start_blocks(o, head);
    for (int sm = 0; sm < o->gpu->sms; sm++)
        o->closed[sm] = false;
}

/* When the next of the releases at this time is seen; -1: all have been seen. */
static int64_t next_seen(const oracle_state *o)
{
    int64_t next = -1;
    for (const oracle_op *x = o->ops; x < o->ops + o->all; x++)
        for (uint64_t b = 0; !oracle_is_gone(o, x) && b < x->started; b++) {
            int64_t seen = oracle_seen_after(o, x, b);
            if (seen > o->seen_until && (next < 0 || seen < next))
                next = seen;
        }
    return next;
}

/* "Looks": the head starts blocks in between, as the releases are seen one after the other. */
static void start_in_release_order(oracle_state *o, const oracle_op *head)
{
    int max_of_sm, max_of_tpc, sms = count_releasing(o, 1, &max_of_sm);
    int tpcs = count_releasing(o, o->gpu->sms_per_tpc, &max_of_tpc);
    o->warps_first = o->options->as_measured && o->gpu->wake_ns && sms > 1 && tpcs == 1;
    if (tpcs > 1 || o->warps_first) {
        for (o->seen_until = -1; (o->seen_until = next_seen(o)) >= 0;)
            start_where_seen(o, head, -1);
    } else if (sms > 1 && max_of_sm == 1) {
        for (int sm = 0; sm < o->gpu->sms; sm++)
            start_where_seen(o, head, sm);
    }
    o->seen_until = INT64_MAX;
    o->warps_first = false;
}

static void starts(oracle_state *o)
{
    for (int engine = 0; engine < o->gpu->copy_engines; engine++)
        oracle_start_copy(o, engine);
    for (oracle_op *x = o->ops; x < o->ops + o->count; x++)
        oracle_set_speed(o, x);
    if (oracle_has_clusters_queued(o)) {
        oracle_start_beside_clusters(o);
        return;
    }
    const oracle_op *head = execution_head(o);
    if (o->gpu->look_step_ns && head)
        start_in_release_order(o, head);
    start_blocks(o, NULL);
}

/* *next becomes the time, if that is earlier and still to come. */
static void note_time(const oracle_state *o, int64_t time, int64_t *next)
{
    if (time > o->now && time < ORACLE_UNKNOWN && (*next < 0 || time < *next))
        *next = time;
}

/* The first time after now at which anything can happen; -1: none. */
static int64_t next_time(const oracle_state *o)
{
    int64_t next = -1;
    for (size_t i = 0; i < o->all; i++) {
        const oracle_op *x = &o->ops[i];
        if (!x->run.skipped && !oracle_called(x))
            note_time(o, oracle_due(o, x), &next);
        note_time(o, x->run.arrive_ns, &next);
        note_time(o, x->copy_start_ns, &next);
        note_time(o, x->turn_ns, &next);
        note_time(o, x->repair_ns, &next);
        if (x->run.engine >= 0 && x->run.start_ns >= 0)
            note_time(o, oracle_last_end(o, x), &next);
        for (uint64_t b = 0; !oracle_is_gone(o, x) && b < x->started; b++) {
            note_time(o, x->blocks[b].end_ns, &next);
            note_time(o, x->blocks[b].end_ns + o->gpu->handover_ns, &next);
            if (x->child)
                note_time(o, x->blocks[b].end_ns + o->gpu->child_end_ns, &next);
            if (oracle_launches(x)) {
                note_time(o, x->blocks[b].start_ns + oracle_launches(x)->at_ns, &next);
                note_time(o, x->blocks[b].end_ns + o->gpu->stream_gap_ns, &next);
            }
        }
        if (x->child)
            note_time(o, oracle_child_time(o, x), &next);
        if (oracle_is_kernel(x))
            note_time(o, oracle_trigger_seen(o, x), &next);
        if (oracle_ended(x))
            note_time(o, x->run.end_ns + o->gpu->stream_gap_ns, &next);
        if (oracle_ended(x))
            note_time(o, x->run.end_ns + oracle_event_gap(o), &next);
        if (oracle_has_edges(x))
            note_time(o, oracle_edges_seen(o, x), &next);
        if (oracle_ended(x) && x->child)
            note_time(o, x->run.end_ns + o->gpu->child_end_ns, &next);
        if (oracle_complete(x) && x->run.engine >= 0)
            note_time(o, x->run.end_ns + o->gpu->copy_gap_ns, &next);
    }
    if (o->last_dispatched >= 0)
        note_time(o, o->last_dispatched + o->gpu->switch_ns, &next);
    return next;
}

static gcast_status check_kernels_fit(const oracle_state *o, gcast_error *err)
{
    for (size_t i = 0; i < o->w->op_count + o->w->child_count; i++) {
        const gcast_op *op = &o->w->ops[i];
        bool allowed = false;
        for (int sm = 0; op->kind == GCAST_KIND_KERNEL && sm < o->gpu->sms; sm++)
            allowed = allowed || oracle_allowed(o, op, sm);
        if (op->kind == GCAST_KIND_KERNEL && !(allowed && oracle_fits_empty(o->gpu, op)))
            return gcast_error_set(err, GCAST_INPUT, NULL, "op %zu can never start", i);
    }
    return GCAST_OK;
}

static gcast_status simulate(oracle_state *o, oracle_result *out, gcast_error *err)
{
    gcast_status status = check_kernels_fit(o, err);
    if (status == GCAST_OK)
        status = oracle_expand(o, err);
    if (status != GCAST_OK)
        return status;
    while ((o->now = next_time(o)) >= 0) {
        oracle_ends(o);
        oracle_go_on(o);
        oracle_decisions(o);
        oracle_hosts(o);
        oracle_queues(o);
        oracle_repairs(o);
        oracle_children(o);
        oracle_rests(o);
        starts(o);
        oracle_go_on(o);
        o->previous_ns = o->now;
        if (o->failed_malloc)
            return gcast_error_set(err, GCAST_INPUT, NULL, "there is no memory for operation %zu",
                                   (size_t)(o->failed_malloc - o->ops));
    }
    if (oracle_hangs(o, out))
        return GCAST_OK;
    for (size_t i = 0; i < o->count; i++)
        if (!o->ops[i].run.skipped && !(oracle_complete(&o->ops[i]) && o->ops[i].run.return_ns >= 0))
            return gcast_error_set(err, GCAST_INPUT, NULL, "operation %zu waits for ever", i);
    return GCAST_OK;
}

/* The blocks of a kernel with clusters by their index, not as they started. */
static gcast_block *in_order(const oracle_op *x, arena *memory)
{
    gcast_block *blocks = arena_alloc_array(memory, x->run.block_count + 1, sizeof *blocks);
    for (uint64_t b = 0; blocks && b < x->run.block_count; b++)
        blocks[oracle_block_number(x->op, b)] = x->blocks[b];
    return blocks;
}

static gcast_status report(const oracle_state *o, oracle_result *out, gcast_error *err)
{
    out->op_count = o->count;
    out->connections = o->connections;
    out->horizon_ns = o->horizon_ns;
    out->child_count = o->all - o->count;
    out->ops = arena_alloc_array(&out->memory, o->all + 1, sizeof *out->ops);
    out->children = arena_alloc_array(&out->memory, out->child_count + 1, sizeof *out->children);
    if (!out->ops || !out->children)
        return gcast_error_set_memory(err);
    size_t rests = o->count + o->calls; /* they are behind all children */
    for (size_t i = 0; i < o->all; i++) {
        const oracle_op *x = &o->ops[i];
        size_t place = oracle_is_rest(x) ? rests++ : x->child ? o->count + x->child->call : i;
        out->ops[place] = x->run;
        if (x->run.blocks && oracle_cluster(x->op) > 1 && !(out->ops[place].blocks = in_order(x, &out->memory)))
            return gcast_error_set_memory(err);
        if (x->run.end_ns > out->end_ns)
            out->end_ns = x->run.end_ns;
        if (!x->child)
            continue;
        const oracle_op *parent = x->child->parent;
        out->children[place - o->count] = x->child->of;
        out->children[place - o->count].parent =
            (uint32_t)(parent->child ? o->count + parent->child->call : (size_t)(parent - o->ops));
    }
    return GCAST_OK;
}

/* "Partition": the GPU has the first SMs only. */
static void keep_first(gcast_gpu *gpu, int sms)
{
    int *list = (int *)gpu->tie_list; /* of a copy */
    for (int i = 0, n = 0; list && i < gpu->sms; i++)
        if (list[i] < sms)
            list[n++] = list[i];
    int *gpc_sms = (int *)gpu->gpc_sms, *sizes = (int *)gpu->gpc_sizes, kept = 0, gpcs = 0;
    for (int g = 0, i = 0; g < gpu->gpc_count; g++) {
        int before = kept;
        for (int end = i + sizes[g]; i < end; i++)
            if (gpc_sms[i] < sms)
                gpc_sms[kept++] = gpc_sms[i];
        sizes[gpcs] = kept - before;
        gpcs += kept > before;
    }
    gpu->gpc_count = gpcs;
    gpu->sms = sms;
}

gcast_status oracle_run(const gcast_workload *w, const gcast_gpu *gpu, const gcast_simulate_options *options,
                        oracle_result *out, gcast_error *err)
{
    memset(out, 0, sizeof *out);
    gpu = gpu ? gpu : w->gpu;
    gcast_gpu *copy = gpu ? support_gpu_copy(gpu, err) : NULL;
    if (!copy)
        return gcast_error_set(err, GCAST_INPUT, NULL, "no GPU");
    out->gpu = copy;
    if (options->as_measured)
        copy->handover_ns -= copy->handover_ns < copy->wake_ns / 2 ? copy->handover_ns : copy->wake_ns / 2;
    if (w->partition_sms)
        keep_first(copy, w->partition_sms);
    gcast_status status = GCAST_OK;
    oracle_state *o = arena_alloc(&out->memory, sizeof *o);
    if (status == GCAST_OK && !o)
        status = gcast_error_set_memory(err);
    if (status == GCAST_OK) {
        *o = (oracle_state){.w = w, .gpu = copy, .options = options, .memory = &out->memory, .now = -1};
        o->too_small = &out->too_small;
        o->done_early = &out->done_early;
        o->stats = &out->stats;
        o->last_overhead_ns = -1;
        o->connections = w->connections >= 0 ? w->connections : copy->connections;
        o->last_sm = -1;
        o->last_gpc[0] = o->last_gpc[1] = -1;
        o->last_dispatched = -1;
        o->seen_until = INT64_MAX;
        status = simulate(o, out, err);
    }
    if (status == GCAST_OK)
        status = report(o, out, err);
    if (status == GCAST_OK)
        oracle_sums(w, out);
    if (status != GCAST_OK)
        oracle_free(out);
    return status;
}

void oracle_free(oracle_result *r)
{
    arena_free(&r->memory);
    gcast_gpu_free((gcast_gpu *)r->gpu);
    memset(r, 0, sizeof *r);
}
