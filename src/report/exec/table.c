#include "report/exec/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/exec/cost.h"
#include "report/exec/profile.h"
#include "report/exec/races.h"
#include "report/exec/times.h"
#include "report/tables/grid.h"

#define MAX_LINES 20 /* source lines in the table; CSV and JSON have all */
#define MAX_RUNS 200 /* of masks in the table; SVG has all */

typedef unsigned long long ull;

static void percent(text *t, uint64_t a, uint64_t b)
{
    uint64_t permille = exec_ratio(a, b, 1000);
    text_printf(t, "%llu.%llu %%", (ull)permille / 10, (ull)permille % 10);
}

/* "1.25 (5 sectors, 4 requests)", or "no requests". */
static void rate(text *t, const char *name, uint64_t count, uint64_t events, const char *count_name,
                 const char *event_name)
{
    uint64_t hundredths = exec_ratio(count, events, 100);
    text_printf(t, "  %-26s ", name);
    if (events)
        text_printf(t, "%llu.%02llu (%llu %s, %llu %s)\n", (ull)hundredths / 100, (ull)hundredths % 100, (ull)count,
                    count_name, (ull)events, event_name);
    else
        text_printf(t, "no %s\n", event_name);
}

/* "4x2 blocks", "1 block" */
static void dims(text *t, const uint32_t d[3], const char *unit)
{
    text_uint(t, d[0]);
    if (d[1] > 1 || d[2] > 1)
        text_printf(t, "x%u", d[1]);
    if (d[2] > 1)
        text_printf(t, "x%u", d[2]);
    text_printf(t, " %s%s", unit, (uint64_t)d[0] * d[1] * d[2] == 1 ? "" : "s");
}

/* Says which model was used, unless it is the usual one: a program counter per thread, for a target of sm_70 or
 * later. */
static void put_model(text *t, const gcast_exec *e)
{
    const gcast_simt_report *r = e->report;
    bool stack = r->model == GCAST_SIMT_STACK, is_option = e->options->model != GCAST_SIMT_BY_TARGET;
    if (!stack && (r->sm == 0 || r->sm >= GCAST_SIMT_VOLTA))
        return;
    text_printf(t, "  %-26s a program counter a %s, as %s Volta: ", "model", stack ? "warp" : "thread",
                stack ? "before" : "since");
    if (is_option)
        text_str(t, "asked for, ");
    text_printf(t, r->sm ? "the target is sm_%d\n" : "the target names none\n", r->sm);
}

static void put_contraction(text *t, const gcast_exec *e)
{
    uint32_t n = e->report->contracted;
    if (!n)
        return;
    text_printf(t, "  %-26s ", "contraction");
    if (e->options->contract == GCAST_SIMT_CONTRACT_OFF)
        text_printf(t, "off; ptxas makes %u sum%s one fma with a product\n", n, n == 1 ? "" : "s");
    else
        text_printf(t, "%u sum%s made one fma with a product, as ptxas does\n", n, n == 1 ? "" : "s");
}

static void put_totals(text *t, const gcast_exec *e)
{
    const gcast_simt_report *r = e->report;
    const gcast_simt_counts *c = &r->counts;
    text_printf(t, "  %-26s %llu, at most %llu in a warp\n", "warp instructions", (ull)c->instructions,
                (ull)r->max_warp_instructions);
    text_printf(t, "  %-26s ", "SIMT efficiency");
    percent(t, c->thread_instructions, c->instructions * WARP_LANES);
    text_printf(t, "\n  %-26s ", "a thread takes");
    if (e->registers)
        text_printf(t, "%u registers", e->registers);
    else
        text_printf(t, "about %u registers (estimated; 9 of 10 are within %u)", r->estimated_registers,
                    r->registers_margin);
    text_printf(t, ", %u bytes of local memory\n", r->local_bytes);
    text_printf(t, "  %-26s %u bytes of shared memory\n", "a block has", r->shared_bytes);
    if (r->one_by_one)
        text_printf(t, "  %-26s blocks exchange data, so they ran in turn\n", "order");
    put_contraction(t, e);
}

static void put_counts(text *t, const gcast_simt_counts *c)
{
    uint64_t lanes = c->instructions * WARP_LANES;
    text_printf(t, "  %-26s ", "lanes on another path");
    percent(t, c->lost_divergence, lanes);
    text_printf(t, "\n  %-26s ", "lanes that have returned");
    percent(t, c->lost_return, lanes);
    text_printf(t, "\n  %-26s ", "lanes without a thread");
    percent(t, c->lost_block, lanes);
    text_printf(t, "\n  %-26s %llu of %llu conditional ones\n", "divergent branches", (ull)c->divergent,
                (ull)c->branches);
    rate(t, "sectors a request", c->sectors, c->requests, "sectors", "requests of global memory");
    rate(t, "wavefronts a request", c->shared_wavefronts, c->shared_requests, "wavefronts",
         "requests of shared memory");
    rate(t, "rounds an atomic", c->atomic_rounds, c->atomics, "rounds", "atomics");
    rate(t, "waits a barrier", c->barrier_waits, c->barriers, "instructions until the last came", "arrivals of warps");
    text_str(t, "\ninstructions by kind\n");
    for (int m = 0; m < GCAST_SIMT_MIX; m++) {
        if (!c->mix[m])
            continue;
        text_printf(t, "  %-26s ", gcast_simt_mix_name((gcast_simt_mix)m));
        percent(t, c->mix[m], c->instructions);
        text_printf(t, " (%llu)\n", (ull)c->mix[m]);
    }
}

