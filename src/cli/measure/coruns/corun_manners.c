#include "cli/measure/coruns/corun_manners.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "cli/measure/coruns/corun_rows.h"
#include "cli/measure/coruns/corun_times.h"
#include "cli/output/print_text.h"
#include "cli/output/progress.h"
#include "cli/say.h"

#define LAUNCHES 10   /* of each kernel while all run, at least */
#define ROUNDS 5      /* of the time alone */
#define STEP 2        /* SMs of a TPC stay together */
#define BEST_STEPS 11 /* splits that the search of every split tries, about */
#define GREEN_PARTS 6 /* splits for green contexts are tried at each so many-th part of the SMs */

static const plan_form queues = {"queues", GCAST_MAPPING_QUEUES, false, true};

static corun_row *add_row(corun_rows *r, const char *manner)
{
    corun_row *row = &r->row[r->count++];
    *row = (corun_row){.manner = manner};
    return row;
}

static void score(corun_rows *r, corun_row *row)
{
    row->score = gcast_corun_score_make(r->l->count, r->alone_ns, row->ns);
}

static gcast_status run_streams(corun_rows *r)
{
    corun_row *row = add_row(r, "streams");
    gcast_error err;
    if (gcast_smc_session_together(r->l->session, r->l->count, GCAST_CORUN_STREAMS, NULL, LAUNCHES, row->ns,
                                   &row->missing, &err) != GCAST_OK)
        return say_error(&err);
    score(r, row);
    return GCAST_OK;
}

/* The best of some splits; two kernels only. */
static gcast_status run_green(corun_rows *r)
{
    corun_row best = {0};
    gcast_error err;
    uint32_t sms = (uint32_t)r->l->gpu->sms;
    for (uint32_t p = 1; p < GREEN_PARTS; p++) {
        corun_row row = {.manner = "green contexts", .has_split = true};
        row.config.sms[0] = max_u32(STEP, sms * p / GREEN_PARTS / STEP * STEP);
        row.config.sms[1] = sms - row.config.sms[0];
        if (gcast_smc_session_together(r->l->session, 2, GCAST_CORUN_GREEN, row.config.sms, LAUNCHES, row.ns,
                                       &row.missing, &err) != GCAST_OK)
            return say_error(&err);
        score(r, &row);
        if (p == 1 || row.score.antt < best.score.antt)
            best = row;
    }
    r->row[r->count++] = best;
    return GCAST_OK;
}

static gcast_status run_persistent(corun_rows *r)
{
    static const plan_form persistent = {"persistent", GCAST_MAPPING_PERSISTENT, false, false};
    corun_row *row = add_row(r, "persistent");
    gcast_status status = GCAST_OK;
    gcast_error err;
    for (uint32_t i = 0; i < r->l->count && status == GCAST_OK; i++) {
        gcast_plan *plan = NULL;
        status = launches_plan(r->l, i, &persistent, 0, NULL, 0, &plan);
        if (status == GCAST_OK && gcast_smc_session_plan(r->l->session, i, plan, &err) != GCAST_OK)
            status = say_error(&err);
        gcast_plan_free(plan);
    }
    if (status == GCAST_OK && gcast_smc_session_together(r->l->session, r->l->count, GCAST_CORUN_PLANS, NULL, LAUNCHES,
                                                         row->ns, &row->missing, &err) != GCAST_OK)
        status = say_error(&err);
    score(r, row);
    return status;
}

static gcast_corun_options search_options(const corun_rows *r)
{
    gcast_corun_options o = gcast_corun_options_default();
    o.kernels = r->l->count;
    o.sms = (uint32_t)r->l->gpu->sms;
    o.step = STEP;
    o.goal = GCAST_CORUN_ANTT;
    for (uint32_t i = 0; i < o.kernels; i++) {
        o.max_workers[i] = r->l->at[i].facts.holds[1];
        o.alone_ns[i] = r->alone_ns[i];
    }
    return o;
}

