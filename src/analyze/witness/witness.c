/* gcast_witness: searches for late executions of a workload, and makes a workload of one of them. The search tries the
 * executions with everything longest and shortest, then random ones, then a scan of a hyperperiod. Then it changes, for
 * each op, the execution in which it was latest, and keeps changes that make it as late or later: in windows around
 * late jobs, and in the whole frame. Ops whose bound is farthest from the longest response seen come first. */
#include <stdio.h>
#include <stdlib.h>

#include "analyze/call_latency.h"
#include "analyze/witness/execution.h"
#include "analyze/witness/frame.h"
#include "analyze/witness/growth.h"
#include "analyze/witness/late_climb.h"
#include "analyze/witness/window_search.h"
#include "analyze/witness/witness.h"
#include "base/api.h"
#include "base/integers.h"
#include "gridcast/simulate.h"
#include "model/gpu.h"
#include "model/workload/attributes.h"
#include "model/workload/workload.h"
#include "simulate/launchable.h"

#define DRAWS 100       /* most random executions */
#define MIN_DRAWS 30    /* fewest random executions */
#define COUNT_PART 2    /* between these: one part in so many of the allowed executions */
#define WORK_PART 6     /* and one part in so many of the allowed operations */
#define MAX_FAILURES 40 /* changes in a row without a later execution, after which a climb ends */
#define MAX_RATIO 100   /* limit of the ratio of bound to response */
#define WINDOW_PART 3   /* operations of climbs in windows per operation of other climbs */

/* Tries an execution and releases it; NULL: there was no memory for it. */
static gcast_status try_once(late_search *s, execution *e, gcast_error *err)
{
    latest unused;
    late_stage at = stage_of_frame(s);
    if (!e)
        return gcast_error_set_memory(err);
    gcast_status status = late_has_budget(s) ? late_try(s, &at, e, NO_TARGET, &unused, err) : GCAST_OK;
    execution_release(e);
    return status;
}

static bool any_searched(const late_search *s)
{
    for (size_t i = 0; i < s->f->w->op_count; i++)
        if (late_is_searched(s, i))
            return true;
    return false;
}

static execution *draw_execution(late_search *s)
{
    execution *e = execution_plain(s->f, true);
    if (e)
        execution_draw(s->f, e, &s->random);
    return e;
}

/* The number of random executions: a part of the budget. */
static uint64_t draws_of(const late_search *s)
{
    const gcast_witness_options *o = s->options;
    uint64_t by_count = o->max_executions ? o->max_executions / COUNT_PART : DRAWS;
    uint64_t by_work = o->max_operations ? o->max_operations / WORK_PART / max_u64(s->f->weight, 1) : DRAWS;
    return min_u64(DRAWS, max_u64(MIN_DRAWS, min_u64(by_count, by_work)));
}

static gcast_status try_plain(late_search *s, gcast_error *err)
{
    gcast_status status = try_once(s, execution_plain(s->f, true), err);
    if (status == GCAST_OK && !s->f->is_fixed)
        status = try_once(s, execution_plain(s->f, false), err);
    uint64_t draws = draws_of(s);
    for (uint64_t i = 0; status == GCAST_OK && !s->f->is_fixed && i < draws && any_searched(s) && late_has_budget(s);
         i++)
        status = try_once(s, draw_execution(s), err);
    return status;
}

/* How much later the op may be found: bound over response, twice that if its deadline has not been missed yet. */
static double promise_of(const late_search *s, size_t op)
{
    const gcast_workload *w = s->f->w;
    int64_t seen_ns = s->latest[op].response_ns, bound_ns = s->options->enough_ns ? s->options->enough_ns[op] : 0;
    if (!seen_ns)
        return 1e30;
    int64_t deadline_ns = w->ops[op].task == GCAST_ONCE ? 0 : w->tasks[w->ops[op].task].deadline_ns;
    bool is_open = deadline_ns && w->ops[op].release_ns + seen_ns <= deadline_ns;
    double ratio = bound_ns == INT64_MAX ? MAX_RATIO : (double)bound_ns / (double)seen_ns;
    return (ratio < MAX_RATIO ? ratio : MAX_RATIO) * (is_open ? 2 : 1);
}

