/* One predicate per feature, over an operation of a run or over pairs of operations. */
#include "property/features.h"
#include "gridcast/names.h"

typedef struct scene {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    const generated *g;
    const oracle_result *r;
} scene;

static const gcast_op *op_of(const scene *s, const gcast_run_op *x)
{
    return &s->w->ops[x->op];
}

static bool is(const scene *s, const gcast_run_op *x, gcast_kind kind)
{
    return !x->skipped && op_of(s, x)->kind == kind;
}

static const gcast_stream *stream_of(const scene *s, const gcast_run_op *x)
{
    return &s->w->streams[op_of(s, x)->stream];
}

/* It had to wait at the head of its stream, and not for a connection. */
static bool held_at_head(const scene *s, const gcast_run_op *x)
{
    return x->enter_ns > x->head_ns && x->connection < 0 && (s->r->connections == 0 || !is(s, x, GCAST_KIND_KERNEL));
}

static bool null_first(const scene *s, const gcast_run_op *x)
{
    return held_at_head(s, x) && stream_of(s, x)->id == 0;
}

static bool null_before(const scene *s, const gcast_run_op *x)
{
    return held_at_head(s, x) && stream_of(s, x)->id != 0;
}

static bool connection(const scene *s, const gcast_run_op *x)
{
    return is(s, x, GCAST_KIND_KERNEL) && x->enter_ns > x->head_ns && stream_of(s, x)->id && !stream_of(s, x)->blocking;
}

static bool waits(const scene *s, const gcast_run_op *x, gcast_kind kind)
{
    return is(s, x, kind) && x->return_ns > x->call_ns;
}

static bool sync_waits(const scene *s, const gcast_run_op *x)
{
    return waits(s, x, GCAST_KIND_SYNC);
}

static bool free_waits(const scene *s, const gcast_run_op *x)
{
    return waits(s, x, GCAST_KIND_FREE);
}

static bool barrier_waits(const scene *s, const gcast_run_op *x)
{
    return waits(s, x, GCAST_KIND_BARRIER);
}

static bool kernel_call_waits(const scene *s, const gcast_run_op *x)
{
    return waits(s, x, GCAST_KIND_KERNEL);
}

/* Without a host, only a free can hold a call. */
static bool call_held_by_free(const scene *s, const gcast_run_op *x)
{
    return op_of(s, x)->host == GCAST_NO_HOST && x->call_ns > x->release_ns;
}

static bool skipped(const scene *s, const gcast_run_op *x)
{
    (void)s;
    return x->skipped;
}

static bool copy_waits(const scene *s, const gcast_run_op *x)
{
    return (is(s, x, GCAST_KIND_COPY) || is(s, x, GCAST_KIND_MEMSET)) && x->start_ns > x->enter_ns;
}

/* A copy that entered later started before it. */
static bool copy_overtaken(const scene *s, const gcast_run_op *x)
{
    for (size_t i = 0; copy_waits(s, x) && i < s->r->op_count; i++) {
        const gcast_run_op *y = &s->r->ops[i];
        if (y->engine == x->engine && y->entry > x->entry && y->start_ns >= 0 && y->start_ns < x->start_ns)
            return true;
    }
    return false;
}

static bool second_engine(const scene *s, const gcast_run_op *x)
{
    (void)s;
    return x->engine == 1;
}

static bool kernel_waits(const scene *s, const gcast_run_op *x)
{
    return is(s, x, GCAST_KIND_KERNEL) && x->start_ns > x->enter_ns;
}

static bool in_waves(const scene *s, const gcast_run_op *x)
{
    (void)s;
    return x->dispatched_ns > x->start_ns;
}

/* A younger kernel of higher priority started while this one had blocks left. */
static bool overtaken(const scene *s, const gcast_run_op *x)
{
    for (size_t i = 0; is(s, x, GCAST_KIND_KERNEL) && i < s->r->op_count; i++) {
        const gcast_run_op *y = &s->r->ops[i];
        if (is(s, y, GCAST_KIND_KERNEL) && y->entry > x->entry && y->start_ns < x->dispatched_ns)
            return true;
    }
    return false;
}

static bool arrives_before_older(const scene *s, const gcast_run_op *x)
{
    for (size_t i = 0; x->arrive_ns >= 0 && i < s->r->op_count; i++) {
        const gcast_run_op *y = &s->r->ops[i];
        if (y->arrive_ns > x->arrive_ns && y->launch < x->launch && op_of(s, y)->stream == op_of(s, x)->stream)
            return true;
    }
    return false;
}

static bool grids_full(const scene *s, const gcast_run_op *x)
{
    int limit = s->gpu->limits.resident_grids, resident = 0;
    for (size_t i = 0; limit && kernel_waits(s, x) && i < s->r->op_count; i++) {
        const gcast_run_op *y = &s->r->ops[i];
        resident += is(s, y, GCAST_KIND_KERNEL) && y->start_ns < x->start_ns && y->end_ns >= x->start_ns;
    }
    return limit && resident >= limit;
}

