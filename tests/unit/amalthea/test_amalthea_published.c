/* Published times of the WATERS 2019 challenge: execution times of dse_results.json and of Krawczyk et al. */
#include <jansson.h>
#include <string.h>

#include "analyze/system/late_runs.h"
#include "analyze/system/system_analysis.h"
#include "support/support.h"
#include "support/waters.h"

/* Lidar 25.69, DASM 1.87, EKF 5.39 and SFM 30.19 ms of Krawczyk et al. (WATERS 2019). */
static void test_published(void **state)
{
    gcast_gpu *gpu = waters_gpu("tx2");
    sys_given given = waters_published();
    sys_system *s = waters_system("waters-2019-0.9.8.amxmi", gpu, &given);
    int a57 = system_kind(s, "A57"), denver = system_kind(s, "Denver");
    (void)state;
    const sys_step *lidar = system_step(s, "Lidar_Function");
    assert_int_equal(lidar->on[a57].max_ns, 13660000 + 54689 * 220);
    assert_int_equal(lidar->access[a57].max_ns, 54689 * 220);
    assert_int_equal((lidar->on[a57].max_ns + 5000) / 10000, 2569);
    assert_int_equal((system_step(s, "DASM_Function")->on[a57].max_ns + 5000) / 10000, 187);
    /* with one job of CANbus_polling, which goes before it */
    int64_t ekf = system_step(s, "EKF_Function")->on[a57].max_ns + system_step(s, "CAN_Function")->on[a57].max_ns;
    assert_int_equal((ekf + 5000) / 10000, 539);
    /* on a Denver core: the kernel's code, the image read by the first runnable and written by the last */
    int64_t sfm =
        system_step(s, "SFM_Function")->on[denver].max_ns + system_step(s, "SFM_Preprocessing")->access[denver].max_ns;
    assert_int_equal(sfm, 27811690 + 62502 * 38);
    assert_int_equal((sfm + 5000) / 10000, 3019);
    system_free(s);
    gcast_gpu_free(gpu);
}

/* What dse_results.json has for an executable. */
typedef struct published {
    int64_t best_ns, worst_ns, response_best_ns, response_worst_ns;
} published;

static published find_published(const json_t *root, const char *executable)
{
    size_t i;
    json_t *e;
    json_array_foreach(json_object_get(root, "lExecutableResult"), i, e)
    {
        if (strcmp(json_string_value(json_object_get(e, "executableID")), executable) != 0)
            continue;
        return (published){(int64_t)json_number_value(json_object_get(e, "executionLowerBound")),
                           (int64_t)json_number_value(json_object_get(e, "executionUpperBound")),
                           (int64_t)json_number_value(json_object_get(e, "delayLowerBound")),
                           (int64_t)json_number_value(json_object_get(e, "delayUpperBound"))};
    }
    fail_msg("there is no executable %s", executable);
    return (published){0};
}

static const struct {
    const char *executable, *step, *kind; /* NULL: the GPU */
    bool odd;                             /* its most ticks are odd: half a nanosecond, which is rounded up here */
} executables[] = {
    {"Localization_Preprocessing", "Localization_Preprocessing", "Denver", false},
    {"Localization_Postprocessing", "Localization_Postprocessing", "Denver", false},
    {"SFM_Preprocessing", "SFM_Preprocessing", "Denver", false},
    {"SFM_Postprocessing", "SFM_Postprocessing", "Denver", false},
    {"Lane_Detection_Preprocessing", "Lane_Detection_Preprocessing", "A57", true},
    {"Lane_Detection_Postprocessing", "Lane_Detection_Postprocessing", "A57", false},
    {"Detection_Preprocessing", "Detection_Preprocessing", "A57", false},
    {"Detection_Postprocessing", "Detection_Postprocessing", "A57", false},
    {"DASM", "DASM_Function", "A57", false},
    {"Planner", "Planner_Function", "A57", false},
    {"OS_Overhead", "OS_Ops_Function", "A57", false},
    {"EKF", "EKF_Function", "A57", false},
    {"CANbus_polling", "CAN_Function", "A57", false},
    {"Lidar_Grabber", "Lidar_Function", "Denver", false},
    {"Localization", "Localization_Function", NULL, false},
    {"Lane_detection", "Lane_Detection_Function", NULL, false},
    {"Detection", "Detection_Function", NULL, false},
    {"SFM", "SFM_Function", NULL, false},
};

