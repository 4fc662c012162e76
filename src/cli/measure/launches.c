#include "cli/measure/launches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/integers.h"
#include "cli/exec/exec_launch.h"
#include "cli/measure/calibrate.h"
#include "cli/say.h"
#include "gridcast/read.h"
#include "gridcast/simt.h"
#include "gridcast/simulate.h"
#include "measure/smc/smc_session.h"
#include "model/launch_file.h"

#define ROUND_NS 3e6 /* launches in a row take about so long */
#define MAX_IN_A_ROW 200
#define WORKER_SHARED_BYTES 128 /* static shared memory of a worker besides that of the kernel: K_smc_block */

static gcast_status read_launch(measured_launch *m, const char *path)
{
    gcast_error err;
    if (gcast_launch_file_load(path, &m->file, &err) != GCAST_OK ||
        gcast_file_read(m->file->ptx, &m->source, &m->source_size, &err) != GCAST_OK ||
        gcast_ptx_parse(m->source, m->source_size, m->file->ptx, &m->ptx, &err) != GCAST_OK)
        return say_error(&err);
    return exec_launch_of_file(m->file, m->ptx, &m->launch);
}

gcast_status launches_read(launches *l, const char *path)
{
    if (l->count == GCAST_SMC_SESSION_MAX)
        return say(GCAST_USAGE, "%s: at most %d launches are measured together", path, GCAST_SMC_SESSION_MAX);
    return read_launch(&l->at[l->count++], path);
}

static gcast_status read_plan(measured_launch *m, const char *path)
{
    gcast_error err;
    const uint32_t *jobs = m->file->grid;
    m->plan_path = path;
    if (gcast_plan_load(path, &m->plan, &err) != GCAST_OK)
        return say_error(&err);
    const uint32_t *planned = m->plan->grid;
    if (memcmp(planned, jobs, sizeof m->plan->grid) == 0)
        return GCAST_OK;
    return say(GCAST_INPUT, "%s: the plan is for %u x %u x %u jobs, the launch has %u x %u x %u (/grid)", path,
               planned[0], planned[1], planned[2], jobs[0], jobs[1], jobs[2]);
}

/* The n-th --plan is for the n-th --launch. */
static gcast_status read_plans(launches *l)
{
    uint32_t n = 0;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->a->given_count && status == GCAST_OK; i++) {
        if (!args_is(l->a, i, "plan"))
            continue;
        if (n == l->count)
            return say(GCAST_USAGE, "--plan %s: give a --launch before it", l->a->given[i].value);
        status = read_plan(&l->at[n++], l->a->given[i].value);
    }
    return status;
}

/* Sends a launch to the GPU. Its plan, if any, must be for that GPU. */
static gcast_status add(launches *l, measured_launch *m)
{
    gcast_error err;
    if (m->plan && m->plan->sms != (uint32_t)l->gpu->sms)
        return say(GCAST_INPUT, "%s: the plan is for %u SMs, and this GPU has %d (/sms)", m->plan_path, m->plan->sms,
                   l->gpu->sms);
    gcast_smc_options options = gcast_smc_options_default();
    options.independent = args_has(l->a, "independent");
    options.whole_warps = args_has(l->a, "whole-warps");
    gcast_status status = gcast_smc_session_add(l->session, m->source, m->source_size, m->file->ptx, &m->launch.launch,
                                                &options, &m->facts, &err);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

gcast_status launches_read_all(launches *l)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->a->given_count && status == GCAST_OK; i++)
        if (args_is(l->a, i, "launch"))
            status = launches_read(l, l->a->given[i].value);
    return status == GCAST_OK ? read_plans(l) : status;
}

gcast_status launches_open(launches *l, const char *library)
{
    gcast_smc_gpu_options o = gcast_smc_gpu_options_default();
    gcast_error err;
    gcast_status status = GCAST_OK;
    if (library)
        o.library = library;
    if (gcast_smc_session_open(&o, &l->session, &err) != GCAST_OK)
        return say_error(&err);
    l->gpu = gcast_smc_session_gpu(l->session);
    for (uint32_t i = 0; i < l->count && status == GCAST_OK; i++)
        status = add(l, &l->at[i]);
    return status;
}

void launches_close(launches *l)
{
    gcast_smc_session_close(l->session);
    for (uint32_t i = 0; i < l->count; i++) {
        measured_launch *m = &l->at[i];
        exec_launch_free(&m->launch);
        gcast_ptx_free(m->ptx);
        gcast_launch_file_free(m->file);
        gcast_plan_free(m->plan);
        free(m->source);
    }
}

gcast_status launches_make_plan(const launches *l, uint32_t i, const plan_form *form, uint32_t workers,
                                const uint32_t *sms, uint32_t count, gcast_plan **out, gcast_error *err)
{
    gcast_plan_options o = gcast_plan_options_default();
    o.mapping = form->mapping;
    o.steal = form->steal;
    o.in_turn = form->in_turn;
    for (int k = 0; k < 3; k++)
        o.grid[k] = l->at[i].file->grid[k];
    o.sms = (uint32_t)l->gpu->sms;
    o.workers = form->mapping == GCAST_MAPPING_PERSISTENT ? 0 : workers;
    o.sm = sms;
    o.sm_count = count;
    return gcast_plan_make(&o, out, err);
}

gcast_status launches_plan(const launches *l, uint32_t i, const plan_form *form, uint32_t workers, const uint32_t *sms,
                           uint32_t count, gcast_plan **out)
{
    gcast_error err;
    return launches_make_plan(l, i, form, workers, sms, count, out, &err) == GCAST_OK ? GCAST_OK : say_error(&err);
}

