#include "cli/measure/measure_launches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/text.h"
#include "cli/components.h"
#include "cli/measure/launches.h"
#include "cli/measure/workers_curve.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "measure/smc/smc_session.h"
#include "report/grid.h"

/* A launch is measured in several forms: the original, and transformed with each of some plans. */

#define MAX_FORMS 8
#define MAX_SPANS 101   /* runs whose span is kept */
#define TICKET_WORDS 32 /* per SM: workers beyond 64 * TICKET_WORDS do not occur */

typedef struct form {
    const char *name;                  /* for the table */
    gcast_plan *plan;                  /* NULL: the original */
    uint32_t in_a_row;                 /* launches in a round */
    double round[LAUNCHES_MAX_ROUNDS]; /* mean time of a launch, by round */
    double ns;                         /* the median of the rounds */
    uint64_t missing_when_timed; /* jobs that did not run in launches that were timed, where nothing is repaired */
    bool is_same;                /* results are those of the original, bit by bit */
    /* of the runs that were looked at one by one */
    uint32_t runs;                     /* how many */
    uint32_t runs_short;               /* runs in which an SM got fewer workers than planned */
    uint32_t runs_repaired;            /* runs in which jobs were missing, and run by another launch */
    uint64_t jobs_repaired;            /* jobs that other launches ran, over all runs */
    uint32_t runs_as_planned;          /* runs in which exactly the planned workers did jobs, on the planned SMs only */
    uint32_t min_jobs, max_jobs;       /* per used SM */
    uint32_t min_workers, max_workers; /* per used SM: workers that did jobs */
    double predicted_ns;               /* span of later runs, from durations of jobs in the first run; 0: not known */
    double span_ns[MAX_SPANS];         /* of later runs: from the begin of the first job to the end of the last */
    size_t spans;                      /* how many spans there are */
} form;

typedef struct forms {
    form at[MAX_FORMS]; /* the original is the first */
    size_t count;       /* how many there are */
    bool owns_plans;    /* the plans are freed with the forms */
} forms;

/* What happened on an SM. */
typedef struct sm_seen {
    uint64_t ticket[TICKET_WORDS]; /* a bit per worker that did a job */
    uint32_t jobs;                 /* jobs that ran here */
    uint32_t workers;              /* bits set in `ticket` */
} sm_seen;

static void add_job(sm_seen *s, uint32_t ticket)
{
    uint64_t bit = UINT64_C(1) << ticket % 64;
    s->jobs++;
    if (ticket / 64 >= TICKET_WORDS || s->ticket[ticket / 64] & bit)
        return;
    s->ticket[ticket / 64] |= bit;
    s->workers++;
}

/* Did exactly the planned workers do jobs? A worker of a queue that starts late may find no job. */
static bool is_as_planned(const gcast_plan *p, const sm_seen *seen)
{
    if (p->mapping == GCAST_MAPPING_PERSISTENT)
        return true;
    for (uint32_t s = 0; s < p->sms; s++) {
        uint32_t jobs = p->first[s + 1] - p->first[s], wanted = min_u32(p->workers[s], jobs);
        if (seen[s].workers > p->workers[s])
            return false;
        if (!p->steal && (seen[s].jobs != jobs || (p->mapping != GCAST_MAPPING_QUEUES && seen[s].workers != wanted)))
            return false;
    }
    return true;
}

