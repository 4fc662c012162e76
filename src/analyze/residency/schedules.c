/* Draws schedules and simulates them, to find one that hangs or to check a proof. */
#include "analyze/residency/schedules.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/integers.h"
#include "base/splitmix.h"
#include "model/workload/attributes.h"
#include "model/workload/barriers.h"
#include "model/workload/workload.h"

#define MADE_UP_NS 1000 /* replaces an unknown duration */
#define FAR_NS 1000000  /* a release at which most earlier operations have ended */

/* hang_search */
#define SEARCH_MAX_RISKS 20
#define LATER_NS 1000000          /* a delayed call comes this long after the last release */
#define SEARCH_DRAWN 100          /* drawn schedules, of a workload with */
#define SEARCH_SMALL_BLOCKS 10000 /* no more blocks than this */

/* safe_check */
#define CHECK_MIN_NS 10000000 /* limits on the time for drawn schedules */
#define CHECK_MAX_NS 1000000000
#define CHECK_MIN_DRAWN 100  /* a small workload gets so many, however long they take */
#define CHECK_MAX_DRAWN 1000 /* no workload gets more */
#define CHECK_SMALL_BLOCKS 2000

typedef struct drawer {
    gcast_workload *w;
    gcast_gpu *gpu;
    uint64_t state;
} drawer;

/* A random number from 0 to n - 1. */
static uint64_t below(drawer *d, uint64_t n)
{
    return splitmix_next(&d->state) % n;
}

static bool percent(drawer *d, unsigned n)
{
    return below(d, 100) < n;
}

/* A time from a short list, so that times are often equal. */
static int64_t draw_ns(drawer *d)
{
    static const int64_t times[] = {0, 0, 1, 2, 5, 10, 20, 50, 100, 100, 200, 500, 1000, 2000, 10000};
    return times[below(d, sizeof times / sizeof *times)];
}

/* A release for a call. */
static int64_t draw_release(drawer *d, int64_t as_it_is)
{
    const gcast_workload *w = d->w;
    const gcast_op *other = &w->ops[below(d, w->op_count)];
    switch (below(d, 8)) {
    case 0:
    case 1:
        return as_it_is;
    case 2:
        return other->release_ns;
    case 3:
        return other->skip_ns == GCAST_NEVER ? draw_ns(d) : max_i64(other->skip_ns - (int64_t)below(d, 2), 0);
    case 4:
        return min_i64(as_it_is, WORKLOAD_MAX_NS - FAR_NS) + draw_ns(d);
    case 5:
        return FAR_NS;
    default:
        return draw_ns(d);
    }
}

/* By op: the number + 1 of the op before it in its stream; 0: none. NULL without memory. */
static uint32_t *find_before(const gcast_workload *w)
{
    uint32_t *before = calloc(w->op_count + 1, sizeof *before), *last = calloc(w->stream_count + 1, sizeof *last);
    for (size_t i = 0; before && last && i < w->op_count; i++)
        if (gcast_kind_on_gpu(w->ops[i].kind)) {
            before[i] = last[w->ops[i].stream];
            last[w->ops[i].stream] = (uint32_t)i + 1;
        }
    if (!last) {
        free(before);
        before = NULL;
    }
    free(last);
    return before;
}

/* The earliest call of an op without a host: not before its stream's previous op, nor before what it depends on. */
static int64_t earliest_call(const gcast_workload *w, size_t i, uint32_t before)
{
    const gcast_op *op = &w->ops[i];
    int64_t earliest = before ? w->ops[before - 1].release_ns : 0;
    for (size_t k = 0; k < op->after_count; k++)
        if (w->ops[op->after[k]].host == GCAST_NO_HOST)
            earliest = max_i64(earliest, w->ops[op->after[k]].release_ns + (op->after[k] > i));
    return max_i64(op->release_ns, earliest);
}

/* Delays ops without a host until their calls come after those of earlier ops of their stream and of their
 * dependencies. False without memory. */