/* What the search says to be the best by times that were measured alone, and how long it takes in truth. */
static gcast_status run_predicted(corun_rows *r, corun_times *times)
{
    corun_row *row = add_row(r, "SM-centric, predicted split");
    gcast_corun_options o = search_options(r);
    gcast_corun_launches files = {.kernels = o.kernels};
    gcast_launch_time *own[GCAST_CORUN_MAX] = {0};
    gcast_corun found;
    gcast_error err;
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < o.kernels && status == GCAST_OK; i++) {
        status = corun_times_sample(r->l, i, &queues, &own[i]);
        files.launch[i] = r->l->at[i].file;
    }
    o.exhaustive = o.every_worker = o.kernels == 2;
    o.time = gcast_corun_predict;
    o.time_data = &files;
    if (status == GCAST_OK && gcast_corun_search(&o, &found, &err) != GCAST_OK)
        status = say_error(&err);
    if (status == GCAST_OK) {
        row->config = found.config;
        row->has_split = row->has_workers = true;
        memcpy(row->predicted_ns, found.together_ns, sizeof row->predicted_ns);
        if (corun_times_measure(times, &row->config, row->ns, &err) != GCAST_OK)
            status = say_error(&err);
    }
    if (status == GCAST_OK)
        score(r, row);
    for (uint32_t i = 0; i < o.kernels; i++) {
        r->l->at[i].file->times = NULL;
        r->l->at[i].file->time_count = 0;
        free(own[i]);
    }
    return status;
}

/* The search with measured times; `exhaustive`: every split in steps. */
static gcast_status run_searched(corun_rows *r, corun_times *times, const char *manner, bool exhaustive)
{
    corun_row *row = add_row(r, manner);
    gcast_corun_options o = search_options(r);
    gcast_corun found;
    gcast_error err;
    o.exhaustive = exhaustive;
    o.step = exhaustive ? max_u32(STEP, o.sms / BEST_STEPS / STEP * STEP) : STEP;
    o.time = corun_times_measure;
    o.time_data = times;
    if (gcast_corun_search(&o, &found, &err) != GCAST_OK)
        return say_error(&err);
    row->config = found.config;
    row->has_split = row->has_workers = true;
    row->tried = found.tried;
    memcpy(row->ns, found.together_ns, sizeof row->ns);
    score(r, row);
    return GCAST_OK;
}

static gcast_status run_all(corun_rows *r, progress *shown)
{
    corun_times times = {.l = r->l, .form = queues};
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < r->l->count && status == GCAST_OK; i++)
        status = launches_time(r->l, i, NULL, ROUNDS, &r->alone_ns[i]);
    if (status == GCAST_OK)
        status = run_streams(r);
    progress_show(shown, 0.1);
    if (status == GCAST_OK && r->l->count == 2)
        status = run_green(r);
    progress_show(shown, 0.2);
    if (status == GCAST_OK)
        status = run_persistent(r);
    progress_show(shown, 0.3);
    if (status == GCAST_OK)
        status = run_predicted(r, &times);
    progress_show(shown, 0.5);
    if (status == GCAST_OK)
        status = run_searched(r, &times, "SM-centric, searched split", false);
    progress_show(shown, 0.8);
    if (status == GCAST_OK && r->l->count == 2)
        status = run_searched(r, &times, "SM-centric, every split", true);
    r->missing = times.missing;
    return status;
}

gcast_status launches_together(const launches *l)
{
    corun_rows r = {.l = l};
    progress shown;
    text out;
    progress_start(&shown, "measuring co-runs");
    gcast_status status = run_all(&r, &shown);
    progress_end(&shown);
    text_open(&out, NULL, NULL);
    if (status == GCAST_OK && args_has(l->a, "json"))
        corun_rows_json(&r, &out);
    else if (status == GCAST_OK && !args_has(l->a, "quiet"))
        corun_rows_table(&r, &out);
    return print_text(&out, status);
}
