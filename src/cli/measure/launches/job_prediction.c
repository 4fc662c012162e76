#include "cli/measure/launches/job_prediction.h"

#include <stdlib.h>

#include "cli/measure/preset.h"
#include "cli/say.h"
#include "gridcast/simt.h"
#include "gridcast/simulate.h"

#define WORKER_SHARED_BYTES 128 /* static ones that a worker has besides the kernel's own: K_smc_block */

int64_t record_job_ns(const gcast_smc_record *r)
{
    return r->end_ns > r->begin_ns ? (int64_t)(r->end_ns - r->begin_ns) : 1;
}

/* The preset of this GPU, or without one its limits alone. */
static gcast_status find_gpu(const gcast_gpu *found, gcast_gpu **out)
{
    gcast_error err;
    gcast_status status = preset_of_title(found->title, out);
    if (status != GCAST_OK)
        return status;
    if (*out && (*out)->sms != found->sms) { /* a part of that GPU, or another version of it */
        gcast_gpu_free(*out);
        *out = NULL;
    }
    if (!*out && gcast_gpu_copy(found, out, &err) != GCAST_OK)
        return say_error(&err);
    (*out)->job_overhead_ns = 0;
    return GCAST_OK;
}

/* What a worker takes of an SM. The shared memory that the kernel declares is not known where the SIMT machine has no
 * such instructions; it is then counted as none. */
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
