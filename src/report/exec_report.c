/* gcast_exec_report: a launch that ran in the machine or on a GPU, as text, JSON (gridcast.exec/1), CSV of its source
 * lines, or a picture of a warp's active masks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/api.h"
#include "base/launch_given.h"
#include "base/text.h"
#include "gridcast/names.h"
#include "model/cost.h"
#include "model/exec.h"
#include "report/canvas/canvas.h"
#include "report/exec_profile.h"
#include "report/grid.h"

typedef unsigned long long ull;

/* These write what the cost model says about the blocks of a launch. */

static void exec_cost_table(const gcast_cost_summary *c, text *t)
{
    text_printf(t, "  %-26s %llu ns: %llu cycles (%llu to %llu) at %u MHz\n", "a block takes", (ull)c->median_ns,
                (ull)c->cycles.median, (ull)c->cycles.min, (ull)c->cycles.max, c->clock_mhz);
    text_printf(t, "  %-26s %s; %s for %u %% of the time, with %u block%s per SM\n", "because of",
                c->busy_percent >= 100 ? gcast_cost_unit(c->unit) : "waiting", gcast_cost_unit(c->unit),
                c->busy_percent, c->blocks_per_sm, c->blocks_per_sm == 1 ? "" : "s");
}

static void exec_cost_json(const gcast_cost_summary *c, text *t)
{
    text_printf(t,
                ",\n \"cost\": {\"clock_mhz\": %u, \"blocks_per_sm\": %u, \"median_ns\": %llu, "
                "\"cycles\": {\"least\": %llu, \"median\": %llu, \"most\": %llu}, \"unit\": \"%s\", "
                "\"busy_percent\": %u}",
                c->clock_mhz, c->blocks_per_sm, (ull)c->median_ns, (ull)c->cycles.min, (ull)c->cycles.median,
                (ull)c->cycles.max, gcast_cost_unit(c->unit), c->busy_percent);
}

/* These write when the blocks of a launch ran on a GPU: a row per block, and the spread of the cycles in each run. */

#define MAX_BLOCKS 40 /* rows of the table; .json has all blocks */

static void exec_times_table(const gcast_block_times *b, text *t)
{
    static const grid_column columns[] = {{"block", true}, {"SM", true},     {"start ns", true},
                                          {"ns", true},    {"cycles", true}, {NULL, false}};
    grid g;
    text_printf(t, "  %-26s %u per thread, with the clocks\n", "registers", b->registers);
    text_printf(t, "  %-26s", "cycles per block");
    for (uint32_t i = 0; i < b->runs; i++)
        text_printf(t, "%s%s %llu (%llu to %llu)%s", i ? ";" : "",
                    i == 0   ? " first"
                    : i == 1 ? " then"
                             : "",
                    (ull)b->run[i].median, (ull)b->run[i].min, (ull)b->run[i].max, i == b->shown ? " *" : "");
    text_printf(t, "\n\nblocks of the run with *\n");
    grid_open(&g, columns);
    for (uint64_t i = 0; i < b->blocks && i < MAX_BLOCKS; i++) {
        const gcast_block_time *time = &b->block[i];
        grid_add(&g, GRID_PLAIN);
        grid_print(&g, 0, "%llu", (ull)i);
        grid_print(&g, 1, "%u", time->sm);
        grid_print(&g, 2, "%llu", (ull)time->start_ns);
        grid_print(&g, 3, "%llu", (ull)(time->end_ns - time->start_ns));
        grid_print(&g, 4, "%llu", (ull)time->cycles);
    }
    grid_text(&g, false, t);
    grid_close(&g);
    if (b->blocks > MAX_BLOCKS)
        text_printf(t, "%llu more blocks; .json has all\n", (ull)(b->blocks - MAX_BLOCKS));
}

