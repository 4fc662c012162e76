/* The simulator against the oracle, on random workloads with launches of CUDA graphs: every time, every block.
 * GRIDCAST_PROPERTY_RUNS sets how many workloads (default 3500); `prop_graphs SEED` shows one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "property/oracle_trial.h"

#define FEATURES(X)                                                                                                    \
    X(FULL, "nodes after others, fully")                                                                               \
    X(PROGRAMMATIC, "by the port programmatic, before their end")                                                      \
    X(STARTED, "by the port launch_completion, before their end")                                                      \
    X(BOTH_PORTS, "programmatic edges of nodes with both ports")                                                       \
    X(PORTS_KEPT, "nodes that start before the ends of several others")                                                \
    X(PORT_LOST, "nodes that start before the end of the first, but after that of another, by ports")                  \
    X(REVERSED, "nodes of which a later one enters first")                                                             \
    X(SEVERAL_ROOTS, "launches of several roots in connections")                                                       \
    X(HELD_NODE, "nodes with edges that wait in a connection")                                                         \
    X(HELD_COPY, "copies on the device and memsets that wait in a connection")                                         \
    X(HELD_BEHIND, "nodes that wait in a connection behind one that they are after")                                   \
    X(COPY_NODE, "copies between kernels")                                                                             \
    X(LAUNCH_WAITS, "launches that wait in their stream")                                                              \
    X(LAUNCH_EVENT, "launches after others")                                                                           \
    X(AFTER_LAUNCH, "operations after launches")                                                                       \
    X(SKIPPED, "launches that are skipped")                                                                            \
    X(LATER_JOB, "launches of later jobs")                                                                             \
    X(CLUSTER, "nodes with clusters")                                                                                  \
    X(COOPERATIVE, "cooperative nodes")                                                                                \
    X(WAITED, "blocks of nodes that waited for others of their graph")                                                 \
    X(CLUSTER_WAITED, "those of nodes with clusters")                                                                  \
    X(BEHIND, "programmatic kernels behind launches")                                                                  \
    X(HANGS, "runs that hang")

enum {
#define X(id, text) id,
    FEATURES(X)
#undef X
        FEATURE_COUNT
};

static bool trial_alike(oracle_trial *t, uint64_t seed)
{
    gcast_error err;
    *t = (oracle_trial){.seed = seed, .g = generate_graphed(seed)};
    if (oracle_run(t->g.workload, t->g.gpu, &t->g.options, &t->oracle, &err) != GCAST_OK) {
        snprintf(t->difference, sizeof t->difference, "the oracle fails: %s", err.message);
        return false;
    }
    return oracle_trial_alike(t, false) && oracle_trial_alike(t, true) && oracle_trial_window(t);
}

static void trial_show(const oracle_trial *t, FILE *out)
{
    fprintf(out, "seed %" PRIu64 ": %s\n", t->seed, t->difference[0] ? t->difference : "alike");
    dump_workload(out, &t->g);
    dump_schedule(out, "oracle", t->g.workload, t->oracle.ops, t->oracle.op_count);
    if (t->run)
        dump_schedule(out, "simulator", t->g.workload, t->run->ops, t->run->op_count);
}

/* What the edge of x from y shows. */
static void count_edge(const gcast_op *ops, const gcast_run_op *x, const gcast_run_op *y, gcast_port port, bool *found)
{
    found[FULL] |= port == GCAST_PORT_FULL;
    found[PROGRAMMATIC] |= port == GCAST_PORT_PROGRAMMATIC && x->start_ns < y->end_ns;
    found[STARTED] |= port == GCAST_PORT_LAUNCH_COMPLETION && x->start_ns < y->end_ns;
    found[COPY_NODE] |= ops[x->op].kind == GCAST_KIND_KERNEL && ops[y->op].kind == GCAST_KIND_COPY;
    found[HELD_NODE] |= x->connection >= 0;
    found[HELD_COPY] |= x->connection >= 0 && ops[x->op].kind != GCAST_KIND_KERNEL;
    found[HELD_BEHIND] |= x->connection >= 0 && x->connection == y->connection;
    bool waited = false;
    for (uint64_t b = 0; port != GCAST_PORT_FULL && ops[x->op].wait_ns != GCAST_NEVER && b < x->block_count; b++)
        waited = waited || (x->blocks[b].start_ns >= 0 && x->blocks[b].start_ns + ops[x->op].wait_ns < y->end_ns);
    found[WAITED] |= waited;
    found[CLUSTER_WAITED] |= waited && ops[x->op].cluster[0] > 1;
}

/* Does an edge with the port launch_completion come from op y? */
static bool has_start_edge(const gcast_workload *w, uint32_t y)
{
    bool found = false;
    for (size_t i = y + 1; i < w->op_count; i++)
        for (size_t k = 0; k < w->ops[i].after_count && w->ops[i].ports; k++)
            found = found || (w->ops[i].after[k] == y && w->ops[i].ports[k] == GCAST_PORT_LAUNCH_COMPLETION);
    return found;
}

