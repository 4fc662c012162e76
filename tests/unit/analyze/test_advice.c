#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/advice/advise.h"
#include "analyze/analysis.h"
#include "support/builders.h"

/* A judge that can be checked by hand: kernels run one after the other, block after block. A task waits for all jobs of
 * tasks of its level or above within its deadline, and once for each other task. */
static int64_t report_progress_of(const gcast_workload *w, size_t first, size_t count)
{
    int64_t work = 0;
    for (size_t i = first; i < first + count; i++)
        work += (int64_t)w->ops[i].blocks * w->ops[i].max_ns;
    return work;
}

static int64_t end_of(const gcast_workload *w, const gcast_task *t)
{
    int64_t end = report_progress_of(w, 0, w->once_count);
    for (size_t k = 0; k < w->task_count; k++) {
        const gcast_task *o = &w->tasks[k];
        bool above = o != t && w->streams[o->stream].priority <= w->streams[t->stream].priority;
        int64_t jobs = above ? (t->deadline_ns + o->period_ns - 1) / o->period_ns : o == t;
        end += jobs * report_progress_of(w, o->first_op, o->op_count);
    }
    return end;
}

static gcast_status by_hand(void *data, const gcast_workload *w, const gcast_gpu *gpu, gcast_analysis **out,
                            gcast_error *err)
{
    (void)gpu;
    size_t *calls = data;
    owned_analysis *o = analysis_create(w, GCAST_METHOD_BOUND);
    ++*calls;
    if (!o)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < o->a.response_count; i++) {
        const gcast_op *op = &w->ops[o->responses[i].op];
        int64_t end = op->task == GCAST_ONCE ? op->max_ns : end_of(w, &w->tasks[op->task]);
        o->responses[i].worst_ns = end - op->release_ns;
    }
    *out = &o->a;
    return GCAST_OK;
}

static gcast_status gives_up(void *data, const gcast_workload *w, const gcast_gpu *gpu, gcast_analysis **out,
                             gcast_error *err)
{
    gcast_status status = by_hand(data, w, gpu, out, err);
    if (status == GCAST_OK)
        analysis_give_up((*out)->memory, "it is too hard");
    return status;
}

static void add_op(gcast_workload *w, const char *label, int stream, uint32_t grid, int64_t ns, int64_t release)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.label = label;
    op.stream = stream;
    op.grid[0] = grid;
    op.min_ns = op.max_ns = ns;
    op.release_ns = release;
    assert_true(support_add_op(w, &op, NULL) >= 0);
}

static int add_task(gcast_workload *w, const char *name, int stream, int64_t period, int64_t deadline)
{
    gcast_task t = {.name = name, .period_ns = period, .deadline_ns = deadline};
    t.stream = support_get_stream(w, stream, NULL);
    assert_true(support_add_task(w, &t, NULL) >= 0);
    return t.stream;
}

/* A: 2 x 10 ns every 100, within 100. B: 10 + 3 x 10 ns every 200, within 150. */
static gcast_workload *two_tasks(void)
{
    gcast_workload *w = support_workload("two tasks", NULL);
    add_op(w, "a", add_task(w, "A", 1, 100, 100), 2, 10, 0);
    int b = add_task(w, "B", 2, 200, 150);
    add_op(w, "b1", b, 1, 10, 0);
    add_op(w, "b2", b, 3, 10, 5);
    return w;
}

/* What a judge says, with the memory of it. */
typedef struct found {
    arena memory;
    gcast_sensitivity s;
} found;

static found *find(judge j, const gcast_workload *w)
{
    gcast_error err;
    found *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_ok(sensitivity_find(&j, w, NULL, 0, &f->memory, &f->s, &err), &err);
    return f;
}

static void found_free(found *f)
{
    arena_free(&f->memory);
    free(f);
}