static void exec_times_json(const gcast_block_times *b, text *t)
{
    text_printf(t, ",\n \"times\": {\"registers\": %u, \"shown\": %u, \"runs\": [", b->registers, b->shown);
    for (uint32_t i = 0; i < b->runs; i++)
        text_printf(t, "%s{\"least\": %llu, \"median\": %llu, \"most\": %llu}", i ? ", " : "", (ull)b->run[i].min,
                    (ull)b->run[i].median, (ull)b->run[i].max);
    text_str(t, "],\n  \"blocks\": [");
    for (uint64_t i = 0; i < b->blocks; i++) {
        const gcast_block_time *time = &b->block[i];
        text_printf(t, "%s\n   {\"sm\": %u, \"start_ns\": %llu, \"end_ns\": %llu, \"cycles\": %llu}", i ? "," : "",
                    time->sm, (ull)time->start_ns, (ull)time->end_ns, (ull)time->cycles);
    }
    text_str(t, "]}");
}

/* These write the races between the threads of a kernel: both threads, what each does and where, and why nothing orders
 * them. */

#define MAX_SHOWN 20 /* races of a kind in the table; .json has all */

/* "3", "(3,0)" or "(3,0,0)": the index n in as many numbers as the launch has dimensions. */
static void put_index(text *t, uint64_t n, const uint32_t size[3])
{
    if (size[1] == 1 && size[2] == 1)
        text_printf(t, "%llu", (ull)n);
    else if (size[2] == 1)
        text_printf(t, "(%llu,%llu)", (ull)(n % size[0]), (ull)(n / size[0]));
    else
        text_printf(t, "(%llu,%llu,%llu)", (ull)(n % size[0]), (ull)(n / size[0] % size[1]),
                    (ull)(n / size[0] / size[1]));
}

static void put_access(text *t, const gcast_exec *e, const gcast_simt_access *a)
{
    const char *slash = a->file ? strrchr(a->file, '/') : NULL;
    text_str(t, "      block ");
    put_index(t, a->block, e->launch->grid);
    text_str(t, " thread ");
    put_index(t, a->thread, e->launch->block);
    text_str(t, a->writes ? " writes " : " reads ");
    if (a->instruction[0]) {
        text_str(t, "by ");
        text_terminal(t, a->instruction);
        text_char(t, ' ');
    }
    text_str(t, "at ");
    if (a->file) {
        text_terminal(t, slash ? slash + 1 : a->file);
        text_printf(t, ":%u, ", a->line);
    }
    text_printf(t, "PTX line %u\n", a->ptx_line);
}

static void put_race(text *t, const gcast_exec *e, const gcast_simt_race *r)
{
    if (r->shared) {
        text_printf(t, "  shared memory, byte %llu", (ull)r->address);
    } else {
        text_str(t, "  ");
        text_terminal(t, r->buffer ? r->buffer : "global memory");
        text_printf(t, ", byte %llu", (ull)r->address);
    }
    text_printf(t, ", %llu time%s\n", (ull)r->times, r->times == 1 ? "" : "s");
    put_access(t, e, &r->first);
    put_access(t, e, &r->second);
    text_str(t, "      ");
    text_terminal(t, r->why);
    text_char(t, '\n');
}

static void put_kind(text *t, const gcast_exec *e, gcast_race_kind kind, const char *singular, const char *plural)
{
    const gcast_simt_report *r = e->report;
    uint32_t count = 0, shown = 0;
    for (uint32_t i = 0; i < r->races + r->race_notes; i++)
        count += r->race[i].kind == kind;
    if (!count && kind != GCAST_RACE_UNORDERED)
        return;
    text_printf(t, "\n%u %s\n", count, count == 1 ? singular : plural);
    for (uint32_t i = 0; i < r->races + r->race_notes; i++)
        if (r->race[i].kind == kind && shown++ < MAX_SHOWN)
            put_race(t, e, &r->race[i]);
    if (count > MAX_SHOWN)
        text_printf(t, "  %u more; .json has all\n", count - MAX_SHOWN);
}

