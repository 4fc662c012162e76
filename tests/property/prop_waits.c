/* The simulator against the oracle on random workloads with programmatic and cooperative launches and blocks that wait,
 * some of which hang; and the checker on the oracle's runs, as they are and spoilt. `prop_waits SEED` shows one. */
#include <inttypes.h>
#include <stdlib.h>

#include "property/compare.h"
#include "property/mutate.h"
#include "property/oracle_trial.h"

/* Ways to spoil a run so that a rule is certainly broken. */
enum {
    SPOIL_HANG_TIME,
    SPOIL_HANG_RESIDENT,
    SPOIL_HANG_LEFT,
    SPOIL_NO_HANG,
    SPOIL_WAIT,
    SPOIL_EARLY_HEAD,
    SPOIL_LATE_HEAD,
    SPOIL_EARLY_COMPLETE,
    SPOIL_NOT_WHOLE,
    SPOILS
};

/* How many runs show what. */
typedef struct tally {
    uint64_t hangs, overlaps, in_order, waits, cooperative, whole_waits, deep, clusters, clusters_overlap,
        whole_clusters, spoilt[SPOILS];
} tally;

static bool trial_alike(oracle_trial *t, uint64_t seed)
{
    gcast_error err;
    *t = (oracle_trial){.seed = seed, .g = generate_waiting(seed)};
    if (oracle_run(t->g.workload, t->g.gpu, &t->g.options, &t->oracle, &err) != GCAST_OK) {
        snprintf(t->difference, sizeof t->difference, "the oracle fails: %s", err.message);
        return false;
    }
    return oracle_trial_alike(t, false) && oracle_trial_alike(t, true) && oracle_trial_window(t);
}

static int64_t last_block_end(const gcast_run_op *x)
{
    int64_t last = -1;
    for (uint64_t b = 0; b < x->block_count; b++)
        last = x->blocks[b].end_ns > last ? x->blocks[b].end_ns : last;
    return last;
}

/* Operations of the same stream that were called before x and had not ended when it entered. */
static int overlapped(const oracle_trial *t, const gcast_run_op *x)
{
    const gcast_op *ops = t->g.workload->ops;
    int count = 0;
    for (size_t i = 0; i < t->oracle.op_count; i++) {
        const gcast_run_op *y = &t->oracle.ops[i];
        count += y->arrive_ns >= 0 && ops[y->op].stream == ops[x->op].stream && y->launch < x->launch &&
                 (y->end_ns < 0 || y->end_ns > x->enter_ns);
    }
    return count;
}

static void count_features(tally *y, const oracle_trial *t)
{
    bool overlaps = false, in_order = false, waits = false, cooperative = false, whole_waits = false, deep = false;
    bool clusters = false, clusters_overlap = false, whole_clusters = false;
    for (size_t i = 0; i < t->oracle.op_count; i++) {
        const gcast_run_op *x = &t->oracle.ops[i];
        const gcast_op *op = &t->g.workload->ops[x->op];
        if (op->kind != GCAST_KIND_KERNEL || x->start_ns < 0)
            continue;
        bool is_clustered = op->cluster[0] > 1 || op->cluster[1] > 1;
        clusters = clusters || (is_clustered && op->wait_ns != GCAST_NEVER);
        clusters_overlap = clusters_overlap || (is_clustered && op->programmatic && overlapped(t, x) > 0);
        whole_clusters = whole_clusters || (is_clustered && op->cooperative && x->start_ns > x->enter_ns);
        overlaps = overlaps || overlapped(t, x) > 0;
        deep = deep || overlapped(t, x) > 1;
        in_order = in_order || x->end_ns > last_block_end(x);
        for (uint64_t b = 0; b < x->block_count && op->wait_ns != GCAST_NEVER; b++)
            waits = waits || x->blocks[b].end_ns - x->blocks[b].start_ns > op->max_ns + t->g.options.noise_ns;
        cooperative = cooperative || op->cooperative;
        whole_waits = whole_waits || (op->cooperative && x->start_ns > x->enter_ns);
    }
    y->hangs += t->oracle.hangs;
    y->overlaps += overlaps;
    y->in_order += in_order;
    y->waits += waits;
    y->cooperative += cooperative;
    y->whole_waits += whole_waits;
    y->deep += deep;
    y->clusters += clusters;
    y->clusters_overlap += clusters_overlap;
    y->whole_clusters += whole_clusters;
}

