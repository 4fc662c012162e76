#include "measure/smc/smc_kernel.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/integers.h"
#include "model/plan/plan.h"
#include "smc/module_layout.h"

#define MAX_NAME 1024 /* of a kernel: compilers make no longer ones */

gcast_status smc_on_gpu_open(smc_on_gpu *k, const driver *d, CUmodule module, const char *kernel, gcast_error *err)
{
    char name[MAX_NAME + sizeof "_smc"];
    size_t bytes = 0;
    *k = (smc_on_gpu){.d = d};
    if (strlen(kernel) > MAX_NAME)
        return gcast_error_set(err, GCAST_USAGE, "/kernel", "the name has more than %d characters", MAX_NAME);
    snprintf(name, sizeof name, "%s_smc", kernel);
    gcast_status status = DRIVER_CALL(d, err, cuModuleGetFunction, &k->function, module, kernel);
    if (status != GCAST_OK)
        return status;
    CUresult result = d->cuModuleGetGlobal(&k->header, &bytes, module, name);
    if (result == CUDA_ERROR_NOT_FOUND)
        return gcast_error_set(err, GCAST_INPUT, NULL, "%s is not SM-centric: the module has no variable %s", kernel,
                               name);
    status = driver_status(d, result, "cuModuleGetGlobal", err);
    if (status == GCAST_OK && bytes != SMC_HEADER_BYTES && bytes != SMC_HEADER_BYTES_RECORDS)
        status = gcast_error_set(err, GCAST_INPUT, NULL, "%s is not as gridcast smc makes it: %zu bytes", name, bytes);
    k->records = bytes == SMC_HEADER_BYTES_RECORDS;
    return status;
}

static void free_arrays(smc_on_gpu *k)
{
    if (k->arrays)
        k->d->cuMemFree(k->arrays);
    if (k->spare)
        k->d->cuMemFree(k->spare);
    k->arrays = k->spare = 0;
    k->plan = NULL;
}

void smc_on_gpu_close(smc_on_gpu *k)
{
    if (k->d)
        free_arrays(k);
}

/* Writes a number of 4 or 8 bytes, little-endian. */
static void put(unsigned char *header, size_t at, size_t bytes, uint64_t value)
{
    for (size_t i = 0; i < bytes; i++)
        header[at + i] = (unsigned char)(value >> (8 * i));
}

/* A plan as the kernel finds it on the GPU. */
typedef struct image {
    uint32_t *word;                                 /* the arrays, without those that begin as zero */
    size_t words, total;                            /* of `word`; with counters, marks and records */
    size_t first, job, counters, marks, records;    /* where arrays begin, in words */
    unsigned char header[SMC_HEADER_BYTES_RECORDS]; /* K_smc */
} image;

static size_t even(size_t words)
{
    return words + words % 2;
}

static gcast_status make_image(const gcast_plan *p, bool records, image *out, gcast_error *err)
{
    *out = (image){.first = p->sms};
    out->job = out->first + 2 * (size_t)p->queues + 1;
    out->counters = out->words = out->job + p->jobs;
    out->marks = out->counters + 2 * (size_t)p->sms + p->queues + 1;
    out->records = even(out->marks + p->jobs);
    out->total = out->records + (records ? (size_t)p->jobs * (SMC_RECORD_BYTES / 4) : 0);
    out->word = malloc(out->words * sizeof *out->word);
    if (!out->word)
        return gcast_error_set_memory(err);
    memcpy(out->word, p->workers, p->sms * sizeof *out->word);
    memcpy(out->word + out->first, p->first, ((size_t)p->queues + 1) * sizeof *out->word);
    for (uint32_t q = 0; q < p->queues; q++)
        out->word[out->first + p->queues + 1 + q] = smc_queue_step(p, q);
    memcpy(out->word + out->job, p->job, p->jobs * sizeof *out->word);
    for (size_t i = 0; i < 3; i++)
        put(out->header, SMC_GRID + 4 * i, 4, p->grid[i]);
    put(out->header, SMC_MODE, 4, 1 + (uint64_t)p->mapping + (p->steal ? SMC_MODE_STEAL : 0));
    put(out->header, SMC_JOBS, 4, p->jobs);
    put(out->header, SMC_SMS, 4, p->sms);
    put(out->header, SMC_QUEUES, 4, p->queues);
    return GCAST_OK;
}

