/* gcast_smc_session_together measures kernels that run at the same time, each again and again. */
#include <stdlib.h>

#include "base/api.h"
#include "base/integers.h"
#include "measure/smc/state.h"
#include "papers/corun/corun_session.h"
#include "smc/module_layout.h"

#define MAX_LAUNCHES 2000 /* per kernel and attempt */
#define ATTEMPTS 4        /* at numbers of launches that let all kernels run equally long */
#define SPARE_LAUNCHES 3  /* at the beginning and the end, when not all kernels run */

/* The stream of a kernel of a co-run, if wanted in a green context of its own. */
typedef struct co_stream {
    CUcontext context;   /* current when something is launched here */
    CUgreenCtx green;    /* NULL: none of its own */
    CUmodule module;     /* the original, compiled in the green context; NULL: none of its own */
    CUfunction function; /* the original */
    CUstream stream;     /* of its own */
} co_stream;

/* Takes a green context of `sms` SMs out of `left`; the last kernel gets all that are left. */
static gcast_status open_green(co_stream *l, const gcast_smc_session *s, uint32_t kernel, bool is_last, uint32_t sms,
                               CUdevResource *left, gcast_error *err)
{
    const driver *d = &s->v.d;
    CUdevResource part = *left, rest = {0};
    CUdevResourceDesc description;
    unsigned groups = 1;
    gcast_status status = GCAST_OK;
    if (!is_last)
        status = DRIVER_CALL(d, err, cuDevSmResourceSplitByCount, &part, &groups, left, &rest,
                             CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING, sms);
    if (status == GCAST_OK && part.sm_count != sms)
        return gcast_error_set(err, GCAST_GPU, NULL, "there is no green context of %u SMs; the next has %u", sms,
                               part.sm_count);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuDevResourceGenerateDesc, &description, &part, 1);
    if (status == GCAST_OK && (status = DRIVER_CALL(d, err, cuGreenCtxCreate, &l->green, description, s->v.handle,
                                                    CU_GREEN_CTX_DEFAULT_STREAM)) != GCAST_OK)
        l->green = NULL;
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuCtxFromGreenCtx, &l->context, l->green);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuCtxSetCurrent, l->context);
    if (status == GCAST_OK)
        status = smc_program_load_original(&s->program[kernel], &l->module, &l->function, err);
    if (status == GCAST_OK && (status = DRIVER_CALL(d, err, cuGreenCtxStreamCreate, &l->stream, l->green,
                                                    CU_STREAM_NON_BLOCKING, 0)) != GCAST_OK)
        l->stream = NULL;
    *left = rest;
    return status;
}

/* `sms` has the SMs of each kernel's green context; NULL: streams of the whole GPU. co_streams_close must follow in any
 * case. */
static gcast_status co_streams_open(co_stream *l, const gcast_smc_session *s, uint32_t kernels, const uint32_t *sms,
                                    gcast_error *err)
{
    const driver *d = &s->v.d;
    CUdevResource left = {0};
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < kernels; i++)
        l[i] = (co_stream){.context = s->v.context, .function = s->program[i].original};
    if (sms && !d->partitions)
        return gcast_error_set(err, GCAST_GPU, NULL, "this driver has no green contexts; they need CUDA 12.4");
    if (sms)
        status = DRIVER_CALL(d, err, cuDeviceGetDevResource, s->v.handle, &left, CU_DEV_RESOURCE_TYPE_SM);
    for (uint32_t i = 0; i < kernels && status == GCAST_OK; i++) {
        if (sms)
            status = open_green(&l[i], s, i, i + 1 == kernels, sms[i], &left, err);
        else if ((status = device_stream(&s->v, CU_STREAM_NON_BLOCKING, 0, &l[i].stream, err)) != GCAST_OK)
            l[i].stream = NULL;
    }
    return status;
}

