/* The SIMT machine against an interpreter of random programs: both models, one
 * core and two, and what is printed and parsed again leave the same memory, no
 * race is found, and every idle lane has a reason. GRIDCAST_PROPERTY_RUNS sets how many programs (default 120);
 * `prop_simt SEED` shows one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "property/program.h"

typedef struct trial {
    program_tree tree;
    uint64_t divergent, returned, mix[GCAST_SIMT_MIX]; /* of all runs so far */
    char difference[1200];
} trial;

/* A thread that has returned runs nothing more but one exit; and the masks of a launch of one warp give its counts. */
static bool masks_agree(const gcast_simt_report *r, uint32_t threads)
{
    const gcast_simt_counts *n = &r->counts;
    uint32_t all = threads >= 32 ? UINT32_MAX : (1u << threads) - 1, ended = 0, left = 0;
    uint64_t active = 0, divergence = 0, returned = 0;
    for (uint32_t i = 0; i < r->masks; i++) {
        const gcast_simt_mask *m = &r->mask[i];
        if (m->active & m->returned || (m->active | m->returned) & ~all || m->active & left || left & ~m->returned)
            return false;
        left |= m->active & ended; /* its exit */
        ended |= m->returned;
        if (ended & ~(m->returned | m->active | left))
            return false;
        active += (uint32_t)__builtin_popcount(m->active);
        returned += (uint32_t)__builtin_popcount(m->returned);
        divergence += (uint32_t)__builtin_popcount(all & ~m->active & ~m->returned);
    }
    return r->warps > 1 || r->masks != n->instructions ||
           (active == n->thread_instructions && returned == n->lost_return && divergence == n->lost_divergence);
}

static gcast_status run(trial *totals, const gcast_ptx *p, tree_memory *m, const gcast_simt_options *options,
                        gcast_error *err)
{
    gcast_buffer buffers[] = {{"global", m->global, (size_t)m->threads * GLOBAL_BYTES},
                              {"saved", m->saved, (size_t)m->threads * SAVED_BYTES},
                              {"counters", m->counters, sizeof m->counters}};
    gcast_argument arguments[] = {{0, NULL, 0}, {1, NULL, 0}, {2, NULL, 0}};
    const program_tree *t = &totals->tree;
    gcast_launch l = {.grid = {t->grid, 1, 1},
                      .block = {t->block, 1, 1},
                      .arguments = 3,
                      .buffers = 3,
                      .argument = arguments,
                      .buffer = buffers};
    gcast_simt_report *r;
    gcast_status status = gcast_simt_run(p, &l, options, &r, err);
    if (status != GCAST_OK)
        return status;
    const gcast_simt_counts *n = &r->counts;
    totals->divergent += n->divergent;
    totals->returned += n->lost_return;
    for (int i = 0; i < GCAST_SIMT_MIX; i++)
        totals->mix[i] += n->mix[i];
    if (n->instructions * 32 != n->thread_instructions + n->lost_divergence + n->lost_return + n->lost_block)
        status = gcast_error_set(err, GCAST_NO, NULL, "lanes do not add up");
    else if (!masks_agree(r, t->block))
        status = gcast_error_set(err, GCAST_NO, NULL, "masks say something else than counts");
    else if (r->races)
        status = gcast_error_set(err, GCAST_NO, NULL, "a race of threads %u and %u at PTX lines %u and %u",
                                 r->race->first.thread, r->race->second.thread, r->race->first.ptx_line,
                                 r->race->second.ptx_line);
    gcast_simt_report_free(r);
    return status;
}

/* One run of the machine against what is expected. */
static bool agrees(trial *t, const gcast_ptx *p, const tree_memory *expected, const char *name,
                   gcast_simt_options options)
{
    tree_memory m;
    gcast_error err = {0};
    char difference[256];
    tree_memory_fill(&m, &t->tree);
    bool good = false;
    if (run(t, p, &m, &options, &err) != GCAST_OK)
        snprintf(t->difference, sizeof t->difference, "%s: line %d: %s", name, err.line, err.message);
    else if (!tree_memory_same(&m, expected, difference, sizeof difference))
        snprintf(t->difference, sizeof t->difference, "%s: %s", name, difference);
    else
        good = true;
    tree_memory_free(&m);
    return good;
}

