/* Public calls that are given a value that is none of its enum: a name is "?", and everything else
 * is refused with a status. Nothing is read or called out of bounds. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/names.h"
#include "model/gpu.h"
#include "model/workload/workload.h"
#include "property/hand.h"
#include "report/plots/occupancy_report.h"
#include "report/plots/workers_report.h"
#include "simulate/duration.h"
#include "support/builders.h"
#include "support/sample_run.h"

#define EACH_INVALID(value, count)                                                                                     \
    for (int each_[] = {-1, INT_MIN, (int)(count), INT_MAX}, *at_ = each_, value = *at_; at_ < each_ + 4;              \
         at_++, value = at_ < each_ + 4 ? *at_ : 0)

static bool ignore_bytes(void *data, const char *bytes, size_t size)
{
    (void)data, (void)bytes, (void)size;
    return true;
}

static void names(void **state)
{
    (void)state;
    EACH_INVALID(v, GCAST_KINDS)
    {
        assert_string_equal(gcast_name(GCAST_NAMES_KIND, (gcast_kind)v), "?");
        assert_false(gcast_kind_on_gpu((gcast_kind)v));
    }
    EACH_INVALID(v, GCAST_DIRECTIONS) assert_string_equal(gcast_name(GCAST_NAMES_DIRECTION, (gcast_direction)v), "?");
    EACH_INVALID(v, GCAST_BODIES) assert_string_equal(gcast_name(GCAST_NAMES_BODY, (gcast_body)v), "?");
    EACH_INVALID(v, GCAST_OP_CARVEOUTS)
    assert_string_equal(gcast_name(GCAST_NAMES_CARVEOUT, (gcast_op_carveout)v), "?");
    EACH_INVALID(v, GCAST_PORTS) assert_string_equal(gcast_name(GCAST_NAMES_PORT, (gcast_port)v), "?");
    EACH_INVALID(v, GCAST_RESOURCES) assert_string_equal(gcast_name(GCAST_NAMES_RESOURCE, (gcast_resource)v), "?");
    EACH_INVALID(v, GCAST_PLACEMENTS) assert_string_equal(gcast_name(GCAST_NAMES_PLACEMENT, (gcast_placement)v), "?");
    EACH_INVALID(v, GCAST_TIE_ORDERS) assert_string_equal(gcast_name(GCAST_NAMES_TIE_ORDER, (gcast_tie_order)v), "?");
    EACH_INVALID(v, GCAST_LIMITS) assert_string_equal(gcast_name(GCAST_NAMES_LIMIT, (gcast_limit)v), "?");
    EACH_INVALID(v, GCAST_HINTS) assert_string_equal(gcast_text(GCAST_NAMES_HINT, (gcast_hint)v), "?");
    EACH_INVALID(v, GCAST_MAPPINGS) assert_string_equal(gcast_name(GCAST_NAMES_MAPPING, (gcast_mapping)v), "?");
    EACH_INVALID(v, GCAST_GOALS) assert_string_equal(gcast_name(GCAST_NAMES_GOAL, (gcast_goal)v), "?");
    EACH_INVALID(v, GCAST_SIMT_MIX) assert_non_null(gcast_name(GCAST_NAMES_MIX, (gcast_simt_mix)v));
    EACH_INVALID(v, GCAST_INTERNAL + 1) assert_non_null(gcast_text(GCAST_NAMES_STATUS, (gcast_status)v));
    EACH_INVALID(v, GCAST_REASONS)
    {
        assert_string_equal(gcast_name(GCAST_NAMES_REASON, (gcast_reason)v), "?");
        assert_string_equal(gcast_text(GCAST_NAMES_REASON, (gcast_reason)v), "?");
        assert_string_equal(gcast_wait_rule((gcast_reason)v, ~0u), "?");
    }
}

static void formats(void **state)
{
    (void)state;
    sample *s = sample_thesis();
    const gcast_run *run = sample_run(s);
    gcast_report_options options = gcast_report_options_default();
    gcast_block_shape shape = {.threads = 64};
    gcast_workers_curve curve = {.gpu = "", .kernel = ""};
    gcast_error err;
    EACH_INVALID(v, GCAST_FORMATS)
    {
        gcast_format f = (gcast_format)v;
        assert_string_equal(gcast_name(GCAST_NAMES_FORMAT, f), "?");
        assert_string_equal(gcast_text(GCAST_NAMES_FORMAT, f), "?");
        assert_false(gcast_format_available(f));
        assert_int_equal(gcast_run_report(run, f, &options, ignore_bytes, NULL, &err), GCAST_USAGE);
        assert_int_equal(gcast_run_report_pair(run, run, f, &options, ignore_bytes, NULL, &err), GCAST_USAGE);
        assert_int_equal(
            gcast_occupancy_report_curve(&sample_gpu(s)->limits, "", &shape, -1, f, ignore_bytes, NULL, &err),
            GCAST_USAGE);
        assert_int_equal(gcast_workers_report(&curve, f, ignore_bytes, NULL, &err), GCAST_USAGE);
    }
    sample_free(s);
}

static void methods(void **state)
{
    fixture *f = *state;
    add(f, kernel(stream(f, 1, 0, false), 0, 1, 32, 10));
    EACH_INVALID(v, GCAST_METHODS)
    {
        gcast_analysis *a;
        gcast_advice *advice;
        gcast_advise_options options = gcast_advise_options_default();
        options.method = (gcast_method)v;
        assert_int_equal(gcast_workload_analyze(f->w, f->gpu, (gcast_method)v, NULL, &a, &f->err), GCAST_USAGE);
        assert_int_equal(gcast_workload_advise(f->w, f->gpu, &options, &advice, &f->err), GCAST_USAGE);
    }
}

static void options_of_runs(void **state)
{
    fixture *f = *state;
    gcast_op k = kernel(stream(f, 1, 0, false), 0, 1, 32, 10);
    k.min_ns = 5;
    f->gpu->noise_ns = 1;
    add(f, k);
    EACH_INVALID(v, GCAST_GOALS)
    {
        gcast_advise_options options = gcast_advise_options_default();
        gcast_advice *advice;
        options.goal = (gcast_goal)v;
        assert_int_equal(gcast_workload_advise(f->w, f->gpu, &options, &advice, &f->err), GCAST_USAGE);
    }
    gcast_run *run;
    assert_ok(gcast_workload_simulate(f->w, f->gpu, NULL, &run, &f->err), &f->err);
    EACH_INVALID(v, GCAST_DURATIONS_COUNT)
    {
        gcast_simulate_options options = gcast_simulate_options_default();
        gcast_run *other;
        gcast_race *races;
        size_t count;
        options.durations = (gcast_durations)v;
        int64_t ns = gcast_op_block_duration(&k, 0, 0, 0, &options);
        assert_true(ns >= 5 && ns <= 10);
        assert_int_equal(gcast_workload_simulate(f->w, f->gpu, &options, &other, &f->err), GCAST_USAGE);
        assert_int_equal(gcast_run_find_races(run, f->gpu, &options, 2, &races, &count, &f->err), GCAST_USAGE);
    }
    gcast_run_free(run);
}

/* An op with a value that no enumerator has is not added. */
static void refuse(gcast_op op)
{
    gcast_error err;
    gcast_workload *w = support_workload("bad", &err);
    assert_true(support_get_stream(w, 1, &err) == 0);
    assert_int_equal(gcast_workload_add_op(w, &op, NULL, &err), GCAST_USAGE);
    assert_string_equal(err.message, "an op has a kind, body, carveout, policy or direction that does not exist");
    assert_int_equal(w->op_count, 0);
    gcast_workload_free(w);
}