static void co_streams_close(co_stream *l, const gcast_smc_session *s, uint32_t kernels)
{
    const driver *d = &s->v.d;
    for (uint32_t i = 0; i < kernels; i++) {
        if (l[i].green)
            d->cuCtxSetCurrent(l[i].context);
        if (l[i].stream)
            d->cuStreamDestroy(l[i].stream);
        if (l[i].module)
            d->cuModuleUnload(l[i].module);
        if (l[i].green)
            d->cuGreenCtxDestroy(l[i].green);
    }
    d->cuCtxSetCurrent(s->v.context);
}

typedef struct corun {
    gcast_smc_session *s;                     /* the GPU and the kernels */
    uint32_t kernels;                         /* of the session, from its first on */
    bool is_planned;                          /* each by its plan; else the originals */
    co_stream streams[GCAST_SMC_SESSION_MAX]; /* by kernel: where it is launched */
    uint32_t launches[GCAST_SMC_SESSION_MAX]; /* by kernel */
    CUevent *event[GCAST_SMC_SESSION_MAX]; /* by kernel: before its first launch, and after each; NULL: not created */
    double *end_ns[GCAST_SMC_SESSION_MAX]; /* by kernel: times of its events, from the first on */
    double together_ns[GCAST_SMC_SESSION_MAX]; /* by kernel: mean time of a launch while all run */
    uint32_t counted[GCAST_SMC_SESSION_MAX];   /* by kernel: launches in that mean */
} corun;

static void free_events(corun *c)
{
    const driver *d = &c->s->v.d;
    for (uint32_t i = 0; i < c->kernels; i++) {
        d->cuCtxSetCurrent(c->streams[i].context);
        for (uint32_t k = 0; c->event[i] && k <= c->launches[i]; k++)
            if (c->event[i][k])
                d->cuEventDestroy(c->event[i][k]);
        free(c->event[i]);
        free(c->end_ns[i]);
        c->event[i] = NULL;
        c->end_ns[i] = NULL;
    }
}

static gcast_status create_events(corun *c, gcast_error *err)
{
    const driver *d = &c->s->v.d;
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < c->kernels && status == GCAST_OK; i++) {
        c->event[i] = calloc((size_t)c->launches[i] + 1, sizeof *c->event[i]);
        c->end_ns[i] = calloc((size_t)c->launches[i] + 1, sizeof *c->end_ns[i]);
        if (!c->event[i] || !c->end_ns[i])
            return gcast_error_set_memory(err);
        status = DRIVER_CALL(d, err, cuCtxSetCurrent, c->streams[i].context);
        for (uint32_t k = 0; k <= c->launches[i] && status == GCAST_OK; k++)
            if ((status = DRIVER_CALL(d, err, cuEventCreate, &c->event[i][k], CU_EVENT_DEFAULT)) != GCAST_OK)
                c->event[i][k] = NULL;
    }
    return status;
}

static gcast_status start(const corun *c, uint32_t i, gcast_error *err)
{
    const smc_program *p = &c->s->program[i];
    if (!c->is_planned)
        return smc_program_start(p, c->streams[i].function, c->streams[i].stream, err);
    gcast_smc_launch_arguments a = smc_program_arguments(p);
    a.stream = c->streams[i].stream;
    return smc_on_gpu_launch(&p->smc[0], p->holds * (uint32_t)c->s->v.gpu->sms, &a, err);
}

