/* All changes that whatif lists, made to random workloads: each is simulated or refused with a sentence, its labels add
 * up to its end, and the workload with the change, written and read again, ends at the same time.
 * `prop_whatif SEED KIND` tries one, KIND from 0 on: plain, planned, launching, clustered, waiting, graphed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change/change_text.h"
#include "files/workload_formats.h"
#include "property/generate.h"
#include "support/builders.h"
#include "whatif/whatif.h"

#define RUNS 40

static generated (*const makers[])(uint64_t) = {generate,           generate_planned, generate_launching,
                                                generate_clustered, generate_waiting, generate_graphed};
enum { KINDS = sizeof makers / sizeof *makers };

typedef struct tally {
    uint64_t rows, won, lost, refused, hang, files, kinds[CHANGE_WRITTEN_KINDS];
} tally;

/* The workload after it went through a file, as some random ones say what no file can, such as a pause without a host;
 * NULL: no file can say it. */
static gcast_workload *through_file(const gcast_workload *w)
{
    gcast_error err;
    char *json;
    size_t size;
    gcast_workload *read = NULL;
    assert_ok(gcast_workload_write_native(w, &json, &size, &err), &err);
    gcast_status status = gcast_workload_read_native(json, size, "given", &read, &err);
    free(json);
    return status == GCAST_OK ? read : NULL;
}

/* The end of the changed workload after it went through a file. */
static void file_ends_alike(const whatif_base *base, const whatif_row *row)
{
    gcast_error err;
    variant v;
    char *json;
    size_t size;
    gcast_workload *read;
    gcast_run *run;
    assert_ok(variant_make(&base->from, row->changes, row->change_count, &v, &err), &err);
    assert_ok(gcast_workload_write_native(v.w, &json, &size, &err), &err);
    assert_ok(gcast_workload_read_native(json, size, "changed", &read, &err), &err);
    assert_ok(gcast_workload_simulate(read, v.gpu, &base->options, &run, &err), &err);
    if (run->end_ns != row->end_ns) {
        text t;
        text_open(&t, NULL, NULL);
        change_write(&row->changes[0], &t);
        fail_msg("%s: %" PRId64 ", by file %" PRId64 "\n%s", text_take(&t, &size), row->end_ns, run->end_ns, json);
    }
    gcast_run_free(run);
    gcast_workload_free(read);
    free(json);
    variant_free(&v);
}

static void row_is_right(const whatif_base *base, const whatif_row *before, whatif_row *row, bool has_file, tally *y)
{
    gcast_error err;
    int64_t sum = 0;
    assert_ok(whatif_try(base, row, &err), &err);
    y->rows++;
    y->refused += row->state == WHATIF_REFUSED;
    y->hang += row->state == WHATIF_HANGS;
    if (row->state == WHATIF_REFUSED)
        assert_true(strlen(row->refusal) > 5);
    if (row->state != WHATIF_DONE)
        return;
    for (int k = 0; k < WAIT_LABELS; k++)
        sum += row->by_label[k];
    assert_true(!row->has_path || sum == row->end_ns);
    y->kinds[row->changes[0].kind]++;
    y->won += row->end_ns < before->end_ns;
    y->lost += row->end_ns > before->end_ns;
    if (has_file) {
        file_ends_alike(base, row);
        y->files++;
    }
}

static void try_seed(uint64_t seed, int kind, tally *y)
{
    gcast_error err;
    gcast_run *run;
    arena memory = {0};
    change_list list = {0};
    generated g = makers[kind](seed);
    gcast_gpu *gpu = support_gpu_copy(generated_gpu(&g), &err);
    if (g.workload->partition_sms)
        assert_ok(gcast_gpu_partition(gpu, g.workload->partition_sms, &err), &err);
    gcast_gpu *other = support_gpu("other", 9, 0, 3, &err);
    const gcast_gpu *gpus[] = {other};
    const char *names[] = {"other"};
    gcast_workload *read = through_file(g.workload);
    whatif_base base = {
        .from = {.w = read ? read : g.workload, .gpu = gpu, .gpus = gpus, .gpu_names = names, .gpu_count = 1},
        .options = g.options};
    whatif_row before = {0};
    assert_ok(whatif_try(&base, &before, &err), &err);
    assert_ok(gcast_workload_simulate(base.from.w, gpu, &g.options, &run, &err), &err);
    assert_ok(whatif_list(&base, run, false, &memory, &list, &err), &err);
    for (size_t i = 0; i < list.count && before.state == WHATIF_DONE; i++) {
        whatif_row row = {.changes = {list.at[i]}, .change_count = 1};
        row_is_right(&base, &before, &row, read != NULL, y);
    }
    gcast_run_free(run);
    vec_free(&list);
    arena_free(&memory);
    gcast_gpu_free(gpu);
    gcast_gpu_free(other);
    gcast_workload_free(read);
    generated_free(&g);
}

static void test_changes(void **state)
{
    (void)state;
    tally y = {0};
    for (int kind = 0; kind < KINDS; kind++)
        for (uint64_t seed = 1; seed <= support_runs(RUNS); seed++)
            try_seed(seed, kind, &y);
    printf("%" PRIu64 " rows, %" PRIu64 " win, %" PRIu64 " lose, %" PRIu64 " refused, %" PRIu64 " hang, %" PRIu64
           " by file\n",
           y.rows, y.won, y.lost, y.refused, y.hang, y.files);
    for (int k = 0; k < CHANGE_WRITTEN_KINDS; k++) {
        printf("%6" PRIu64 " %s\n", y.kinds[k], change_kind_name((change_kind)k));
        assert_true(y.kinds[k] > 0 || k == CHANGE_SCALE); /* which nobody lists */
    }
    assert_true(y.files > y.rows / 20 && y.won > 50 && y.lost > 50 && y.refused < y.rows / 2);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_changes)};
    if (argc > 2) {
        try_seed(strtoull(argv[1], NULL, 10), atoi(argv[2]), &(tally){0});
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
