/* An SM-centric kernel in a program with the CUDA driver API: saxpy runs on the first half of the GPU's SMs only, it is
 * proven that it did, and what a launch left out is made up for.
 *
 *   cc smc_launch.c $(pkg-config --cflags --libs gridcast) -lcuda -o smc_launch
 *   ./smc_launch saxpy.ptx
 *
 * docs/smc.md walks through it. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <cuda.h>
#include <gridcast/gridcast.h>

#define THREADS 256
#define JOBS 1000 /* blocks of the original launch */
#define ELEMENTS (JOBS * THREADS)
#define WORKERS 2 /* that stay on an SM */

/* Everything that main gives back, whatever fails. */
typedef struct program {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUdeviceptr x, y;
    gcast_plan *plan;
    gcast_smc_kernel *kernel;
    float *numbers;
} program;

static bool cuda_ok(CUresult result, const char *call)
{
    const char *name = "unknown error";
    if (result == CUDA_SUCCESS)
        return true;
    cuGetErrorName(result, &name);
    fprintf(stderr, "%s: %s\n", call, name);
    return false;
}
#define CUDA(call) cuda_ok(call, #call)

static bool gridcast_ok(gcast_status status, const gcast_error *err)
{
    if (status != GCAST_OK)
        fprintf(stderr, "gridcast: %s%s%s\n", err->file, err->file[0] ? ": " : "", err->message);
    return status == GCAST_OK;
}

/* 1. The kernel becomes SM-centric: PTX in, PTX out. The driver compiles it as it would compile the original. */
static bool load(program *p, const char *path)
{
    gcast_error err;
    char *ptx = NULL, *transformed = NULL;
    size_t size;
    bool is_done = gridcast_ok(gcast_file_read(path, &ptx, &size, &err), &err) &&
                   gridcast_ok(gcast_smc_transform(ptx, size, path, NULL, &transformed, &size, &err), &err) &&
                   CUDA(cuModuleLoadData(&p->module, transformed));
    free(ptx);
    free(transformed);
    return is_done;
}

/* 2. The plan: which SM runs which block of the original, here called job. It could also come from a file
 * (gcast_plan_load). It goes to the GPU, where the kernel finds it. */
static bool plan(program *p)
{
    gcast_plan_options options = gcast_plan_options_default();
    gcast_error err;
    uint32_t sm[GCAST_PLAN_MAX_SMS];
    int sms = 0;
    if (!CUDA(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, p->device)))
        return false;
    options.grid[0] = JOBS;
    options.grid[1] = options.grid[2] = 1;
    options.sms = (uint32_t)sms;
    options.workers = WORKERS;
    options.sm = sm;
    for (int i = 0; i < (sms + 1) / 2; i++)
        sm[options.sm_count++] = (uint32_t)i;
    return gridcast_ok(gcast_plan_make(&options, &p->plan, &err), &err) &&
           gridcast_ok(gcast_smc_open(p->module, "saxpy", NULL, &p->kernel, &err), &err) &&
           gridcast_ok(gcast_smc_set_plan(p->kernel, p->plan, &err), &err);
}

/* x is 0, 1, 2, ...; y is 1. */
static bool send(program *p)
{
    p->numbers = malloc(ELEMENTS * sizeof *p->numbers);
    if (!p->numbers)
        return fprintf(stderr, "not enough memory\n") < 0;
    for (int i = 0; i < ELEMENTS; i++)
        p->numbers[i] = (float)i;
    if (!CUDA(cuMemAlloc(&p->x, ELEMENTS * sizeof(float))) || !CUDA(cuMemAlloc(&p->y, ELEMENTS * sizeof(float))) ||
        !CUDA(cuMemcpyHtoD(p->x, p->numbers, ELEMENTS * sizeof(float))))
        return false;
    for (int i = 0; i < ELEMENTS; i++)
        p->numbers[i] = 1;
    return CUDA(cuMemcpyHtoD(p->y, p->numbers, ELEMENTS * sizeof(float)));
}

/* 3. The launch. The parameters are those of the original. The grid is not given: that of the jobs is in the plan, and
 * as many workers are launched as the GPU holds, of which those stay that the plan wants. gcast_smc_launch returns at
 * once; gcast_smc_finish waits, and returns GCAST_OK only if every job has run exactly once, where the plan says. */
static bool run(program *p, gcast_smc_outcome *outcome)
{
    gcast_error err;
    uint32_t n = ELEMENTS;
    float a = 2;
    void *parameters[] = {&n, &a, &p->x, &p->y};
    gcast_smc_launch_arguments launch = {.block = {THREADS, 1, 1}, .parameters = parameters};
    return gridcast_ok(gcast_smc_launch(p->kernel, &launch, &err), &err) &&
           gridcast_ok(gcast_smc_finish(p->kernel, outcome, &err), &err);
}

/* 4. What ran where. Jobs whose SM got no worker, as another program held it, ran in a second launch on any SM. */
static void show(const gcast_smc_outcome *o)
{
    const gcast_smc_coverage *c = o->coverage;
    printf("%u workers launched for %u jobs\n", o->launched, c->jobs);
    for (uint32_t s = 0; s < c->sms; s++)
        if (c->jobs_of_sm[s])
            printf("SM %u ran %u jobs\n", s, c->jobs_of_sm[s]);
    if (o->repaired)
        printf("%u jobs were missing, as %u of the SMs got too few workers; another launch ran them\n", o->repaired,
               o->short_sms);
}

static bool check(program *p)
{
    if (!CUDA(cuMemcpyDtoH(p->numbers, p->y, ELEMENTS * sizeof(float))))
        return false;
    for (int i = 0; i < ELEMENTS; i++)
        if (p->numbers[i] != 2 * (float)i + 1) {
            fprintf(stderr, "y[%d] is %g, not %g\n", i, p->numbers[i], 2 * (float)i + 1);
            return false;
        }
    printf("all %d results are right\n", ELEMENTS);
    return true;
}

int main(int argc, char **argv)
{
    program p = {0};
    gcast_smc_outcome outcome = {0};
    bool is_done = CUDA(cuInit(0)) && CUDA(cuDeviceGet(&p.device, 0)) &&
                   CUDA(cuDevicePrimaryCtxRetain(&p.context, p.device)) && CUDA(cuCtxSetCurrent(p.context)) &&
                   load(&p, argc > 1 ? argv[1] : "saxpy.ptx") && plan(&p) && send(&p) && run(&p, &outcome);
    if (is_done)
        show(&outcome);
    is_done = is_done && check(&p);
    gcast_smc_coverage_free(outcome.coverage);
    gcast_smc_close(p.kernel); /* before its module is unloaded */
    gcast_plan_free(p.plan);
    if (p.x)
        cuMemFree(p.x);
    if (p.y)
        cuMemFree(p.y);
    if (p.module)
        cuModuleUnload(p.module);
    if (p.context)
        cuDevicePrimaryCtxRelease(p.device);
    free(p.numbers);
    return is_done ? EXIT_SUCCESS : EXIT_FAILURE;
}
