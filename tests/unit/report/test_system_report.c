/* Systems as table, JSON, page and picture, of answers and executions that are made by hand. */
#include "support/support.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "gridcast/version.h"
#include "report/system/system_report.h"
#include "simulate/system/system_simulate.h"
#include "support/make_system.h"

#define MS INT64_C(1000000)
#define US INT64_C(1000)

enum { CONTROL, PLAN, VISION, FILTER, TASKS };

/* Two cores; Vision triggers Filter on the GPU and waits for it. */
static sys_system *make(const gcast_gpu *gpu)
{
    static const sys_finding findings[] = {
        {.text = "Task <b>Plan</b> has a period of 20 ms.", .file = "m.amxmi", .line = 7, .doubtful = false},
        {.text = "Two deadlines are swapped.", .file = "m.amxmi", .line = 12, .doubtful = true}};
    make_system *m = make_system_new(gpu);
    int fast = add_core(m, "Core0"), slow = add_core_of_kind(m, "Core1", 1);
    int control = add_periodic(m, "Control", fast, 9, 5 * MS);
    int plan = add_periodic(m, "Plan\x1b[31m", fast, 3, 20 * MS);
    int vision = add_periodic(m, "Vision", slow, 5, 33 * MS);
    int filter = add_triggered(m, "Filter", SYS_GPU, 0);
    add_run(m, control, MS, 1234567);
    add_run(m, plan, 5 * MS, 9 * MS);
    add_run(m, vision, MS, 2 * MS);
    add_trigger(m, vision, filter);
    add_wait(m, vision, filter);
    add_run(m, vision, MS, 2 * MS);
    add_copy(m, filter, GCAST_H2D, 100 * US, 200 * US);
    add_kernel(m, filter, 8, 256, 2 * MS, 3 * MS);
    add_copy(m, filter, GCAST_D2H, 50 * US, 100 * US);
    made_task(m, control)->deadline_ns = 5 * MS;
    made_task(m, plan)->deadline_ns = 12 * MS;
    made_task(m, vision)->deadline_ns = 33 * MS;
    made_place(m, vision)->busy = true;
    add_chain(m, "see and act", (const int[]){vision, plan, control}, 3);
    sys_system *s = make_system_done(m);
    ((sys_chain *)s->chains)[0].reaction_ns = 100 * MS;
    s->findings = findings;
    s->finding_count = 2;
    return s;
}

/* Answers for this system. */
typedef struct answers {
    sys_step_times steps[TASKS][4];
    sys_task_answer tasks[TASKS];
    sys_core_answer cores[2];
    sys_chain_answer chains[1];
    sys_answer a;
} answers;

static const sys_step_times gpu_steps[] = {{MS, 1100 * US, 4 * MS, 100 * US, 200 * US, 700 * US},
                                           {1100 * US, 3100 * US, 9 * MS, 2 * MS, 3 * MS, 4 * MS},
                                           {3100 * US, 3150 * US, SYS_UNBOUNDED, 50 * US, 100 * US, SYS_UNBOUNDED}};