/* Sets the addresses of the arrays, which begin at `base`. */
static void set_addresses(image *m, CUdeviceptr base, bool records)
{
    put(m->header, SMC_WORKERS, 8, base);
    put(m->header, SMC_FIRST, 8, base + 4 * m->first);
    put(m->header, SMC_JOB, 8, base + 4 * m->job);
    put(m->header, SMC_COUNTERS, 8, base + 4 * m->counters);
    put(m->header, SMC_MARKS, 8, base + 4 * m->marks);
    put(m->header, SMC_RECORDS, 8, records ? base + 4 * m->records : 0);
}

static gcast_status send_header(const smc_on_gpu *k, const image *m, CUstream stream, gcast_error *err)
{
    size_t bytes = k->records ? SMC_HEADER_BYTES_RECORDS : SMC_HEADER_BYTES;
    gcast_status status = DRIVER_CALL(k->d, err, cuMemcpyHtoDAsync, k->header, m->header, bytes, stream);
    CUresult done = k->d->cuStreamSynchronize(stream); /* also on failure: the caller may free the image */
    return status == GCAST_OK ? driver_status(k->d, done, "cuStreamSynchronize", err) : status;
}

/* Sends the arrays of an image to memory at `base`; the memory behind them becomes zero. */
static gcast_status send_arrays(const smc_on_gpu *k, const image *m, CUdeviceptr base, CUstream stream,
                                gcast_error *err)
{
    gcast_status status = DRIVER_CALL(k->d, err, cuMemcpyHtoDAsync, base, m->word, 4 * m->words, stream);
    if (status == GCAST_OK)
        status = DRIVER_CALL(k->d, err, cuMemsetD8Async, base + 4 * m->words, 0, 4 * (m->total - m->words), stream);
    CUresult done = k->d->cuStreamSynchronize(stream);
    return status == GCAST_OK ? driver_status(k->d, done, "cuStreamSynchronize", err) : status;
}

gcast_status smc_on_gpu_plan(smc_on_gpu *k, const gcast_plan *plan, CUstream stream, gcast_error *err)
{
    image m;
    gcast_status status = make_image(plan, k->records, &m, err);
    if (status != GCAST_OK)
        return status;
    CUdeviceptr arrays = 0, spare = 0;
    free_arrays(k);
    status = DRIVER_CALL(k->d, err, cuMemAlloc, &arrays, 4 * m.total);
    if (status == GCAST_OK) {
        k->arrays = arrays;
        status = DRIVER_CALL(k->d, err, cuMemAlloc, &spare, 4 * m.total); /* one queue is never larger */
    }
    if (status == GCAST_OK) {
        k->spare = spare;
        k->counters = arrays + 4 * m.counters;
        k->marks = arrays + 4 * m.marks;
        k->job_records = k->records ? arrays + 4 * m.records : 0;
        set_addresses(&m, arrays, k->records);
        status = send_arrays(k, &m, arrays, stream, err);
    }
    if (status == GCAST_OK)
        status = send_header(k, &m, stream, err);
    if (status == GCAST_OK)
        k->plan = plan;
    free(m.word);
    return status;
}

gcast_status smc_on_gpu_holds(smc_on_gpu *k, const uint32_t block[3], uint32_t shared_bytes, uint32_t *workers,
                              gcast_error *err)
{
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    int blocks = 0;
    if (threads < 1 || threads > 1024)
        return gcast_error_set(err, GCAST_USAGE, "/block", "a block has 1 to 1024 threads");
    if (shared_bytes > INT_MAX)
        return gcast_error_set(err, GCAST_USAGE, "/shared_bytes", "no GPU has that much shared memory per block");
    gcast_status status = GCAST_OK;
    if (shared_bytes) /* more than 48 KiB with the static part must be asked for */
        status = DRIVER_CALL(k->d, err, cuFuncSetAttribute, k->function,
                             CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared_bytes);
    if (status == GCAST_OK)
        status = DRIVER_CALL(k->d, err, cuOccupancyMaxActiveBlocksPerMultiprocessor, &blocks, k->function, (int)threads,
                             shared_bytes);
    if (status == GCAST_OK && blocks < 1)
        status = gcast_error_set(err, GCAST_GPU, NULL, "an SM holds no worker of the kernel");
    *workers = (uint32_t)blocks;
    return status;
}

