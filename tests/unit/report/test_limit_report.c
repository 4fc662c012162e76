/* Limits of a system in tables, JSON and pages: all times, verdicts, and names that are hostile. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/system/system_report.h"
#include "support/make_system.h"
#include "support/support.h"

#define MS INT64_C(1000000)

static bool append(void *t, const char *bytes, size_t size)
{
    text_bytes(t, bytes, size);
    return true;
}

/* A task of one step, a limit on it from below, one on its runnable, and a delay that nothing is known of. */
static sys_system *make(void)
{
    static const sys_point release = {SYS_AT_RELEASE, 0, true}, end = {SYS_AT_END, 0, true};
    make_system *m = make_system_new(NULL);
    int task = add_periodic(m, "Task", add_core(m, "core"), 1, 20 * MS);
    add_run(m, task, MS, 2 * MS);
    const sys_span span = {task, 0, 1, false};
    const sys_event source = {.name = "<go>", .task = task, .points = &release, .point_count = 1};
    const sys_event target = {.name = "gone\x1b[31m", .task = task, .points = &end, .point_count = 1};
    made_limit(m, add_response_limit(m, "Soon", task, 3 * MS))->on = "Task";
    made_limit(m, add_span_limit(m, "Run\x1b[31m", &span, 1, MS, 5 * MS))->on = "R";
    made_limit(m, add_delay_limit(m, "<b>", source, target, SYS_NO_LIMIT, 12 * MS))->mapping = SYS_MAPPING_ONE_TO_ONE;
    return make_system_done(m);
}

static char *report(const sys_system *s, gcast_format format)
{
    static const sys_tried tried[] = {{.longest = true, .horizon_ns = 80 * MS},
                                      {.shortest = true, .horizon_ns = 80 * MS}};
    static const sys_limit_answer limits[] = {
        {MS, 2 * MS, GCAST_DEADLINE_MISSED, NULL, MS, 1},
        {MS, 2000001, GCAST_DEADLINE_MET, NULL, 0, SYS_NONE},
        {SYS_NO_LEAST, SYS_UNBOUNDED, GCAST_DEADLINE_OPEN, "it is <not> known", 0, SYS_NONE}};
    sys_step_times steps[1] = {{0, MS, 2 * MS, MS, 2 * MS, 2 * MS}};
    const sys_task_answer task = {.best_ns = MS,
                                  .worst_ns = 2 * MS,
                                  .own_worst_ns = 2 * MS,
                                  .limited_by = SYS_NONE,
                                  .seen_in = SYS_NONE,
                                  .steps = steps};
    const sys_core_answer core = {0.1};
    const sys_answer a = {.of = s,
                          .places = s->places,
                          .tasks = &task,
                          .cores = &core,
                          .limits = limits,
                          .gpu_bounded = true,
                          .tried = tried,
                          .tried_count = 2};
    text t;
    gcast_error err;
    sys_report_options o = system_report_options_default();
    text_open(&t, NULL, NULL);
    assert_ok(system_answer_report(&a, NULL, format, &o, append, &t, &err), &err);
    char *words = text_take(&t, NULL);
    assert_non_null(words);
    return words;
}

static void check_parts(gcast_format format, const char *const *parts, size_t count)
{
    sys_system *s = make();
    char *words = report(s, format);
    for (size_t i = 0; i < count; i++)
        if (!strstr(words, parts[i]))
            fail_msg("no '%s' in:\n%s", parts[i], words);
    assert_null(strchr(words, '\x1b'));
    free(words);
    system_free(s);
}

static void table(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "limit; times in ms  of                     best  worst  least    most  verdict\n"
        "Soon                response of Task      1.000  2.000  3.000       -  missed\n"
        "Run\\x1b[31m         runnable R            1.000  2.001  1.000   5.000  met\n"
        "<b>                 <go> to gone\\x1b[31m      -      -      -  12.000  open\n",
        "1 of 3 limits met, 1 missed, 1 open\n",
        "missed: limit Soon: seen with simulate --durations min --horizon 80ms\n",
        "open: limit <b>: it is <not> known\n"};
    check_parts(GCAST_FORMAT_TABLE, parts, sizeof parts / sizeof *parts);
}

static void json(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "{\"name\": \"Soon\", \"kind\": \"response\", \"on\": \"Task\", \"min_ns\": 3000000, \"best_ns\": 1000000, "
        "\"worst_ns\": 2000000, \"verdict\": \"missed\", \"seen_ns\": 1000000, \"seen_in\": \"--durations min "
        "--horizon "
        "80ms\"}",
        "\"kind\": \"runnable\", \"on\": \"R\", \"min_ns\": 1000000, \"max_ns\": 5000000, \"best_ns\": 1000000, "
        "\"worst_ns\": 2000001, \"verdict\": \"met\"}",
        "\"kind\": \"delay\", \"source\": \"<go>\", \"target\": \"gone\\u001b[31m\", \"mapping\": \"OneToOne\", "
        "\"max_ns\": "
        "12000000, \"best_ns\": null, \"worst_ns\": null, \"verdict\": \"open\", \"why_not\": \"it is <not> known\"}"};
    check_parts(GCAST_FORMAT_JSON, parts, sizeof parts / sizeof *parts);
}

static void page(void **state)
{
    (void)state;
    static const char *const parts[] = {"<h2>Limits</h2>", "<td>&lt;b&gt;</td><td>&lt;go&gt; to ",
                                        "Limit &lt;b&gt; is open: it is &lt;not&gt; known</p>"};
    check_parts(GCAST_FORMAT_HTML, parts, sizeof parts / sizeof *parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table), cmocka_unit_test(json), cmocka_unit_test(page)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