static void exec_races_table(const gcast_exec *e, text *t)
{
    put_kind(t, e, GCAST_RACE_UNORDERED, "race", "races");
    put_kind(t, e, GCAST_RACE_NOT_PROMISED, "pair of accesses in an order that CUDA does not promise",
             "pairs of accesses in an order that CUDA does not promise");
    put_kind(t, e, GCAST_RACE_SAME_VALUE, "pair of writes in no order, of the same value",
             "pairs of writes in no order, of the same value");
    if (e->report->races_cut)
        text_str(t, "some bytes were touched by so many warps that not all pairs were compared\n");
}

/* A JSON string, or null. */
static void put_string(text *t, const char *s)
{
    if (s && *s)
        text_json(t, s);
    else
        text_str(t, "null");
}

static void put_race_json(text *t, const gcast_simt_race *r)
{
    static const char *const kinds[] = {"unordered", "not promised", "same value"};
    const gcast_simt_access *a = &r->first, *b = &r->second;
    text_printf(t, "{\"kind\": \"%s\", \"block\": %llu, \"blocks\": [%llu, %llu], \"threads\": [%u, %u]",
                kinds[r->kind], (ull)a->block, (ull)a->block, (ull)b->block, a->thread, b->thread);
    text_printf(t, ", \"ptx_lines\": [%u, %u], \"writes\": [%s, %s]", a->ptx_line, b->ptx_line,
                a->writes ? "true" : "false", b->writes ? "true" : "false");
    text_str(t, ", \"instructions\": [");
    put_string(t, a->instruction);
    text_str(t, ", ");
    put_string(t, b->instruction);
    text_printf(t, "], \"memory\": \"%s\", \"buffer\": ", r->shared ? "shared" : "global");
    put_string(t, r->buffer);
    text_printf(t, ", \"address\": %llu, \"times\": %llu, \"why\": ", (ull)r->address, (ull)r->times);
    put_string(t, r->why);
    if (a->file || b->file) {
        text_str(t, ", \"files\": [");
        put_string(t, a->file);
        text_str(t, ", ");
        put_string(t, b->file);
        text_printf(t, "], \"lines\": [%u, %u]", a->line, b->line);
    }
    text_char(t, '}');
}

static void put_list(text *t, const char *name, const gcast_simt_race *race, uint32_t first, uint32_t count)
{
    text_printf(t, ",\n \"%s\": [", name);
    for (uint32_t i = first; i < first + count; i++) {
        text_str(t, i > first ? ",\n  " : "\n  ");
        put_race_json(t, &race[i]);
    }
    text_char(t, ']');
}

static void exec_races_json(const gcast_simt_report *r, text *t)
{
    put_list(t, "races", r->race, 0, r->races);
    put_list(t, "race_notes", r->race, r->races, r->race_notes);
    text_printf(t, ",\n \"races_cut\": %s", r->races_cut ? "true" : "false");
}

/* exec_table writes a launch as text for people: totals; with a profile all counts and the most expensive lines; races;
 * and a warp's active masks, run by run. */

#define MAX_LINES 20 /* source lines in the table; CSV and JSON have all */
#define MAX_RUNS 200 /* of masks in the table; SVG has all */

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
        text_printf(t, "  %-26s ", gcast_name(GCAST_NAMES_MIX, (gcast_simt_mix)m));
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

static void exec_table(const gcast_exec *e, text *t)
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

/* exec_json writes a launch as gridcast.exec/1, exec_csv its source lines as CSV (docs/formats.md). */

/* The single numbers of gcast_simt_counts, in the order in which they are written. */
#define COUNT_TABLE(X)                                                                                                 \
    X(instructions)                                                                                                    \
    X(thread_instructions)                                                                                             \
    X(lost_divergence)                                                                                                 \
    X(lost_return)                                                                                                     \
    X(lost_block)                                                                                                      \
    X(branches)                                                                                                        \
    X(divergent)                                                                                                       \
    X(requests)                                                                                                        \
    X(sectors)                                                                                                         \
    X(shared_requests)                                                                                                 \
    X(shared_wavefronts)                                                                                               \
    X(atomics)                                                                                                         \
    X(atomic_rounds)                                                                                                   \
    X(barriers)                                                                                                        \
    X(barrier_waits)