gcast_status launches_time_row(const launches *l, uint32_t i, const gcast_plan *plan, uint32_t in_a_row, double *ns,
                               uint32_t *missing)
{
    gcast_error err;
    gcast_status status = plan ? gcast_smc_session_plan(l->session, i, plan, &err) : GCAST_OK;
    if (missing)
        *missing = 0;
    if (status == GCAST_OK)
        status = plan ? gcast_smc_session_time(l->session, i, 0, in_a_row, ns, missing, &err)
                      : gcast_smc_session_time_original(l->session, i, in_a_row, ns, &err);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

gcast_status launches_in_a_row(const launches *l, uint32_t i, const gcast_plan *plan, uint32_t *count)
{
    double ns = 0; /* the first launches also warm the caches */
    gcast_status status = launches_time_row(l, i, plan, 2, &ns, NULL);
    *count = ns > 0 && ROUND_NS / ns < MAX_IN_A_ROW ? max_u32(2, (uint32_t)(ROUND_NS / ns)) : MAX_IN_A_ROW;
    return status;
}

double launches_median(double *number, size_t count)
{
    qsort(number, count, sizeof *number, compare_double);
    return number[count / 2];
}

gcast_status launches_time(const launches *l, uint32_t i, const gcast_plan *plan, int rounds, double *ns)
{
    double time[LAUNCHES_MAX_ROUNDS];
    uint32_t in_a_row;
    gcast_status status = launches_in_a_row(l, i, plan, &in_a_row);
    for (int k = 0; k < rounds && status == GCAST_OK; k++)
        status = launches_time_row(l, i, plan, in_a_row, &time[k], NULL);
    *ns = status == GCAST_OK ? launches_median(time, (size_t)rounds) : 0;
    return status;
}

/* A launch is predicted from how long its jobs took. */

int64_t record_job_ns(const gcast_smc_record *r)
{
    return r->end_ns > r->begin_ns ? (int64_t)(r->end_ns - r->begin_ns) : 1;
}

/* The preset of this GPU, or if there is none its limits alone. */
static gcast_status find_gpu(const gcast_gpu *found, gcast_gpu **out)
{
    gcast_error err;
    gcast_status status = preset_of_title(found->title, out);
    if (status != GCAST_OK)
        return status;
    if (*out && (*out)->sms != found->sms) { /* a part of that GPU, or another version */
        gcast_gpu_free(*out);
        *out = NULL;
    }
    if (!*out && gcast_gpu_copy(found, out, &err) != GCAST_OK)
        return say_error(&err);
    (*out)->job_overhead_ns = 0;
    return GCAST_OK;
}

/* What a worker takes of an SM. The static shared memory of a kernel that the SIMT machine cannot run is not known, and
 * counts as 0. */
static gcast_status find_shape(const measured_launch *m, gcast_block_shape *shape, gcast_error *err)
{
    gcast_simt_options options = gcast_simt_options_default();
    options.registers = m->facts.registers[1];
    gcast_status status = gcast_simt_block_shape(m->ptx, &m->launch.launch, &options, shape, err);
    if (status == GCAST_INPUT) {
        *shape = (gcast_block_shape){.dynamic_smem = m->file->shared_bytes};
        status = GCAST_OK;
    }
    shape->registers = (int)m->facts.registers[1];
    shape->static_smem += WORKER_SHARED_BYTES;
    return status;
}

static gcast_status add_kernel(gcast_workload *w, const measured_launch *m, const gcast_plan *plan,
                               const int64_t *job_ns, gcast_error *err)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    gcast_status status = gcast_workload_get_stream(w, 1, &op.stream, err);
    if (status == GCAST_OK)
        status = find_shape(m, &op.shape, err);
    for (int k = 0; k < 3; k++) {
        op.grid[k] = plan->grid[k];
        op.block[k] = m->file->block[k];
    }
    op.label = m->file->name;
    op.policy = plan->mapping == GCAST_MAPPING_PERSISTENT ? GCAST_POLICY_PERSISTENT : GCAST_POLICY_SM_CENTRIC;
    op.plan = plan;
    op.fill = m->facts.holds[1];
    op.block_ns = job_ns;
    return status == GCAST_OK ? gcast_workload_add_op(w, &op, NULL, err) : status;
}

static gcast_status simulate(const measured_launch *m, const gcast_gpu *gpu, const gcast_plan *plan,
                             const int64_t *job_ns, double *ns)
{
    gcast_workload *w;
    gcast_run *run = NULL;
    gcast_error err;
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_status status = gcast_workload_create(m->file->name, &w, &err);
    if (status == GCAST_OK)
        status = add_kernel(w, m, plan, job_ns, &err);
    if (status == GCAST_OK)
        status = gcast_workload_simulate(w, gpu, &options, &run, &err);
    if (status == GCAST_OK)
        *ns = (double)(run->ops[0].end_ns - run->ops[0].start_ns);
    else
        say_error(&err);
    gcast_run_free(run);
    gcast_workload_free(w);
    return status;
}

gcast_status predict_from_records(const launches *l, uint32_t i, const gcast_plan *plan,
                                  const gcast_smc_record *records, double *ns)
{
    gcast_gpu *gpu = NULL;
    int64_t *job_ns = malloc((size_t)plan->jobs * sizeof *job_ns);
    *ns = 0;
    gcast_status status = job_ns ? find_gpu(l->gpu, &gpu) : say_no_memory();
    for (uint32_t j = 0; j < plan->jobs && status == GCAST_OK; j++)
        job_ns[j] = record_job_ns(&records[j]);
    if (status == GCAST_OK)
        status = simulate(&l->at[i], gpu, plan, job_ns, ns);
    gcast_gpu_free(gpu);
    free(job_ns);
    return status;
}
