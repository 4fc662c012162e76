#include "papers/corun/corun_measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/number.h"
#include "base/text.h"
#include "cli/measure/launches.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "model/launch_file.h"
#include "papers/corun/corun.h"
#include "papers/corun/corun_session.h"
#include "report/grid.h"

#define SEARCH_LAUNCHES 10 /* minimum of launches of each kernel while all run */
#define SEARCH_ROUNDS 3    /* the median of these counts */
#define PARTS 4            /* samples are taken at 1 to 4 quarters of the SMs, and of the workers */

static gcast_status send_plan(const corun_times *t, uint32_t i, uint32_t workers, const uint32_t *sm, uint32_t sms,
                              gcast_error *err)
{
    gcast_plan *plan;
    gcast_status status = launches_make_plan(t->l, i, &t->form, workers, sm, sms, &plan, err);
    if (status == GCAST_OK)
        status = gcast_smc_session_plan(t->l->session, i, plan, err);
    gcast_plan_free(plan);
    return status;
}

/* Writes the SMs of a kernel, and returns how many they are. */
static uint32_t list_sms(const gcast_corun_config *config, uint32_t kernels, uint32_t sms, uint32_t kernel,
                         uint32_t *sm)
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
        uint32_t sms = list_sms(config, t->l->count, (uint32_t)t->l->gpu->sms, i, sm);
        status = send_plan(t, i, config->workers[i], sm, sms, err);
    }
    if (status == GCAST_OK)
        status = gcast_smc_session_together(t->l->session, t->l->count, GCAST_CORUN_PLANS, NULL, SEARCH_LAUNCHES,
                                            together_ns, &missing, err);
    t->missing += missing;
    return status;
}

/* Gives the launch file `times`, measured alone for some numbers of workers and SMs. *own is allocated for them, and
 * freed by the caller. Errors are printed. */
static gcast_status sample_times(const launches *l, uint32_t i, const plan_form *form, gcast_launch_time **own)
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
                break; /* an SM holds fewer than PARTS workers */
            list_sms(&(gcast_corun_config){.sms = {used, sms - used}}, 2, sms, 0, sm);
            status = launches_plan(l, i, form, workers, sm, used, &plan);
            if (status == GCAST_OK)
                status = launches_time(l, i, plan, SEARCH_ROUNDS, &ns);
            gcast_plan_free(plan);
            time[count++] = (gcast_launch_time){workers, used, max_i64(1, (int64_t)ns)};
        }
    l->at[i].file->times = time;
    l->at[i].file->time_count = count;
    return status;
}

/* Results are shown as a table or as JSON. */

#define MAX_CORUN_ROWS 8

/* A way to run the launches together. */
typedef struct corun_row {
    const char *manner;                   /* for the table */
    bool has_split, has_workers;          /* config.sms applies; config.workers applies */
    gcast_corun_config config;            /* SMs and workers of each kernel */
    uint32_t tried;                       /* configurations that were measured to find it; 0: no search */
    double ns[GCAST_CORUN_MAX];           /* by kernel: time of a launch */
    double predicted_ns[GCAST_CORUN_MAX]; /* by kernel: predicted time; 0: none */
    uint64_t missing;                     /* jobs that did not run */
    gcast_corun_score score;              /* against the originals alone */
} corun_row;

typedef struct corun_rows {
    const launches *l;                /* the launches */
    double alone_ns[GCAST_CORUN_MAX]; /* by kernel: time of the original alone */
    corun_row row[MAX_CORUN_ROWS];    /* in the order of the table */
    size_t count;                     /* how many rows there are */
    uint64_t missing;                 /* jobs that did not run, over all SM-centric co-runs */
} corun_rows;

#define LIST_SIZE 128

/* A number per kernel, such as "3, 5": `number`, or else `ns` in microseconds. */
static const char *list(char *out, const corun_rows *r, const uint32_t *number, const double *ns)
{
    char one[32];
    out[0] = '\0';
    for (uint32_t i = 0; i < r->l->count; i++) {
        if (ns)
            number_print(one, sizeof one, "%.1f", ns[i] / 1000);
        else
            snprintf(one, sizeof one, "%u", number[i]);
        size_t used = strlen(out);
        snprintf(out + used, LIST_SIZE - used, "%s%s", i ? ", " : "", one);
    }
    return out;
}