/* Puts the ops that are searched for into s->sequence, the most promising first; returns their number. */
static size_t find_sequence(late_search *s)
{
    size_t count = 0;
    for (size_t op = 0; op < s->f->w->op_count; op++) {
        if (!late_is_searched(s, op))
            continue;
        size_t place = count++;
        for (double promise = promise_of(s, op); place && promise_of(s, s->sequence[place - 1]) < promise; place--)
            s->sequence[place] = s->sequence[place - 1];
        s->sequence[place] = op;
    }
    return count;
}

/* Climbs in the frame of the search, from the latest execution of the op or a random one. */
static gcast_status climb_in_frame(late_search *s, size_t op, uint64_t round, gcast_error *err)
{
    const latest *seen = &s->latest[op];
    late_stage at = stage_of_frame(s);
    execution *current = draw_execution(s);
    if (!current)
        return gcast_error_set_memory(err);
    if (seen->execution && round % 3 < 2) {
        if (seen->window) {
            execution_take(seen->window, seen->execution, s->f, current);
        } else {
            execution_release(current);
            current = execution_copy(s->f, seen->execution);
        }
    }
    gcast_status status = current ? late_climb(s, &at, op, MAX_FAILURES, &current, err) : gcast_error_set_memory(err);
    execution_release(current);
    return status;
}

/* Costs of the two kinds of climbs. */
typedef struct climb_costs {
    uint64_t in_windows; /* operations of climbs in windows */
    uint64_t in_frame;   /* operations of climbs in the frame */
} climb_costs;

/* Climbs for an op: in a window, if there are any and they have not had their part yet, else in the frame. */
static gcast_status climb(late_search *s, window_search *windows, size_t op, uint64_t round, climb_costs *costs,
                          gcast_error *err)
{
    uint64_t before = s->operations;
    gcast_status status = GCAST_OK;
    if (window_search_applies(windows, op) &&
        costs->in_windows < WINDOW_PART * (costs->in_frame + MAX_FAILURES * s->f->weight))
        status = window_search_climb(windows, op, err);
    costs->in_windows += s->operations - before;
    if (status != GCAST_OK || s->operations > before)
        return status;
    status = climb_in_frame(s, op, round, err);
    costs->in_frame += s->operations - before;
    return status;
}

static gcast_status search_by_op(late_search *s, window_search *windows, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    climb_costs costs = {0};
    for (uint64_t round = 0; status == GCAST_OK && any_searched(s) && late_has_budget(s); round++) {
        size_t count = find_sequence(s);
        for (size_t i = 0; i < count && status == GCAST_OK; i++)
            if (late_is_searched(s, s->sequence[i]) && late_has_budget(s))
                status = climb(s, windows, s->sequence[i], round, &costs, err);
    }
    s->reserved = s->reserved_executions = 0;
    size_t count = find_sequence(s);
    for (size_t i = 0; i < count && status == GCAST_OK && late_has_budget(s); i++)
        status = window_search_confirm(windows, s->sequence[i], err);
    return status;
}

/* Searches until the budget is spent. Leaves out executions that cannot be simulated. */
static gcast_status late_search_run(late_search *s, gcast_error *err)
{
    window_search windows;
    gcast_status status = late_reserve(s, s->f->operation_count) ? try_plain(s, err) : gcast_error_set_memory(err);
    if (status != GCAST_OK || s->f->is_fixed || !s->simulated)
        return status;
    status = window_search_begin(&windows, s, err);
    if (status == GCAST_OK)
        status = search_by_op(s, &windows, err);
    window_search_free(&windows);
    return status;
}

typedef struct owned_witness {
    gcast_witness w;   /* first, so that a gcast_witness is its handle */
    frame f;           /* the frame of the search */
    gcast_gpu *gpu;    /* a copy of the GPU */
    latest *latest;    /* by op: its longest response */
    size_t ops;        /* number of ops; the workload may be freed first */
    int64_t *seen_ns;  /* w.seen_ns */
    growth growth;     /* its per_hyperperiod_ns is w.growth_ns */
    char why_not[512]; /* w.why_not */
} owned_witness;