/* What the edges with ports of the node x show together. */
static void count_ports(const gcast_workload *w, const gcast_run_op *x, bool *found)
{
    const gcast_op *op = &w->ops[x->op];
    const gcast_run_op *first = NULL;
    int before = 0, behind = 0;
    for (size_t k = 0; k < op->after_count && op->ports; k++) {
        const gcast_run_op *y = x + op->after[k] - x->op;
        found[BOTH_PORTS] |= op->ports[k] == GCAST_PORT_PROGRAMMATIC && has_start_edge(w, y->op);
        if (op->ports[k] != GCAST_PORT_LAUNCH_COMPLETION)
            continue;
        first = first && first < y ? first : y;
        before += x->start_ns < y->end_ns;
        behind += x->start_ns >= y->end_ns;
    }
    found[PORTS_KEPT] |= before > 1;
    found[PORT_LOST] |= behind && first && x->start_ns < first->end_ns;
}

static void count_node(const oracle_trial *t, size_t i, bool *found)
{
    const gcast_op *ops = t->g.workload->ops;
    const gcast_run_op *x = &t->oracle.ops[i], *before = i ? x - 1 : x;
    const gcast_op *op = &ops[x->op];
    bool is_next = i && ops[before->op].graph == op->graph && before->job == x->job;
    found[SKIPPED] |= x->skipped;
    found[CLUSTER] |= op->cluster[0] > 1;
    found[COOPERATIVE] |= op->cooperative;
    found[LATER_JOB] |= x->job > 0;
    found[LAUNCH_WAITS] |= !is_next && x->head_ns > x->arrive_ns;
    found[LAUNCH_EVENT] |= !is_next && op->after_count;
    found[SEVERAL_ROOTS] |= is_next && x->connection >= 0 && before->connection >= 0;
    found[REVERSED] |= is_next && !x->skipped && op->after_count && ops[before->op].after_count &&
                       op->after[0] == ops[before->op].after[0] && x->enter_ns < before->enter_ns;
    if (is_next && !x->skipped)
        count_ports(t->g.workload, x, found);
    for (size_t k = 0; k < op->after_count && is_next && !x->skipped; k++)
        count_edge(ops, x, x + op->after[k] - x->op, op->ports ? op->ports[k] : GCAST_PORT_FULL, found);
}

static void count_features(const oracle_trial *t, long *counts)
{
    const gcast_op *ops = t->g.workload->ops;
    bool found[FEATURE_COUNT] = {0};
    found[HANGS] = t->oracle.hangs;
    for (size_t i = 0; i < t->oracle.op_count; i++) {
        const gcast_op *op = &ops[t->oracle.ops[i].op], *before = i ? &ops[t->oracle.ops[i - 1].op] : op;
        found[BEHIND] |= op->programmatic && before->graph != GCAST_NO_GRAPH && before->stream == op->stream;
        if (op->graph != GCAST_NO_GRAPH)
            count_node(t, i, found);
        for (size_t k = 0; k < op->after_count; k++)
            found[AFTER_LAUNCH] |= ops[op->after[k]].graph != GCAST_NO_GRAPH && ops[op->after[k]].graph != op->graph;
    }
    for (int i = 0; i < FEATURE_COUNT; i++)
        counts[i] += found[i];
}

static bool has_features(const long *counts, uint64_t runs)
{
    static const char *const names[] = {
#define X(id, text) text,
        FEATURES(X)
#undef X
    };
    bool enough = true;
    for (int i = 0; i < FEATURE_COUNT; i++) {
        printf("%8ld runs: %s\n", counts[i], names[i]);
        enough = enough && (uint64_t)counts[i] * 300 >= runs;
    }
    return enough;
}

static void simulator_matches_oracle(void **state)
{
    (void)state;
    uint64_t runs = support_runs(3500);
    long counts[FEATURE_COUNT] = {0};
    assert_true(runs > 0);
    for (uint64_t seed = 1; seed <= runs; seed++) {
        oracle_trial t;
        bool alike = trial_alike(&t, seed);
        if (!alike)
            trial_show(&t, stderr);
        else
            count_features(&t, counts);
        oracle_trial_free(&t);
        assert_true(alike);
    }
    assert_true(has_features(counts, runs) || runs < 1000);
}

static int show(uint64_t seed)
{
    oracle_trial t;
    bool alike = trial_alike(&t, seed);
    trial_show(&t, stdout);
    oracle_trial_free(&t);
    return alike ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return show(strtoull(argv[1], NULL, 10));
    const struct CMUnitTest tests[] = {cmocka_unit_test(simulator_matches_oracle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