static bool keep_order(gcast_workload *w)
{
    uint32_t *before = find_before(w);
    bool changed = before != NULL;
    for (size_t round = 0; changed && round <= w->op_count; round++) {
        changed = false;
        for (size_t i = 0; i < w->op_count; i++) {
            gcast_op op = w->ops[i];
            if (attributes_is_next_node(w, i))
                op.release_ns = w->ops[i - 1].release_ns;
            else if (op.host == GCAST_NO_HOST)
                op.release_ns = earliest_call(w, i, before[i]);
            if (op.release_ns == w->ops[i].release_ns)
                continue;
            workload_put_op(w, i, &op);
            changed = true;
        }
    }
    free(before);
    return before != NULL;
}

/* Delays ops without a host so that they are called in the order of `as_it_is`. */
static bool keep_file_order(gcast_workload *w, const gcast_workload *as_it_is)
{
    size_t count;
    uint32_t *calls = needs_loose_calls(as_it_is, &count);
    for (size_t k = 1; calls && k < count; k++) {
        gcast_op op = w->ops[calls[k]];
        op.release_ns = max_i64(op.release_ns, w->ops[calls[k - 1]].release_ns + (calls[k - 1] > calls[k]));
        if (attributes_is_next_node(w, calls[k]))
            op.release_ns = w->ops[calls[k] - 1].release_ns;
        workload_put_op(w, calls[k], &op);
    }
    free(calls);
    return calls != NULL;
}

/* Delays the call of an op until `ns`, and with it all calls that must come after it. */
static gcast_status schedule_delay(gcast_workload *w, size_t at, int64_t ns, gcast_error *err)
{
    size_t launch = needs_launch_of(w, at);
    gcast_op op = w->ops[launch];
    op.release_ns = max_i64(op.release_ns, ns);
    workload_put_op(w, launch, &op);
    return keep_order(w) ? GCAST_OK : gcast_error_set_memory(err);
}

/* False without memory. */
static bool draw_calls(drawer *d, const gcast_workload *as_it_is, bool in_file_order)
{
    bool rare = percent(d, 30);
    for (size_t i = 0; i < d->w->op_count; i++) {
        gcast_op op = d->w->ops[i];
        if (attributes_is_next_node(d->w, i) || (rare && percent(d, 70)))
            continue;
        op.release_ns = draw_release(d, op.release_ns);
        if (op.host != GCAST_NO_HOST && percent(d, 50))
            op.delay_ns = draw_ns(d);
        workload_put_op(d->w, i, &op);
    }
    return keep_order(d->w) && (!in_file_order || keep_file_order(d->w, as_it_is));
}

/* One duration for all blocks of an op, or for the copy. */
static void draw_duration(drawer *d, size_t i, schedule_kind kind)
{
    gcast_op op = d->w->ops[i];
    bool kernel = op.kind == GCAST_KIND_KERNEL, waits = kernel && attributes_waits(&op);
    if (!gcast_kind_on_gpu(op.kind))
        return;
    if (kind == SCHEDULE_ANY) {
        op.block_ns = NULL;
        op.min_ns = op.max_ns = draw_ns(d) + 1;
        if (waits)
            op.wait_ns = percent(d, 50) ? 0 : (int64_t)below(d, (uint64_t)op.max_ns);
        if (kernel && op.trigger_ns != GCAST_NEVER)
            op.trigger_ns = percent(d, 50) ? 0 : draw_ns(d);
    } else if (kernel && op.max_ns < 0 && !op.block_ns) {
        op.min_ns = op.max_ns = (waits ? min_i64(op.wait_ns, WORKLOAD_MAX_NS - MADE_UP_NS) : 0) + MADE_UP_NS;
    } else if (kind == SCHEDULE_CALLS && op.max_ns > op.min_ns && op.min_ns >= 0 && !op.block_ns) {
        op.min_ns = op.max_ns = op.min_ns + (int64_t)below(d, (uint64_t)(op.max_ns - op.min_ns) + 1);
    }
    workload_put_op(d->w, i, &op);
}

