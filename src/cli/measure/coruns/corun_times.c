#include "cli/measure/coruns/corun_times.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "cli/say.h"

#define LAUNCHES 10 /* of each kernel while all run, at least */
#define ROUNDS 3    /* of which the median is taken */
#define PARTS 4     /* samples at each so many-th part of the SMs, and of the workers */

static gcast_status send_plan(const corun_times *t, uint32_t i, uint32_t workers, const uint32_t *sm, uint32_t sms,
                              gcast_error *err)
{
    gcast_plan_options o = gcast_plan_options_default();
    gcast_plan *plan;
    o.mapping = t->form.mapping;
    o.steal = t->form.steal;
    o.in_turn = t->form.in_turn;
    for (int k = 0; k < 3; k++)
        o.grid[k] = t->l->at[i].file->grid[k];
    o.sms = (uint32_t)t->l->gpu->sms;
    o.workers = workers;
    o.sm = sm;
    o.sm_count = sms;
    gcast_status status = gcast_plan_make(&o, &plan, err);
    if (status == GCAST_OK)
        status = gcast_smc_session_plan(t->l->session, i, plan, err);
    gcast_plan_free(plan);
    return status;
}

uint32_t corun_sms_of(const gcast_corun_config *config, uint32_t kernels, uint32_t sms, uint32_t kernel, uint32_t *sm)
{
    uint32_t kernel_of[GCAST_PLAN_MAX_SMS], count = 0;
    gcast_corun_deal_sms(config, kernels, sms, kernel_of);
    for (uint32_t s = 0; s < sms; s++)
        if (kernel_of[s] == kernel)
            sm[count++] = s;
    return count;
}

gcast_status corun_times_measure(void *data, const gcast_corun_config *config, double *together_ns, gcast_error *err)
{
    corun_times *t = data;
    uint32_t sm[GCAST_PLAN_MAX_SMS];
    uint64_t missing = 0;
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < t->l->count && status == GCAST_OK; i++) {
        uint32_t sms = corun_sms_of(config, t->l->count, (uint32_t)t->l->gpu->sms, i, sm);
        status = send_plan(t, i, config->workers[i], sm, sms, err);
    }
    if (status == GCAST_OK)
        status = gcast_smc_session_together(t->l->session, t->l->count, GCAST_CORUN_PLANS, NULL, LAUNCHES, together_ns,
                                            &missing, err);
    t->missing += missing;
    return status;
}

gcast_status corun_times_sample(const launches *l, uint32_t i, const plan_form *form, gcast_launch_time **own)
{
    uint32_t sm[GCAST_PLAN_MAX_SMS], sms = (uint32_t)l->gpu->sms, holds = l->at[i].facts.holds[1];
    gcast_launch_time *time = calloc(PARTS * PARTS, sizeof *time);
    size_t count = 0;
    gcast_status status = time ? GCAST_OK : say_no_memory();
    *own = time;
    for (uint32_t p = PARTS; p >= 1 && status == GCAST_OK; p--)
        for (uint32_t q = PARTS; q >= 1 && status == GCAST_OK; q--) {
            uint32_t workers = max_u32(1, holds * p / PARTS), used = max_u32(1, sms * q / PARTS);
            gcast_plan *plan = NULL;
            double ns = 0;
            if (count && q == PARTS && time[count - 1].workers == workers)
                break; /* an SM holds fewer than PARTS */
            corun_sms_of(&(gcast_corun_config){.sms = {used, sms - used}}, 2, sms, 0, sm);
            status = launches_plan(l, i, form, workers, sm, used, &plan);
            if (status == GCAST_OK)
                status = launches_time(l, i, plan, ROUNDS, &ns);
            gcast_plan_free(plan);
            time[count++] = (gcast_launch_time){workers, used, max_i64(1, (int64_t)ns)};
        }
    l->at[i].file->times = time;
    l->at[i].file->time_count = count;
    return status;
}
