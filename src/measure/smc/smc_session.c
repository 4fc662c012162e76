/* gcast_smc_session_* measure kernels one at a time. */
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/launch_given.h"
#include "measure/smc/hold.h"
#include "measure/smc/smc_kernel.h"
#include "measure/smc/smc_session.h"
#include "measure/smc/state.h"
#include "model/plan/plan.h"

gcast_status gcast_smc_session_open(const gcast_smc_gpu_options *given, gcast_smc_session **out, gcast_error *err)
{
    if (!out)
        return argument_missing(err);
    gcast_smc_gpu_options o = gcast_smc_gpu_options_default();
    *out = NULL;
    gcast_status status = options_copy(&o, sizeof o, given, "gcast_smc_gpu_options", err);
    if (status != GCAST_OK)
        return status;
    gcast_smc_session *s = calloc(1, sizeof *s);
    if (!s)
        return gcast_error_set_memory(err);
    status = device_open(&s->v, o.library, 0, err);
    if (status == GCAST_OK)
        *out = s;
    else
        free(s);
    return status;
}

void gcast_smc_session_close(gcast_smc_session *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->programs; i++)
        smc_program_close(&s->program[i]);
    hold_close(&s->hold, &s->v);
    device_close(&s->v);
    free(s);
}

const gcast_gpu *gcast_smc_session_gpu(const gcast_smc_session *s)
{
    if (!s)
        return NULL;
    return s->v.gpu;
}

static gcast_status find_facts(const smc_program *p, gcast_smc_facts *facts, gcast_error *err)
{
    const driver *d = &p->v->d;
    const gcast_launch *l = p->launch;
    int value[3] = {0};
    gcast_status status = DRIVER_CALL(d, err, cuFuncGetAttribute, &value[0], CU_FUNC_ATTRIBUTE_NUM_REGS, p->original);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuFuncGetAttribute, &value[1], CU_FUNC_ATTRIBUTE_NUM_REGS, p->smc[0].function);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuOccupancyMaxActiveBlocksPerMultiprocessor, &value[2], p->original,
                             (int)(l->block[0] * l->block[1] * l->block[2]), l->shared_bytes);
    *facts = (gcast_smc_facts){
        {(uint32_t)value[0], (uint32_t)value[1]}, {(uint32_t)value[2], p->holds}, p->holds_with_records};
    return status;
}

gcast_status gcast_smc_session_add(gcast_smc_session *s, const char *ptx, size_t size, const char *name,
                                   const gcast_launch *launch, const gcast_smc_options *options, gcast_smc_facts *facts,
                                   gcast_error *err)
{
    if (!s || !ptx || !launch || !facts)
        return argument_missing(err);
    if (s->programs == GCAST_SMC_SESSION_MAX)
        return gcast_error_set(err, GCAST_USAGE, NULL, "at most %d kernels are measured together",
                               GCAST_SMC_SESSION_MAX);
    if (!launch->kernel)
        return gcast_error_set(err, GCAST_USAGE, "/kernel", "the launch must name its kernel");
    if (launch->variables)
        return gcast_error_set(err, GCAST_USAGE, "/variable", "variables of the module are not set in such a session");
    smc_program *p = &s->program[s->programs];
    gcast_smc_options o = gcast_smc_options_default();
    gcast_status status = options_copy(&o, sizeof o, options ? options : &o, "gcast_smc_options", err);
    if (status == GCAST_OK)
        status = launch_given(launch, err);
    if (status != GCAST_OK)
        return status;
    o.plan = NULL;
    status = smc_program_open(p, &s->v, ptx, size, name, launch, &o, err);
    if (status == GCAST_OK)
        status = find_facts(p, facts, err);
    if (status == GCAST_OK)
        s->programs++;
    else
        smc_program_close(p);
    return status;
}

static gcast_status find_program(gcast_smc_session *s, uint32_t kernel, smc_program **out, gcast_error *err)
{
    if (kernel >= s->programs)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no kernel %u in the session", kernel);
    *out = &s->program[kernel];
    return GCAST_OK;
}

