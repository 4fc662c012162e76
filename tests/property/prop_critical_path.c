/* Ways back from the end of random runs, held against the times of the run: the parts follow each other from time 0 to
 * the end to the nanosecond, each is at a time at which its operation was in that state, and where the way goes over to
 * another operation, that one had just ended, or its call had just been made or had returned.
 * `prop_critical_path SEED KIND` tries one, KIND from 0 on: plain, planned, launching, clustered, waiting, graphed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/workload/workload.h"
#include "property/generate.h"
#include "whatif/critical_path.h"

#define RUNS 200

static generated (*const makers[])(uint64_t) = {generate,           generate_planned, generate_launching,
                                                generate_clustered, generate_waiting, generate_graphed};
enum { KINDS = sizeof makers / sizeof *makers };

typedef struct tally {
    uint64_t runs, hangs, parts, jumps, labels[WAIT_LABELS];
} tally;

/* Is the operation in a state that the part's label stands for, from its start to its end? */
static void state_is_right(const gcast_run *run, const path_part *p)
{
    const gcast_run_op *r = &run->ops[p->run_op];
    const gcast_op *op = &run->workload->ops[r->op];
    bool child = p->run_op >= run->op_count;
    assert_int_equal(p->op, r->op);
    switch (p->label) {
    case WAIT_LABEL_WORK: /* its children may run after its last block */
        assert_true(p->from_ns >= (gcast_kind_on_gpu(op->kind) ? r->enter_ns : r->call_ns) && p->to_ns <= r->end_ns);
        break;
    case WAIT_LABEL_DEPENDENCY:
        assert_true(p->to_ns <= r->end_ns);
        assert_true(p->reason == GCAST_WHY_GRID_WAIT || p->reason == GCAST_WHY_BLOCK_WAIT ||
                    p->reason == GCAST_WHY_IN_ORDER || p->to_ns <= r->enter_ns);
        break;
    case WAIT_LABEL_CONNECTION:
        assert_true(p->from_ns >= r->arrive_ns && p->to_ns <= r->enter_ns);
        break;
    case WAIT_LABEL_CARVEOUT:
    case WAIT_LABEL_ROOM:
        assert_true((child || p->from_ns >= r->enter_ns) && p->to_ns <= r->dispatched_ns);
        break;
    case WAIT_LABEL_COPY_ENGINE:
        assert_true(p->from_ns >= r->enter_ns && p->to_ns <= r->start_ns);
        break;
    case WAIT_LABEL_LAUNCH:
        assert_true((child || p->from_ns >= r->call_ns) && p->to_ns <= r->arrive_ns);
        break;
    case WAIT_LABEL_DEVICE_LAUNCH: /* its own launch, or those of its children, and the notice of their ends */
        assert_true(child ? p->to_ns <= r->end_ns : p->from_ns >= r->start_ns && p->to_ns <= r->end_ns);
        break;
    default: /* before its call, or while its host waited */
        assert_true(p->to_ns <= r->call_ns || p->to_ns <= r->return_ns);
    }
}

/* At the time at which the way leaves the later operation, what of the earlier one was that waited for? */
static void jump_is_right(const gcast_run *run, const path_part *earlier, const path_part *later)
{
    const gcast_run_op *r = &run->ops[earlier->run_op];
    int64_t t = later->from_ns;
    if (earlier->run_op == later->run_op || later->run_op >= run->op_count || earlier->run_op >= run->op_count)
        return;
    bool by_calls = earlier->label == WAIT_LABEL_HOST; /* earlier calls of the host that take no time are not there */
    bool early = later->reason == GCAST_WHY_TRIGGER || later->reason == GCAST_WHY_EDGE ||
                 run->workload->ops[run->ops[later->run_op].op].programmatic ||
                 run->workload->ops[run->ops[later->run_op].op].graph != GCAST_NO_GRAPH;
    assert_true(by_calls || t == r->end_ns || (early && t > r->start_ns && t <= r->end_ns));
}

/* What is seen from times alone is what explanations say. */
static void same_slowly(const gcast_run *run, size_t last, const critical_path *path)
{
    gcast_error err;
    critical_path slow;
    assert_ok(critical_path_find_slowly(run, last, &slow, &err), &err);
    assert_int_equal(slow.parts.count, path->parts.count);
    for (size_t i = 0; i < slow.parts.count; i++) {
        const path_part *a = &slow.parts.at[i], *b = &path->parts.at[i];
        assert_true(a->run_op == b->run_op && a->label == b->label && a->reason == b->reason &&
                    a->from_ns == b->from_ns && a->to_ns == b->to_ns);
    }
    critical_path_free(&slow);
}

static void path_is_right(const gcast_run *run, size_t last, tally *y)
{
    gcast_error err;
    critical_path path;
    int64_t t = 0, sums[WAIT_LABELS] = {0};
    assert_ok(critical_path_find(run, last, &path, &err), &err);
    for (size_t i = 0; i < path.parts.count; i++) {
        const path_part *p = &path.parts.at[i];
        assert_int_equal(p->from_ns, t);
        assert_true(p->to_ns > t);
        t = p->to_ns;
        sums[p->label] += p->to_ns - p->from_ns;
        y->labels[p->label]++;
        state_is_right(run, p);
        if (i)
            jump_is_right(run, &path.parts.at[i - 1], p);
        y->jumps += i && path.parts.at[i - 1].run_op != p->run_op;
    }
    assert_int_equal(t, run->ops[last].end_ns);
    for (int k = 0; k < WAIT_LABELS; k++)
        assert_int_equal(sums[k], path.by_label[k]);
    y->parts += path.parts.count;
    same_slowly(run, last, &path);
    critical_path_free(&path);
}

static void try_one(uint64_t seed, int kind, bool blocks, tally *y)
{
    gcast_error err;
    gcast_run *run;
    generated g = makers[kind](seed);
    g.options.record_blocks = blocks;
    assert_ok(gcast_workload_simulate(g.workload, g.gpu, &g.options, &run, &err), &err);
    size_t last = critical_path_last(run);
    y->runs++;
    if (run->hang) {
        y->hangs++;
    } else if (last != SIZE_MAX && critical_path_exists(run)) {
        assert_int_equal(run->ops[last].end_ns, run->end_ns);
        path_is_right(run, last, y);
        for (size_t i = 0; i < run->op_count; i += 3) /* and from other ends */
            if (!run->ops[i].skipped)
                path_is_right(run, i, y);
    }
    gcast_run_free(run);
    generated_free(&g);
}

static void test_paths(void **state)
{
    (void)state;
    tally y = {0};
    for (int kind = 0; kind < KINDS; kind++)
        for (uint64_t seed = 1; seed <= RUNS; seed++) {
            try_one(seed, kind, true, &y);
            try_one(seed, kind, false, &y);
        }
    printf("%" PRIu64 " runs, %" PRIu64 " hang, %" PRIu64 " parts, %" PRIu64 " changes of operation\n", y.runs, y.hangs,
           y.parts, y.jumps);
    for (int k = 0; k < WAIT_LABELS; k++) {
        printf("%s %" PRIu64 "\n", wait_label_name((wait_label)k), y.labels[k]);
        assert_true(y.labels[k] > 0);
    }
    assert_true(y.jumps > RUNS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paths)};
    tally y = {0};
    if (argc > 2) {
        try_one(strtoull(argv[1], NULL, 10), atoi(argv[2]), true, &y);
        try_one(strtoull(argv[1], NULL, 10), atoi(argv[2]), false, &y);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