static void corun_rows_table(const corun_rows *r, text *out)
{
    static const grid_column columns[] = {{"manner", false}, {"SMs", true},  {"workers/SM", true}, {"times (us)", true},
                                          {"STP", true},     {"ANTT", true}, {NULL, false}};
    char words[LIST_SIZE];
    grid g;
    text_str(out, r->l->gpu->title ? r->l->gpu->title : r->l->gpu->name);
    text_printf(out, ", %d SMs:", r->l->gpu->sms);
    for (uint32_t i = 0; i < r->l->count; i++) {
        text_str(out, i ? " and " : " ");
        text_terminal(out, r->l->at[i].file->name);
        text_printf(out, " (alone %.1f us)", r->alone_ns[i] / 1000);
    }
    text_char(out, '\n');
    grid_open(&g, columns);
    for (size_t k = 0; k < r->count; k++) {
        const corun_row *x = &r->row[k];
        grid_add(&g, GRID_PLAIN);
        grid_cell(&g, 0, x->manner);
        if (x->has_split)
            grid_print(&g, 1, "%s", list(words, r, x->config.sms, NULL));
        if (x->has_workers)
            grid_print(&g, 2, "%s", list(words, r, x->config.workers, NULL));
        grid_print(&g, 3, "%s", list(words, r, NULL, x->ns));
        grid_print(&g, 4, "%.3f", x->score.stp);
        grid_print(&g, 5, "%.3f", x->score.antt);
    }
    grid_text(&g, want_color(r->l->a), out);
    grid_close(&g);
    if (r->missing)
        text_printf(
            out,
            "%llu jobs did not run in the co-runs that were tried: jobs are not repaired while times are measured\n",
            (unsigned long long)r->missing);
}

static void json_numbers(text *out, const char *key, const corun_rows *r, const uint32_t *number, const double *ns)
{
    text_printf(out, ", \"%s\": [", key);
    for (uint32_t i = 0; i < r->l->count; i++) {
        text_str(out, i ? ", " : "");
        if (ns)
            text_printf(out, "%.0f", ns[i]);
        else
            text_uint(out, number[i]);
    }
    text_char(out, ']');
}

/* gridcast.corun-measure/1 */
static void corun_rows_json(const corun_rows *r, text *out)
{
    text_str(out, "{\"schema\": \"gridcast.corun-measure/1\", \"gpu\": ");
    text_json(out, r->l->gpu->title ? r->l->gpu->title : r->l->gpu->name);
    text_printf(out, ", \"sms\": %d, \"kernels\": [", r->l->gpu->sms);
    for (uint32_t i = 0; i < r->l->count; i++) {
        text_str(out, i ? ", " : "");
        text_json(out, r->l->at[i].file->name);
    }
    text_char(out, ']');
    json_numbers(out, "alone_ns", r, NULL, r->alone_ns);
    text_printf(out, ", \"missing\": %llu, \"rows\": [", (unsigned long long)r->missing);
    for (size_t k = 0; k < r->count; k++) {
        const corun_row *x = &r->row[k];
        text_printf(out, "%s\n  {\"manner\": \"%s\", \"stp\": %.5f, \"antt\": %.5f, \"tried\": %u", k ? "," : "",
                    x->manner, x->score.stp, x->score.antt, x->tried);
        json_numbers(out, "ns", r, NULL, x->ns);
        if (x->has_split)
            json_numbers(out, "sms", r, x->config.sms, NULL);
        if (x->has_workers)
            json_numbers(out, "workers", r, x->config.workers, NULL);
        if (x->predicted_ns[0] > 0)
            json_numbers(out, "predicted_ns", r, NULL, x->predicted_ns);
        text_char(out, '}');
    }
    text_str(out, "]}\n");
}

/* Each way to run them together is measured. */

#define LAUNCHES 10   /* minimum of launches of each kernel while all run */
#define ROUNDS 5      /* of timing a kernel alone */
#define STEP 2        /* SMs of a TPC stay together */
#define BEST_STEPS 11 /* splits that the search of every split tries, about */
#define GREEN_PARTS 6 /* splits for green contexts are tried at 1 to 5 sixths of the SMs */

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

/* The best of some splits; for two kernels only. */
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

/* The best configuration by times measured alone, and its measured times. */
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
        status = sample_times(r->l, i, &queues, &own[i]);
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

/* Searches with measured times; `exhaustive`: tries every split in steps. */
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