void gcast_witness_free(gcast_witness *witness)
{
    if (!witness)
        return;
    owned_witness *o = witness->memory;
    for (size_t i = 0; o->latest && i < o->ops; i++)
        latest_clear(&o->latest[i]);
    free(o->latest);
    free(o->seen_ns);
    free(o->growth.per_hyperperiod_ns);
    frame_free(&o->f);
    gcast_gpu_free(o->gpu);
    free(o);
}

/* Can the workload run on the GPU, or on its partition of it? */
static gcast_status check(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    gcast_gpu *part;
    gcast_status status = gcast_gpu_copy(gpu, &part, err);
    if (status == GCAST_OK)
        status = gcast_gpu_check(part, err);
    if (status == GCAST_OK && w->partition_sms)
        status = gcast_gpu_partition(part, w->partition_sms, err);
    if (status == GCAST_OK)
        status = gcast_workload_check(w, err);
    if (status == GCAST_OK)
        status = attributes_refuse_special(w, "late executions of such kernels are not searched for", err);
    if (status == GCAST_OK)
        status = launchable_check(w, part, err);
    gcast_gpu_free(part);
    return status;
}

/* Chooses the ops of interest: those of enough_ns, else those with deadlines, else all. */
static void find_wanted(const gcast_workload *w, const gcast_witness_options *options, bool *is_wanted)
{
    bool any = false;
    for (size_t i = 0; i < w->op_count; i++) {
        bool has_deadline = w->ops[i].task != GCAST_ONCE && w->tasks[w->ops[i].task].deadline_ns > 0;
        is_wanted[i] = options->enough_ns ? options->enough_ns[i] > 0 : has_deadline;
        any = any || is_wanted[i];
    }
    for (size_t i = 0; !any && !options->enough_ns && i < w->op_count; i++)
        is_wanted[i] = gcast_kind_on_gpu(w->ops[i].kind);
}

/* Finds the ranges of latencies, as an analysis does, and sets the GPU's latencies to the minima. */
static latency_range settle_latencies(gcast_gpu *gpu, const gcast_witness_options *options)
{
    gcast_call_latency launch, copy;
    gcast_analyze_options by = gcast_analyze_options_default();
    by.launch_min_ns = options->launch_min_ns;
    by.launch_max_ns = options->launch_max_ns;
    by.copy_min_ns = options->copy_min_ns;
    by.copy_max_ns = options->copy_max_ns;
    by.quantile = options->quantile;
    call_latency_find(gpu, &by, &launch, &copy);
    gpu->launch_latency_ns = launch.min_ns;
    gpu->copy_latency_ns = copy.min_ns;
    return (latency_range){launch.max_ns - launch.min_ns, copy.max_ns - copy.min_ns};
}

/* Watches the time limit and the caller during the test for growth. */
typedef struct growth_watch {
    const gcast_witness_options *options; /* the caller's options */
    time_limit limit;                     /* of the whole search */
    bool stopped;                         /* the time is over, or the caller stopped it */
} growth_watch;

static bool may_go_on(void *data, double fraction)
{
    growth_watch *g = data;
    const gcast_witness_options *o = g->options;
    (void)fraction;
    g->stopped = g->stopped || limit_passed(&g->limit) || (o->progress && !o->progress(o->progress_data, 0));
    return !g->stopped;
}

