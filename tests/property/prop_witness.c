/* Late executions of random systems: no response seen is above the bound or the worst of explore, every witness is an
 * execution that the system allows, by rules that are written down here again on purpose, and the simulation of its
 * file shows the response. GRIDCAST_PROPERTY_RUNS sets how many executions (default 3000), GRIDCAST_ATTACK_SECONDS for
 * how long instead, GRIDCAST_ATTACK_SEED where it starts (default 1), GRIDCAST_ATTACK_EXECUTIONS how many the search
 * of one system may take (default 60). `prop_witness SEED` shows one system. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyze/witness/witness.h"
#include "base/integers.h"
#include "files/workload_formats.h"
#include "gridcast/names.h"
#include "model/workload/workload.h"
#include "property/compare.h"
#include "property/guided.h"
#include "property/system.h"

#define EXECUTIONS 60 /* of one system */
#define MAX_OPS 64
#define MAX_STATES 2000 /* of explore */
#define NO_TIME_LIMIT 1000000000

typedef struct tally {
    uint64_t systems;    /* that were tried */
    uint64_t executions; /* of them */
    uint64_t bounded;    /* ops with a bound of which a response was seen */
    uint64_t explored;   /* those of them with a worst case of explore */
    uint64_t reached;    /* those of these that were seen as late as that */
    uint64_t witnesses;  /* that were simulated */
    uint64_t after;      /* systems with ops that are after others, */
    uint64_t sporadic;   /* with sporadic tasks, */
    uint64_t latencies;  /* with latencies that are ranges */
    uint64_t windows;    /* executions of windows */
    uint64_t windowed;   /* systems with such executions */
} tally;

/* A system whose labels and names are unlike, as in a file. */
typedef struct labelled {
    random_system s;          /* the system */
    gcast_workload *w;        /* its workload with other labels */
    char labels[MAX_OPS][24]; /* these */
    char hosts[MAX_OPS][32];  /* names of its hosts */
    int64_t launch_max_ns;    /* a launch takes from the GPU's latency to this; -1: as the GPU has it */
    int64_t copy_max_ns;      /* a copy takes from the GPU's latency to this; -1: as the GPU has it */
    bool any_phase;           /* offsets are open, too: then only responses are compared */
} labelled;

static void label_ops(labelled *l, uint64_t seed)
{
    gcast_error err;
    l->s = seed % 2 ? busy_system_make(seed) : random_system_make(seed); /* the busy ones are periodic */
    l->any_phase = seed % 4 == 0;
    l->launch_max_ns = l->copy_max_ns = -1;
    if (seed % 3 == 0) { /* latencies are ranges */
        support_random r = {seed * 0x9e3779b97f4a7c15u + 11};
        support_next(&r);
        l->s.g.gpu->launch_latency_ns = l->s.g.gpu->copy_latency_ns = one_of(&r, 0, 1, 3, 10, 100);
        l->launch_max_ns = l->s.g.gpu->launch_latency_ns + one_of(&r, 0, 1, 3, 10, 30, 200);
        l->copy_max_ns = l->s.g.gpu->copy_latency_ns + one_of(&r, 0, 1, 3, 10, 30, 200);
    }
    assert_ok(gcast_workload_copy(l->s.workload, &l->w, &err), &err);
    assert_true(l->w->op_count <= MAX_OPS);
    assert_true(l->w->host_count <= MAX_OPS);
    for (size_t i = 0; i < l->w->host_count; i++) {
        snprintf(l->hosts[i], sizeof l->hosts[i], "host%zu", i);
        workload_owned(l->w)->hosts.at[i] = l->hosts[i];
    }
    for (size_t i = 0; i < l->w->op_count; i++) {
        gcast_op op = l->w->ops[i];
        snprintf(l->labels[i], sizeof l->labels[i], "op%zu", i);
        op.label = l->labels[i];
        op.delay_ns = op.host == GCAST_NO_HOST ? 0 : op.delay_ns; /* as far as a file can say it */
        op.host_waits = op.host_waits && op.host != GCAST_NO_HOST && gcast_kind_on_gpu(op.kind);
        workload_put_op(l->w, i, &op);
    }
}

