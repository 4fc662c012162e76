#include "misuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/advice/remedy.h"
#include "analyze/spawn/spawn_compare.h"
#include "files/examiner/log_scenario.h"
#include "measure/driver/driver.h"
#include "measure/smc/smc_session.h"
#include "model/cost.h"
#include "model/exec.h"
#include "model/launch_file.h"
#include "model/plan/affinity.h"
#include "model/scenario.h"
#include "support/support.h"

world own, other;
char *text_gpu, *text_workload, *text_examiner, *text_plan, *text_job_data, *text_launch, *text_ptx, *text_corpus,
    *text_run, *text_smc_ptx;
gcast_launch a_launch, a_smc_launch;
gcast_smc_launch_arguments a_smc_arguments;
gcast_exec an_exec;
gcast_log_file a_log;
gcast_workers_curve a_curve;
const gcast_method a_method = GCAST_METHOD_BOUND;
const char *const a_change = "scale=50", *const a_model = SOURCE_DIR "/examples/12-car.amxmi";

const char text_durations[] = "{\"brake\": 1000}", text_costs[] = "{\"schema\": \"gridcast.app-costs/1\"}";
char text_long[200001];
const char text_invalid[] = "\xff\xfe\x80\xc0", text_odd[] = "a\n%s%n\t\x01\"<&#/../";

int numbers[WORLD_MAX];
uint32_t words[WORLD_MAX];
double doubles[WORLD_MAX] = {1000, 1000};
int64_t times[WORLD_MAX] = {1000, 2000, 3000, 4000};
gcast_run *runs[WORLD_MAX];
gcast_smc_record records[WORLD_MAX];
gcast_block_shape shape;
char path[WORLD_MAX];

static gcast_error err;
static bool made;

/* Notes that a call must have worked. */
static void must(gcast_status status, const char *what)
{
    if (status != GCAST_OK && made)
        printf("FAIL %s: %s%s %s\n", what, err.file, err.path, err.message);
    made = made && status == GCAST_OK;
}
#define MUST(call) must(made ? (call) : GCAST_OK, #call)

typedef struct buffer {
    char *bytes;
    size_t used;
} buffer;

static bool keep(void *data, const char *bytes, size_t size)
{
    buffer *b = data;
    char *grown = realloc(b->bytes, b->used + size + 1);
    if (!grown)
        return false;
    memcpy(grown + b->used, bytes, size);
    b->bytes = grown;
    b->used += size;
    grown[b->used] = '\0';
    return true;
}

bool world_write(void *data, const char *bytes, size_t size)
{
    (void)data, (void)bytes, (void)size;
    return true;
}

/* The text of a file of the source tree, with a NUL. */
static char *read_text(const char *name)
{
    size_t size;
    char *text = support_read(name, &size), *copy = malloc(size + 1);
    memcpy(copy, text, size);
    copy[size] = '\0';
    free(text);
    return copy;
}

static void make_workloads(world *o, const char *tasks, const char *once)
{
    char file[400];
    snprintf(file, sizeof file, SOURCE_DIR "/%s", tasks);
    MUST(gcast_workload_load(file, NULL, &o->workload, &err));
    snprintf(file, sizeof file, SOURCE_DIR "/%s", once);
    MUST(gcast_workload_load(file, NULL, &o->once, &err));
    MUST(gcast_workload_load(SOURCE_DIR "/examples/children.json", NULL, &o->launching, &err));
    MUST(gcast_gpu_copy(o->workload->gpu, &o->gpu, &err));
}

static void make_runs(world *o)
{
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = true;
    MUST(gcast_workload_simulate(o->workload, NULL, &options, &o->run, &err));
    MUST(gcast_workload_simulate(o->launching, NULL, NULL, &o->launch_run, &err));
    gcast_whatif_options changes = gcast_whatif_options_default();
    changes.changes = &a_change;
    changes.change_count = 1;
    MUST(gcast_run_explain(o->run, 0, &o->explanation, &err));
    MUST(gcast_workload_find_hangs(o->once, NULL, &o->residency, &err));
    MUST(gcast_run_try_changes(o->run, &changes, &o->whatif, &err));
    MUST(gcast_run_sum_waits(o->run, o->explanation, &o->totals, &err));
    MUST(gcast_run_explain_pair(o->run, 0, 1, &o->pair, &err));
    MUST(gcast_run_find_remedies(o->run, NULL, &options, o->pair, &o->remedies, &err));
}