static const sys_answer *answer(answers *r, const sys_system *s)
{
    static const sys_tried tried[] = {{.longest = true, .horizon_ns = 80 * MS}, {.seed = 7, .horizon_ns = 80 * MS}};
    static const char *const assumptions[] = {"Cores are preemptive."};
    *r = (answers){0};
    for (int i = 0; i < TASKS; i++)
        r->tasks[i].steps = r->steps[i];
    memcpy(r->steps[FILTER], gpu_steps, sizeof gpu_steps);
    r->steps[CONTROL][0] = (sys_step_times){0, MS, 1234567, MS, 1234567, 0};
    sys_task_answer *t = r->tasks;
    t[CONTROL] = (sys_task_answer){.best_ns = MS,
                                   .worst_ns = 1234567,
                                   .own_worst_ns = 1234567,
                                   .computation_ns = 1234000,
                                   .access_ns = 567,
                                   .verdict = GCAST_DEADLINE_MET,
                                   .limited_by = SYS_NONE,
                                   .steps = r->steps[CONTROL]};
    t[PLAN] = (sys_task_answer){.best_ns = 5 * MS,
                                .worst_ns = 15 * MS,
                                .own_worst_ns = 15 * MS,
                                .computation_ns = 6 * MS,
                                .interference_ns = 9 * MS,
                                .verdict = GCAST_DEADLINE_MISSED,
                                .limited_by = CONTROL,
                                .steps = r->steps[PLAN]};
    t[VISION] = (sys_task_answer){.best_ns = 4 * MS,
                                  .worst_ns = SYS_UNBOUNDED,
                                  .own_worst_ns = SYS_UNBOUNDED,
                                  .verdict = GCAST_DEADLINE_OPEN,
                                  .limited_by = FILTER,
                                  .why_not = "The GPU has too much to do.",
                                  .steps = r->steps[VISION]};
    t[FILTER] = (sys_task_answer){.release_min_ns = MS,
                                  .release_max_ns = 2 * MS,
                                  .best_ns = 3150 * US,
                                  .worst_ns = SYS_UNBOUNDED,
                                  .own_worst_ns = SYS_UNBOUNDED,
                                  .limited_by = SYS_NONE,
                                  .steps = r->steps[FILTER]};
    for (int i = 0; i < TASKS; i++) {
        t[i].seen_ns = i == PLAN ? 14 * MS : -1;
        t[i].seen_in = t[i].missed_in = i == PLAN ? 1 : SYS_NONE;
    }
    r->cores[0].utilization = 0.7;
    r->cores[1].utilization = 0.2345;
    for (int c = 0; c < GCAST_COMMUNICATIONS; c++)
        r->chains[0].by[c] = (sys_latency){10 * MS, SYS_UNBOUNDED, 5 * MS, (70 + c) * MS, 60 * MS, c == 0};
    r->chains[0].reaction_verdict = GCAST_DEADLINE_OPEN;
    r->a = (sys_answer){.of = s,
                        .places = s->places,
                        .tasks = r->tasks,
                        .cores = r->cores,
                        .chains = r->chains,
                        .gpu_why_not = "It piles up.",
                        .assumptions = assumptions,
                        .assumption_count = 1,
                        .iterations = 3,
                        .tried = tried,
                        .tried_count = 2};
    return &r->a;
}

static gcast_gpu *tx2(void)
{
    gcast_gpu *gpu;
    gcast_error err;
    assert_ok(gcast_gpu_preset("tx2", &gpu, &err), &err);
    return gpu;
}

static bool append(void *t, const char *bytes, size_t size)
{
    text_bytes(t, bytes, size);
    return true;
}

static char *report(const sys_answer *a, const sys_run *run, gcast_format format, const sys_report_options *o)
{
    text t;
    gcast_error err;
    text_open(&t, NULL, NULL);
    sys_report_options options = o ? *o : system_report_options_default();
    assert_ok(a ? system_answer_report(a, run, format, &options, append, &t, &err)
                : system_run_report(run, format, &options, append, &t, &err),
              &err);
    char *words = text_take(&t, NULL);
    assert_non_null(words);
    return words;
}