/* Which operation of the system an op of a witness stands for. */
typedef struct origin {
    size_t op;          /* of the system */
    int64_t job;        /* of its task; 0 for ops that run once */
    int64_t nominal_ns; /* release of the job without jitter */
    int64_t late_ns;    /* by how much it is released later */
    bool is_sporadic;   /* nominal_ns is the release, since the nominal one is not known */
} origin;

static origin origin_of(const gcast_workload *w, const gcast_op *op)
{
    char *end;
    origin o = {.op = strtoull(op->label + 2, &end, 10)};
    const gcast_op *original = &w->ops[o.op];
    if (original->task != GCAST_ONCE) {
        assert_true(*end == '#');
        o.job = strtoll(end + 1, &end, 10);
        o.nominal_ns = w->tasks[original->task].offset_ns + o.job * w->tasks[original->task].period_ns;
    }
    assert_true(*end == '\0');
    o.is_sporadic = original->task != GCAST_ONCE && w->tasks[original->task].sporadic;
    if (o.is_sporadic)
        o.nominal_ns = op->release_ns - original->release_ns;
    o.late_ns = op->release_ns - original->release_ns - o.nominal_ns;
    return o;
}

static bool duration_allowed(const gcast_op *original, const gcast_op *op, int64_t noise_ns)
{
    if (!original->block_ns && original->max_ns == GCAST_UNKNOWN_NS)
        return !op->block_ns && op->max_ns == GCAST_UNKNOWN_NS;
    for (uint64_t b = 0; b < (op->kind == GCAST_KIND_KERNEL ? op->blocks : 1); b++) {
        int64_t ns = op->block_ns ? op->block_ns[b] : op->max_ns;
        int64_t min = original->block_ns ? original->block_ns[b] : original->min_ns;
        int64_t max = original->block_ns ? original->block_ns[b] : original->max_ns;
        if (ns < min || ns > max + noise_ns)
            return false;
    }
    return op->block_ns || op->min_ns == op->max_ns;
}

static bool latency_allowed(const labelled *l, const gcast_op *original, const gcast_op *op)
{
    bool is_kernel = op->kind == GCAST_KIND_KERNEL;
    int64_t max_ns = is_kernel ? l->launch_max_ns : l->copy_max_ns;
    int64_t min_ns = is_kernel ? l->s.g.gpu->launch_latency_ns : l->s.g.gpu->copy_latency_ns;
    int64_t extra_ns = op->extra_latency_ns - original->extra_latency_ns;
    return extra_ns >= 0 && extra_ns <= (max_ns < 0 ? 0 : max_ns - min_ns);
}

static bool is_there(const labelled *l, const gcast_workload *made, size_t op, int64_t job)
{
    for (size_t i = 0; i < made->op_count; i++) {
        origin o = origin_of(l->w, &made->ops[i]);
        if (o.op == op && o.job == job)
            return true;
    }
    return false;
}

/* Is it after the operations of its job that its op is after, as far as these are there, and after no others? */
static bool after_allowed(const labelled *l, const gcast_workload *made, const gcast_op *op, const origin *o)
{
    const gcast_op *original = &l->w->ops[o->op];
    size_t found = 0;
    for (size_t k = 0; k < original->after_count; k++) {
        if (!is_there(l, made, original->after[k], o->job))
            continue;
        if (found == op->after_count)
            return false;
        origin named = origin_of(l->w, &made->ops[op->after[found++]]);
        if (named.op != original->after[k] || named.job != o->job)
            return false;
    }
    return found == op->after_count;
}

enum { ABSENT = -1, TORN = -2 }; /* no op of a job is there; its ops are not late by the same time */