gcast_status smc_check_fill(uint32_t fill, gcast_error *err)
{
    if (fill <= GCAST_PLAN_MAX_WORKERS)
        return GCAST_OK;
    return gcast_error_set(err, GCAST_USAGE, "/fill", "an SM never holds %u workers", fill);
}

gcast_status smc_on_gpu_launch(const smc_on_gpu *k, uint32_t workers, const gcast_smc_launch_arguments *a,
                               gcast_error *err)
{
    return DRIVER_CALL(k->d, err, cuLaunchKernel, k->function, workers, 1, 1, a->block[0], a->block[1], a->block[2],
                       a->shared_bytes, a->stream, a->parameters, NULL);
}

gcast_status smc_on_gpu_clear(const smc_on_gpu *k, CUstream stream, gcast_error *err)
{
    return DRIVER_CALL(k->d, err, cuMemsetD8Async, k->marks, 0, 4 * (size_t)k->plan->jobs, stream);
}

gcast_status smc_on_gpu_fetch(const smc_on_gpu *k, CUstream stream, uint32_t *marks, uint32_t *arrived,
                              gcast_error *err)
{
    const gcast_plan *p = k->plan;
    CUdeviceptr from = k->counters + 4 * ((CUdeviceptr)p->sms + p->queues);
    gcast_status status = DRIVER_CALL(k->d, err, cuMemcpyDtoHAsync, marks, k->marks, 4 * (size_t)p->jobs, stream);
    if (status == GCAST_OK && arrived)
        status = DRIVER_CALL(k->d, err, cuMemcpyDtoHAsync, arrived, from, 4 * (size_t)p->sms, stream);
    CUresult done = k->d->cuStreamSynchronize(stream);
    return status == GCAST_OK ? driver_status(k->d, done, "cuStreamSynchronize", err) : status;
}

gcast_status smc_on_gpu_fetch_records(const smc_on_gpu *k, CUstream stream, gcast_smc_record *records, gcast_error *err)
{
    if (!k->job_records)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the kernel keeps no records");
    gcast_status status = DRIVER_CALL(k->d, err, cuMemcpyDtoHAsync, records, k->job_records,
                                      (size_t)k->plan->jobs * SMC_RECORD_BYTES, stream);
    CUresult done = k->d->cuStreamSynchronize(stream);
    return status == GCAST_OK ? driver_status(k->d, done, "cuStreamSynchronize", err) : status;
}

/* Runs the jobs of one queue; marks and records stay those of the plan. */
static gcast_status run_queue(smc_on_gpu *k, const image *repair, uint32_t workers, const gcast_smc_launch_arguments *a,
                              gcast_error *err)
{
    gcast_status status = send_arrays(k, repair, k->spare, a->stream, err);
    if (status == GCAST_OK)
        status = send_header(k, repair, a->stream, err);
    if (status == GCAST_OK)
        status = smc_on_gpu_launch(k, workers, a, err);
    CUresult done = k->d->cuStreamSynchronize(a->stream);
    return status == GCAST_OK ? driver_status(k->d, done, "cuStreamSynchronize", err) : status;
}

/* Runs the jobs in a launch of `workers` that take them from one queue, and waits for its end. If the plan cannot be
 * restored, the kernel has none then. */
static gcast_status smc_on_gpu_repair(smc_on_gpu *k, const uint32_t *job, uint32_t jobs, uint32_t workers,
                                      const gcast_smc_launch_arguments *a, gcast_error *err)
{
    uint32_t first[] = {0, jobs};
    const gcast_plan *p = k->plan;
    gcast_plan queue = {.mapping = GCAST_MAPPING_PERSISTENT,
                        .grid = {p->grid[0], p->grid[1], p->grid[2]},
                        .jobs = jobs,
                        .sms = p->sms,
                        .workers = p->workers,
                        .queues = 1,
                        .first = first,
                        .job = (uint32_t *)(uintptr_t)job};
    image plan = {0}, repair = {0};
    gcast_status status = make_image(p, k->records, &plan, err);
    if (status == GCAST_OK)
        status = make_image(&queue, false, &repair, err);
    if (status == GCAST_OK) {
        set_addresses(&plan, k->arrays, k->records);
        set_addresses(&repair, k->spare, false);
        put(repair.header, SMC_JOBS, 4, p->jobs); /* those of the whole grid */
        put(repair.header, SMC_MARKS, 8, k->marks);
        put(repair.header, SMC_RECORDS, 8, k->job_records);
        status = run_queue(k, &repair, workers, a, err);
    }
    if (plan.word && repair.word) { /* also on failure: the next launch must not find jobs of the repair */
        gcast_status restored = send_header(k, &plan, a->stream, status == GCAST_OK ? err : NULL);
        if (restored != GCAST_OK)
            k->plan = NULL;
        if (status == GCAST_OK)
            status = restored;
    }
    free(plan.word);
    free(repair.word);
    return status;
}