static bool machine_agrees(trial *t, const char *source, const tree_memory *expected)
{
    gcast_ptx *p, *reparsed = NULL;
    gcast_error err;
    char *printed = NULL;
    size_t size = 0;
    if (gcast_ptx_parse(source, strlen(source), NULL, &p, &err) != GCAST_OK) {
        snprintf(t->difference, sizeof t->difference, "does not parse: line %d: %s", err.line, err.message);
        return false;
    }
    gcast_simt_options threads = {.size = sizeof threads, .model = GCAST_SIMT_THREADS, .cores = 1, .check_races = true},
                       plain = threads,
                       stack = {.size = sizeof stack, .model = GCAST_SIMT_STACK, .cores = 1, .profile = true},
                       two = {.size = sizeof two, .model = GCAST_SIMT_THREADS, .cores = 2};
    plain.check_races = false;
    threads.max_masks = stack.max_masks = 100000; /* of the first warp */
    assert_ok(gcast_ptx_print(p, &printed, &size, &err), &err);
    assert_ok(gcast_ptx_parse(printed, size, NULL, &reparsed, &err), &err);
    bool good = agrees(t, p, expected, "model threads, races checked", threads) &&
                agrees(t, p, expected, "model stack", stack) && agrees(t, p, expected, "two cores", two) &&
                agrees(t, reparsed, expected, "printed and parsed again", plain);
    free(printed);
    gcast_ptx_free(p);
    gcast_ptx_free(reparsed);
    return good;
}

/* True also for programs that take too long: *ran says whether this was one. */
static bool trial_agrees(trial *t, bool *ran)
{
    tree_memory expected;
    bool good = true;
    t->difference[0] = '\0';
    tree_memory_fill(&expected, &t->tree);
    *ran = program_run(&t->tree, &expected);
    if (*ran) {
        char *source = program_print(&t->tree);
        assert_non_null(source);
        good = machine_agrees(t, source, &expected);
        free(source);
    }
    tree_memory_free(&expected);
    return good;
}

/* Leaves out every statement without which it still fails. */
static void make_smaller(trial *t)
{
    bool ran, smaller = true;
    while (smaller) {
        smaller = false;
        for (int i = 0; i < t->tree.nodes; i++) {
            if (t->tree.node[i].skipped)
                continue;
            t->tree.node[i].skipped = true;
            if (trial_agrees(t, &ran))
                t->tree.node[i].skipped = false;
            else
                smaller = true;
        }
    }
    trial_agrees(t, &ran);
}

static void show(trial *t)
{
    char *source = program_print(&t->tree);
    fprintf(stderr, "seed %" PRIu64 ": %s\ngrid %u, block %u\n%s", t->tree.seed, t->difference, t->tree.grid,
            t->tree.block, source);
    free(source);
}

static void machine_matches_interpreter(void **state)
{
    (void)state;
    static trial t;
    uint64_t runs = support_runs(120), done = 0;
    for (uint64_t seed = 1; done < runs; seed++) {
        bool ran;
        program_make(&t.tree, seed);
        bool good = trial_agrees(&t, &ran);
        if (!good) {
            make_smaller(&t);
            show(&t);
        }
        assert_true(good);
        done += ran;
    }
    for (int i = 0; i < GCAST_SIMT_MIX; i++)
        if (i != GCAST_SIMT_other && runs >= 100)
            assert_true(t.mix[i] > 0);
    assert_true((t.divergent > 0 && t.returned > 0) || runs < 100);
    print_message("%" PRIu64 " programs\n", done);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        static trial t;
        bool ran;
        program_make(&t.tree, strtoull(argv[1], NULL, 10));
        bool good = trial_agrees(&t, &ran);
        if (argc > 2 && !good)
            make_smaller(&t);
        show(&t);
        return good ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(machine_matches_interpreter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
