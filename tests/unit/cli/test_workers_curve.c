/* gridcast measure --curve on a GPU that is made up: what is measured and predicted, saved and refused. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/command_table.h"
#include "cli/measure/measure_launches.h"
#include "measure/smc/smc_session.h"
#include "model/launch_file.h"

#define HOLDS 6

/* The GPU: a job takes job_time(w) with w workers on its SM, and launches take nothing. */
struct gcast_smc_session {
    gcast_gpu *gpu;   /* with its SMs */
    gcast_plan *plan; /* of the kernel */
};

static struct {
    int calls;             /* so far */
    int failing;           /* the call of this number fails; 0: none does */
    const char *name;      /* of the GPU */
    int sms;               /* of the GPU */
    uint32_t holds;        /* workers per SM */
    uint32_t short_from;   /* runs with at least so many workers get too few; 0: none does */
    uint32_t missing_from; /* launches that are timed with at least so many workers miss jobs; 0: none does */
} fake;

static int64_t job_time(uint32_t workers)
{
    return 1000 + 200 * workers;
}

static gcast_status fake_call(gcast_error *err)
{
    return ++fake.calls == fake.failing ? gcast_error_set(err, GCAST_GPU, NULL, "made to fail") : GCAST_OK;
}

gcast_status gcast_smc_session_open(const gcast_smc_gpu_options *options, gcast_smc_session **out, gcast_error *err)
{
    (void)options;
    *out = NULL;
    gcast_status status = fake_call(err);
    if (status != GCAST_OK)
        return status;
    *out = calloc(1, sizeof **out);
    assert_non_null(*out);
    return gcast_gpu_create(fake.name, 9, 0, fake.sms, &(*out)->gpu, err);
}

void gcast_smc_session_close(gcast_smc_session *s)
{
    if (!s)
        return;
    gcast_gpu_free(s->gpu);
    free(s);
}

const gcast_gpu *gcast_smc_session_gpu(const gcast_smc_session *s)
{
    return s->gpu;
}

gcast_status gcast_smc_session_add(gcast_smc_session *s, const char *ptx, size_t size, const char *name,
                                   const gcast_launch *launch, const gcast_smc_options *options, gcast_smc_facts *facts,
                                   gcast_error *err)
{
    (void)s, (void)ptx, (void)size, (void)name, (void)launch, (void)options;
    *facts = (gcast_smc_facts){{32, 40}, {8, fake.holds}, fake.holds};
    return fake_call(err);
}

gcast_status gcast_smc_session_plan(gcast_smc_session *s, uint32_t kernel, const gcast_plan *plan, gcast_error *err)
{
    assert_int_equal(kernel, 0);
    s->plan = (gcast_plan *)(uintptr_t)plan;
    return fake_call(err);
}

/* Each queue's jobs, by turns of as many as there are workers. */
gcast_status gcast_smc_session_run(gcast_smc_session *s, uint32_t kernel, uint32_t fill, gcast_smc_outcome *outcome,
                                   gcast_smc_record *records, gcast_error *err)
{
    const gcast_plan *p = s->plan;
    assert_int_equal(kernel + fill, 0);
    *outcome = (gcast_smc_outcome){.launched = fake.holds * p->sms};
    uint32_t *marks = calloc(p->jobs, sizeof *marks);
    assert_non_null(marks);
    assert_ok(gcast_smc_coverage_make(p, marks, 1, &outcome->coverage, err), err); /* to be freed in any case */
    free(marks);
    for (uint32_t sm = 0; sm < p->sms; sm++)
        for (uint32_t k = p->first[sm]; k < p->first[sm + 1]; k++) {
            uint32_t w = p->workers[sm], turn = (k - p->first[sm]) / w;
            uint64_t begin = 5000 + turn * (uint64_t)job_time(w);
            records[p->job[k]] = (gcast_smc_record){begin, begin + (uint64_t)job_time(w), sm, (k - p->first[sm]) % w};
        }
    outcome->short_sms = fake.short_from && p->workers[0] >= fake.short_from ? 1 : 0;
    return fake_call(err);
}

gcast_status gcast_smc_session_time(gcast_smc_session *s, uint32_t kernel, uint32_t fill, uint32_t launches, double *ns,
                                    uint32_t *missing, gcast_error *err)
{
    const gcast_plan *p = s->plan;
    uint32_t w = p->workers[0] ? p->workers[0] : 1; /* 0: SM 0 has no jobs */
    assert_int_equal(kernel + fill, 0);
    assert_true(launches >= 1);
    *ns = (double)((p->first[1] + w - 1) / w * job_time(w)) + 500; /* and something for the launch */
    if (missing)
        *missing = fake.missing_from && w >= fake.missing_from ? 3 : 0;
    return fake_call(err);
}