/* Tests whether responses grow, with the longest latencies. *hyperperiods: as many as show the missed deadlines. */
static gcast_status find_growth(owned_witness *o, const gcast_witness_options *options, const latency_range *latency,
                                uint32_t *hyperperiods, gcast_error *err)
{
    gcast_gpu *gpu;
    growth_watch watch = {.options = options, .limit = limit_from_now(options->max_ms)};
    gcast_simulate_options by = gcast_simulate_options_default();
    by.progress = may_go_on;
    by.progress_data = &watch;
    gcast_status status = gcast_gpu_copy(o->gpu, &gpu, err);
    if (status != GCAST_OK)
        return status;
    gpu->launch_latency_ns += latency->launch_ns;
    gpu->copy_latency_ns += latency->copy_ns;
    status = growth_find(o->w.workload, gpu, &by, &o->growth, err);
    gcast_gpu_free(gpu);
    if (status == GCAST_INPUT || watch.stopped) /* the search says why something cannot be simulated */
        status = GCAST_OK;
    o->w.growth_searched = true;
    o->w.growth = o->growth.kind;
    o->w.growth_hyperperiods = o->growth.hyperperiods;
    o->w.growth_why = o->growth.kind == GCAST_BACKLOG_PILES_UP ? o->growth.why : NULL;
    *hyperperiods = o->growth.kind ? o->growth.to_miss : 0;
    return status;
}

static gcast_status search(owned_witness *o, const gcast_witness_options *given, gcast_error *err)
{
    gcast_witness_options own = *given;
    const gcast_witness_options *options = &own;
    const gcast_workload *w = o->w.workload;
    latency_range latency = settle_latencies(o->gpu, options);
    uint32_t to_miss = 0;
    gcast_status status = GCAST_OK;
    if (own.growth && !own.horizon_ns)
        status = find_growth(o, options, &latency, &to_miss, err);
    own.hyperperiods = to_miss > own.hyperperiods ? to_miss : own.hyperperiods;
    if (status == GCAST_OK)
        status = frame_create(&o->f, w, o->gpu, &latency, options, err);
    if (status != GCAST_OK)
        return status;
    bool *is_wanted = calloc(w->op_count + 1, sizeof *is_wanted);
    latest *claims = calloc(w->op_count + 1, sizeof *claims);
    size_t *sequence = malloc((w->op_count + 1) * sizeof *sequence);
    late_search s = {.f = &o->f,
                     .gpu = o->gpu,
                     .options = options,
                     .is_wanted = is_wanted,
                     .limit = limit_from_now(options->max_ms),
                     .random = {options->seed},
                     .latest = o->latest,
                     .claims = claims,
                     .sequence = sequence};
    if (is_wanted && claims && sequence) {
        find_wanted(w, options, is_wanted);
        status = late_search_run(&s, err);
    } else {
        status = gcast_error_set_memory(err);
    }
    for (size_t i = 0; claims && i < w->op_count; i++)
        latest_clear(&claims[i]);
    free(claims);
    free(is_wanted);
    free(s.places);
    free(s.focus);
    free(s.next_focus);
    free(sequence);
    o->w.executions = s.executions;
    o->w.windows = s.windows;
    if (!s.simulated) {
        snprintf(o->why_not, sizeof o->why_not, "%s",
                 s.refusal.code != GCAST_OK ? s.refusal.message : "it reached its time limit");
        o->w.why_not = o->why_not;
    }
    for (size_t i = 0; i < w->op_count; i++)
        o->seen_ns[i] = o->latest[i].response_ns;
    return status;
}