/* When a job of a sporadic task is released. */
static int64_t release_of(const labelled *l, const gcast_workload *made, int task, int64_t job)
{
    int64_t release_ns = ABSENT;
    for (size_t i = 0; i < made->op_count; i++) {
        origin o = origin_of(l->w, &made->ops[i]);
        if (l->w->ops[o.op].task == task && o.job == job)
            release_ns = release_ns == ABSENT || o.nominal_ns == release_ns ? o.nominal_ns : TORN;
    }
    return release_ns;
}

/* Are jobs of a sporadic task at least its period apart, but for their jitter? Nominal releases are taken as early as
 * they can be. A late job may be called after later ones. */
static bool distances_allowed(const labelled *l, const gcast_workload *made, int task)
{
    const gcast_task *t = &l->w->tasks[task];
    int64_t nominal_ns = t->offset_ns, last_job = 0;
    for (int64_t job = 0; job < (int64_t)made->op_count; job++) { /* no job has a higher number */
        int64_t release_ns = release_of(l, made, task, job);
        if (release_ns == ABSENT)
            continue;
        nominal_ns = max_i64(nominal_ns + (job - last_job) * t->period_ns, release_ns - t->jitter_ns);
        if (release_ns == TORN || nominal_ns > release_ns)
            return false;
        last_job = job;
    }
    return true;
}

static bool op_allowed(const labelled *l, const gcast_op *op, const origin *o)
{
    const gcast_op *x = &l->w->ops[o->op];
    int64_t jitter = x->task == GCAST_ONCE ? 0 : l->w->tasks[x->task].jitter_ns;
    bool same = x->kind == op->kind && x->stream == op->stream && x->host == op->host && x->mask == op->mask &&
                x->delay_ns == op->delay_ns && x->skip_ns == op->skip_ns && x->host_waits == op->host_waits &&
                x->blocks == op->blocks && x->bytes == op->bytes && x->direction == op->direction &&
                x->carveout == op->carveout && x->body == op->body && x->barrier == op->barrier &&
                memcmp(&x->shape, &op->shape, sizeof op->shape) == 0;
    return same && latency_allowed(l, x, op) && o->late_ns >= 0 && o->late_ns <= jitter &&
           duration_allowed(x, op, l->s.g.gpu->noise_ns);
}

/* May b be called after a where both come due together? They are neighbours in the witness. */
static bool order_allowed(const labelled *l, const origin *a, const origin *b)
{
    int task_a = l->w->ops[a->op].task, task_b = l->w->ops[b->op].task;
    int64_t release_a = a->nominal_ns + a->late_ns, release_b = b->nominal_ns + b->late_ns;
    if (task_a == GCAST_ONCE && task_b == GCAST_ONCE)
        return a->op < b->op ||
               (l->s.any_order && (l->w->ops[a->op].host == GCAST_NO_HOST || l->w->ops[b->op].host == GCAST_NO_HOST));
    if (task_a == GCAST_ONCE || task_b == GCAST_ONCE)
        return task_a == GCAST_ONCE;
    if (task_a == task_b && a->job == b->job)
        return a->op < b->op && a->late_ns == b->late_ns;
    if (l->s.any_order)
        return task_a != task_b || a->job < b->job;
    if (release_a != release_b)
        return release_a < release_b;
    return task_a != task_b ? task_a < task_b : a->job < b->job;
}

/* Is everything there that must be released before `end_ns`? */
static bool is_whole(const labelled *l, const gcast_workload *made, int64_t end_ns)
{
    for (size_t i = 0; i < l->w->op_count; i++) {
        const gcast_op *op = &l->w->ops[i];
        const gcast_task *t = op->task == GCAST_ONCE ? NULL : &l->w->tasks[op->task];
        int64_t last = t ? t->offset_ns + t->jitter_ns + op->release_ns : op->release_ns, found = 0, due = 0;
        for (size_t k = 0; k < made->op_count; k++)
            found += origin_of(l->w, &made->ops[k]).op == i;
        if (op->host != GCAST_NO_HOST)
            due = 1;
        else if (last < end_ns)
            due = t && t->sporadic ? 0 : t ? (end_ns - last - 1) / t->period_ns + 1 : 1;
        if (found < due)
            return false;
    }
    return true;
}