/* Did the planned workers do the jobs, on the planned SMs, by the jobs' records? False without memory. */
static bool check_records(form *x, const gcast_smc_record *records, bool *is_planned)
{
    const gcast_plan *p = x->plan;
    sm_seen *seen = calloc(p->sms, sizeof *seen);
    *is_planned = true;
    if (!seen)
        return false;
    for (uint32_t j = 0; j < p->jobs; j++) {
        *is_planned = *is_planned && records[j].sm < p->sms;
        if (records[j].sm < p->sms)
            add_job(&seen[records[j].sm], records[j].ticket);
    }
    for (uint32_t s = 0; s < p->sms; s++) {
        if (!seen[s].jobs)
            continue;
        bool is_first = !x->max_jobs;
        x->min_jobs = is_first ? seen[s].jobs : min_u32(x->min_jobs, seen[s].jobs);
        x->max_jobs = max_u32(x->max_jobs, seen[s].jobs);
        x->min_workers = is_first ? seen[s].workers : min_u32(x->min_workers, seen[s].workers);
        x->max_workers = max_u32(x->max_workers, seen[s].workers);
    }
    *is_planned = *is_planned && is_as_planned(p, seen);
    free(seen);
    return true;
}

static void add_span(form *x, const gcast_smc_record *records)
{
    uint64_t begin = UINT64_MAX, end = 0;
    for (uint32_t j = 0; j < x->plan->jobs; j++) {
        begin = min_u64(begin, records[j].begin_ns);
        end = max_u64(end, records[j].end_ns);
    }
    if (x->spans < MAX_SPANS)
        x->span_ns[x->spans++] = (double)(end - begin);
}

/* Adds a run; `records` NULL: it kept none. False without memory. */
static bool form_add_run(form *x, const gcast_smc_outcome *o, const gcast_smc_record *records)
{
    bool is_planned = true;
    if (records && !check_records(x, records, &is_planned))
        return false;
    if (records && x->runs && !o->repairs)
        add_span(x, records);
    x->runs++;
    x->runs_short += o->short_sms > 0;
    x->runs_repaired += o->repairs > 0;
    x->jobs_repaired += o->repaired;
    x->runs_as_planned += is_planned && !o->short_sms && !o->repairs;
    return true;
}

static void put_row(grid *g, form *x, double original_ns, uint32_t holds)
{
    grid_add(g, GRID_PLAIN);
    grid_cell(g, 0, x->name);
    grid_print(g, 2, "%.1f", x->ns / 1000);
    if (!x->plan) {
        grid_print(g, 1, "%u", holds);
        return;
    }
    grid_print(g, 1, x->min_workers == x->max_workers ? "%u" : "%u-%u", x->min_workers, x->max_workers);
    grid_print(g, 3, "%+.1f %%", (x->ns / original_ns - 1) * 100);
    grid_print(g, 4, x->min_jobs == x->max_jobs ? "%u" : "%u-%u", x->min_jobs, x->max_jobs);
    grid_print(g, 5, "%u", x->runs);
    grid_print(g, 6, "%u", x->runs_as_planned);
    grid_print(g, 7, "%u", x->runs_repaired);
    grid_cell(g, 8, x->is_same ? "yes" : "NO");
    if (x->predicted_ns > 0 && x->spans)
        grid_print(g, 9, "%+.1f %%", (x->predicted_ns / launches_median(x->span_ns, x->spans) - 1) * 100);
}

static void forms_table(forms *f, const launches *l, uint32_t held, text *out)
{
    static const grid_column columns[] = {{"form", false},      {"workers/SM", true}, {"time (us)", true},
                                          {"overhead", true},   {"jobs/SM", true},    {"runs", true},
                                          {"as planned", true}, {"repaired", true},   {"same result", true},
                                          {"predicted", true},  {NULL, false}};
    const measured_launch *m = &l->at[0];
    const uint32_t *b = m->file->block;
    grid g;
    text_str(out, l->gpu->title ? l->gpu->title : l->gpu->name);
    text_printf(out, ", %d SMs: ", l->gpu->sms);
    text_terminal(out, m->file->name);
    text_printf(out, ", %u jobs of %u threads; %u registers become %u, %u blocks per SM %u\n",
                m->file->grid[0] * m->file->grid[1] * m->file->grid[2], b[0] * b[1] * b[2], m->facts.registers[0],
                m->facts.registers[1], m->facts.holds[0], m->facts.holds[1]);
    if (held)
        text_printf(out, "another kernel occupies %u SMs while runs are checked\n", held);
    grid_open(&g, columns);
    for (size_t i = 0; i < f->count; i++)
        put_row(&g, &f->at[i], f->at[0].ns, m->facts.holds[0]);
    grid_text(&g, want_color(l->a), out);
    grid_close(&g);
}