static void make_analyses(world *o)
{
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_search_options search = gcast_search_options_default();
    search.all = true;
    search.max_ms = 5;
    options.search = &search;
    MUST(gcast_workload_analyze(o->workload, NULL, GCAST_METHOD_BOUND, NULL, &o->analysis, &err));
    MUST(gcast_workload_answer(o->workload, o->gpu, &a_method, 1, &options, &o->answer, &err));
    MUST(gcast_workload_advise(o->workload, o->gpu, NULL, &o->advice, &err));
    MUST(gcast_spawn_compare(o->launching, NULL, NULL, &o->comparison, &err));
}

static void make_system(world *o, const char *model)
{
    gcast_system_options options = gcast_system_options_default();
    gcast_system_simulate_options recorded = gcast_system_simulate_options_default();
    options.fill = true;
    recorded.record = true;
    MUST(gcast_gpu_preset("tx2", (gcast_gpu **)&options.gpu, &err));
    MUST(gcast_system_read(&model, 1, &options, &o->system, &err));
    MUST(gcast_system_analyze(o->system, NULL, &o->system_answer, &err));
    MUST(gcast_system_simulate(o->system, &recorded, &o->system_run, &err));
    MUST(gcast_profile_replay(SOURCE_DIR "/tests/data/profiles/one-small.json.gz", NULL, &o->replay, &err));
}

static void make_launches(world *o, uint32_t jobs)
{
    gcast_plan_options options = gcast_plan_options_default();
    static uint32_t marks[WORLD_MAX];
    options.sms = 8;
    options.workers = 2;
    options.grid[0] = jobs, options.grid[1] = options.grid[2] = 1;
    MUST(gcast_plan_make(&options, &o->plan, &err));
    MUST(gcast_job_data_read(text_job_data, strlen(text_job_data), "d.json", &o->job_data, &err));
    MUST(gcast_ptx_parse(text_ptx, strlen(text_ptx), "saxpy.ptx", &o->ptx, &err));
    MUST(gcast_launch_file_load(SOURCE_DIR "/examples/saxpy.launch.json", &o->launch_file, &err));
    MUST(gcast_simt_run(o->ptx, &a_launch, NULL, &o->simt_report, &err));
    gcast_smc_coverage_make(o->plan, marks, 1, &o->coverage, NULL);
}

static void make_launch(void)
{
    static float x[256], y[256];
    static uint32_t n = 256, added[WORLD_MAX];
    static float a = 2;
    static uint32_t value = 3;
    static gcast_buffer buffers[2] = {{"x", x, sizeof x}, {"y", y, sizeof y}},
                        word_buffer = {"words", added, sizeof added};
    static gcast_argument arguments[4] = {{-1, &n, 4}, {-1, &a, 4}, {0, NULL, 8}, {1, NULL, 8}};
    static gcast_argument smc_arguments[2] = {{0, NULL, 8}, {-1, &value, sizeof value}};
    static void *parameters[2];
    static uint64_t address;
    address = (uint64_t)(uintptr_t)added;
    parameters[0] = &address;
    parameters[1] = &value;
    a_launch = (gcast_launch){.kernel = "saxpy",
                              .grid = {1, 1, 1},
                              .block = {256, 1, 1},
                              .arguments = 4,
                              .buffers = 2,
                              .argument = arguments,
                              .buffer = buffers};
    a_smc_launch = (gcast_launch){.kernel = "add_one",
                                  .grid = {8, 1, 1},
                                  .block = {4, 1, 1},
                                  .arguments = 2,
                                  .buffers = 1,
                                  .argument = smc_arguments,
                                  .buffer = &word_buffer};
    a_smc_arguments = (gcast_smc_launch_arguments){.block = {4, 1, 1}, .parameters = parameters};
}

static void make_texts(void)
{
    memset(text_long, 'x', sizeof text_long - 1);
    text_examiner = read_text("tests/data/examiner/random_isolated_test.json");
    text_job_data = read_text("tests/cases/smc-plan/data.json");
    text_launch = read_text("examples/saxpy.launch.json");
    text_ptx = read_text("examples/saxpy.ptx");
    text_smc_ptx = read_text("tests/measure/add_one.ptx");
    text_corpus = read_text("tests/cases/verify-contradictions/c.jsonl");
}