static gcast_status find_planned(gcast_smc_session *s, uint32_t kernel, smc_program **out, gcast_error *err)
{
    gcast_status status = find_program(s, kernel, out, err);
    if (status == GCAST_OK && (!(*out)->plan || !(*out)->smc[0].plan || !(*out)->smc[1].plan))
        status = gcast_error_set(err, GCAST_USAGE, NULL, "kernel %u has no plan yet", kernel);
    return status;
}

gcast_status gcast_smc_session_plan(gcast_smc_session *s, uint32_t kernel, const gcast_plan *plan, gcast_error *err)
{
    if (!s || !plan)
        return argument_missing(err);
    smc_program *p = NULL;
    gcast_plan *copy = NULL;
    gcast_status status = find_program(s, kernel, &p, err);
    if (status == GCAST_OK)
        status = gcast_plan_check(plan, err);
    if (status != GCAST_OK)
        return status;
    const uint32_t *grid = p->launch->grid;
    if (plan->sms != (uint32_t)s->v.gpu->sms)
        return gcast_error_set(err, GCAST_INPUT, "/sms", "the plan is for %u SMs, and this GPU has %d", plan->sms,
                               s->v.gpu->sms);
    if (memcmp(plan->grid, grid, sizeof plan->grid) != 0)
        return gcast_error_set(err, GCAST_INPUT, "/grid",
                               "the plan is for %u x %u x %u jobs, the launch has %u x %u x %u", plan->grid[0],
                               plan->grid[1], plan->grid[2], grid[0], grid[1], grid[2]);
    if (!(copy = plan_copy(plan)))
        return gcast_error_set_memory(err);
    for (int i = 0; i < 2 && status == GCAST_OK; i++)
        status = smc_on_gpu_plan(&p->smc[i], copy, p->stream, err);
    gcast_plan_free(p->plan);
    p->plan = status == GCAST_OK ? copy : NULL;
    if (status != GCAST_OK)
        gcast_plan_free(copy);
    return status;
}

gcast_status gcast_smc_session_run(gcast_smc_session *s, uint32_t kernel, uint32_t fill, gcast_smc_outcome *outcome,
                                   gcast_smc_record *records, gcast_error *err)
{
    if (!s || !outcome)
        return argument_missing(err);
    smc_program *p = NULL;
    *outcome = (gcast_smc_outcome){0};
    gcast_status status = find_planned(s, kernel, &p, err);
    if (status != GCAST_OK)
        return status;
    smc_on_gpu *k = &p->smc[records != NULL];
    gcast_smc_launch_arguments a = smc_program_arguments(p);
    uint32_t holds = records ? p->holds_with_records : p->holds, workers = (fill ? fill : holds) * p->plan->sms;
    status = smc_check_fill(fill, err);
    if (status == GCAST_OK)
        status = smc_on_gpu_clear(k, p->stream, err);
    if (status == GCAST_OK)
        status = smc_on_gpu_launch(k, workers, &a, err);
    if (status == GCAST_OK)
        status = smc_finish(k, workers, &a, outcome, err);
    if (status == GCAST_OK && records)
        status = smc_on_gpu_fetch_records(k, p->stream, records, err);
    if (status != GCAST_OK) {
        gcast_smc_coverage_free(outcome->coverage);
        outcome->coverage = NULL;
    }
    return status;
}

/* Times `launches` of the original, or of the transformed kernel, between two events. */
static gcast_status time_launches(smc_program *p, bool is_original, uint32_t workers, uint32_t launches, double *ns,
                                  gcast_error *err)
{
    const driver *d = &p->v->d;
    gcast_smc_launch_arguments a = smc_program_arguments(p);
    float ms = 0;
    gcast_status status = DRIVER_CALL(d, err, cuEventRecord, p->event[0], p->stream);
    for (uint32_t i = 0; i < launches && status == GCAST_OK; i++)
        status = is_original ? smc_program_start(p, p->original, p->stream, err)
                             : smc_on_gpu_launch(&p->smc[0], workers, &a, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuEventRecord, p->event[1], p->stream);
    CUresult done = d->cuStreamSynchronize(p->stream);
    if (status == GCAST_OK)
        status = driver_status(d, done, "cuStreamSynchronize", err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuEventElapsedTime, &ms, p->event[0], p->event[1]);
    *ns = (double)ms * 1e6 / launches;
    return status;
}