gcast_status gcast_workload_witness(const gcast_workload *w, const gcast_gpu *gpu, const gcast_witness_options *given,
                                    gcast_witness **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!w || !out)
        return argument_missing(err);
    gcast_witness_options own = gcast_witness_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_witness_options", err);
    if (status != GCAST_OK)
        return status;
    if (!gpu)
        gpu = w->gpu;
    if (!gpu)
        return hint_add(err, GCAST_HINT_GPU, gcast_error_set(err, GCAST_INPUT, "/gpu", "no GPU is named"));
    if (own.horizon_ns < 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a horizon is not negative");
    if (max_i64(own.launch_max_ns, own.copy_max_ns) > LATENCY_MAX_NS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a call may take a day at most to reach the GPU");
    status = check(w, gpu, err);
    if (status != GCAST_OK)
        return status;
    owned_witness *o = calloc(1, sizeof *o);
    if (!o)
        return gcast_error_set_memory(err);
    o->w = (gcast_witness){.workload = w, .memory = o};
    o->ops = w->op_count;
    o->latest = calloc(w->op_count + 1, sizeof *o->latest);
    o->seen_ns = calloc(w->op_count + 1, sizeof *o->seen_ns);
    o->growth.per_hyperperiod_ns = calloc(w->op_count + 1, sizeof *o->growth.per_hyperperiod_ns);
    o->w.seen_ns = o->seen_ns;
    o->w.growth_ns = o->growth.per_hyperperiod_ns;
    status =
        o->latest && o->seen_ns && o->w.growth_ns ? gcast_gpu_copy(gpu, &o->gpu, err) : gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = search(o, &own, err);
    if (status != GCAST_OK) {
        gcast_witness_free(&o->w);
        return status;
    }
    *out = &o->w;
    return GCAST_OK;
}

/* Checks that the simulation of the unrolled workload shows the response. */
static gcast_status compare(const owned_witness *o, const gcast_workload *made, size_t late, const latest *l,
                            gcast_error *err)
{
    gcast_run *run;
    gcast_status status = gcast_workload_simulate(made, o->gpu, NULL, &run, err);
    if (status != GCAST_OK)
        return status;
    int64_t response_ns = gcast_response_ns(&run->ops[late]);
    if (response_ns != l->response_ns || run->ops[late].end_ns != l->end_ns)
        status = gcast_error_set(err, GCAST_INTERNAL, NULL, "%.200s takes %lld ns in its witness, not %lld ns",
                                 made->ops[late].label, (long long)response_ns, (long long)l->response_ns);
    gcast_run_free(run);
    return status;
}

static gcast_status add_gpu(const owned_witness *o, gcast_workload *made, gcast_error *err)
{
    gcast_gpu *gpu;
    gcast_status status = gcast_gpu_copy(o->gpu, &gpu, err);
    if (status == GCAST_OK)
        gcast_workload_set_gpu(made, gpu);
    return status;
}

/* Makes a workload of an execution of a frame; *late: its op that stands for the operation. */
static gcast_status unroll(const frame *f, const execution *e, size_t operation, int64_t end_ns, gcast_workload **made,
                           size_t *late, gcast_error *err)
{
    size_t *places = malloc((f->operation_count + 1) * sizeof *places);
    if (!places)
        return gcast_error_set_memory(err);
    gcast_status status = unrolled_create(f, e, end_ns, made, places, err);
    *late = 0;
    while (status == GCAST_OK && places[*late] != operation)
        ++*late;
    free(places);
    return status;
}

/* As unroll, for an execution of a window, with everything released before it. */
static gcast_status unroll_window(const owned_witness *o, const latest *l, gcast_workload **made, size_t *late,
                                  gcast_error *err)
{
    frame *whole;
    frame_part part = {.open_ns = l->window->open_ns, .end_ns = l->window->end_ns};
    gcast_status status = frame_cut(&o->f, &part, &whole, err);
    if (status != GCAST_OK)
        return status;
    execution *e = execution_whole(whole, l->window, l->execution);
    size_t operation = l->operation - frame_first_open(l->window) + frame_first_open(whole);
    status = e ? unroll(whole, e, operation, l->end_ns, made, late, err) : gcast_error_set_memory(err);
    execution_release(e);
    frame_release(whole);
    return status;
}

gcast_status gcast_witness_workload(const gcast_witness *witness, size_t op, gcast_workload **out, size_t *late,
                                    gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!witness || !out)
        return argument_missing(err);
    const owned_witness *o = witness->memory;
    gcast_workload *made;
    size_t place;
    if (op >= witness->workload->op_count || !o->latest[op].execution)
        return gcast_error_set(err, GCAST_USAGE, NULL, "no response of this op was seen");
    const latest *l = &o->latest[op];
    gcast_status status = l->window ? unroll_window(o, l, &made, &place, err)
                                    : unroll(&o->f, l->execution, l->operation, l->end_ns, &made, &place, err);
    if (status != GCAST_OK)
        return status;
    status = add_gpu(o, made, err);
    if (status == GCAST_OK)
        status = compare(o, made, place, l, err);
    if (status != GCAST_OK) {
        gcast_workload_free(made);
        return status;
    }
    if (late)
        *late = place;
    *out = made;
    return GCAST_OK;
}