/* The WATERS model as it was published, and the results. */
typedef struct comparison {
    gcast_gpu *gpu;
    sys_system *s;
    json_t *root;
} comparison;

static comparison open_comparison(void)
{
    comparison c = {.gpu = waters_gpu("tx2")};
    sys_given given = waters_published();
    json_error_t bad;
    c.s = waters_system("waters-2019-1.0.0.amxmi", c.gpu, &given);
    c.root = json_load_file(SOURCE_DIR "/tests/data/amalthea/waters/dse_results.json", 0, &bad);
    assert_non_null(c.root);
    return c;
}

static void close_comparison(comparison *c)
{
    json_decref(c->root);
    system_free(c->s);
    gcast_gpu_free(c->gpu);
}

/* All execution times of the published analysis. Its kernels are 1 ns shorter than ticks over 1.5 GHz, which it cuts
 * off before it multiplies; here they are exact. */
static void test_execution_times(void **state)
{
    comparison c = open_comparison();
    const sys_system *s = c.s;
    const json_t *root = c.root;
    (void)state;
    for (size_t i = 0; i < sizeof executables / sizeof *executables; i++) {
        published p = find_published(root, executables[i].executable);
        const sys_step *step = system_step(s, executables[i].step);
        if (!executables[i].kind) {
            assert_int_equal(step->alone.min_ns, p.best_ns + 1);
            assert_int_equal(step->alone.max_ns, p.worst_ns + 1);
            continue;
        }
        int k = system_kind(s, executables[i].kind);
        assert_int_equal(step->on[k].min_ns - step->access[k].min_ns, p.best_ns);
        assert_int_equal(step->on[k].max_ns - step->access[k].max_ns, p.worst_ns + executables[i].odd);
    }
    close_comparison(&c);
}

/* Published responses that no other task takes part in: code and lines of memory. */
static void test_responses_alone(void **state)
{
    static const struct {
        const char *executable, *step, *kind;
        bool worst; /* also at worst nothing else takes part */
    } alone[] = {
        {"DASM", "DASM_Function", "A57", true},
        {"CANbus_polling", "CAN_Function", "A57", true},
        {"Lidar_Grabber", "Lidar_Function", "Denver", true},
        {"EKF", "EKF_Function", "A57", false},
        {"OS_Overhead", "OS_Ops_Function", "A57", true},
        {"Localization_Preprocessing", "Localization_Preprocessing", "Denver", true},
        {"SFM_Preprocessing", "SFM_Preprocessing", "Denver", true},
    };
    comparison c = open_comparison();
    const sys_system *s = c.s;
    const json_t *root = c.root;
    (void)state;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        published p = find_published(root, alone[i].executable);
        int k = system_kind(s, alone[i].kind);
        assert_int_equal(system_step(s, alone[i].step)->on[k].min_ns, p.response_best_ns);
        if (alone[i].worst)
            assert_int_equal(system_step(s, alone[i].step)->on[k].max_ns, p.response_worst_ns);
    }
    /* the last runnable of SFM: best response of the first, copies and kernel before it; see above for the 1 ns */
    published post = find_published(root, "SFM_Postprocessing");
    int denver = system_kind(s, "Denver");
    int64_t before = find_published(root, "SFM_Preprocessing").response_best_ns - 1;
    before += system_step(s, "SFM_host_to_device")->alone.min_ns + system_step(s, "SFM_Function")->alone.min_ns +
              system_step(s, "SFM_device_to_host")->alone.min_ns;
    assert_int_equal(before + system_step(s, "SFM_Postprocessing")->on[denver].min_ns, post.response_best_ns);
    assert_int_equal(before + system_step(s, "SFM_Postprocessing")->on[denver].max_ns, post.response_worst_ns);
    close_comparison(&c);
}