/* Spoils the operation i; false where it offers no place for it. */
static bool spoil_op(specimen *s, const oracle_trial *t, int how, size_t i)
{
    gcast_run_op *x = &s->ops[i];
    const gcast_op *op = &t->g.workload->ops[x->op];
    if (op->kind != GCAST_KIND_KERNEL || x->start_ns < 0 || x->end_ns < 0 || s->run.noise_ns)
        return false;
    switch (how) {
    case SPOIL_WAIT:
        s->blocks[i][0].end_ns -= 1;
        return op->wait_ns != GCAST_NEVER && (op->block_ns || op->min_ns == op->max_ns);
    case SPOIL_EARLY_HEAD:
        x->head_ns -= 1;
        return op->programmatic && overlapped(t, x) > 0 && x->head_ns >= x->arrive_ns;
    case SPOIL_LATE_HEAD:
        x->head_ns += 1;
        return op->programmatic && overlapped(t, x) > 0 && x->head_ns <= x->enter_ns;
    case SPOIL_EARLY_COMPLETE:
        x->end_ns -= 1;
        return x->end_ns >= last_block_end(x) && x->end_ns > x->dispatched_ns;
    default:
        s->blocks[i][0].start_ns -= 1;
        x->start_ns -= 1;
        return op->cooperative && x->block_count > 1 && x->start_ns >= x->enter_ns;
    }
}

static bool spoil(specimen *s, const oracle_trial *t, int how, gcast_hang *hang, gcast_hung_op *first)
{
    if (how > SPOIL_NO_HANG) {
        for (size_t i = 0; i < s->run.op_count; i++) {
            gcast_run_op before = s->ops[i];
            gcast_block block = s->blocks[i] ? s->blocks[i][0] : (gcast_block){0};
            if (spoil_op(s, t, how, i))
                return true;
            s->ops[i] = before;
            if (s->blocks[i])
                s->blocks[i][0] = block;
        }
        return false;
    }
    if (!t->oracle.hangs)
        return false;
    hang->time_ns += how == SPOIL_HANG_TIME;
    s->run.end_ns = hang->time_ns;
    first->resident += how == SPOIL_HANG_RESIDENT;
    first->not_started += how == SPOIL_HANG_LEFT;
    if (how == SPOIL_NO_HANG)
        s->run.hang = NULL;
    return true;
}

/* Does the checker accept the run as it is, and none that is spoilt? */
static bool checker_is_right(oracle_trial *t, tally *y)
{
    for (int how = -1; how < SPOILS; how++) {
        specimen s;
        gcast_error err;
        gcast_hang hang = t->oracle.hang;
        gcast_hung_op ops[256];
        assert_true(hang.op_count <= sizeof ops / sizeof *ops);
        for (size_t i = 0; i < hang.op_count; i++)
            ops[i] = hang.ops[i];
        hang.ops = ops;
        specimen_take(&s, &t->g, &t->oracle);
        s.run.launches = NULL;
        s.run.hang = t->oracle.hangs ? &hang : NULL;
        bool spoilt = how >= 0 && spoil(&s, t, how, &hang, ops);
        gcast_status status = gcast_run_check(&s.run, &err);
        specimen_free(&s);
        if (spoilt)
            y->spoilt[how]++;
        if (status != (spoilt ? GCAST_INTERNAL : GCAST_OK) && (spoilt || how < 0)) {
            snprintf(t->difference, sizeof t->difference, "the checker, spoilt in way %d: %s", how,
                     status == GCAST_OK ? "accepted" : err.message);
            return false;
        }
    }
    return true;
}

static void trial_show(const oracle_trial *t, FILE *out)
{
    fprintf(out, "seed %" PRIu64 ": %s\n", t->seed, t->difference[0] ? t->difference : "alike");
    dump_workload(out, &t->g);
    dump_schedule(out, "oracle", t->g.workload, t->oracle.ops, t->oracle.op_count);
    if (t->run)
        dump_schedule(out, "simulator", t->g.workload, t->run->ops, t->run->op_count);
}

static void simulator_matches_oracle(void **state)
{
    (void)state;
    uint64_t runs = support_runs(2000);
    tally y = {0};
    for (uint64_t seed = 1; seed <= runs; seed++) {
        oracle_trial t;
        bool alike = trial_alike(&t, seed) && (seed % 4 || checker_is_right(&t, &y));
        if (!alike)
            trial_show(&t, stderr);
        else
            count_features(&y, &t);
        oracle_trial_free(&t);
        assert_true(alike);
    }
    const uint64_t counts[] = {y.hangs, y.overlaps, y.in_order,         y.waits,         y.cooperative, y.whole_waits,
                               y.deep,  y.clusters, y.clusters_overlap, y.whole_clusters};
    static const char *const names[] = {"runs that hang",
                                        "kernels that overlap with the one before",
                                        "kernels that are complete after their last block",
                                        "blocks that wait",
                                        "cooperative kernels",
                                        "cooperative kernels that wait for room",
                                        "overlaps of more than two",
                                        "clusters whose blocks wait",
                                        "clusters that overlap with the kernel before",
                                        "cooperative kernels with clusters that wait for room"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        printf("%8" PRIu64 " runs: %s\n", counts[i], names[i]);
        assert_true(counts[i] * 200 > runs || runs < 1000);
    }
    for (int how = 0; how < SPOILS; how++) {
        printf("%8" PRIu64 " runs spoilt in way %d\n", y.spoilt[how], how);
        assert_true(y.spoilt[how] * 4000 > runs || runs < 1000);
    }
}

static int show(uint64_t seed)
{
    oracle_trial t;
    bool alike = trial_alike(&t, seed) && checker_is_right(&t, &(tally){0});
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
