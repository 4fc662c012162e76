#include "cli/measure/launches/alone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "cli/measure/launches/job_prediction.h"
#include "cli/measure/launches/launch_forms.h"
#include "cli/output/print_text.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "report/tables/grid.h"

#define ROUNDS 9           /* of timing, in which all forms take turns */
#define DEFAULT_RUNS 20    /* whose coverage is looked at one by one */
#define MAX_RUNS 100000    /* of --repeat */
#define MIN_HOLD_NS 400000 /* of --hold */

static gcast_status add_forms(forms *f, const launches *l)
{
    static const plan_form all[] = {{"persistent", GCAST_MAPPING_PERSISTENT, false, false},
                                    {"segments, in turn", GCAST_MAPPING_SEGMENTS, false, true},
                                    {"queues, in turn", GCAST_MAPPING_QUEUES, false, true},
                                    {"segments", GCAST_MAPPING_SEGMENTS, false, false},
                                    {"queues", GCAST_MAPPING_QUEUES, false, false},
                                    {"queues, steal", GCAST_MAPPING_QUEUES, true, true}};
    *f = (forms){0};
    f->at[f->count++].name = "original";
    if (l->at[0].plan) {
        f->at[f->count].name = "plan";
        f->at[f->count++].plan = l->at[0].plan;
        return GCAST_OK;
    }
    f->owns_plans = true;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && status == GCAST_OK; i++) {
        form *x = &f->at[f->count++];
        x->name = all[i].name;
        status = launches_plan(l, 0, &all[i], l->at[0].facts.holds[1], NULL, 0, &x->plan);
    }
    return status;
}

/* One launch whose jobs are all looked at. The first one's are what the others are predicted from. */
static gcast_status run_once(const launches *l, form *x, uint32_t held, gcast_smc_record *records)
{
    gcast_smc_outcome outcome;
    gcast_error err;
    gcast_status status = GCAST_OK;
    if (held)
        status = gcast_smc_session_hold(l->session, held, MIN_HOLD_NS + (int64_t)(3 * x->ns), &err);
    if (status == GCAST_OK)
        status = gcast_smc_session_run(l->session, 0, 0, &outcome, records, &err);
    if (status == GCAST_OK && held)
        status = gcast_smc_session_let_go(l->session, &err);
    if (status != GCAST_OK)
        return say_error(&err);
    if (records && !held && !x->runs && !outcome.repairs)
        status = predict_from_records(l, 0, x->plan, records, &x->predicted_ns);
    if (status == GCAST_OK && !form_add_run(x, &outcome, records))
        status = say_no_memory();
    gcast_smc_coverage_free(outcome.coverage);
    return status;
}

/* Are there as many workers with records on an SM as the plan wants? */
static bool can_record(const launches *l, const gcast_plan *plan)
{
    for (uint32_t s = 0; s < plan->sms; s++)
        if (plan->workers[s] > l->at[0].facts.holds_with_records)
            return false;
    return true;
}

static gcast_status run_all(const launches *l, forms *f, uint32_t runs, uint32_t held, progress *shown)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 1; i < f->count && status == GCAST_OK; i++) {
        form *x = &f->at[i];
        gcast_smc_record *records = calloc(x->plan->jobs, sizeof *records);
        gcast_error err;
        if (!records)
            return say_no_memory();
        status = gcast_smc_session_plan(l->session, 0, x->plan, &err);
        if (status == GCAST_OK)
            status = gcast_smc_session_same(l->session, 0, &x->is_same, &err);
        if (status != GCAST_OK)
            say_error(&err);
        for (uint32_t k = 0; k < runs && status == GCAST_OK; k++) {
            progress_show(shown, ((double)(i - 1) * runs + k) / ((double)(f->count - 1) * runs));
            status = run_once(l, x, held, can_record(l, x->plan) ? records : NULL);
        }
        free(records);
    }
    return status;
}

/* All forms in turn, so that what changes over time changes for all. */
static gcast_status time_all(const launches *l, forms *f, progress *shown)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < f->count && status == GCAST_OK; i++)
        status = launches_in_a_row(l, 0, f->at[i].plan, &f->at[i].in_a_row);
    for (int k = 0; k < ROUNDS && status == GCAST_OK; k++)
        for (size_t i = 0; i < f->count && status == GCAST_OK; i++) {
            form *x = &f->at[i];
            uint32_t missing;
            progress_show(shown, (double)k / ROUNDS);
            status = launches_time_row(l, 0, x->plan, x->in_a_row, &x->round[k], &missing);
            x->missing_when_timed += missing;
        }
    for (size_t i = 0; i < f->count && status == GCAST_OK; i++)
        f->at[i].ns = launches_median(f->at[i].round, ROUNDS);
    return status;
}

static gcast_status read_numbers(const args *a, const launches *l, int64_t *runs, int64_t *held)
{
    *runs = DEFAULT_RUNS;
    *held = 0;
    gcast_status status = args_int(a, "repeat", 0, MAX_RUNS, runs);
    return status == GCAST_OK ? args_int(a, "hold", 1, l->gpu->sms, held) : status;
}

gcast_status launch_alone(const launches *l)
{
    forms f;
    int64_t runs, held;
    progress shown;
    text out;
    gcast_status status = read_numbers(l->a, l, &runs, &held);
    if (status != GCAST_OK)
        return status;
    status = add_forms(&f, l);
    progress_start(&shown, "timing");
    if (status == GCAST_OK)
        status = time_all(l, &f, &shown);
    progress_next(&shown, "checking", 0);
    if (status == GCAST_OK)
        status = run_all(l, &f, (uint32_t)runs, (uint32_t)held, &shown);
    progress_end(&shown);
    text_open(&out, NULL, NULL);
    if (status == GCAST_OK && args_has(l->a, "json"))
        forms_json(&f, l, (uint32_t)held, &out);
    else if (status == GCAST_OK && !args_has(l->a, "quiet"))
        forms_table(&f, l, (uint32_t)held, &out);
    status = print_text(&out, status);
    forms_free(&f);
    return status;
}