/* Makes all launches, of each kernel in proportion to their number. */
static gcast_status launch_all(corun *c, gcast_error *err)
{
    const driver *d = &c->s->v.d;
    uint32_t done[GCAST_SMC_SESSION_MAX] = {0};
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < c->kernels && status == GCAST_OK; i++) {
        status = DRIVER_CALL(d, err, cuCtxSetCurrent, c->streams[i].context);
        if (status == GCAST_OK)
            status = DRIVER_CALL(d, err, cuEventRecord, c->event[i][0], c->streams[i].stream);
    }
    while (status == GCAST_OK) {
        uint32_t next = 0;
        for (uint32_t i = 1; i < c->kernels; i++)
            if ((uint64_t)done[i] * c->launches[next] < (uint64_t)done[next] * c->launches[i])
                next = i;
        if (done[next] == c->launches[next])
            break;
        status = DRIVER_CALL(d, err, cuCtxSetCurrent, c->streams[next].context);
        if (status == GCAST_OK)
            status = start(c, next, err);
        if (status == GCAST_OK)
            status = DRIVER_CALL(d, err, cuEventRecord, c->event[next][++done[next]], c->streams[next].stream);
    }
    for (uint32_t i = 0; i < c->kernels; i++) {
        d->cuCtxSetCurrent(c->streams[i].context);
        CUresult result = d->cuStreamSynchronize(c->streams[i].stream); /* also on failure */
        if (status == GCAST_OK)
            status = driver_status(d, result, "cuStreamSynchronize", err);
    }
    return status;
}

static gcast_status read_events(corun *c, gcast_error *err)
{
    const driver *d = &c->s->v.d;
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < c->kernels && status == GCAST_OK; i++) {
        status = DRIVER_CALL(d, err, cuCtxSetCurrent, c->streams[i].context);
        for (uint32_t k = 1; k <= c->launches[i] && status == GCAST_OK; k++) {
            float ms = 0;
            status = DRIVER_CALL(d, err, cuEventElapsedTime, &ms, c->event[i][0], c->event[i][k]);
            c->end_ns[i][k] = (double)ms * 1e6;
        }
    }
    return status;
}

/* Counts the launches between the end of every kernel's first launch and the end of the kernel that finishes first. The
 * first events of all streams, from which times count, come within some microseconds. */
static void count(corun *c)
{
    double from = 0, to = c->end_ns[0][c->launches[0]];
    for (uint32_t i = 0; i < c->kernels; i++) {
        if (c->end_ns[i][1] > from)
            from = c->end_ns[i][1];
        if (c->end_ns[i][c->launches[i]] < to)
            to = c->end_ns[i][c->launches[i]];
    }
    for (uint32_t i = 0; i < c->kernels; i++) {
        uint32_t first = 1, last = c->launches[i];
        while (first < last && c->end_ns[i][first] < from)
            first++;
        while (last > first && c->end_ns[i][last] > to)
            last--;
        c->counted[i] = last - first;
        c->together_ns[i] = last > first ? (c->end_ns[i][last] - c->end_ns[i][first]) / (last - first)
                                         : c->end_ns[i][c->launches[i]] / c->launches[i];
    }
}

/* Chooses numbers of launches so that all kernels run equally long, and the slowest at least `launches` times. */
static void balance(corun *c, uint32_t launches)
{
    double longest = 0;
    for (uint32_t i = 0; i < c->kernels; i++)
        if (c->together_ns[i] > longest)
            longest = c->together_ns[i];
    for (uint32_t i = 0; i < c->kernels; i++) {
        double own = c->together_ns[i] > 0 ? c->together_ns[i] : 1; /* a clock may be too coarse for it */
        double wanted = longest * (launches + SPARE_LAUNCHES) / own + SPARE_LAUNCHES;
        c->launches[i] = wanted > MAX_LAUNCHES ? MAX_LAUNCHES : (uint32_t)wanted;
    }
}

static gcast_status attempt(corun *c, gcast_error *err)
{
    gcast_status status = create_events(c, err);
    if (status == GCAST_OK)
        status = launch_all(c, err);
    if (status == GCAST_OK)
        status = read_events(c, err);
    if (status == GCAST_OK)
        count(c);
    free_events(c);
    c->s->v.d.cuCtxSetCurrent(c->s->v.context);
    return status;
}

static gcast_status clear_marks(corun *c, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; c->is_planned && i < c->kernels && status == GCAST_OK; i++)
        status = smc_on_gpu_clear(&c->s->program[i].smc[0], c->streams[i].stream, err);
    return status;
}