static bool other_quarter(const scene *s, const gcast_run_op *x)
{
    for (uint64_t b = 0; is(s, x, GCAST_KIND_KERNEL) && b < x->block_count; b++)
        if (x->blocks[b].quarter)
            return true;
    return false;
}

static bool masked(const scene *s, const gcast_run_op *x)
{
    return is(s, x, GCAST_KIND_KERNEL) && op_of(s, x)->mask != GCAST_ALL_SMS;
}

static bool own_durations(const scene *s, const gcast_run_op *x)
{
    return is(s, x, GCAST_KIND_KERNEL) && op_of(s, x)->block_ns;
}

static bool drawn(const scene *s, const gcast_run_op *x)
{
    return !x->skipped && s->g->options.durations == GCAST_DURATIONS_RANDOM &&
           op_of(s, x)->min_ns < op_of(s, x)->max_ns;
}

static bool later_job(const scene *s, const gcast_run_op *x)
{
    (void)s;
    return x->job > 0 && !x->skipped;
}

static bool handover(const scene *s, const gcast_run_op *x)
{
    return s->gpu->handover_ns && in_waves(s, x);
}

static bool gap(const scene *s, const gcast_run_op *x)
{
    return s->gpu->stream_gap_ns && x->head_ns > x->arrive_ns;
}

static bool switches(const scene *s, const gcast_run_op *x)
{
    if (!s->gpu->switch_ns || !is(s, x, GCAST_KIND_KERNEL) || x->skipped)
        return false;
    for (size_t i = 0; i < s->r->op_count; i++)
        if (&s->r->ops[i] != x && is(s, &s->r->ops[i], GCAST_KIND_KERNEL) &&
            s->r->ops[i].dispatched_ns + s->gpu->switch_ns == x->start_ns)
            return true;
    return false;
}

static bool after_waits(const scene *s, const gcast_run_op *x) /* and for nothing else */
{
    return op_of(s, x)->after_count && held_at_head(s, x) && stream_of(s, x)->id && !stream_of(s, x)->blocking;
}

static bool turns(const scene *s, const gcast_run_op *x)
{
    return s->gpu->turn_ns && x->connection >= 0 && x->head_ns > x->arrive_ns &&
           x->enter_ns == x->head_ns + s->gpu->turn_ns;
}

static bool starts_in_release_order(const scene *s, const gcast_run_op *x)
{
    return s->gpu->look_step_ns && s->gpu->sms > s->gpu->sms_per_tpc && in_waves(s, x);
}

/* Blocks that sleep start in resources that are released on ticks. */
static bool sleeps(const scene *s, const gcast_run_op *x)
{
    return s->g->options.as_measured && s->gpu->wake_ns && op_of(s, x)->body == GCAST_BODY_SPIN && in_waves(s, x);
}

/* Blocks that sleep start inside a TPC, where warps release resources before their block does. */
static bool leaves(const scene *s, const gcast_run_op *x)
{
    return sleeps(s, x) && s->gpu->look_step_ns && s->gpu->sms_per_tpc > 1 && s->gpu->sms > 1;
}

static bool scatters(const scene *s, const gcast_run_op *x)
{
    int64_t latency = is(s, x, GCAST_KIND_KERNEL) ? s->gpu->launch_latency_ns : s->gpu->copy_latency_ns;
    return s->g->options.scatter && x->arrive_ns >= 0 && x->arrive_ns - x->call_ns != latency;
}

/* A block took longer than it could without starving. */
static bool starves(const scene *s, const gcast_run_op *x)
{
    bool late = false;
    if (s->g->options.as_measured)
        return false;
    for (uint64_t b = 0; is(s, x, GCAST_KIND_KERNEL) && !x->skipped && !op_of(s, x)->block_ns && b < x->block_count;
         b++)
        late = late || x->blocks[b].end_ns - x->blocks[b].start_ns > op_of(s, x)->max_ns + s->g->options.noise_ns;
    return late;
}

/* Once per run: an SM had free resources, but the size of its shared memory was too small. */
static bool too_small(const scene *s, const gcast_run_op *x)
{
    (void)x;
    return s->r->too_small;
}

static bool done_early(const scene *s, const gcast_run_op *x)
{
    (void)x;
    return s->r->done_early;
}

/* More than one SM may have had free resources for it. */
static bool drawn_places(const scene *s, const gcast_run_op *x)
{
    return s->g->options.random_placement && s->gpu->sms > 1 && is(s, x, GCAST_KIND_KERNEL) && x->block_count > 1;
}

static bool mapped(const scene *s, const gcast_run_op *x, gcast_mapping mapping)
{
    return is(s, x, GCAST_KIND_KERNEL) && op_of(s, x)->plan && op_of(s, x)->plan->mapping == mapping &&
           x->retreated < x->workers && x->block_count > 1;
}

#define MAPPED(name, mapping)                                                                                          \
    static bool name(const scene *s, const gcast_run_op *x)                                                            \
    {                                                                                                                  \
        return mapped(s, x, mapping);                                                                                  \
    }