static bool allowed(const labelled *l, const gcast_workload *made, int64_t end_ns)
{
    origin before = {0};
    for (size_t i = 0; i < made->op_count; i++) {
        origin o = origin_of(l->w, &made->ops[i]);
        if (!op_allowed(l, &made->ops[i], &o) || !after_allowed(l, made, &made->ops[i], &o) ||
            (i && !order_allowed(l, &before, &o)))
            return false;
        before = o;
    }
    for (size_t i = 0; i < l->w->task_count; i++)
        if (l->w->tasks[i].sporadic && !distances_allowed(l, made, (int)i))
            return false;
    return made->task_count == 0 && is_whole(l, made, end_ns);
}

/* The response of the late operation in a simulation of the witness as a file. */
static int64_t replay(const gcast_workload *made, size_t late, int64_t *end_ns)
{
    gcast_error err;
    char *text;
    size_t size;
    gcast_workload *read;
    gcast_run *run;
    assert_ok(gcast_workload_write_native(made, &text, &size, &err), &err);
    assert_ok(gcast_workload_read_native(text, size, "witness", &read, &err), &err);
    assert_ok(gcast_workload_simulate(read, NULL, NULL, &run, &err), &err);
    int64_t response = gcast_response_ns(&run->ops[late]);
    *end_ns = run->ops[late].end_ns;
    gcast_run_free(run);
    gcast_workload_free(read);
    free(text);
    return response;
}

static bool witness_holds(const labelled *l, const gcast_witness *witness, size_t op)
{
    gcast_error err;
    gcast_workload *made;
    size_t late;
    int64_t end_ns;
    assert_ok(gcast_witness_workload(witness, op, &made, &late, &err), &err);
    int64_t response = replay(made, late, &end_ns);
    bool holds = response == witness->seen_ns[op] && (l->any_phase || allowed(l, made, end_ns));
    if (!holds) {
        generated shown = {.workload = made, .gpu = l->s.g.gpu};
        fprintf(stderr, "op %zu is seen to take %" PRId64 " ns; its witness shows %" PRId64 ", and is %s\n", op,
                witness->seen_ns[op], response, allowed(l, made, end_ns) ? "allowed" : "not allowed");
        dump_workload(stderr, &shown);
    }
    gcast_workload_free(made);
    return holds;
}

static bool below(const gcast_analysis *a, const gcast_witness *witness)
{
    for (size_t i = 0; a->complete && i < a->response_count; i++) {
        const gcast_response *r = &a->responses[i];
        if (witness->seen_ns[r->op] <= r->worst_ns && (!r->never_called || !witness->seen_ns[r->op]))
            continue;
        fprintf(stderr, "op %zu is seen to take %" PRId64 " ns, more than the %" PRId64 " of %s\n", r->op,
                witness->seen_ns[r->op], r->worst_ns, gcast_name(GCAST_NAMES_METHOD, a->method));
        return false;
    }
    return true;
}

static void count(tally *t, bool any_phase, const gcast_analysis *bound, const gcast_analysis *explore,
                  const gcast_witness *witness)
{
    for (size_t i = 0; i < bound->response_count; i++) {
        int64_t seen_ns = witness->seen_ns[bound->responses[i].op];
        t->bounded += bound->complete && seen_ns;
        t->explored += !any_phase && explore->complete && seen_ns;
        t->reached += !any_phase && explore->complete && seen_ns && seen_ns == explore->responses[i].worst_ns;
    }
    const gcast_workload *w = witness->workload;
    bool has_after = false, has_sporadic = false;
    for (size_t i = 0; i < w->op_count; i++)
        has_after = has_after || w->ops[i].after_count;
    for (size_t i = 0; i < w->task_count; i++)
        has_sporadic = has_sporadic || w->tasks[i].sporadic;
    t->after += has_after;
    t->sporadic += has_sporadic;
    t->latencies += bound->launch.max_ns > bound->launch.min_ns || bound->copy.max_ns > bound->copy.min_ns;
    t->systems++;
    t->executions += witness->executions;
    t->windows += witness->windows;
    t->windowed += witness->windows > 0;
}