/* Adds up the jobs that did not run in a launch. A job that ran too often, or on an SM of another kernel, is an error.
 */
static gcast_status check_jobs(const corun *c, uint32_t i, const uint32_t *marks, uint64_t *missing, gcast_error *err)
{
    const gcast_plan *plan = c->s->program[i].plan;
    gcast_smc_coverage *coverage;
    gcast_status status = gcast_smc_coverage_make(plan, marks, c->launches[i], &coverage, err);
    if (status != GCAST_OK)
        return status;
    for (uint32_t k = 0; k < coverage->missing; k++)
        *missing += c->launches[i] - (marks[coverage->missing_job[k]] & SMC_MARK_COUNT_MASK);
    if (coverage->repeated || coverage->displaced)
        status =
            gcast_error_set(err, GCAST_GPU, NULL, "kernel %u: %u jobs ran too often, %u on another SM than planned", i,
                            coverage->repeated, coverage->displaced);
    gcast_smc_coverage_free(coverage);
    return status;
}

static gcast_status add_missing(const corun *c, uint64_t *missing, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; c->is_planned && i < c->kernels && status == GCAST_OK; i++) {
        uint32_t *marks = malloc((size_t)c->s->program[i].plan->jobs * sizeof *marks);
        status = marks ? smc_on_gpu_fetch(&c->s->program[i].smc[0], c->streams[i].stream, marks, NULL, err)
                       : gcast_error_set_memory(err);
        if (status == GCAST_OK)
            status = check_jobs(c, i, marks, missing, err);
        free(marks);
    }
    return status;
}

static gcast_status measure(corun *c, uint32_t launches, uint64_t *missing, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < c->kernels; i++)
        c->launches[i] = SPARE_LAUNCHES;
    for (int tries = 0; tries < ATTEMPTS && status == GCAST_OK; tries++) {
        uint32_t least = UINT32_MAX;
        *missing = 0;
        status = clear_marks(c, err);
        if (status == GCAST_OK)
            status = attempt(c, err);
        if (status == GCAST_OK)
            status = add_missing(c, missing, err);
        for (uint32_t i = 0; i < c->kernels; i++)
            least = min_u32(least, c->counted[i]);
        if (status != GCAST_OK || (tries && least >= launches))
            break;
        balance(c, launches);
    }
    return status;
}

gcast_status gcast_smc_session_together(gcast_smc_session *s, uint32_t kernels, gcast_corun_manner manner,
                                        const uint32_t *sms, uint32_t launches, double *together_ns, uint64_t *missing,
                                        gcast_error *err)
{
    if (!s || !together_ns || !missing)
        return argument_missing(err);
    corun c = {.s = s, .kernels = kernels, .is_planned = manner == GCAST_CORUN_PLANS};
    *missing = 0;
    if (kernels < 1 || kernels > s->programs)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there are %u kernels in the session, not %u", s->programs,
                               kernels);
    if ((unsigned)manner >= GCAST_CORUN_MANNERS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no manner number %d", (int)manner);
    if (manner == GCAST_CORUN_GREEN && !sms)
        return gcast_error_set(err, GCAST_USAGE, NULL, "green contexts need the number of SMs of each kernel");
    for (uint32_t i = 0; c.is_planned && i < kernels; i++)
        if (!s->program[i].plan || !s->program[i].smc[0].plan)
            return gcast_error_set(err, GCAST_USAGE, NULL, "kernel %u has no plan yet", i);
    gcast_status status = co_streams_open(c.streams, s, kernels, manner == GCAST_CORUN_GREEN ? sms : NULL, err);
    if (status == GCAST_OK)
        status = measure(&c, launches, missing, err);
    for (uint32_t i = 0; i < kernels; i++)
        together_ns[i] = c.together_ns[i];
    co_streams_close(c.streams, s, kernels);
    return status;
}