/* What --curve does not call. */
gcast_status gcast_smc_session_time_original(gcast_smc_session *s, uint32_t kernel, uint32_t launches, double *ns,
                                             gcast_error *err)
{
    (void)s, (void)kernel, (void)launches, (void)ns, (void)err;
    fail();
    return GCAST_INTERNAL;
}

gcast_status gcast_smc_session_same(gcast_smc_session *s, uint32_t kernel, bool *same, gcast_error *err)
{
    (void)s, (void)kernel, (void)same, (void)err;
    fail();
    return GCAST_INTERNAL;
}

/* A folder with a program of 48 jobs; the current folder while a test runs. */
static int set_up(void **state)
{
    static char folder[] = "/tmp/gridcast-curve-XXXXXX";
    size_t size;
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    memset(&fake, 0, sizeof fake);
    fake.name = "a GPU of 2 SMs";
    fake.sms = 2;
    fake.holds = HOLDS;
    if (!mkdtemp(folder) || chdir(folder) != 0 || mkdir("sub", 0700) != 0)
        return -1;
    *state = folder;
    char *ptx = support_read("examples/saxpy.ptx", &size);
    FILE *f = fopen("saxpy.ptx", "wb");
    bool ok = f && fwrite(ptx, 1, size, f) == size && fclose(f) == 0;
    free(ptx);
    f = fopen("l.json", "w");
    ok = ok && f &&
         fputs("{\"schema\": \"gridcast.launch/1\", \"ptx\": \"saxpy.ptx\", \"grid\": 48, \"block\": 256, \"args\": "
               "[\"u32:12288\", \"f32:2\", \"x=f32[12288]:index\", \"y=f32[12288]:const:1\"]}\n",
               f) >= 0;
    return ok && fclose(f) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    static const char *const files[] = {"saxpy.ptx", "l.json", "c.csv", "c.json", "c.svg", "saved.json", "y.bin"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    return rmdir("sub") == 0 && chdir("/") == 0 && rmdir(*state) == 0 ? 0 : -1;
}

#define RUN(...) run((const char *const[]){"measure", __VA_ARGS__, NULL})

static gcast_status run(const char *const *words)
{
    args a;
    char *argv[16] = {NULL};
    int argc = 0;
    for (; words[argc]; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc];
    assert_int_equal(args_parse(command_find("measure"), argc, argv, &a), GCAST_OK);
    return measure_launches(&a, NULL);
}

static void assert_file(const char *path, const char *want)
{
    char text[4096];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t size = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[size] = '\0';
    assert_string_equal(text, want);
}

/* 24 jobs per SM: as many turns as the workers need. */
static void measured_and_predicted(void **state)
{
    (void)state;
    assert_int_equal(RUN("--launch", "l.json", "--curve", "-q", "-o", "c.csv", "-o", "c.svg"), GCAST_OK);
    assert_file("c.csv", "workers,measured_ns,measured_throughput,predicted_ns,predicted_throughput\n"
                         "1,29300,0.317,28800,0.323\n2,17300,0.538,16800,0.554\n3,13300,0.699,12800,0.727\n"
                         "4,11300,0.823,10800,0.861\n5,10500,0.886,10000,0.930\n6,9300,1.000,8800,1.057\n");
    assert_int_equal(access("c.svg", R_OK), 0);
}

/* The preset of a GPU has an overhead of jobs, which their durations contain already. */
static void predicted_on_a_preset(void **state)
{
    (void)state;
    fake.name = "NVIDIA H200";
    fake.sms = 132;
    fake.holds = 1;
    assert_int_equal(RUN("--launch", "l.json", "--curve", "-q", "-o", "c.csv"), GCAST_OK);
    assert_file("c.csv", "workers,measured_ns,measured_throughput,predicted_ns,predicted_throughput\n"
                         "1,500,1.000,1200,0.417\n");
}

static void saved(void **state)
{
    (void)state;
    gcast_launch_file *l;
    gcast_error err;
    assert_int_equal(RUN("--launch", "l.json", "--curve", "-q", "--save-launch", "saved.json"), GCAST_OK);
    assert_ok(gcast_launch_file_load("saved.json", &l, &err), &err);
    assert_string_equal(l->ptx, "saxpy.ptx");
    assert_int_equal(l->arg_count, 4);
    assert_int_equal(l->time_count, HOLDS);
    assert_int_equal(l->job_ns_count, HOLDS);
    for (uint32_t i = 0; i < HOLDS; i++) {
        assert_int_equal(l->times[i].workers, i + 1);
        assert_int_equal(l->times[i].sms, 2);
        assert_int_equal(l->job_ns[i], job_time(i + 1));
    }
    assert_int_equal(l->times[5].ns, 9300);
    gcast_launch_file_free(l);
    /* what was saved is a launch again, and has a name for its PTX that holds in another folder */
    assert_int_equal(RUN("--launch", "saved.json", "--curve", "-q", "-f", "--save-launch", "saved.json"), GCAST_OK);
    assert_int_equal(RUN("--launch", "saved.json", "--curve", "-q", "--save-launch", "sub/saved.json"), GCAST_OK);
    assert_ok(gcast_launch_file_load("sub/saved.json", &l, &err), &err);
    unlink("sub/saved.json");
    assert_int_equal(l->ptx[0], '/');
    assert_int_equal(access(l->ptx, R_OK), 0);
    gcast_launch_file_free(l);
}

/* Files that arguments name are from the folder of the launch file: it is saved there, or not at all. */
static void saved_beside_its_files(void **state)
{
    (void)state;
    gcast_launch_file *l;
    gcast_error err;
    FILE *f = fopen("l.json", "w");
    assert_non_null(f);
    fputs("{\"schema\": \"gridcast.launch/1\", \"ptx\": \"saxpy.ptx\", \"grid\": 1, \"block\": 256, \"args\": "
          "[\"u32:256\", \"f32:2\", \"x=f32[256]:index\", \"y=f32[256]:file:y.bin\"]}\n",
          f);
    assert_int_equal(fclose(f), 0);
    f = fopen("y.bin", "wb");
    assert_non_null(f);
    for (int i = 0; i < 1024; i++)
        fputc(0, f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(RUN("--launch", "l.json", "--curve", "-q", "--save-launch", "sub/saved.json"), GCAST_USAGE);
    assert_int_equal(fake.calls, 2); /* nothing was measured */
    assert_int_not_equal(access("sub/saved.json", F_OK), 0);
    assert_int_equal(RUN("--launch", "./l.json", "--curve", "-q", "--save-launch", "saved.json"), GCAST_OK);
    assert_ok(gcast_launch_file_load("saved.json", &l, &err), &err);
    assert_string_equal(l->ptx, "saxpy.ptx");
    assert_string_equal(l->args[3], "y=f32[256]:file:y.bin");
    gcast_launch_file_free(l);
}

/* Points without a time or a prediction; durations of jobs are then not saved. */
static void unknown_points(void **state)
{
    (void)state;
    gcast_launch_file *l;
    gcast_error err;
    fake.holds = 3;
    fake.short_from = 2;
    fake.missing_from = 3;
    assert_int_equal(RUN("--launch", "l.json", "--curve", "-q", "-o", "c.csv", "--save-launch", "saved.json"),
                     GCAST_OK);
    assert_file("c.csv", "workers,measured_ns,measured_throughput,predicted_ns,predicted_throughput\n"
                         "1,29300,0.590,28800,0.601\n2,17300,1.000,,\n3,,,,\n");
    assert_ok(gcast_launch_file_load("saved.json", &l, &err), &err);
    assert_int_equal(l->time_count, 2);
    assert_int_equal(l->job_ns_count, 0);
    gcast_launch_file_free(l);
}

static void many_workers(void **state)
{
    (void)state;
    gcast_launch_file *l;
    gcast_error err;
    fake.holds = 40;
    assert_int_equal(RUN("--launch", "l.json", "--curve", "-q", "--save-launch", "saved.json"), GCAST_OK);
    assert_ok(gcast_launch_file_load("saved.json", &l, &err), &err);
    assert_int_equal(l->time_count, 10);
    assert_int_equal(l->times[9].workers, 32);
    assert_int_equal(l->job_ns_count, 0);
    gcast_launch_file_free(l);
    fake.holds = 0;
    assert_int_equal(RUN("--launch", "l.json", "--curve", "-q"), GCAST_GPU);
}

/* Whichever call fails, nothing is written. */
static void failing_calls(void **state)
{
    (void)state;
    fake.holds = 2;
    assert_int_equal(RUN("--launch", "l.json", "--curve", "-q"), GCAST_OK);
    int calls = fake.calls;
    assert_true(calls > 20);
    for (int n = 1; n <= calls; n++) {
        fake.calls = 0;
        fake.failing = n;
        assert_int_equal(RUN("--launch", "l.json", "--curve", "-q", "-o", "c.json", "--save-launch", "saved.json"),
                         GCAST_GPU);
        assert_int_not_equal(access("c.json", F_OK), 0);
        assert_int_not_equal(access("saved.json", F_OK), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(measured_and_predicted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(predicted_on_a_preset, set_up, tear_down),
        cmocka_unit_test_setup_teardown(saved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(saved_beside_its_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_points, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_workers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(failing_calls, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