static void ops(void **state)
{
    (void)state;
    gcast_op k = kernel(0, 0, 1, 32, 10), c = copy(0, 0, GCAST_H2D, 5);
    EACH_INVALID(v, GCAST_KINDS)
    {
        gcast_op op = gcast_op_default((gcast_kind)v);
        refuse(op);
    }
    EACH_INVALID(v, GCAST_BODIES)
    {
        gcast_op op = k;
        op.body = (gcast_body)v;
        refuse(op);
    }
    EACH_INVALID(v, GCAST_OP_CARVEOUTS)
    {
        gcast_op op = k;
        op.carveout = (gcast_op_carveout)v;
        refuse(op);
    }
    EACH_INVALID(v, GCAST_DIRECTIONS)
    {
        gcast_op op = c;
        op.direction = (gcast_direction)v;
        refuse(op);
    }
}

static void gpus(void **state)
{
    fixture *f = *state;
    int ranks[2], many[GCAST_MAX_SMS + 1];
    char *json;
    size_t size;
    EACH_INVALID(v, GCAST_PLACEMENTS)
    {
        f->gpu->placement = (gcast_placement)v;
        assert_int_equal(gcast_gpu_check(f->gpu, &f->err), GCAST_INPUT);
        assert_string_equal(f->err.path, "/placement");
    }
    f->gpu->placement = GCAST_PLACE_MOST_ROOM;
    EACH_INVALID(v, GCAST_TIE_ORDERS)
    {
        f->gpu->tie_order = (gcast_tie_order)v;
        assert_int_equal(gcast_gpu_check(f->gpu, &f->err), GCAST_INPUT);
        assert_string_equal(f->err.path, "/tie_order");
        gcast_gpu_tie_ranks(f->gpu, ranks);
        if (gcast_gpu_write_json(f->gpu, &json, &size, &f->err) == GCAST_OK)
            free(json);
    }
    f->gpu->tie_order = GCAST_TIES_LIST; /* without a list */
    assert_int_equal(gcast_gpu_check(f->gpu, &f->err), GCAST_INPUT);
    gcast_gpu_tie_ranks(f->gpu, ranks);
    f->gpu->sms = GCAST_MAX_SMS + 1;
    for (int i = 0; i <= GCAST_MAX_SMS; i++)
        many[i] = i;
    assert_int_equal(gcast_gpu_set_tie_list(f->gpu, many, GCAST_MAX_SMS + 1, &f->err), GCAST_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),    cmocka_unit_test(formats), HAND_CASE(methods),
        HAND_CASE(options_of_runs), cmocka_unit_test(ops),     HAND_CASE(gpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