/* An error for jobs that ran more than once, or on another SM than planned. */
static gcast_status refuse_wrong(const gcast_smc_coverage *c, gcast_error *err)
{
    if (c->repeated)
        return gcast_error_set(err, GCAST_GPU, NULL, "%u jobs ran more than once, the first is job %u", c->repeated,
                               c->repeated_job[0]);
    if (c->displaced)
        return gcast_error_set(err, GCAST_GPU, NULL, "%u jobs ran on another SM than planned, the first is job %u",
                               c->displaced, c->displaced_job[0]);
    return GCAST_OK;
}

static gcast_status refuse_unrepaired(const gcast_plan *plan, const uint32_t *marks, gcast_error *err)
{
    for (uint32_t j = 0; j < plan->jobs; j++)
        if ((marks[j] & SMC_MARK_COUNT_MASK) != 1)
            return gcast_error_set(err, GCAST_GPU, NULL, "job %u ran %u times, though a launch was to repair that", j,
                                   marks[j] & SMC_MARK_COUNT_MASK);
    return GCAST_OK;
}

/* Runs the missing jobs in another launch. */
static gcast_status repair(smc_on_gpu *k, uint32_t launched, const gcast_smc_launch_arguments *a,
                           gcast_smc_outcome *outcome, uint32_t *marks, gcast_error *err)
{
    const gcast_smc_coverage *c = outcome->coverage;
    gcast_status status = smc_on_gpu_repair(k, c->missing_job, c->missing, min_u32(launched, c->missing), a, err);
    if (status == GCAST_OK)
        status = smc_on_gpu_fetch(k, a->stream, marks, NULL, err);
    if (status == GCAST_OK)
        status = refuse_unrepaired(k->plan, marks, err);
    if (status == GCAST_OK) {
        outcome->repaired = c->missing;
        outcome->repairs = 1;
    }
    return status;
}

gcast_status smc_finish(smc_on_gpu *k, uint32_t launched, const gcast_smc_launch_arguments *a,
                        gcast_smc_outcome *outcome, gcast_error *err)
{
    const gcast_plan *p = k->plan;
    uint32_t *marks = malloc(((size_t)p->jobs + p->sms) * sizeof *marks);
    *outcome = (gcast_smc_outcome){.launched = launched};
    if (!marks)
        return gcast_error_set_memory(err);
    uint32_t *arrived = marks + p->jobs;
    gcast_status status = smc_on_gpu_fetch(k, a->stream, marks, arrived, err);
    if (status == GCAST_OK)
        status = gcast_smc_coverage_make(p, marks, 1, &outcome->coverage, err);
    for (uint32_t s = 0; status == GCAST_OK && s < p->sms; s++)
        outcome->short_sms += arrived[s] < p->workers[s];
    if (status == GCAST_OK)
        status = refuse_wrong(outcome->coverage, err);
    if (status == GCAST_OK && outcome->coverage->missing)
        status = repair(k, launched, a, outcome, marks, err);
    if (status != GCAST_OK) {
        gcast_smc_coverage_free(outcome->coverage);
        *outcome = (gcast_smc_outcome){.launched = launched};
    }
    free(marks);
    return status;
}

/* A caller's own program may use SM-centric kernels by gcast_smc_open and the calls that follow. */

struct gcast_smc_kernel {
    driver d;                             /* the calls */
    smc_on_gpu gpu;                       /* the kernel on the GPU */
    gcast_plan *plan;                     /* in use; NULL: none yet */
    gcast_smc_launch_arguments arguments; /* of the launch under way */
    uint32_t launched;                    /* workers of that launch; 0: none is under way */
    uint32_t sms;                         /* of the GPU */
};

