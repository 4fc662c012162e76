/* Reports of runs in which kernels launch kernels: every block of children and of rests is in them, once. */
#include <stdlib.h>
#include <string.h>

#include "model/run_op.h"
#include "property/generate.h"
#include "report/timeline/areas.h"
#include "report/timeline/draw.h"
#include "support/drawing.h"
#include "support/sample_run.h"
#include "support/trace.h"

enum { SEEDS = 150 };

static gcast_run *simulate(generated *g)
{
    gcast_error err;
    gcast_run *run;
    assert_ok(gcast_workload_simulate(g->workload, g->gpu, &g->options, &run, &err), &err);
    return run;
}

static uint64_t all_blocks(const gcast_run *run)
{
    uint64_t n = 0;
    for (size_t i = 0; i < run_total(run); i++)
        n += run->ops[i].blocks ? run->ops[i].block_count : 0;
    return n;
}

static void assert_size(const gcast_run *run, gcast_format format, const gcast_report_options *o, size_t size)
{
    gcast_error err;
    uint64_t bytes;
    assert_ok(gcast_run_report_size(run, format, o, &bytes, &err), &err);
    assert_int_equal(bytes, size);
}

static void assert_csv(const gcast_run *run)
{
    gcast_report_options o = gcast_report_options_default();
    uint64_t lines = 0, children = 0, child_blocks = 0;
    o.blocks = true;
    sample_text t = sample_report(run, GCAST_FORMAT_CSV, &o);
    assert_size(run, GCAST_FORMAT_CSV, &o, t.size);
    for (const char *at = strchr(t.data, '\n') + 1; *at; at = strchr(at, '\n') + 1) {
        const char *hash = strchr(at, '#');
        children += hash && hash < strchr(at, ',');
        lines++;
    }
    for (size_t i = run->op_count; i < run_total(run); i++)
        child_blocks += run_owner(run, i) >= run->op_count ? run->ops[i].block_count : 0;
    assert_int_equal(lines, all_blocks(run));
    assert_int_equal(children, child_blocks);
    free(t.data);
}

static void assert_json(const gcast_run *run)
{
    gcast_report_options o = gcast_report_options_default();
    json_error_t error;
    size_t next_child = run->op_count, next_rest = run->op_count;
    o.blocks = true;
    sample_text t = sample_report(run, GCAST_FORMAT_JSON, &o);
    assert_size(run, GCAST_FORMAT_JSON, &o, t.size);
    json_t *root = json_loads(t.data, 0, &error);
    assert_non_null(root);
    json_t *children = json_object_get(root, "children"), *rests = json_object_get(root, "rests");
    json_t *launches = json_object_get(root, "launches");
    assert_int_equal(launches != NULL, run->launches != NULL);
    if (run->launches)
        assert_int_equal(trace_number(launches, "children"), json_array_size(children));
    while (next_rest < run_total(run) && !run_is_rest(run, next_rest))
        next_rest++;
    assert_int_equal(json_array_size(children), next_rest - run->op_count);
    assert_int_equal(json_array_size(rests), run_total(run) - next_rest);
    for (int kind = 0; kind < 2; kind++)
        for (size_t k = 0; k < json_array_size(kind ? rests : children); k++) {
            json_t *j = json_array_get(kind ? rests : children, k);
            size_t i = kind ? next_rest++ : next_child++;
            assert_int_equal(trace_number(j, "parent"), run_child(run, i)->parent);
            assert_int_equal(trace_number(j, "start_ns"), run->ops[i].start_ns);
            assert_int_equal(trace_number(j, "end_ns"), run->ops[i].end_ns);
            assert_int_equal(json_array_size(json_object_get(j, "blocks")), run->ops[i].block_count);
            if (kind)
                continue;
            assert_int_equal(trace_number(j, "number"), k);
            assert_int_equal(trace_number(j, "ready_ns"), run->ops[i].arrive_ns);
            assert_int_equal(trace_number(j, "pool_ns"), run_child(run, i)->pool_ns);
        }
    json_decref(root);
    free(t.data);
}

static size_t slices_of_sms(json_t *events, int sms, bool children)
{
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(events); i++) {
        json_t *e = json_array_get(events, i);
        n += strcmp(trace_word(e, "ph"), "X") == 0 && trace_number(e, "pid") <= sms &&
             (!children || json_object_get(json_object_get(e, "args"), "child"));
    }
    return n;
}