static void limits_to_the_nanosecond(void **state)
{
    (void)state;
    size_t calls = 0;
    gcast_workload *w = two_tasks();
    judge j = {.analyze = by_hand, .data = &calls, .covers_shorter = true, .monotonic = true};
    found *f = find(j, w);
    const gcast_sensitivity *s = &f->s;
    assert_null(s->why_not);
    assert_int_equal(s->analyses, calls);
    assert_int_equal(s->growth_count, 3);
    /* A ends at 2a + 40 <= 100, B at 2 * 2a + 40 <= 150 */
    assert_int_equal(s->growths[0].max_allowed_ns, 27);
    assert_int_equal(s->growths[0].permille, 2700);
    assert_int_equal(s->growths[0].limit, GCAST_LIMIT_EXACT);
    /* A: 20 + b + 30 <= 100 */
    assert_int_equal(s->growths[1].max_allowed_ns, 50);
    /* A: 20 + 10 + 3b <= 100, B: 40 + 10 + 3b <= 150 */
    assert_int_equal(s->growths[2].max_allowed_ns, 23);
    /* B: 20 ceil(150 / T) + 40 <= 150 as long as there are 5 jobs */
    assert_int_equal(s->periods[0].min_ns, 30);
    assert_int_equal(s->periods[0].limit, GCAST_LIMIT_EXACT);
    /* A: 20 + 40 ceil(100 / T) <= 100 with 2 jobs */
    assert_int_equal(s->periods[1].min_ns, 50);
    found_free(f);
    gcast_workload_free(w);
}

static void what_deadlines_wait_for(void **state)
{
    (void)state;
    size_t calls = 0;
    gcast_workload *w = two_tasks();
    judge j = {.analyze = by_hand, .data = &calls};
    found *f = find(j, w);
    const gcast_sensitivity *s = &f->s;
    assert_int_equal(s->slack_count, 2);
    assert_int_equal(s->slacks[0].end_ns, 60);
    assert_int_equal(s->slacks[0].op, 2); /* 27 less, a would give 18 */
    assert_int_equal(s->slacks[0].without_ns, 33);
    assert_int_equal(s->slacks[1].end_ns, 80);
    assert_int_equal(s->slacks[1].op, 0); /* 36 less */
    assert_int_equal(s->slacks[1].without_ns, 44);
    found_free(f);
    gcast_workload_free(w);
}

static void without_monotony_steps_are_tried(void **state)
{
    (void)state;
    size_t calls = 0;
    gcast_workload *w = two_tasks();
    gcast_workload_set_duration(w, "b1", 1000);
    judge j = {.analyze = by_hand, .data = &calls};
    found *f = find(j, w);
    const gcast_sensitivity *s = &f->s;
    assert_int_equal(s->growths[0].limit, GCAST_LIMIT_UNKNOWN); /* a deadline is missed */
    found_free(f);
    gcast_workload_set_duration(w, "b1", 10);
    f = find(j, w);
    s = &f->s;
    assert_int_equal(s->growths[0].limit, GCAST_LIMIT_TRIED);
    assert_int_equal(s->growths[0].max_allowed_ns, 27);
    assert_int_equal(s->periods[0].limit, GCAST_LIMIT_UNKNOWN);
    found_free(f);
    j.covers_shorter = true;
    f = find(j, w);
    s = &f->s;
    assert_int_equal(s->growths[0].limit, GCAST_LIMIT_SAFE);
    assert_int_equal(s->growths[0].max_allowed_ns, 27);
    found_free(f);
    gcast_workload_free(w);
}

static void says_what_must_shrink(void **state)
{
    (void)state;
    size_t calls = 0;
    gcast_workload *w = two_tasks();
    gcast_workload_set_duration(w, "b2", 40);
    judge j = {.analyze = by_hand, .data = &calls, .covers_shorter = true, .monotonic = true};
    found *f = find(j, w);
    const gcast_sensitivity *s = &f->s;
    assert_int_equal(s->growths[2].max_allowed_ns, 23);
    assert_int_equal(s->growths[2].permille, 575);
    assert_int_equal(s->growths[0].limit, GCAST_LIMIT_NEVER); /* A waits for 130 of B */
    assert_int_equal(s->periods[1].limit, GCAST_LIMIT_NEVER);
    found_free(f);
    gcast_workload_free(w);
}

static void says_why_there_is_none(void **state)
{
    (void)state;
    size_t calls = 0;
    gcast_workload *w = two_tasks();
    judge j = {.analyze = gives_up, .data = &calls};
    found *f = find(j, w);
    const gcast_sensitivity *s = &f->s;
    assert_string_equal(s->why_not, "it is too hard");
    found_free(f);
    gcast_workload_free(w);
    w = support_workload("", NULL);
    support_get_stream(w, 1, NULL);
    add_op(w, "k", 0, 1, 10, 0);
    j.analyze = by_hand;
    f = find(j, w);
    s = &f->s;
    assert_string_equal(s->why_not, "no task has a deadline");
    found_free(f);
    gcast_workload_free(w);
}