static void table(void **state)
{
    (void)state;
    answers r;
    gcast_gpu *gpu = tx2();
    sys_system *s = make(gpu);
    sys_report_options o = system_report_options_default();
    o.all = true;
    char *words = report(answer(&r, s), NULL, GCAST_FORMAT_TABLE, &o);
    assert_string_equal(
        words,
        "made: 4 tasks on 2 cores and a GPU (tx2)\ngridcast " GCAST_VERSION "\n\n"
        "doubtful: Two deadlines are swapped. (m.amxmi:12)\n"
        "note: Task <b>Plan</b> has a period of 20 ms. (m.amxmi:7)\n"
        "\n"
        "task; times in ms      prio  period   best    seen   worst  deadline  verdict   limited by\n"
        "Core0 (kind0), 70.0 %\n"
        "  Control                 9   5.000  1.000       -   1.235     5.000  met       own code\n"
        "  Plan\\x1b[31m            3  20.000  5.000  14.000  15.000    12.000  missed    Control\n"
        "Core1 (kind1), 23.4 %\n"
        "  Vision                  5  33.000  4.000       -       -    33.000  open      Filter\n"
        "gpu (tx2), streams\n"
        "  Filter                  0  33.000  3.150       -       -         -  no bound  -\n"
        "\n"
        "on the GPU; times in us  what            alone    to  shared, to  ends after    to\n"
        "Filter\n"
        "  copy                   h2d 1 B           100   200         700        1100  4000\n"
        "  kernel                 kernel 8 x 256   2000  3000        4000        3100  9000\n"
        "  copy                   d2h 1 B            50   100           -        3150     -\n"
        "\n"
        "from its release; times in ms      worst      code    memory  preempted   blocked     waits\n"
        "Control                         1.234567  1.234000  0.000567   0.000000  0.000000  0.000000\n"
        "Plan\\x1b[31m                   15.000000  6.000000  0.000000   9.000000  0.000000  0.000000\n"
        "Vision                                 -         -         -          -         -         -\n"
        "Filter                                 -         -         -          -         -         -\n\n"
        "on cores; times in us  step          alone        to  ends after        to\n"
        "Control\n"
        "  code                 runs       1000.000  1234.567    1000.000  1234.567\n"
        "Plan\\x1b[31m\n"
        "  code                 runs          0.000     0.000       0.000     0.000\n"
        "Vision\n"
        "  code                 runs          0.000     0.000       0.000     0.000\n"
        "  Filter               triggers                            0.000     0.000\n"
        "  Filter               waits for     0.000     0.000       0.000     0.000\n"
        "  code                 runs          0.000     0.000       0.000     0.000\n"
        "\n"
        "chain; times in ms  data      reaction  to  first, to  age  to  limit  verdict\n"
        "see and act         direct          10   -         60    5  70\n"
        "                    implicit        10   -         60    5  71    100  reaction open\n"
        "                    let             10   -         60    5  72\n"
        "\n"
        "1 of 3 deadlines met, 1 missed, 1 open; 0 of 1 limits of chains met, 1 open; 2 of 4 tasks without a bound\n"
        "best, seen (in executions that were tried) and worst are response times from the release of a\n"
        "task, or of the task whose release starts it; percent of a core: the longest code of its tasks and\n"
        "the longest waits that hold it\n"
        "missed: Plan\\x1b[31m: seen with simulate --durations random:7 --horizon 80ms\n"
        "reaction: from a change that the first task just missed to the first output that shows it;\n"
        "first: the same from the release of the first task; age: from a reading to the last output that uses it\n"
        "limits on reactions count from the release of the first task (--reaction stimulus)\nchain see and act: "
        "Vision > Plan\\x1b[31m > Control\n"
        "no bound: Vision: The GPU has too much to do.\n"
        "no bound: the GPU: It piles up.\n"
        "assumes: Cores are preemptive.\n");
    free(words);
    system_free(s);
    gcast_gpu_free(gpu);
}

/* The value at a path such as "tasks/1/worst_ns". */
static json_t *at(json_t *root, const char *path)
{
    char copy[200], *rest = copy, *key;
    snprintf(copy, sizeof copy, "%s", path);
    while (root && (key = strtok_r(rest, "/", &rest)))
        root = json_is_array(root) ? json_array_get(root, (size_t)atoi(key)) : json_object_get(root, key);
    assert_non_null(root);
    return root;
}

static json_t *parse(char *words)
{
    json_error_t e;
    json_t *root = json_loads(words, 0, &e);
    assert_non_null(root);
    free(words);
    return root;
}