static void make_shared(void)
{
    buffer text = {0};
    size_t size;
    static gcast_simt_options simt;
    static const uint32_t workers[] = {1, 2};
    static const double ns[] = {2000, 1000};
    gcast_report_options options = gcast_report_options_default();
    options.blocks = true;
    MUST(gcast_gpu_write_json(own.gpu, &text_gpu, &size, &err));
    MUST(gcast_workload_write_native(own.workload, &text_workload, &size, &err));
    MUST(gcast_plan_write(own.plan, &text_plan, &err));
    MUST(gcast_run_report(own.run, GCAST_FORMAT_JSON, &options, keep, &text, &err));
    text_run = text.bytes;
    simt = gcast_simt_options_default();
    an_exec = (gcast_exec){
        .source = "saxpy.ptx", .kernel = "saxpy", .launch = &a_launch, .report = own.simt_report, .options = &simt};
    a_curve = (gcast_workers_curve){.gpu = "a GPU",
                                    .kernel = "saxpy",
                                    .sms = 8,
                                    .count = 2,
                                    .workers = workers,
                                    .measured_ns = ns,
                                    .predicted_ns = ns};
    a_log = (gcast_log_file){text_examiner, strlen(text_examiner), "log.json"};
}

static void make_files(world *o)
{
    MUST(gcast_corpus_read(text_corpus, strlen(text_corpus), "c.jsonl", &o->corpus, &err));
    MUST(gcast_corpus_next(o->corpus, &o->scenario, &err));
}

gcast_op world_op(void)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.label = "new";
    op.stream = 0;
    op.task = own.workload->task_count ? (int)own.workload->task_count - 1 : GCAST_ONCE;
    op.grid[0] = 2;
    op.block[0] = 64;
    op.min_ns = op.max_ns = 1000;
    return op;
}

const int *world_sms(void)
{
    for (int i = 0; i < own.gpu->sms; i++)
        numbers[i] = i;
    return numbers;
}

const gcast_gpu *world_gpc_gpu(void)
{
    gcast_gpu *gpu = NULL;
    MUST(gcast_gpu_preset("h200", &gpu, &err));
    return gpu;
}

const gcast_launch_file *world_timed_launch(void)
{
    static const gcast_launch_time measured[] = {{1, 1, 1000}, {2, 8, 500}};
    static gcast_launch_file launch;
    launch = *own.launch_file;
    launch.times = measured;
    launch.time_count = 2;
    return &launch;
}

const gcast_simt_report *world_costed_report(void)
{
    gcast_simt_options options = gcast_simt_options_default();
    gcast_simt_report *report = NULL;
    options.cost = gcast_cost_find("h200");
    MUST(gcast_simt_run(own.ptx, &a_launch, &options, &report, &err));
    return report;
}

const gcast_ptx *world_smc_ptx(void)
{
    gcast_ptx *ptx = NULL;
    MUST(gcast_ptx_parse(text_smc_ptx, strlen(text_smc_ptx), "add_one.ptx", &ptx, &err));
    return ptx;
}

bool world_make(void)
{
    made = true;
    make_texts();
    make_launch();
    make_workloads(&own, "tests/library/two_tasks.json", "examples/thesis.json");
    make_workloads(&other, "examples/05-camera.json", "examples/02-copies.json");
    for (int i = 0; i < 2 && made; i++) {
        world *o = i ? &other : &own;
        make_runs(o);
        make_analyses(o);
        make_system(o, i ? SOURCE_DIR "/tests/cases/amalthea-reaction/chain.amxmi" : a_model);
        make_launches(o, i ? 5 : 8);
        make_files(o);
    }
    if (made)
        make_shared();
    return made;
}

bool world_open_driver(void)
{
    static driver d;
    char *text;
    size_t size;
    gcast_smc_gpu_options options = gcast_smc_gpu_options_default();
    gcast_smc_facts facts;
    options.library = STUB_CUDA;
    MUST(driver_open(&d, STUB_CUDA, &err));
    MUST(gcast_smc_transform(text_smc_ptx, strlen(text_smc_ptx), "add_one.ptx", NULL, &text, &size, &err));
    MUST(load_ptx(&d, text, &own.module, &err));
    MUST(gcast_smc_open(own.module, "add_one", &options, &own.kernel, &err));
    MUST(gcast_smc_session_open(&options, &own.session, &err));
    MUST(gcast_smc_session_add(own.session, text_smc_ptx, strlen(text_smc_ptx), "add_one.ptx", &a_smc_launch, NULL,
                               &facts, &err));
    MUST(gcast_smc_session_add(own.session, text_smc_ptx, strlen(text_smc_ptx), "add_one.ptx", &a_smc_launch, NULL,
                               &facts, &err));
    MUST(gcast_smc_session_plan(own.session, 0, own.plan, &err));
    MUST(gcast_smc_session_plan(own.session, 1, own.plan, &err));
    MUST(gcast_smc_set_plan(own.kernel, own.plan, &err));
    return made;
}