static void assert_trace(const gcast_run *run)
{
    json_t *events = trace_events(run, NULL);
    size_t arrows = 0;
    trace_assert_tracks(events);
    trace_assert_flows(events);
    assert_int_equal(slices_of_sms(events, run->gpu->sms, false), all_blocks(run));
    for (size_t i = 0; i < run_total(run); i++)
        arrows += !run_is_rest(run, i) && run_op_ran(run, i) && (i >= run->op_count || run->ops[i].call_ns >= 0);
    assert_int_equal(trace_count(events, "s"), arrows);
    json_decref(events);
    gcast_report_options part = gcast_report_options_default();
    part.last_sm = 0;
    part.from_ns = run->end_ns / 3;
    part.to_ns = run->end_ns / 3 * 2 + 1;
    events = trace_events(run, &part);
    trace_assert_tracks(events);
    trace_assert_flows(events);
    json_decref(events);
}

static void assert_picture(const gcast_run *run, bool no_blocks)
{
    gcast_report_options o = gcast_report_options_default();
    gcast_error err;
    canvas *c;
    o.no_blocks = no_blocks;
    assert_ok(run_draw(run, &o, &c, &err), &err);
    drawing_assert_inside(c);
    canvas_free(c);
}

/* Each child label has a key, which all of its children have; a rest has the key of its kernel. The areas of all keys
 * together hold what the blocks hold. */
static void assert_areas(const gcast_run *run)
{
    gcast_report_options o = gcast_report_options_default();
    gcast_error err;
    sm_index index;
    view v;
    area_keys keys;
    size_t entries = 0;
    assert_ok(view_make(&v, run, &o, &err), &err);
    assert_ok(sm_index_create(&index, run, &v, &err), &err);
    assert_ok(area_keys_make(&keys, &index, index.share, 8, &err), &err);
    for (int sm = 0; sm < run->gpu->sms; sm++)
        entries += sm_index_count(&index, sm);
    assert_int_equal(entries, all_blocks(run));
    for (size_t i = run->op_count; i < run_total(run); i++) {
        assert_true(keys.of_op[i] >= 0);
        assert_int_equal(keys.of_op[i], keys.of_op[run_owner(run, i)]);
        assert_int_equal(run->ops[keys.op_of[keys.of_op[i]]].op, run->ops[i].op);
    }
    area_keys_free(&keys);
    sm_index_free(&index);
}

/* What the sums say about resident warps is what the blocks show; a block is resident until its hand-over. */
static void assert_warps(const gcast_run *run)
{
    double all = 0, of_children = 0;
    for (size_t i = 0; i < run_total(run); i++)
        for (uint64_t b = 0; run->ops[i].blocks && b < run->ops[i].block_count; b++) {
            double time =
                (double)(run->ops[i].blocks[b].end_ns - run->ops[i].blocks[b].start_ns + run->gpu->handover_ns);
            double held = time * ((run_op(run, i)->shape.threads + 31) / 32);
            all += held;
            of_children += run_owner(run, i) >= run->op_count ? held : 0;
        }
    assert_true(run->launches->warp_ns == all);
    assert_true(run->launches->child_warp_ns == of_children);
}

static void all_reports(void **state)
{
    (void)state;
    size_t children = 0, rests = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        generated g = generate_launching(seed);
        g.options.record_blocks = true;
        gcast_run *run = simulate(&g);
        assert_csv(run);
        assert_json(run);
        assert_trace(run);
        assert_picture(run, false);
        assert_picture(run, true);
        assert_areas(run);
        if (run->launches && seed % 5) /* workers of plans hold their SMs without a job, too */
            assert_warps(run);
        for (size_t i = run->op_count; i < run_total(run); i++)
            *(run_is_rest(run, i) ? &rests : &children) += 1;
        gcast_run_free(run);
        generated_free(&g);
    }
    assert_true(children > 1000 && rests > 50);
}

/* Without blocks, and with those of a window, which says that children are not in it. */
static void not_recorded(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        generated g = generate_launching(seed);
        g.options.record_blocks = false;
        gcast_run *run = simulate(&g);
        int64_t end_ns = run->end_ns > run->horizon_ns ? run->end_ns : run->horizon_ns;
        bool has_launches = run->launches != NULL, noted = false;
        sample_text t = sample_report(run, GCAST_FORMAT_TABLE, NULL);
        assert_int_equal(strstr(t.data, "mean waits of a child") != NULL, has_launches && run->launches->children);
        free(t.data);
        assert_picture(run, false);
        json_t *events = trace_events(run, NULL);
        trace_assert_tracks(events);
        json_decref(events);
        gcast_run_free(run);
        g.options.record_blocks = true;
        g.options.record_from_ns = 0;
        g.options.record_to_ns = end_ns + 1;
        run = simulate(&g);
        for (size_t i = 0; i < run->note_count; i++)
            noted = noted || strstr(run->notes[i], "blocks of children are not recorded");
        assert_int_equal(noted, run->workload->child_count > 0);
        assert_picture(run, false);
        gcast_run_free(run);
        generated_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_reports), cmocka_unit_test(not_recorded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