static void json(void **state)
{
    (void)state;
    answers r;
    gcast_gpu *gpu = tx2();
    sys_system *s = make(gpu);
    json_t *root = parse(report(answer(&r, s), NULL, GCAST_FORMAT_JSON, NULL));
    assert_string_equal(json_string_value(at(root, "schema")), "gridcast.system/1");
    assert_true(json_is_false(at(root, "all_met")));
    assert_true(json_is_true(at(root, "findings/1/doubtful")));
    assert_int_equal(json_integer_value(at(root, "findings/1/line")), 12);
    assert_int_equal(json_integer_value(at(root, "tasks/0/worst_ns")), 1234567);
    assert_int_equal(json_integer_value(at(root, "tasks/0/parts/access_ns")), 567);
    assert_int_equal(json_integer_value(at(root, "tasks/1/slack_ns")), -3 * MS);
    assert_int_equal(json_integer_value(at(root, "tasks/1/seen_ns")), 14 * MS);
    assert_string_equal(json_string_value(at(root, "tasks/1/seen_in")), "--durations random:7 --horizon 80ms");
    assert_string_equal(json_string_value(at(root, "tasks/1/limited_by")), "Control");
    assert_true(json_is_null(at(root, "tasks/2/worst_ns")));
    assert_string_equal(json_string_value(at(root, "tasks/2/wait")), "busy");
    assert_string_equal(json_string_value(at(root, "tasks/2/why_not")), "The GPU has too much to do.");
    assert_string_equal(json_string_value(at(root, "tasks/2/steps/2/task")), "Filter");
    assert_true(json_is_null(at(root, "tasks/3/core")));
    assert_string_equal(json_string_value(at(root, "tasks/3/root")), "Vision");
    assert_string_equal(json_string_value(at(root, "tasks/3/steps/1/op")), "kernel");
    assert_int_equal(json_integer_value(at(root, "tasks/3/steps/1/own_worst_ns")), 4 * MS);
    assert_true(json_is_null(at(root, "chains/0/let/reaction_worst_ns")));
    assert_int_equal(json_integer_value(at(root, "chains/0/let/age_worst_ns")), 72 * MS);
    assert_string_equal(json_string_value(at(root, "chains/0/reaction_verdict")), "open");
    json_decref(root);
    system_free(s);
    gcast_gpu_free(gpu);
}

static bool has(const char *words, const char *part)
{
    return strstr(words, part) != NULL;
}

/* One execution with the longest times. */
static sys_run *simulated(const sys_system *s, int64_t horizon_ns)
{
    sys_run *run;
    gcast_error err;
    sys_simulate_options o = {.durations = GCAST_DURATIONS_MAX, .record = true, .horizon_ns = horizon_ns};
    assert_ok(system_simulate(s, NULL, &o, &run, &err), &err);
    return run;
}

static void page(void **state)
{
    (void)state;
    answers r;
    gcast_gpu *gpu = tx2();
    sys_system *s = make(gpu);
    sys_run *run = simulated(s, 40 * MS);
    char *words = report(answer(&r, s), run, GCAST_FORMAT_HTML, NULL);
    assert_true(has(words, "Task &lt;b&gt;Plan&lt;/b&gt; has a period") && !has(words, "<b>Plan"));
    assert_true(has(words, "<svg") && has(words, "id=\"core-1\"") && has(words, "Cores are preemptive."));
    assert_true(has(words, "missed") && has(words, "reaction open") && has(words, "</html>"));
    free(words);
    words = report(answer(&r, s), NULL, GCAST_FORMAT_HTML, NULL);
    assert_false(has(words, "<svg"));
    free(words);
    words = report(NULL, run, GCAST_FORMAT_HTML, NULL);
    assert_true(has(words, "<svg") && has(words, "response times that were seen") == false);
    assert_true(has(words, "Response times that were seen."));
    free(words);
    system_run_free(run);
    system_free(s);
    gcast_gpu_free(gpu);
}