static gcast_status count_sms(gcast_smc_kernel *k, gcast_error *err)
{
    CUdevice current;
    int sms = 0;
    gcast_status status = DRIVER_CALL(&k->d, err, cuCtxGetDevice, &current);
    if (status == GCAST_OK)
        status = DRIVER_CALL(&k->d, err, cuDeviceGetAttribute, &sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, current);
    k->sms = (uint32_t)sms;
    return status;
}

gcast_status gcast_smc_open(CUmodule module, const char *kernel, const gcast_smc_gpu_options *given,
                            gcast_smc_kernel **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!module || !kernel || !out)
        return argument_missing(err);
    gcast_smc_gpu_options o = gcast_smc_gpu_options_default();
    gcast_status status = options_copy(&o, sizeof o, given, "gcast_smc_gpu_options", err);
    if (status != GCAST_OK)
        return status;
    gcast_smc_kernel *k = calloc(1, sizeof *k);
    if (!k)
        return gcast_error_set_memory(err);
    status = driver_open(&k->d, o.library, err);
    if (status == GCAST_OK)
        status = smc_on_gpu_open(&k->gpu, &k->d, module, kernel, err);
    if (status == GCAST_OK)
        status = count_sms(k, err);
    if (status == GCAST_OK)
        *out = k;
    else
        gcast_smc_close(k);
    return status;
}

void gcast_smc_close(gcast_smc_kernel *k)
{
    if (!k)
        return;
    smc_on_gpu_close(&k->gpu);
    driver_close(&k->d);
    gcast_plan_free(k->plan);
    free(k);
}

gcast_status gcast_smc_set_plan(gcast_smc_kernel *k, const gcast_plan *plan, gcast_error *err)
{
    if (!k || !plan)
        return argument_missing(err);
    gcast_plan *copy = NULL;
    if (k->launched)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a launch is under way: gcast_smc_finish comes first");
    gcast_status status = gcast_plan_check(plan, err);
    if (status == GCAST_OK && plan->sms != k->sms)
        status =
            gcast_error_set(err, GCAST_INPUT, "/sms", "the plan is for %u SMs, and this GPU has %u", plan->sms, k->sms);
    if (status == GCAST_OK && !(copy = plan_copy(plan)))
        status = gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = smc_on_gpu_plan(&k->gpu, copy, NULL, err);
    if (status != GCAST_OK) {
        gcast_plan_free(copy);
        return status;
    }
    gcast_plan_free(k->plan);
    k->plan = copy;
    return GCAST_OK;
}

gcast_status gcast_smc_launch(gcast_smc_kernel *k, const gcast_smc_launch_arguments *a, gcast_error *err)
{
    if (!k || !a)
        return argument_missing(err);
    uint32_t held = 0;
    if (!k->gpu.plan)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no plan: gcast_smc_set_plan comes first");
    if (k->launched)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a launch is under way: gcast_smc_finish comes first");
    gcast_status status = smc_on_gpu_holds(&k->gpu, a->block, a->shared_bytes, &held, err);
    if (status == GCAST_OK)
        status = smc_check_fill(a->fill, err);
    if (status == GCAST_OK)
        status = smc_on_gpu_clear(&k->gpu, a->stream, err);
    uint32_t workers = (a->fill ? a->fill : held) * k->sms;
    if (status == GCAST_OK)
        status = smc_on_gpu_launch(&k->gpu, workers, a, err);
    if (status == GCAST_OK) {
        k->arguments = *a;
        k->launched = workers;
    }
    return status;
}

gcast_status gcast_smc_finish(gcast_smc_kernel *k, gcast_smc_outcome *outcome, gcast_error *err)
{
    if (!k)
        return argument_missing(err);
    if (outcome)
        *outcome = (gcast_smc_outcome){0};
    if (!k->launched)
        return gcast_error_set(err, GCAST_USAGE, NULL, "no launch is under way");
    uint32_t launched = k->launched;
    k->launched = 0;
    gcast_smc_outcome own;
    gcast_status status = smc_finish(&k->gpu, launched, &k->arguments, &own, err);
    if (outcome)
        *outcome = own;
    else
        gcast_smc_coverage_free(own.coverage);
    return status;
}