static const struct {
    const char *name;
    size_t offset;
} counts[] = {
#define X(name) {#name, offsetof(gcast_simt_counts, name)},
    COUNT_TABLE(X)
#undef X
};
#define COUNTS (sizeof counts / sizeof counts[0])

static const char *const mix_keys[] = {
#define X(name, text) #name,
    GCAST_SIMT_MIX_TABLE(X)
#undef X
};

static uint64_t count_at(const gcast_simt_counts *c, size_t i)
{
    return *(const uint64_t *)(const void *)((const char *)c + counts[i].offset);
}

static void put_counts_json(text *t, const gcast_simt_counts *c)
{
    text_char(t, '{');
    for (size_t i = 0; i < COUNTS; i++) {
        text_printf(t, "\"%s\": ", counts[i].name);
        text_uint(t, count_at(c, i));
        text_str(t, ", ");
    }
    text_str(t, "\"mix\": {");
    for (int m = 0, printed = 0; m < GCAST_SIMT_MIX; m++) {
        if (!c->mix[m])
            continue;
        text_printf(t, "%s\"%s\": ", printed++ ? ", " : "", mix_keys[m]);
        text_uint(t, c->mix[m]);
    }
    text_str(t, "}}");
}

static void put_line(text *t, const gcast_simt_line *l)
{
    text_str(t, "{\"file\": ");
    if (l->file)
        text_json(t, l->file);
    else
        text_str(t, "null");
    text_printf(t, ", \"line\": %u, \"ptx_line\": %u, \"counts\": ", l->line, l->ptx_line);
    put_counts_json(t, &l->counts);
    text_char(t, '}');
}

static void put_masks_json(text *t, const gcast_exec *e)
{
    size_t count;
    mask_run *runs = exec_mask_runs(e->report, true, &count);
    if (!runs) {
        text_no_memory(t);
        return;
    }
    text_printf(t, ",\n \"masks\": {\"block\": %u, \"warp\": %u, \"runs\": [", e->options->masks_of_block,
                e->options->masks_of_warp);
    for (size_t i = 0; i < count; i++) {
        const gcast_simt_mask *m = &e->report->mask[runs[i].first];
        text_printf(t, "%s\n  [%u, %u, \"%08x\", %u, \"%08x\"]", i ? "," : "", m->source_line, m->ptx_line, m->active,
                    runs[i].count, m->returned);
    }
    text_str(t, "]}");
    free(runs);
}

static void put_report(text *t, const gcast_exec *e)
{
    const gcast_simt_report *r = e->report;
    text_printf(t,
                ",\n \"model\": \"%s\", \"model_from\": \"%s\", \"sm\": %d, \"blocks\": %llu, \"warps\": %llu, "
                "\"most_warp_instructions\": %llu,\n",
                r->model == GCAST_SIMT_STACK ? "stack" : "threads",
                e->options->model == GCAST_SIMT_BY_TARGET ? "target" : "option", r->sm, (unsigned long long)r->blocks,
                (unsigned long long)r->warps, (unsigned long long)r->max_warp_instructions);
    text_printf(t, " \"declared_registers\": %u, \"estimated_registers\": %u", r->registers, r->estimated_registers);
    if (e->registers)
        text_printf(t, ", \"registers\": %u", e->registers);
    text_printf(t, ", \"shared_bytes\": %u, \"local_bytes\": %u, \"one_by_one\": %s,\n", r->shared_bytes,
                r->local_bytes, r->one_by_one ? "true" : "false");
    text_printf(t, " \"contract\": \"%s\", \"contracted\": %u,\n \"counts\": ",
                e->options->contract == GCAST_SIMT_CONTRACT_OFF ? "off" : "ptxas", r->contracted);
    put_counts_json(t, &r->counts);
    if (e->options->profile) {
        text_str(t, ",\n \"lines\": [");
        for (uint32_t i = 0; i < r->lines; i++) {
            text_str(t, i ? ",\n  " : "\n  ");
            put_line(t, &r->line[i]);
        }
        text_char(t, ']');
    }
    if (e->options->check_races)
        exec_races_json(r, t);
    if (e->options->max_masks)
        put_masks_json(t, e);
}