static void rate_cell(grid *g, int column, uint64_t a, uint64_t b)
{
    uint64_t hundredths = exec_ratio(a, b, 100);
    if (b)
        grid_print(g, column, "%llu.%02llu", (ull)hundredths / 100, (ull)hundredths % 100);
}

static void share_cell(grid *g, int column, uint64_t lanes, uint64_t instructions)
{
    uint64_t permille = exec_ratio(lanes, instructions * WARP_LANES, 1000);
    grid_print(g, column, "%llu.%llu", (ull)permille / 10, (ull)permille % 10);
}

static void put_lines(text *t, const gcast_simt_report *r)
{
    static const grid_column columns[] = {{"line", false},         {"PTX line", true},     {"instructions", true},
                                          {"efficiency %", true},  {"other path %", true}, {"returned %", true},
                                          {"no thread %", true},   {"divergent", true},    {"sectors/request", true},
                                          {"conflicts/req", true}, {NULL, false}};
    const gcast_simt_line **lines = exec_lines(r);
    grid g;
    if (!lines) {
        text_no_memory(t);
        return;
    }
    grid_open(&g, columns);
    for (uint32_t i = 0; i < r->lines && i < MAX_LINES; i++) {
        const gcast_simt_line *l = lines[i];
        const gcast_simt_counts *c = &l->counts;
        char place[300];
        const char *slash = l->file ? strrchr(l->file, '/') : NULL; /* compilers write full paths */
        snprintf(place, sizeof place, "%.280s:%u", slash ? slash + 1 : l->file ? l->file : "", l->line);
        grid_add(&g, GRID_PLAIN);
        grid_label(&g, 0, l->file ? place : "");
        grid_print(&g, 1, "%u", l->ptx_line);
        grid_print(&g, 2, "%llu", (ull)c->instructions);
        share_cell(&g, 3, c->thread_instructions, c->instructions);
        share_cell(&g, 4, c->lost_divergence, c->instructions);
        share_cell(&g, 5, c->lost_return, c->instructions);
        share_cell(&g, 6, c->lost_block, c->instructions);
        grid_print(&g, 7, "%llu", (ull)c->divergent);
        rate_cell(&g, 8, c->sectors, c->requests);
        rate_cell(&g, 9, c->shared_wavefronts - c->shared_requests, c->shared_requests);
    }
    text_str(t, "\nlines, the worst first\n");
    grid_text(&g, false, t);
    text_str(t, "efficiency: active lanes of a warp's 32; divergent: branches that went both ways\n"
                "sectors: pieces of 32 bytes of global memory; conflicts: rounds beyond the first of shared memory\n");
    if (r->lines > MAX_LINES)
        text_printf(t, "%u more lines; .csv and .json have all\n", r->lines - MAX_LINES);
    grid_close(&g);
    free(lines);
}

/* Lane 0 is at the left. */
static void draw_lanes(const gcast_exec *e, const gcast_simt_mask *m, char lanes[WARP_LANES + 1])
{
    const uint32_t *b = e->launch->block;
    uint32_t first = e->options->masks_of_warp * WARP_LANES, threads = b[0] * b[1] * b[2];
    for (uint32_t k = 0; k < WARP_LANES; k++)
        lanes[k] = m->active >> k & 1 ? '#' : m->returned >> k & 1 ? '-' : first + k < threads ? '.' : '_';
    lanes[WARP_LANES] = '\0';
}

static void put_masks(text *t, const gcast_exec *e)
{
    size_t count;
    mask_run *runs = exec_mask_runs(e->report, true, &count);
    if (!runs) {
        text_no_memory(t);
        return;
    }
    text_printf(t,
                "\nblock %u, warp %u: lanes from 0 on, # active, . on another path, - returned, _ no thread\n"
                "  line  PTX line  times  lanes\n",
                e->options->masks_of_block, e->options->masks_of_warp);
    for (size_t i = 0; i < count && i < MAX_RUNS; i++) {
        const gcast_simt_mask *m = &e->report->mask[runs[i].first];
        char lanes[WARP_LANES + 1], line[16] = "-";
        draw_lanes(e, m, lanes);
        if (m->source_line)
            snprintf(line, sizeof line, "%u", m->source_line);
        text_printf(t, "%6s%10u%7u  %s\n", line, m->ptx_line, runs[i].count, lanes);
    }
    if (count > MAX_RUNS)
        text_printf(t, "  %zu more; .svg draws all\n", count - MAX_RUNS);
    free(runs);
}

void exec_table(const gcast_exec *e, text *t)
{
    const gcast_simt_report *r = e->report;
    text_terminal(t, e->kernel);
    text_str(t, ": ");
    dims(t, e->launch->grid, "block");
    text_str(t, " of ");
    dims(t, e->launch->block, "thread");
    if (!r) {
        text_str(t, ", on the GPU\n");
        if (e->times)
            exec_times_table(e->times, t);
        return;
    }
    text_printf(t, ", %llu warp%s\n", (ull)r->warps, r->warps == 1 ? "" : "s");
    put_model(t, e);
    put_totals(t, e);
    if (e->cost)
        exec_cost_table(e->cost, t);
    if (e->options->profile) {
        put_counts(t, &r->counts);
        put_lines(t, r);
    }
    if (e->options->check_races)
        exec_races_table(e, t);
    if (e->options->max_masks)
        put_masks(t, e);
}