static void picture(void **state)
{
    (void)state;
    gcast_gpu *gpu = tx2();
    sys_system *s = make(gpu);
    sys_run *run = simulated(s, 40 * MS);
    char *words = report(NULL, run, GCAST_FORMAT_SVG, NULL);
    assert_true(has(words, "id=\"core-0\"") && has(words, "id=\"core-1\"") && has(words, "id=\"sm-0\""));
    assert_true(has(words, "copy engine") && has(words, "waits, and holds the core"));
    assert_true(has(words, "waits for Filter") && !has(words, "\x1b"));
    assert_true(has(words, "missed deadline")); /* Plan ends after 9 + 3 * 1.234567 ms */
    free(words);
    sys_report_options o = system_report_options_default();
    o.report.from_ns = 10 * MS;
    o.report.to_ns = 20 * MS;
    o.report.no_blocks = true;
    words = report(NULL, run, GCAST_FORMAT_SVG, &o);
    assert_true(has(words, "10ms to 20ms") && !has(words, "id=\"sm-0\""));
    free(words);
    o.report.from_ns = 1000 * MS;
    o.report.to_ns = 2000 * MS;
    gcast_error err;
    text t;
    text_open(&t, NULL, NULL);
    assert_int_equal(system_run_report(run, GCAST_FORMAT_SVG, &o, append, &t, &err), GCAST_USAGE);
    assert_true(has(err.message, "nothing happens after"));
    assert_int_equal(system_run_report(run, GCAST_FORMAT_CSV, &o, append, &t, &err), GCAST_USAGE);
    assert_string_equal(err.message, "an execution of a system cannot be written as .csv");
    text_drop(&t);
    system_run_free(run);
    system_free(s);
    gcast_gpu_free(gpu);
}

/* Jobs by hand: one in time, one late, one that has not ended. */
static void misses(void **state)
{
    (void)state;
    gcast_gpu *gpu = tx2();
    sys_system *s = make(gpu);
    const sys_job jobs[] = {{PLAN, 0, 0, 0, 0, 11 * MS},
                            {CONTROL, 0, 0, 0, 11 * MS, 12 * MS},
                            {PLAN, 1, 20 * MS, 20 * MS, 21 * MS, 33 * MS},
                            {PLAN, 2, 40 * MS, 40 * MS, 40 * MS, -1}};
    const sys_slice slices[] = {{0, 0, 0, false, 0, 11 * MS},
                                {0, 1, 0, false, 11 * MS, 12 * MS},
                                {0, 2, 0, false, 21 * MS, 33 * MS},
                                {0, 3, 0, false, 40 * MS, 60 * MS}};
    sys_run run = {.of = s,
                   .places = s->places,
                   .jobs = jobs,
                   .job_count = 4,
                   .slices = slices,
                   .slice_count = 4,
                   .horizon_ns = 60 * MS,
                   .end_ns = 60 * MS};
    json_t *root = parse(report(NULL, &run, GCAST_FORMAT_JSON, NULL));
    assert_string_equal(json_string_value(at(root, "schema")), "gridcast.system-run/1");
    assert_int_equal(json_integer_value(at(root, "tasks/1/jobs")), 3);
    assert_int_equal(json_integer_value(at(root, "tasks/1/missed")), 2);
    assert_int_equal(json_integer_value(at(root, "tasks/1/unfinished")), 1);
    assert_int_equal(json_integer_value(at(root, "tasks/1/worst_ns")), 13 * MS);
    assert_int_equal(json_integer_value(at(root, "tasks/0/missed")), 1);
    assert_true(json_is_null(at(root, "jobs/3/end_ns")));
    assert_true(json_is_true(at(root, "jobs/1/missed")));
    assert_int_equal(json_integer_value(at(root, "slices/1/job")), 1);
    json_decref(root);
    char *words = report(NULL, &run, GCAST_FORMAT_TABLE, NULL);
    assert_true(has(words, "3 of 4 jobs with a deadline missed it"));
    free(words);
    sys_report_options o = system_report_options_default();
    o.report.to_ns = 60 * MS;
    words = report(NULL, &run, GCAST_FORMAT_SVG, &o);
    assert_true(has(words, "missed deadline") && has(words, "7ms late") && has(words, "8ms late, and not done"));
    free(words);
    system_free(s);
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table), cmocka_unit_test(json), cmocka_unit_test(page),
                                       cmocka_unit_test(picture), cmocka_unit_test(misses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
