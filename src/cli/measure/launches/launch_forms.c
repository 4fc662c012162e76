#include "cli/measure/launches/launch_forms.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "report/tables/grid.h"

/* By SM, which tickets did jobs: workers beyond 64 x WORDS of an SM do not come up. */
#define WORDS 32

typedef struct sm_seen {
    uint64_t ticket[WORDS]; /* a bit per worker that did a job */
    uint32_t jobs;          /* that ran here */
    uint32_t workers;       /* bits of ticket */
} sm_seen;

static void note(sm_seen *s, uint32_t ticket)
{
    uint64_t bit = UINT64_C(1) << ticket % 64;
    s->jobs++;
    if (ticket / 64 >= WORDS || s->ticket[ticket / 64] & bit)
        return;
    s->ticket[ticket / 64] |= bit;
    s->workers++;
}

/* Did exactly the workers that the plan wants do jobs? Of queues a worker that comes late may find no job. */
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

/* By what the jobs' records say: did the planned workers do them, on the planned SMs? False without memory. */
static bool look_at_records(form *x, const gcast_smc_record *records, bool *is_planned)
{
    const gcast_plan *p = x->plan;
    sm_seen *seen = calloc(p->sms, sizeof *seen);
    *is_planned = true;
    if (!seen)
        return false;
    for (uint32_t j = 0; j < p->jobs; j++) {
        *is_planned = *is_planned && records[j].sm < p->sms;
        if (records[j].sm < p->sms)
            note(&seen[records[j].sm], records[j].ticket);
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

bool form_add_run(form *x, const gcast_smc_outcome *o, const gcast_smc_record *records)
{
    bool is_planned = true;
    if (records && !look_at_records(x, records, &is_planned))
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

void forms_table(forms *f, const launches *l, uint32_t held, text *out)
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
        text_printf(out, "another kernel holds %u SMs while runs are looked at\n", held);
    grid_open(&g, columns);
    for (size_t i = 0; i < f->count; i++)
        put_row(&g, &f->at[i], f->at[0].ns, m->facts.holds[0]);
    grid_text(&g, want_color(l->a), out);
    grid_close(&g);
}

void forms_json(forms *f, const launches *l, uint32_t held, text *out)
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

void forms_free(forms *f)
{
    for (size_t i = 0; i < f->count && f->owns_plans; i++)
        gcast_plan_free(f->at[i].plan);
}