static bool attack(uint64_t seed, tally *t)
{
    labelled l;
    gcast_error err;
    gcast_analysis *bound, *explore;
    gcast_witness *witness;
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_witness_options late = gcast_witness_options_default();
    label_ops(&l, seed);
    options.any_order = late.any_order = l.s.any_order;
    options.any_phase = late.any_phase = l.any_phase;
    options.launch_max_ns = late.launch_max_ns = l.launch_max_ns;
    options.copy_max_ns = late.copy_max_ns = l.copy_max_ns;
    options.max_states = MAX_STATES;
    options.max_ms = late.max_ms = NO_TIME_LIMIT;
    late.max_executions = guided_executions(EXECUTIONS);
    late.seed = seed;
    assert_ok(gcast_workload_analyze(l.w, l.s.g.gpu, GCAST_METHOD_BOUND, &options, &bound, &err), &err);
    assert_ok(gcast_workload_analyze(l.w, l.s.g.gpu, GCAST_METHOD_EXPLORE, &options, &explore, &err), &err);
    assert_ok(gcast_workload_witness(l.w, l.s.g.gpu, &late, &witness, &err), &err);
    bool holds = below(bound, witness) && (l.any_phase || below(explore, witness));
    for (size_t i = 0; holds && i < l.w->op_count; i++) {
        holds = !witness->seen_ns[i] || witness_holds(&l, witness, i);
        t->witnesses += witness->seen_ns[i] > 0;
    }
    count(t, l.any_phase, bound, explore, witness);
    if (!holds) {
        generated shown = {.workload = l.w, .gpu = l.s.g.gpu};
        fprintf(stderr, "seed %" PRIu64 "%s%s\n", seed, l.s.any_order ? ", any order" : "",
                l.any_phase ? ", any phase" : "");
        dump_workload(stderr, &shown);
    }
    gcast_witness_free(witness);
    gcast_analysis_free(bound);
    gcast_analysis_free(explore);
    gcast_workload_free(l.w);
    random_system_free(&l.s);
    return holds;
}

static void witnesses_hold(void **state)
{
    (void)state;
    uint64_t runs = support_number("GRIDCAST_PROPERTY_RUNS", 3000),
             seconds = support_number("GRIDCAST_ATTACK_SECONDS", 0);
    uint64_t seed = support_number("GRIDCAST_ATTACK_SEED", 1);
    time_t end = time(NULL) + (time_t)seconds;
    tally t = {0};
    bool holds = true;
    assert_true(runs > 0);
    for (; holds && (seconds ? time(NULL) < end : t.executions < runs); seed++)
        holds = attack(seed, &t);
    printf("%" PRIu64 " systems, %" PRIu64 " executions, %" PRIu64 " witnesses; %" PRIu64 " ops with a bound, %" PRIu64
           " with the worst of explore, %" PRIu64 " of these seen as late as that\n",
           t.systems, t.executions, t.witnesses, t.bounded, t.explored, t.reached);
    printf("with dependencies %" PRIu64 ", sporadic tasks %" PRIu64 ", ranges of latencies %" PRIu64 "\n", t.after,
           t.sporadic, t.latencies);
    printf("%" PRIu64 " executions of windows, of %" PRIu64 " systems\n", t.windows, t.windowed);
    assert_true(holds);
    assert_true(t.systems < 20 || t.windowed > t.systems / 4);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        tally t = {0};
        return attack(strtoull(argv[1], NULL, 10), &t) ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(witnesses_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
