/* gcast_scenario_write: a line of a corpus, which gives the scenario when it is read. */
#include "files/workload_formats.h"
#include "model/scenario.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* A workload of one kernel on the TX2, and a run of it. */
static gcast_workload *one_kernel(void)
{
    static const char json[] =
        "{\"schema\": \"gridcast.workload/1\", \"name\": \"one\\nline\", \"gpu\": \"tx2\", \"connections\": 8,"
        " \"ops\": [{\"kind\": \"kernel\", \"label\": \"K\", \"stream\": 1, \"grid\": 3, \"block\": 64,"
        " \"duration_ns\": 1000}]}";
    gcast_error err;
    gcast_workload *w;
    assert_ok(gcast_workload_read_native(json, strlen(json), "test", &w, &err), &err);
    return w;
}

static void reads_back(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *run;
    gcast_workload *w = one_kernel();
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = true;
    assert_ok(gcast_workload_simulate(w, NULL, &options, &run, &err), &err);
    gcast_run measured = *run;
    measured.source = "measured";
    gcast_run *runs[] = {&measured, &measured};
    gcast_scenario scenario = {.family = "a \"family\"", .workload = w, .runs = runs, .run_count = 2};
    char *line;
    size_t size;
    assert_ok(gcast_scenario_write(&scenario, &line, &size, &err), &err);
    assert_int_equal(strlen(line), size);
    assert_ptr_equal(strchr(line, '\n'), line + size - 1);

    gcast_corpus *corpus;
    gcast_scenario *read;
    assert_ok(gcast_corpus_read(line, size, "test", &corpus, &err), &err);
    assert_ok(gcast_corpus_next(corpus, &read, &err), &err);
    assert_string_equal(read->family, scenario.family);
    assert_string_equal(read->workload->name, w->name);
    assert_int_equal(read->workload->connections, 8);
    assert_int_equal(read->run_count, 2);
    for (size_t i = 0; i < 2; i++)
        for (size_t b = 0; b < 3; b++) {
            const gcast_block *x = &read->runs[i]->ops[0].blocks[b], *y = &run->ops[0].blocks[b];
            assert_int_equal(x->sm, y->sm);
            assert_int_equal(x->start_ns, y->start_ns);
            assert_int_equal(x->end_ns, y->end_ns);
        }
    gcast_scenario_free(read);
    gcast_corpus_close(corpus);
    free(line);
    gcast_run_free(run);
    gcast_workload_free(w);
}

static void needs_blocks(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *run;
    gcast_workload *w = one_kernel();
    assert_ok(gcast_workload_simulate(w, NULL, NULL, &run, &err), &err);
    gcast_scenario scenario = {.family = "f", .workload = w, .runs = &run, .run_count = 1};
    char *line;
    size_t size;
    assert_int_equal(gcast_scenario_write(&scenario, &line, &size, &err), GCAST_USAGE);
    assert_null(line);
    gcast_run_free(run);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back),
        cmocka_unit_test(needs_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