/* Counts the jobs that did not run in every launch. */
static gcast_status count_missing(const smc_program *p, uint32_t launches, uint32_t *missing, gcast_error *err)
{
    gcast_smc_coverage *c = NULL;
    uint32_t *marks = malloc((size_t)p->plan->jobs * sizeof *marks);
    gcast_status status =
        marks ? smc_on_gpu_fetch(&p->smc[0], p->stream, marks, NULL, err) : gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = gcast_smc_coverage_make(p->plan, marks, launches, &c, err);
    if (status == GCAST_OK && (c->repeated || c->displaced))
        status = gcast_error_set(err, GCAST_GPU, NULL, "%u jobs ran too often, %u on another SM than planned",
                                 c->repeated, c->displaced);
    if (missing)
        *missing = c ? c->missing : 0;
    gcast_smc_coverage_free(c);
    free(marks);
    return status;
}

static gcast_status check_launches(uint32_t launches, gcast_error *err)
{
    if (launches >= 1 && launches <= GCAST_SMC_MAX_LAUNCHES)
        return GCAST_OK;
    return gcast_error_set(err, GCAST_USAGE, NULL, "1 to %d launches are timed, not %u", GCAST_SMC_MAX_LAUNCHES,
                           launches);
}

gcast_status gcast_smc_session_time_original(gcast_smc_session *s, uint32_t kernel, uint32_t launches, double *ns,
                                             gcast_error *err)
{
    if (!s || !ns)
        return argument_missing(err);
    smc_program *p = NULL;
    gcast_status status = find_program(s, kernel, &p, err);
    if (status == GCAST_OK)
        status = check_launches(launches, err);
    return status == GCAST_OK ? time_launches(p, true, 0, launches, ns, err) : status;
}

gcast_status gcast_smc_session_time(gcast_smc_session *s, uint32_t kernel, uint32_t fill, uint32_t launches, double *ns,
                                    uint32_t *missing, gcast_error *err)
{
    if (!s || !ns)
        return argument_missing(err);
    smc_program *p = NULL;
    if (missing)
        *missing = 0;
    gcast_status status = find_planned(s, kernel, &p, err);
    if (status == GCAST_OK)
        status = check_launches(launches, err);
    if (status == GCAST_OK)
        status = smc_check_fill(fill, err);
    if (status == GCAST_OK)
        status = smc_on_gpu_clear(&p->smc[0], p->stream, err);
    if (status == GCAST_OK)
        status = time_launches(p, false, (fill ? fill : p->holds) * p->plan->sms, launches, ns, err);
    return status == GCAST_OK ? count_missing(p, launches, missing, err) : status;
}

gcast_status gcast_smc_session_same(gcast_smc_session *s, uint32_t kernel, bool *same, gcast_error *err)
{
    if (!s || !same)
        return argument_missing(err);
    smc_program *p = NULL;
    gcast_smc_outcome outcome = {0};
    size_t bytes = 0;
    *same = false;
    gcast_status status = find_planned(s, kernel, &p, err);
    if (status != GCAST_OK)
        return status;
    for (uint32_t i = 0; i < p->launch->buffers; i++)
        bytes += p->launch->buffer[i].bytes;
    unsigned char *expected = malloc(bytes + 1), *found = malloc(bytes + 1);
    if (!expected || !found)
        status = gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = smc_program_send(p, err);
    if (status == GCAST_OK)
        status = smc_program_start(p, p->original, p->stream, err);
    if (status == GCAST_OK)
        status = smc_program_fetch(p, expected, err);
    if (status == GCAST_OK)
        status = smc_program_send(p, err);
    if (status == GCAST_OK)
        status = gcast_smc_session_run(s, kernel, 0, &outcome, NULL, err);
    if (status == GCAST_OK)
        status = smc_program_fetch(p, found, err);
    *same = status == GCAST_OK && memcmp(expected, found, bytes) == 0;
    gcast_smc_coverage_free(outcome.coverage);
    free(expected);
    free(found);
    return status;
}
