/* Mallocs and the GPU's memory: what fits, what never fits, and what fits only in some executions. */
#include <string.h>

#include "property/hand.h"
#include "support/builders.h"

#define MEMORY_BYTES 1000

static gcast_op malloc_op(int host, int64_t bytes, int64_t release)
{
    gcast_op op = host_op(GCAST_KIND_MALLOC, host);
    op.label = "take";
    op.bytes = bytes;
    op.release_ns = release;
    return op;
}

static gcast_op of_host(gcast_op op)
{
    op.host_memory = true;
    return op;
}

static int host(fixture *f, const char *name)
{
    f->gpu->memory_bytes = MEMORY_BYTES;
    int h = support_add_host(f->w, name, &f->err);
    assert_true(h >= 0);
    return h;
}

static void assert_no_room(fixture *f, const char *path, const char *message)
{
    gcast_run *run;
    gcast_analysis *a;
    assert_int_equal(gcast_workload_simulate(f->w, f->gpu, &f->options, &run, &f->err), GCAST_INPUT);
    assert_string_equal(f->err.path, path);
    assert_string_equal(f->err.message, message);
    assert_int_equal(gcast_workload_analyze(f->w, f->gpu, GCAST_METHOD_EXACT, NULL, &a, &f->err), GCAST_INPUT);
    assert_string_equal(f->err.message, message);
    f->gpu->memory_bytes = 0; /* not known */
    assert_ok(gcast_workload_simulate(f->w, f->gpu, &f->options, &run, &f->err), &f->err);
    gcast_run_free(run);
}

static void one_that_is_too_large(void **state)
{
    fixture *f = *state;
    int a = host(f, "a");
    add(f, malloc_op(a, MEMORY_BYTES, 0));
    run(f);
    oracle_free(&f->r);
    gcast_workload_free(f->w);
    f->w = support_workload("hand", &f->err);
    add(f, malloc_op(host(f, "a"), MEMORY_BYTES + 1, 0));
    assert_no_room(f, "/ops/0", "take cannot allocate 1001 B: gpu has 1 KB of memory");
}

static void two_of_two_hosts(void **state)
{
    fixture *f = *state;
    add(f, malloc_op(host(f, "a"), 600, 0));
    add(f, malloc_op(host(f, "b"), 500, 50));
    assert_no_room(f, "/ops/1", "take cannot allocate 500 B: 600 B of the 1 KB of memory of gpu are already in use");
}

/* A free releases, when it returns, what the last malloc of its own host took. */
static void given_back(void **state)
{
    fixture *f = *state;
    int a = host(f, "a"), b = host(f, "b");
    add(f, malloc_op(a, 100, 0));
    add(f, malloc_op(a, 600, 0));
    add(f, host_op(GCAST_KIND_FREE, a));
    add(f, malloc_op(b, 900, 10));
    run(f);
    oracle_free(&f->r);
    add(f, host_op(GCAST_KIND_FREE, a)); /* of the 100 */
    gcast_op second = malloc_op(b, 100, 20);
    add(f, second);
    run(f);
    oracle_free(&f->r);
    add(f, host_op(GCAST_KIND_FREE, a)); /* of nothing */
    add(f, malloc_op(b, 1, 30));
    assert_no_room(f, "/ops/7", "take cannot allocate 1 B: 1 KB of the 1 KB of memory of gpu are already in use");
}

static void memory_of_the_host(void **state)
{
    fixture *f = *state;
    int a = host(f, "a");
    add(f, of_host(malloc_op(a, 10 * MEMORY_BYTES, 0)));
    add(f, malloc_op(a, MEMORY_BYTES, 0));
    add(f, of_host(host_op(GCAST_KIND_FREE, a)));
    run(f);
    oracle_free(&f->r);
    add(f, malloc_op(a, 1, 0));
    assert_no_room(f, "/ops/3", "take cannot allocate 1 B: 1 KB of the 1 KB of memory of gpu are already in use");
}

/* There is no bound where a malloc that may be skipped would not fit. */
static void skipped_or_too_large(void **state)
{
    fixture *f = *state;
    int a = host(f, "a");
    gcast_analysis *r;
    gcast_op late = malloc_op(a, 600, 0), k = kernel(stream(f, 1, 0, false), 0, 1, 32, 10);
    k.host = a;
    k.host_waits = true;
    k.min_ns = 1;
    late.skip_ns = 5;
    add(f, malloc_op(a, 600, 0));
    add(f, k);
    add(f, late);
    run(f);
    assert_ok(gcast_workload_analyze(f->w, f->gpu, GCAST_METHOD_BOUND, NULL, &r, &f->err), &f->err);
    assert_false(r->complete);
    assert_non_null(strstr(r->why_not, "memory"));
    gcast_analysis_free(r);
    gcast_run *shortest;
    f->options.durations = GCAST_DURATIONS_MIN;
    assert_int_equal(gcast_workload_simulate(f->w, f->gpu, &f->options, &shortest, &f->err), GCAST_INPUT);
    assert_string_equal(f->err.path, "/ops/2");
}

static void negative(void **state)
{
    fixture *f = *state;
    add(f, malloc_op(host(f, "a"), -1, 0));
    assert_int_equal(gcast_workload_check(f->w, &f->err), GCAST_INPUT);
    assert_string_equal(f->err.path, "/ops/0/bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(one_that_is_too_large), HAND_CASE(two_of_two_hosts),     HAND_CASE(given_back),
        HAND_CASE(memory_of_the_host),    HAND_CASE(skipped_or_too_large), HAND_CASE(negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