static void put_dims(text *t, const char *key, const uint32_t d[3])
{
    text_printf(t, ", \"%s\": [%u, %u, %u]", key, d[0], d[1], d[2]);
}

static void exec_json(const gcast_exec *e, text *t)
{
    const gcast_launch *l = e->launch;
    text_str(t, "{\"schema\": \"gridcast.exec/1\", \"source\": ");
    text_json(t, e->source);
    text_str(t, ", \"kernel\": ");
    text_json(t, e->kernel);
    put_dims(t, "grid", l->grid);
    put_dims(t, "block", l->block);
    text_printf(t, ", \"on\": \"%s\"", e->report ? "machine" : "gpu");
    if (e->report)
        put_report(t, e);
    if (e->cost)
        exec_cost_json(e->cost, t);
    if (e->times)
        exec_times_json(e->times, t);
    text_str(t, ",\n \"buffers\": [");
    for (uint32_t i = 0; i < l->buffers; i++) {
        const gcast_buffer *b = &l->buffer[i];
        text_str(t, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        text_json(t, b->name ? b->name : "a buffer");
        text_printf(t, ", \"bytes\": %zu, \"crc32\": \"%08lx\"}", b->bytes, crc32_z(0, b->data, b->bytes));
    }
    text_char(t, ']');
    if (e->printed) {
        text_str(t, ",\n \"printed\": ");
        text_json(t, e->printed);
    }
    text_str(t, "}\n");
}

static void exec_csv(const gcast_exec *e, text *t)
{
    text_str(t, "file,line,ptx_line");
    for (size_t i = 0; i < COUNTS; i++)
        text_printf(t, ",%s", counts[i].name);
    for (int m = 0; m < GCAST_SIMT_MIX; m++)
        text_printf(t, ",mix_%s", mix_keys[m]);
    text_char(t, '\n');
    for (uint32_t i = 0; e->report && i < e->report->lines; i++) {
        const gcast_simt_line *l = &e->report->line[i];
        text_csv(t, l->file ? l->file : "");
        text_printf(t, ",%u,%u", l->line, l->ptx_line);
        for (size_t k = 0; k < COUNTS; k++) {
            text_char(t, ',');
            text_uint(t, count_at(&l->counts, k));
        }
        for (int m = 0; m < GCAST_SIMT_MIX; m++) {
            text_char(t, ',');
            text_uint(t, l->counts.mix[m]);
        }
        text_char(t, '\n');
    }
}

gcast_status gcast_exec_report(const gcast_exec *given, gcast_format format, gcast_write_fn write, void *data,
                               gcast_error *err)
{
    if (!given || !given->source || !given->kernel || !given->launch || !given->options || !write)
        return argument_missing(err);
    gcast_simt_options options = gcast_simt_options_default();
    gcast_status status = options_copy(&options, sizeof options, given->options, "gcast_simt_options", err);
    if (status == GCAST_OK)
        status = launch_given(given->launch, err);
    if (status != GCAST_OK)
        return status;
    gcast_exec exec = *given;
    exec.options = &options;
    static void (*const writers[GCAST_FORMATS])(const gcast_exec *, text *) = {
        [GCAST_FORMAT_TABLE] = exec_table, [GCAST_FORMAT_CSV] = exec_csv, [GCAST_FORMAT_JSON] = exec_json};
    if (canvas_writes(format))
        return exec_masks_draw(&exec, format, write, data, err);
    if ((unsigned)format >= GCAST_FORMATS || !writers[format])
        return gcast_error_set(err, GCAST_USAGE, NULL, "a launch cannot be written as %s",
                               gcast_name(GCAST_NAMES_FORMAT, format));
    text t;
    text_open(&t, write, data);
    writers[format](&exec, &t);
    return text_finish(&t, err);
}