static void draw_gpu(drawer *d)
{
    gcast_gpu *gpu = d->gpu;
    int64_t *const times[] = {&gpu->launch_latency_ns,    &gpu->copy_latency_ns,   &gpu->copy_gap_ns,
                              &gpu->stream_gap_ns,        &gpu->event_gap_ns,      &gpu->programmatic_gap_ns,
                              &gpu->programmatic_wait_ns, &gpu->handover_ns,       &gpu->switch_ns,
                              &gpu->graph_latency_ns,     &gpu->graph_node_ns,     &gpu->graph_root_ns,
                              &gpu->graph_gap_ns,         &gpu->graph_step_ns,     &gpu->graph_trigger_gap_ns,
                              &gpu->graph_start_gap_ns,   &gpu->graph_copy_gap_ns, &gpu->graph_wait_ns};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (percent(d, 60))
            *times[i] = percent(d, 40) ? 0 : draw_ns(d) / 10;
    gpu->placement = (gcast_placement)below(d, GCAST_PLACEMENTS);
}

gcast_status schedule_draw(drawn_schedule *x, const gcast_workload *w, const gcast_gpu *gpu, schedule_kind kind,
                           bool in_file_order, uint64_t seed, gcast_error *err)
{
    *x = (drawn_schedule){.options = gcast_simulate_options_default()};
    gcast_status status = gcast_workload_copy(w, &x->w, err);
    if (status == GCAST_OK)
        status = gcast_gpu_copy(gpu, &x->gpu, err);
    drawer d = {x->w, x->gpu, seed};
    if (status == GCAST_OK && kind != SCHEDULE_AS_IS && w->op_count && !draw_calls(&d, w, in_file_order))
        status = gcast_error_set_memory(err);
    if (status != GCAST_OK) {
        schedule_free(x);
        return status;
    }
    for (size_t i = 0; i < w->op_count; i++)
        draw_duration(&d, i, kind);
    if (kind == SCHEDULE_ANY) {
        draw_gpu(&d);
        x->options.random_placement = percent(&d, 40);
        x->options.placement_seed = splitmix_next(&d.state);
        x->options.noise_ns = percent(&d, 40) ? draw_ns(&d) : 0;
        x->options.noise_seed = splitmix_next(&d.state);
    }
    return GCAST_OK;
}

void schedule_free(drawn_schedule *x)
{
    gcast_workload_free(x->w);
    gcast_gpu_free(x->gpu);
    *x = (drawn_schedule){0};
}

gcast_status schedule_hangs(const drawn_schedule *x, bool *hangs, gcast_error *err)
{
    gcast_run *run = NULL;
    gcast_status status = gcast_workload_simulate(x->w, x->gpu, &x->options, &run, err);
    *hangs = status == GCAST_OK && run->hang;
    gcast_run_free(run);
    return status;
}

/* Takes the schedule as the witness if it hangs, else frees it. One that cannot be simulated is none. */
static gcast_status take_if_hangs(drawn_schedule *x, gcast_workload **witness, gcast_error *err)
{
    bool hangs = false;
    gcast_error own;
    gcast_status status = workload_check_form(x->w, &own) == GCAST_OK ? schedule_hangs(x, &hangs, err) : GCAST_INPUT;
    if (hangs) {
        *witness = x->w;
        x->w = NULL;
    }
    schedule_free(x);
    return status == GCAST_INPUT ? GCAST_OK : status;
}

/* Tries the workload with `later` called a millisecond after the last release, and not before its skip_ns;
 * RESIDENCY_NONE: tries the unchanged workload. */
static gcast_status try_later(const gcast_workload *w, const gcast_gpu *gpu, uint32_t later, gcast_workload **witness,
                              gcast_error *err)
{
    drawn_schedule x;
    int64_t last = 0;
    for (size_t i = 0; i < w->op_count; i++)
        last = max_i64(last, w->ops[i].release_ns);
    gcast_status status = schedule_draw(&x, w, gpu, SCHEDULE_AS_IS, false, 0, err);
    if (status == GCAST_OK && later != RESIDENCY_NONE) {
        int64_t skip = w->ops[needs_launch_of(w, later)].skip_ns;
        int64_t time = min_i64(last, WORKLOAD_MAX_NS - LATER_NS) + LATER_NS;
        status = schedule_delay(x.w, later, skip == GCAST_NEVER ? time : max_i64(time, skip), err);
        if (status != GCAST_OK)
            schedule_free(&x);
    }
    return status == GCAST_OK ? take_if_hangs(&x, witness, err) : status;
}