static void audsley(void **state)
{
    (void)state;
    gcast_error err;
    size_t calls = 0;
    arena memory = {0};
    gcast_levels levels, *l = &levels;
    gcast_gpu *gpu = support_gpu("three", 6, 2, 1, &err);
    gcast_workload *w = support_workload("", NULL);
    judge j = {.analyze = by_hand, .data = &calls, .opa_compatible = true};
    gpu->priority_levels = 3;
    add_op(w, "slow", add_task(w, "S", 1, 1000, 1000), 1, 300, 0);
    add_op(w, "fast", add_task(w, "F", 2, 100, 30), 1, 20, 0);
    add_op(w, "middle", add_task(w, "M", 3, 200, 100), 1, 40, 0);
    support_get_stream(w, 4, NULL); /* has no kernels */
    assert_ok(levels_assign(&j, w, gpu, 0, &memory, l, &err), &err);
    assert_true(l->found);
    assert_int_equal(l->priorities[0], 0);
    assert_int_equal(l->priorities[1], -2);
    assert_int_equal(l->priorities[2], -1);
    assert_false(l->assigned[3]);
    gpu->priority_levels = 2; /* fast and middle cannot share a level */
    assert_ok(levels_assign(&j, w, gpu, 0, &memory, l, &err), &err);
    assert_false(l->found);
    assert_false(l->none);
    gpu->priority_levels = 3;
    gcast_workload_set_duration(w, "fast", 31);
    assert_ok(levels_assign(&j, w, gpu, 0, &memory, l, &err), &err);
    assert_false(l->found);
    gcast_workload_set_duration(w, "fast", 25);
    gcast_workload_set_duration(w, "middle", 90);
    gcast_workload_set_duration(w, "slow", 2000);
    assert_ok(levels_assign(&j, w, gpu, 0, &memory, l, &err), &err);
    assert_true(l->none); /* nothing can be the lowest */
    arena_free(&memory);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

static void methods_are_asked(void **state)
{
    (void)state;
    gcast_error err;
    judgement v;
    gcast_workload *w = two_tasks();
    judge j = judge_by_method(GCAST_METHOD_BOUND, NULL);
    assert_true(j.monotonic && j.covers_shorter && !j.opa_compatible);
    assert_ok(judge_ask(&j, w, NULL, &v, &err), &err);
    assert_false(v.known);
    assert_string_equal(v.why, "no GPU is named");
    j = judge_by_method(GCAST_METHOD_EXACT, NULL);
    assert_false(j.monotonic || j.covers_shorter);
    gcast_workload_free(w);
}

static bool note_part(void *data, const char *part, double fraction)
{
    const char **last = data;
    *last = part;
    return fraction >= 0 || strcmp(part, "priorities") != 0; /* stops there */
}

/* The public call: the parts that are asked for, and what it refuses. */
static void parts_of_advice(void **state)
{
    (void)state;
    gcast_error err;
    gcast_advice *a;
    const char *part = "";
    gcast_workload *w = two_tasks();
    gcast_gpu *gpu = support_gpu("one", 6, 2, 1, &err);
    gcast_advise_options options = gcast_advise_options_default();
    assert_int_equal(gcast_workload_advise(w, NULL, NULL, &a, &err), GCAST_INPUT); /* no GPU */
    assert_null(a);
    assert_ok(gcast_workload_advise(w, gpu, NULL, &a, &err), &err);
    assert_true(a->sensitivity && a->levels && !a->orders);
    assert_int_equal(a->sensitivity->growth_count, 3);
    assert_int_equal(a->levels->stream_count, 2);
    gcast_advice_free(a);
    options.sensitivity = options.levels = false;
    assert_int_equal(gcast_workload_advise(w, gpu, &options, &a, &err), GCAST_USAGE);
    options.orders = true;
    options.progress = note_part;
    options.progress_data = &part;
    assert_ok(gcast_workload_advise(w, gpu, &options, &a, &err), &err);
    assert_true(a->orders && !a->sensitivity && !a->levels);
    gcast_advice_free(a);
    options.levels = true;
    assert_int_equal(gcast_workload_advise(w, gpu, &options, &a, &err), GCAST_RESOURCE);
    assert_string_equal(part, "priorities");
    gcast_advice_free(NULL);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_to_the_nanosecond),
        cmocka_unit_test(what_deadlines_wait_for),
        cmocka_unit_test(without_monotony_steps_are_tried),
        cmocka_unit_test(says_what_must_shrink),
        cmocka_unit_test(says_why_there_is_none),
        cmocka_unit_test(audsley),
        cmocka_unit_test(methods_are_asked),
        cmocka_unit_test(parts_of_advice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
