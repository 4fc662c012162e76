/* The checker of races against random programs that no order of threads can
 * change: it finds none. And against the same with one barrier left out: where
 * memory then is another at the end, it finds one. The checker knows the program and its launch, but not the expected
 * memory. GRIDCAST_PROPERTY_RUNS sets how many programs (default 60); `prop_races SEED` shows one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "property/program.h"

enum { TRIES = 6 }; /* variants of a program, each with one barrier less and an order of warps */

typedef struct outcome {
    bool ran; /* it ran to its end: without a barrier an address or a loop may be wrong */
    bool same;
    uint32_t races, notes;
    char first[400];
} outcome;

static outcome run(const char *source, const program_tree *t, const tree_memory *expected, uint64_t interleave)
{
    outcome x = {0};
    gcast_ptx *p;
    gcast_error err;
    gcast_simt_report *r;
    tree_memory m;
    char difference[256];
    assert_ok(gcast_ptx_parse(source, strlen(source), NULL, &p, &err), &err);
    tree_memory_fill(&m, t);
    gcast_buffer buffers[] = {{"global", m.global, (size_t)m.threads * GLOBAL_BYTES},
                              {"saved", m.saved, (size_t)m.threads * SAVED_BYTES},
                              {"counters", m.counters, sizeof m.counters}};
    gcast_argument arguments[] = {{0, NULL, 0}, {1, NULL, 0}, {2, NULL, 0}};
    gcast_launch l = {.grid = {t->grid, 1, 1},
                      .block = {t->block, 1, 1},
                      .arguments = 3,
                      .buffers = 3,
                      .argument = arguments,
                      .buffer = buffers};
    gcast_simt_options o = {.size = sizeof o,
                            .model = GCAST_SIMT_THREADS,
                            .check_races = true,
                            .max_instructions = 1000000,
                            .interleave = interleave};
    x.ran = gcast_simt_run(p, &l, &o, &r, &err) == GCAST_OK;
    if (x.ran) {
        x.races = r->races;
        x.notes = r->race_notes;
        if (r->races + r->race_notes)
            snprintf(x.first, sizeof x.first, "threads %u and %u, PTX lines %u and %u: %.200s", r->race->first.thread,
                     r->race->second.thread, r->race->first.ptx_line, r->race->second.ptx_line, r->race->why);
        x.same = tree_memory_same(&m, expected, difference, sizeof difference);
        gcast_simt_report_free(r);
    }
    tree_memory_free(&m);
    gcast_ptx_free(p);
    return x;
}

/* The n-th barrier's line; NULL: there are fewer. */
static char *find_barrier(char *source, int n)
{
    for (char *at = source; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        char *end = strchr(at, '\n');
        char *bar = strstr(at, "bar.sync"), *barrier = strstr(at, "barrier.");
        bool has_barrier = end && ((bar && bar < end) || (barrier && barrier < end));
        if (has_barrier && n-- == 0)
            return at;
        if (!end)
            return NULL;
        at = end;
    }
    return NULL;
}

typedef struct tally {
    uint64_t programs, without, differ, reported;
} tally;

/* One barrier after the other is left out, each for itself, and warps take turns in several ways. */
static bool try_without(const char *source, const program_tree *t, const tree_memory *expected, tally *n, bool show)
{
    int barriers = 0;
    char *text = strdup(source);
    assert_non_null(text);
    while (find_barrier(text, barriers))
        barriers++;
    free(text);
    for (int k = 0; k < TRIES && barriers; k++) {
        int which = (int)((t->seed + (uint64_t)k) % (uint64_t)barriers);
        text = strdup(source);
        assert_non_null(text);
        char *at = find_barrier(text, which);
        memcpy(at, "//", 2);
        outcome x = run(text, t, expected, (uint64_t)k);
        n->without += x.ran;
        n->differ += x.ran && !x.same;
        n->reported += x.races > 0;
        bool good = !x.ran || x.same || x.races > 0;
        if (show || !good)
            fprintf(stderr, "seed %" PRIu64 " without barrier %d of %d: %s, %u races %s\n", t->seed, which, barriers,
                    !x.ran   ? "fails"
                    : x.same ? "the same"
                             : "other memory",
                    x.races, x.first);
        free(text);
        if (!good)
            return false;
    }
    return true;
}

static bool try_seed(uint64_t seed, tally *n, bool show)
{
    static program_tree t;
    tree_memory expected;
    program_make(&t, seed);
    tree_memory_fill(&expected, &t);
    bool good = true;
    if (program_run(&t, &expected)) {
        char *source = program_print(&t);
        assert_non_null(source);
        outcome x = run(source, &t, &expected, seed % 3);
        good = x.ran && x.same && !x.races && (!x.notes || t.exits); /* the end of a thread is in no promised order */
        if (show || !good)
            fprintf(stderr, "seed %" PRIu64 ": %u races, %u notes %s\n%s", seed, x.races, x.notes, x.first, source);
        n->programs++;
        good = good && try_without(source, &t, &expected, n, show);
        free(source);
    }
    tree_memory_free(&expected);
    return good;
}

static void races_where_barriers_are_missing(void **state)
{
    (void)state;
    uint64_t runs = support_runs(60);
    tally n = {0};
    for (uint64_t seed = 1; n.programs < runs; seed++)
        assert_true(try_seed(seed, &n, false));
    print_message("%" PRIu64 " programs; a barrier left out %" PRIu64 " times: memory differs in %" PRIu64
                  ", races are found in %" PRIu64 "\n",
                  n.programs, n.without, n.differ, n.reported);
    if (runs >= 100) {
        assert_true(n.differ > runs / 20);
        assert_true(n.reported < n.without); /* not every barrier is needed */
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        tally n = {0};
        return try_seed(strtoull(argv[1], NULL, 10), &n, true) ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(races_where_barriers_are_missing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