MAPPED(persistent, GCAST_MAPPING_PERSISTENT)
MAPPED(one_job, GCAST_MAPPING_ONE_JOB)
MAPPED(segments, GCAST_MAPPING_SEGMENTS)
MAPPED(queues, GCAST_MAPPING_QUEUES)

/* A job ran on another SM than that of its queue. */
static bool stolen(const scene *s, const gcast_run_op *x)
{
    const gcast_plan *p = op_of(s, x)->plan;
    for (uint32_t q = 0; queues(s, x) && p->steal && !x->repaired && q < p->queues; q++)
        for (uint32_t k = p->first[q]; k < p->first[q + 1]; k++)
            if (x->blocks[p->job[k]].sm != q)
                return true;
    return false;
}

static bool retreats(const scene *s, const gcast_run_op *x)
{
    (void)s;
    return x->retreated > 0;
}

static bool partly_repaired(const scene *s, const gcast_run_op *x)
{
    (void)s;
    return x->repaired > 0 && x->repaired < x->block_count;
}

/* Name, predicate, and the minimum number of runs in 1000 that must have it. */
static const struct {
    const char *name;
    bool (*holds)(const scene *s, const gcast_run_op *x);
    int per_mille;
} table[] = {
    {"N1 waits", null_first, 20},
    {"N2 waits", null_before, 20},
    {"connection waits", connection, 20},
    {"sync waits", sync_waits, 20},
    {"free waits", free_waits, 20},
    {"barrier waits", barrier_waits, 5},
    {"calls that wait", kernel_call_waits, 50},
    {"calls held by a free", call_held_by_free, 5},
    {"skipped", skipped, 20},
    {"copies that wait", copy_waits, 20},
    {"copies that others overtake", copy_overtaken, 3},
    {"second copy engine", second_engine, 20},
    {"kernels that wait", kernel_waits, 100},
    {"kernels in waves", in_waves, 100},
    {"overtaken by priority", overtaken, 20},
    {"copy arrives before an older kernel", arrives_before_older, 10},
    {"resident grids full", grids_full, 20},
    {"quarters", other_quarter, 50},
    {"masks", masked, 50},
    {"durations by block", own_durations, 50},
    {"durations drawn", drawn, 50},
    {"jobs", later_job, 50},
    {"handover", handover, 50},
    {"stream gap", gap, 50},
    {"kernel switch", switches, 20},
    {"events", after_waits, 20},
    {"turns", turns, 20},
    {"looks", starts_in_release_order, 20},
    {"starving", starves, 20},
    {"launches that scatter", scatters, 10},
    {"sleeping", sleeps, 20},
    {"blocks that sleep in a TPC", leaves, 5},
    {"carveouts that are too small", too_small, 20},
    {"blocks on SMs that are drawn", drawn_places, 50},
    {"copies that get more work within a nanosecond", done_early, 3},
    {"persistent workers", persistent, 50},
    {"workers of one job", one_job, 50},
    {"workers of a segment", segments, 50},
    {"workers of a queue", queues, 50},
    {"stolen jobs", stolen, 20},
    {"workers that retreat", retreats, 100},
    {"jobs of which some are repaired", partly_repaired, 20},
};

#define TABLE (int)(sizeof table / sizeof *table)

/* After the table: placements, then tie orders. */
static int placement_slot(gcast_placement p)
{
    return TABLE + (int)p;
}

static int tie_slot(gcast_tie_order t)
{
    return TABLE + GCAST_PLACEMENTS + (int)t;
}

void features_count(features *f, const generated *g, const oracle_result *r)
{
    scene s = {.w = g->workload, .gpu = r->gpu, .g = g, .r = r};
    f->runs++;
    for (int k = 0; k < TABLE; k++)
        for (size_t i = 0; i < r->op_count; i++)
            if (table[k].holds(&s, &r->ops[i])) {
                f->counts[k]++;
                break;
            }
    if (r->gpu->sms > 1 && !g->options.random_placement) {
        f->counts[placement_slot(r->gpu->placement)]++;
        f->counts[tie_slot(r->gpu->tie_order)]++;
    }
}

static bool enough(const features *f, FILE *out, const char *name, int slot, int per_mille)
{
    bool ok = f->counts[slot] * 1000 >= f->runs * per_mille;
    fprintf(out, "%8ld runs: %s%s\n", f->counts[slot], name, ok ? "" : " (too few)");
    return ok;
}

bool features_enough(const features *f, FILE *out)
{
    bool ok = true;
    for (int k = 0; k < TABLE; k++)
        ok &= enough(f, out, table[k].name, k, table[k].per_mille);
    for (int p = 0; p < GCAST_PLACEMENTS; p++)
        ok &= enough(f, out, gcast_name(GCAST_NAMES_PLACEMENT, (gcast_placement)p), placement_slot((gcast_placement)p),
                     30);
    for (int t = 0; t < GCAST_TIE_ORDERS; t++)
        ok &= enough(f, out, gcast_name(GCAST_NAMES_TIE_ORDER, (gcast_tie_order)t), tie_slot((gcast_tie_order)t), 30);
    return ok;
}
