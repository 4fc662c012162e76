/* gcast_smc_session_together: kernels that run at the same time, each again and again. */
#include <stdlib.h>

#include "base/api/argument_missing.h"
#include "base/minmax.h"
#include "measure/smc/co_streams.h"
#include "smc/module_layout.h"

#define MAX_LAUNCHES 2000 /* per kernel and attempt */
#define ATTEMPTS 4        /* at numbers of launches that let all kernels run equally long */
#define SPARE_LAUNCHES 3  /* at the beginning and the end, when not all kernels run */

typedef struct corun {
    gcast_smc_session *s;                /* the GPU and the kernels */
    uint32_t kernels;                    /* of the session, from its first on */
    bool is_planned;                     /* each by its plan; else the originals */
    co_stream streams[GCAST_CORUN_MAX];  /* by kernel: where it is launched */
    uint32_t launches[GCAST_CORUN_MAX];  /* by kernel */
    CUevent *event[GCAST_CORUN_MAX];     /* by kernel: before its first launch, and after each; NULL: not created */
    double *end_ns[GCAST_CORUN_MAX];     /* by kernel: when these came, from the first on */
    double together_ns[GCAST_CORUN_MAX]; /* by kernel: mean time of a launch while all run */
    uint32_t counted[GCAST_CORUN_MAX];   /* by kernel: of so many launches */
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

/* Launches all, of each kernel the more the more of them there are. */
static gcast_status launch_all(corun *c, gcast_error *err)
{
    const driver *d = &c->s->v.d;
    uint32_t done[GCAST_CORUN_MAX] = {0};
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
        CUresult result = d->cuStreamSynchronize(c->streams[i].stream); /* in any case */
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

/* Launches that lie between the end of every kernel's first launch and the end of the first kernel that is through. The
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

/* As many launches of each kernel as make all run equally long, and the slowest at least `launches`. */
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

/* Adds up jobs that did not run in a launch. One that ran too often, or on an SM of another kernel, is an error. */
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