static bool is_small_workload(const gcast_workload *w)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < w->op_count && blocks <= SEARCH_SMALL_BLOCKS; i++)
        blocks += w->ops[i].kind == GCAST_KIND_KERNEL ? min_u64(w->ops[i].blocks, SEARCH_SMALL_BLOCKS + 1) : 1;
    return blocks <= SEARCH_SMALL_BLOCKS;
}

gcast_status hang_search(const gcast_workload *w, const gcast_gpu *gpu, const residency *r, gcast_workload **witness,
                         gcast_error *err)
{
    *witness = NULL;
    gcast_status status = r->risk_count ? try_later(w, gpu, RESIDENCY_NONE, witness, err) : GCAST_OK;
    for (size_t i = 0; i < r->risk_count && i < SEARCH_MAX_RISKS; i++) {
        uint32_t ops[] = {r->risks[i].kernel, r->risks[i].waiter};
        for (int k = 0; k < 2 && status == GCAST_OK && !*witness; k++)
            status = try_later(w, gpu, ops[k], witness, err);
    }
    for (uint64_t seed = 1;
         seed <= SEARCH_DRAWN && r->risk_count && is_small_workload(w) && status == GCAST_OK && !*witness; seed++) {
        drawn_schedule x;
        status = schedule_draw(&x, w, gpu, SCHEDULE_CALLS, false, seed, err);
        if (status == GCAST_OK)
            status = take_if_hangs(&x, witness, err);
    }
    return status;
}

static uint64_t blocks_of(const gcast_workload *w)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL)
            blocks += w->ops[i].blocks < SAFE_CHECK_MAX_BLOCKS ? w->ops[i].blocks : SAFE_CHECK_MAX_BLOCKS + 1;
    return blocks;
}

/* Simulates schedule `number`; 0 is the unchanged workload, which must be one that can run. */
static gcast_status check_one(const gcast_workload *w, const gcast_gpu *gpu, bool in_file_order, uint64_t number,
                              gcast_error *err)
{
    drawn_schedule x;
    bool hangs = false;
    schedule_kind kind = !number ? SCHEDULE_AS_IS : number % 4 ? SCHEDULE_ANY : SCHEDULE_CALLS;
    gcast_status status = schedule_draw(&x, w, gpu, kind, in_file_order, number, err);
    if (status != GCAST_OK)
        return status;
    status = schedule_hangs(&x, &hangs, err);
    schedule_free(&x);
    if (status == GCAST_INPUT && number)
        return GCAST_OK;
    if (status != GCAST_OK || !hangs)
        return status;
    return gcast_error_set(err, GCAST_INTERNAL, NULL,
                           "it was proven that nothing hangs, and schedule %llu of it hangs: nothing is said of it; "
                           "please send this file to the authors of gridcast",
                           (unsigned long long)number);
}

gcast_status safe_check(const gcast_workload *w, const gcast_gpu *gpu, bool in_file_order, int64_t proof_ns,
                        size_t *simulated, gcast_error *err)
{
    uint64_t blocks = blocks_of(w), number = 0;
    int64_t limit = min_i64(max_i64(proof_ns / 10, CHECK_MIN_NS), CHECK_MAX_NS);
    *simulated = 0;
    if (blocks > SAFE_CHECK_MAX_BLOCKS)
        return barriers_check(w, &(bool){false}, err);
    gcast_status status = check_one(w, gpu, in_file_order, number++, err);
    int64_t start = clock_now_ns();
    while (status == GCAST_OK && number <= CHECK_MAX_DRAWN &&
           ((number <= CHECK_MIN_DRAWN && blocks <= CHECK_SMALL_BLOCKS) || clock_now_ns() - start < limit))
        status = check_one(w, gpu, in_file_order, number++, err);
    *simulated = (size_t)number;
    return status;
}