/* gridcast.smc-measure/1 */
static void forms_json(forms *f, const launches *l, uint32_t held, text *out)
{
    const measured_launch *m = &l->at[0];
    text_str(out, "{\"schema\": \"gridcast.smc-measure/1\", \"gpu\": ");
    text_json(out, l->gpu->title ? l->gpu->title : l->gpu->name);
    text_printf(out, ", \"sms\": %d, \"launch\": ", l->gpu->sms);
    text_json(out, m->file->name);
    text_printf(out, ",\n \"registers\": [%u, %u], \"holds\": [%u, %u], \"held_sms\": %u, \"forms\": [",
                m->facts.registers[0], m->facts.registers[1], m->facts.holds[0], m->facts.holds[1], held);
    for (size_t i = 0; i < f->count; i++) {
        form *x = &f->at[i];
        text_printf(out, "%s\n  {\"form\": \"%s\", \"ns\": %.0f", i ? "," : "", x->name, x->ns);
        if (x->plan)
            text_printf(out,
                        ", \"overhead\": %.5f, \"same\": %s, \"missing_when_timed\": %llu, \"runs\": %u, \"short\": %u,"
                        " \"repaired\": %u, \"jobs_repaired\": %llu, \"as_planned\": %u, \"jobs_per_sm\": [%u, %u],"
                        " \"workers_per_sm\": [%u, %u]",
                        x->ns / f->at[0].ns - 1, x->is_same ? "true" : "false",
                        (unsigned long long)x->missing_when_timed, x->runs, x->runs_short, x->runs_repaired,
                        (unsigned long long)x->jobs_repaired, x->runs_as_planned, x->min_jobs, x->max_jobs,
                        x->min_workers, x->max_workers);
        if (x->predicted_ns > 0 && x->spans)
            text_printf(out, ", \"predicted_ns\": %.0f, \"span_ns\": %.0f", x->predicted_ns,
                        launches_median(x->span_ns, x->spans));
        text_char(out, '}');
    }
    text_str(out, "]}\n");
}

static void forms_free(forms *f)
{
    for (size_t i = 0; i < f->count && f->owns_plans; i++)
        gcast_plan_free(f->at[i].plan);
}

/* Each form runs alone on the GPU: timed first, then looked at run by run. */

#define ROUNDS 9           /* of timing, in which all forms take turns */
#define DEFAULT_RUNS 20    /* runs that are looked at one by one */
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

/* Runs one launch, and looks at all its jobs. The jobs of the first run predict the later ones. */
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

/* Does an SM hold as many workers with records as the plan wants? */
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

/* Times all forms in turn, so that changes over time affect all alike. */
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

/* Measures the only launch, and prints the result. Errors are printed. */
static gcast_status launch_alone(const launches *l)
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

gcast_status measure_launches(const args *a, const char *library)
{
    static const char *const allowed[] = {"launch", "plan", "hold",  "independent", "whole-warps", "repeat",
                                          "driver", "json", "quiet", "color",       "help",        NULL};
    launches l = {.a = a};
    if (a->operand_count)
        return say(GCAST_USAGE, "--launch takes no WORKLOAD");
    bool is_curve = args_has(a, "curve");
    gcast_status status = is_curve ? workers_curve_check(a) : args_only(a, "launch", allowed);
    if (status != GCAST_OK)
        return status;
    status = launches_read_all(&l);
    if (status == GCAST_OK)
        status = launches_open(&l, library);
    if (status == GCAST_OK)
        status = is_curve ? workers_curve(&l) : l.count > 1 ? component_corun.measure(&l) : launch_alone(&l);
    launches_close(&l);
    return status;
}