/* A mapping that published responses are of; which one it was is not published. */
static const struct {
    const char *task, *core;
    int64_t priority;
} mapping[] = {
    {"CANbus_polling", "Core2", 2},
    {"EKF", "Core2", 1},
    {"DASM", "Core4", 1},
    {"OS_Overhead", "Core5", 1},
    {"Lidar_Grabber", "Core0", 2},
    {"PRE_Localization_gpu_POST", "Core0", 1},
    {"Planner", "Core3", 3},
    {"PRE_Lane_detection_gpu_POST", "Core3", 2},
    {"PRE_SFM_gpu_POST", "Core1", 1},
    {"PRE_Detection_gpu_POST", "Core3", 1},
};

static sys_answer *analyze_published(const sys_system *s)
{
    gcast_error err = {0};
    sys_place places[32];
    sys_analyze_options options = system_analyze_options_default();
    sys_answer *a;
    assert_true(s->task_count <= 32);
    memcpy(places, s->places, s->task_count * sizeof *places);
    for (size_t i = 0; i < sizeof mapping / sizeof *mapping; i++)
        places[system_task(s, mapping[i].task)] =
            (sys_place){system_core(s, mapping[i].core), mapping[i].priority, false};
    assert_ok(system_analyze(s, places, &options, &a, &err), &err);
    assert_ok(system_look_for_late(a, false, &err), &err);
    return a;
}

/* Responses and misses of the analysis, and latencies of chains with LET, as published. */
static void test_analysis(void **state)
{
    static const char *const responses[] = {"DASM", "CANbus_polling", "EKF", "OS_Overhead", "Lidar_Grabber"};
    static const char *const missed[] = {"Planner", "PRE_Lane_detection_gpu_POST", "PRE_Detection_gpu_POST",
                                         "PRE_SFM_gpu_POST"};
    enum { MOST_CHAINS = 8, MOST_TASKS = 8 };
    const char *tasks[MOST_CHAINS][MOST_TASKS];
    sys_given_chain chains[MOST_CHAINS];
    gcast_gpu *gpu = waters_gpu("tx2");
    sys_given given = waters_published();
    json_error_t bad;
    json_t *root = json_load_file(SOURCE_DIR "/tests/data/amalthea/waters/dse_results.json", 0, &bad), *chain, *task;
    size_t i, k;
    (void)state;
    assert_non_null(root);
    json_array_foreach(json_object_get(root, "lEventChainResult"), i, chain)
    {
        json_array_foreach(json_object_get(chain, "tasks"), k, task) tasks[i][k] = json_string_value(task);
        chains[i] = (sys_given_chain){.name = json_string_value(json_object_get(chain, "eventChainID")),
                                      .tasks = tasks[i],
                                      .task_count = json_array_size(json_object_get(chain, "tasks"))};
    }
    given.chains = chains;
    given.chain_count = i;
    assert_int_equal(i, 5);
    sys_system *s = waters_system("waters-2019-2.0.0.amxmi", gpu, &given);
    sys_answer *a = analyze_published(s);
    for (i = 0; i < sizeof responses / sizeof *responses; i++) {
        published p = find_published(root, responses[i]);
        const sys_task_answer *t = &a->tasks[system_task(s, responses[i])];
        assert_int_equal(t->best_ns, p.response_best_ns);
        assert_int_equal(t->worst_ns, p.response_worst_ns);
        assert_int_not_equal(t->verdict, GCAST_DEADLINE_MISSED);
    }
    /* In executions; where a task may run on several cores these need not be the model's. */
    for (i = 0; i < sizeof missed / sizeof *missed; i++) {
        int late = system_task(s, missed[i]);
        assert_true(a->tasks[late].verdict == GCAST_DEADLINE_MISSED || a->tasks[late].effects & SYS_ELSEWHERE);
        assert_true(a->tasks[late].seen_ns > s->tasks[late].deadline_ns);
    }
    json_array_foreach(json_object_get(root, "lEventChainResult"), i, chain)
        assert_int_equal(a->chains[i].by[GCAST_COMMUNICATION_LET].first_worst_ns,
                         (int64_t)json_number_value(json_object_get(chain, "endToEndLatencyLET")));
    json_decref(root);
    system_answer_free(a);
    system_free(s);
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_execution_times),
        cmocka_unit_test(test_responses_alone),
        cmocka_unit_test(test_analysis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
