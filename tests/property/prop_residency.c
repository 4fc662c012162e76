/* What analyze --residency says, against executions: of random workloads in which much waits for each other none that
 * is said to be safe may hang in any execution that is drawn, and every schedule that is said to hang does.
 * `prop_residency SEED` shows one; GRIDCAST_PROPERTY_SEED is the first of the runs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/residency/residency.h"
#include "analyze/residency/schedules.h"
#include "files/workload_formats.h"
#include "gridcast/read.h"
#include "model/workload/workload.h"
#include "property/generate_residency.h"
#include "support/support.h"

#define EXECUTIONS 24 /* of each workload that is said to be safe */

typedef struct trial {
    uint64_t seed;
    char *text;
    gcast_workload *w;
    residency r;
    uint64_t hung; /* the execution that hangs though it must not; 0: none */
} trial;

/* How many workloads are what. */
typedef struct tally {
    uint64_t drawn, invalid, refused, safe, safe_in_order, risks, hangs, executions, cannot_run;
    uint64_t by_risk[RESIDENCY_REASONS];
    uint64_t programmatic, skips, frees, hosts, after, graphs, cooperative, shared, driver, barriers;
} tally;

/* Some of the workloads that are safe, by what they have. */
static void count_safe(tally *y, const gcast_workload *w)
{
    bool programmatic = false, skips = false, frees = false, after = false, cooperative = false, driver = false;
    bool barriers = false, waits = false;
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        programmatic = programmatic || op->programmatic;
        skips = skips || op->skip_ns != GCAST_NEVER;
        frees = frees || op->kind == GCAST_KIND_FREE;
        after = after || op->after_count;
        cooperative = cooperative || op->cooperative;
        driver = driver || op->carveout == GCAST_OP_CARVEOUT_DRIVER;
        barriers = barriers || op->kind == GCAST_KIND_BARRIER;
        waits = waits || op->waits_for_count;
    }
    if (!waits)
        return;
    y->programmatic += programmatic;
    y->skips += skips;
    y->frees += frees;
    y->hosts += w->host_count > 1;
    y->after += after;
    y->graphs += w->graph_count > 0;
    y->cooperative += cooperative;
    y->shared += w->gpu->connections && (size_t)w->gpu->connections < w->stream_count;
    y->driver += driver;
    y->barriers += barriers;
}

/* Does none of these executions hang? */
static bool attack(trial *t, bool in_file_order, tally *y)
{
    for (uint64_t k = 0; k <= EXECUTIONS; k++) {
        drawn_schedule x;
        gcast_error err;
        bool hangs = false;
        schedule_kind kind = !k ? SCHEDULE_AS_IS : k % 4 ? SCHEDULE_ANY : SCHEDULE_CALLS;
        assert_ok(schedule_draw(&x, t->w, t->w->gpu, kind, in_file_order, t->seed * 1000 + k, &err), &err);
        gcast_status status = schedule_hangs(&x, &hangs, &err);
        if (status == GCAST_OK && hangs) {
            char *bytes = NULL;
            size_t size;
            t->hung = k + 1;
            fprintf(stderr, "seed %" PRIu64 ", execution %" PRIu64 " hangs; the workload:\n%s", t->seed, k, t->text);
            gcast_workload_set_gpu(x.w, x.gpu);
            x.gpu = NULL;
            if (gcast_workload_write_native(x.w, &bytes, &size, &err) == GCAST_OK)
                fprintf(stderr, "the execution:\n%.*s\n", (int)size, bytes);
            free(bytes);
        }
        schedule_free(&x);
        y->executions++;
        y->cannot_run += status != GCAST_OK;
        if (status != GCAST_OK && status != GCAST_INPUT)
            assert_ok(status, &err);
        if (t->hung)
            return false;
    }
    return true;
}

/* Is the witness the workload with calls at other times, in which each caller calls in its own order? */
static bool is_schedule_of(const gcast_workload *witness, const gcast_workload *w)
{
    gcast_error err;
    if (gcast_workload_check(witness, &err) != GCAST_OK || witness->op_count != w->op_count)
        return false;
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *a = &witness->ops[i], *b = &w->ops[i];
        if (a->kind != b->kind || a->stream != b->stream || a->host != b->host || a->blocks != b->blocks ||
            a->waits_for_count != b->waits_for_count || a->after_count != b->after_count || a->max_ns != b->max_ns ||
            a->wait_ns != b->wait_ns || a->skip_ns != b->skip_ns || a->graph != b->graph)
            return false;
        for (size_t k = 0; k < i && a->host == GCAST_NO_HOST && gcast_kind_on_gpu(a->kind); k++)
            if (gcast_kind_on_gpu(w->ops[k].kind) && w->ops[k].stream == a->stream &&
                witness->ops[k].release_ns > a->release_ns)
                return false;
    }
    return true;
}

/* Where a schedule is said to hang, does it? */
static bool witness_hangs(trial *t, tally *y)
{
    gcast_workload *witness;
    gcast_run *run = NULL;
    gcast_error err;
    gcast_simulate_options options = gcast_simulate_options_default();
    assert_ok(hang_search(t->w, t->w->gpu, &t->r, &witness, &err), &err);
    if (!witness)
        return true;
    y->hangs++;
    assert_ok(gcast_workload_simulate(witness, t->w->gpu, &options, &run, &err), &err);
    bool right = run->hang && is_schedule_of(witness, t->w);
    if (!right)
        fprintf(stderr, "seed %" PRIu64 ": the witness does not hang, or is no schedule of the workload\n", t->seed);
    gcast_run_free(run);
    gcast_workload_free(witness);
    return right;
}

static bool try_seed(uint64_t seed, tally *y)
{
    trial t = {.seed = seed, .text = generate_residency(seed)};
    gcast_error err;
    bool right = true;
    y->drawn++;
    if (gcast_workload_read_native(t.text, strlen(t.text), "drawn.json", &t.w, &err) != GCAST_OK) {
        if (getenv("GRIDCAST_PROPERTY_INVALID"))
            fprintf(stderr, "%" PRIu64 ": %s: %s\n", seed, err.path, err.message);
        y->invalid++;
        free(t.text);
        return true;
    }
    gcast_status status = residency_prove(t.w, t.w->gpu, NULL, &t.r, &err);
    if (status != GCAST_OK) {
        assert_int_equal(status, GCAST_INPUT);
        y->refused++;
    } else if (!t.r.risk_count) {
        y->safe += t.r.waiter_count > 0;
        count_safe(y, t.w);
        right = attack(&t, false, y);
    } else {
        residency in_order;
        needs_assumed assumed = {.in_file_order = true};
        y->risks++;
        for (int k = 0; k < RESIDENCY_REASONS; k++)
            for (size_t i = 0; i < t.r.risk_count; i++)
                if (t.r.risks[i].reason == (residency_reason)k) {
                    y->by_risk[k]++;
                    break;
                }
        assert_ok(residency_prove(t.w, t.w->gpu, &assumed, &in_order, &err), &err);
        if (!in_order.risk_count) {
            y->safe_in_order++;
            right = attack(&t, true, y);
        }
        residency_free(&in_order);
        right = right && witness_hangs(&t, y);
    }
    residency_free(&t.r);
    gcast_workload_free(t.w);
    free(t.text);
    return right;
}

static void print(const tally *y)
{
    printf("%" PRIu64 " drawn: %" PRIu64 " invalid, %" PRIu64 " refused, %" PRIu64 " safe with waits, %" PRIu64
           " safe in the order of the file, %" PRIu64 " with risks, of which %" PRIu64 " hang; %" PRIu64
           " executions, %" PRIu64 " cannot run\n",
           y->drawn, y->invalid, y->refused, y->safe, y->safe_in_order, y->risks, y->hangs, y->executions,
           y->cannot_run);
    for (int k = 0; k < RESIDENCY_REASONS; k++)
        printf("%8" PRIu64 " with the risk %s\n", y->by_risk[k], residency_reason_name((residency_reason)k));
    printf("safe with: programmatic %" PRIu64 " skips %" PRIu64 " frees %" PRIu64 " hosts %" PRIu64 " after %" PRIu64
           " graphs %" PRIu64 " cooperative %" PRIu64 " shared connections %" PRIu64 " driver %" PRIu64
           " barriers %" PRIu64 "\n",
           y->programmatic, y->skips, y->frees, y->hosts, y->after, y->graphs, y->cooperative, y->shared, y->driver,
           y->barriers);
}

static void no_safe_workload_hangs(void **state)
{
    (void)state;
    tally y = {0};
    uint64_t first = support_number("GRIDCAST_PROPERTY_SEED", 1), runs = support_runs(2500);
    for (uint64_t seed = first; seed < first + runs; seed++)
        assert_true(try_seed(seed, &y));
    print(&y);
    const uint64_t counts[] = {
        y.programmatic, y.skips,    y.frees * 10,  y.hosts, y.after, y.graphs, y.shared,
        y.driver,       y.barriers, y.cooperative, y.hangs, y.safe,  y.risks,  y.safe_in_order * 20};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        assert_true(counts[i] * 200 > runs || runs < 1000);
    for (int k = 0; k < RESIDENCY_REASONS; k++)
        assert_true(y.by_risk[k] * 5000 > runs ||
                    runs < (k == RESIDENCY_BARRIER ? 20000 : 1000)); /* that one is rare */
}

int main(int argc, char **argv)
{
    tally y = {0};
    if (argc > 1) {
        char *text = generate_residency(strtoull(argv[1], NULL, 10));
        printf("%s", text);
        free(text);
        bool right = try_seed(strtoull(argv[1], NULL, 10), &y);
        print(&y);
        return right ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_safe_workload_hangs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
