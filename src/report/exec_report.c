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
#include "report/format_names.h"
#include "report/grid.h"
#include "report/schemas.h"

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

#define SPREAD_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(count, least, true, s->min, "cycles of the fastest block")                                                   \
    FIELD(count, median, true, s->median, "of the median")                                                             \
    FIELD(count, most, true, s->max, "of the slowest")

FIELD_WRITER(put_spread, SPREAD_FIELDS, const gcast_block_spread *s)

#define COST_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(count, clock_mhz, true, c->clock_mhz, "clock of the SMs")                                                    \
    FIELD(count, blocks_per_sm, true, c->blocks_per_sm, "blocks that fit on an SM")                                    \
    FIELD(count, median_ns, true, c->median_ns, "time of the median block")                                            \
    FIELD(record, cycles, true, put_spread(j, &c->cycles), "cycles of blocks")                                         \
    FIELD(text, unit, true, gcast_cost_unit(c->unit), "busiest unit of the SM")                                        \
    FIELD(count, busy_percent, true, c->busy_percent, "how busy it is; from 100 on it limits the speed")

FIELD_WRITER(put_cost, COST_FIELDS, const gcast_cost_summary *c)

#define BLOCK_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(count, sm, true, time->sm, "its SM")                                                                         \
    FIELD(count, start_ns, true, time->start_ns, "start")                                                              \
    FIELD(count, end_ns, true, time->end_ns, "end")                                                                    \
    FIELD(count, cycles, true, time->cycles, "cycles between")

static void put_blocks(json_out *j, const gcast_block_times *b)
{
    for (size_t i = 0; i < b->blocks; i++) {
        const gcast_block_time *time = &b->block[i];
        PUT_ELEMENT(BLOCK_FIELDS);
    }
}

static void put_runs(json_out *j, const gcast_block_times *b)
{
    for (uint32_t i = 0; i < b->runs; i++)
        json_put_record(j, NULL, put_spread(j, &b->run[i]));
}

#define TIMES_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(count, registers, true, b->registers, "registers per thread, with the clocks")                               \
    FIELD(count, shown, true, b->shown, "index of the run that blocks are of")                                         \
    FIELD(list, runs, true, put_runs(j, b), "cycles of blocks, by run")                                                \
    LINE(list, blocks, true, put_blocks(j, b), "by block index")

FIELD_WRITER(put_times, TIMES_FIELDS, const gcast_block_times *b)

/* NULL if there is no text. */
static const char *given(const char *s)
{
    return s && *s ? s : NULL;
}

static void put_two(json_out *j, uint64_t first, uint64_t second)
{
    json_put_count(j, NULL, first);
    json_put_count(j, NULL, second);
}

static void put_two_bools(json_out *j, bool first, bool second)
{
    json_put_bool(j, NULL, first);
    json_put_bool(j, NULL, second);
}

static void put_two_texts(json_out *j, const char *first, const char *second)
{
    json_put_text(j, NULL, given(first));
    json_put_text(j, NULL, given(second));
}

#define RACE_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(text, kind, true, kinds[r->kind], "unordered; of notes: not promised or same value")                         \
    FIELD(count, block, true, a->block, "block of the first access")                                                   \
    FIELD(list, blocks, true, put_two(j, a->block, b->block), "blocks of both accesses")                               \
    FIELD(list, threads, true, put_two(j, a->thread, b->thread), "their threads")                                      \
    FIELD(list, ptx_lines, true, put_two(j, a->ptx_line, b->ptx_line), "their lines of the PTX")                       \
    FIELD(list, writes, true, put_two_bools(j, a->writes, b->writes), "true: it writes")                               \
    FIELD(list, instructions, true, put_two_texts(j, a->instruction, b->instruction), "null: a plain load or store")   \
    FIELD(text, memory, true, r->shared ? "shared" : "global", "shared or global")                                     \
    FIELD(text, buffer, true, given(r->buffer), "buffer of the launch")                                                \
    FIELD(count, address, true, r->address, "byte in it")                                                              \
    FIELD(count, times, true, r->times, "how often")                                                                   \
    FIELD(text, why, true, given(r->why), "why nothing orders them")                                                   \
    FIELD(list, files, a->file || b->file, put_two_texts(j, a->file, b->file), "source files")                         \
    FIELD(list, lines, a->file || b->file, put_two(j, a->line, b->line), "lines of these")

static void put_races(json_out *j, const gcast_simt_report *report, uint32_t first, uint32_t count)
{
    static const char *const kinds[] = {"unordered", "not promised", "same value"};
    for (uint32_t i = first; i < first + count; i++) {
        const gcast_simt_race *r = &report->race[i];
        const gcast_simt_access *a = &r->first, *b = &r->second;
        PUT_ELEMENT(RACE_FIELDS);
    }
}

static const char *const mix_keys[] = {
#define X(name, text) #name,
    GCAST_SIMT_MIX_TABLE(X)
#undef X
};

static void put_mix(json_out *j, const gcast_simt_counts *c)
{
    for (int m = 0; m < GCAST_SIMT_MIX; m++)
        if (c->mix[m])
            json_put_count(j, mix_keys[m], c->mix[m]);
}

/* The single numbers of gcast_simt_counts. */
#define COUNT_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(count, instructions, true, c->instructions, "instructions of warps")                                         \
    FIELD(count, thread_instructions, true, c->thread_instructions, "lanes: active ones, summed over instructions")    \
    FIELD(count, lost_divergence, true, c->lost_divergence, "lanes on another path")                                   \
    FIELD(count, lost_return, true, c->lost_return, "lanes that have returned")                                        \
    FIELD(count, lost_block, true, c->lost_block, "lanes without a thread")                                            \
    FIELD(count, branches, true, c->branches, "conditional branches")                                                  \
    FIELD(count, divergent, true, c->divergent, "of these, branches that went both ways")                              \
    FIELD(count, requests, true, c->requests, "requests of global memory")                                             \
    FIELD(count, sectors, true, c->sectors, "their sectors of 32 bytes")                                               \
    FIELD(count, shared_requests, true, c->shared_requests, "requests of shared memory")                               \
    FIELD(count, shared_wavefronts, true, c->shared_wavefronts, "their rounds")                                        \
    FIELD(count, atomics, true, c->atomics, "atomic operations")                                                       \
    FIELD(count, atomic_rounds, true, c->atomic_rounds, "their rounds")                                                \
    FIELD(count, barriers, true, c->barriers, "arrivals at barriers")                                                  \
    FIELD(count, barrier_waits, true, c->barrier_waits, "instructions before the last warp came")

#define COUNTS_FIELDS(FIELD, LINE)                                                                                     \
    COUNT_FIELDS(FIELD, LINE)                                                                                          \
    FIELD(record, mix, true, put_mix(j, c), "instructions by kind")

FIELD_WRITER(put_counts_json, COUNTS_FIELDS, const gcast_simt_counts *c)

#define PLACE_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(text, file, true, l->file, "source file; null: not known")                                                   \
    FIELD(count, line, true, l->line, "line of it")                                                                    \
    FIELD(count, ptx_line, true, l->ptx_line, "line of the PTX")
#define LINE_FIELDS(FIELD, LINE)                                                                                       \
    PLACE_FIELDS(FIELD, LINE)                                                                                          \
    FIELD(record, counts, true, put_counts_json(j, &l->counts), "as counts of the launch")
#define CSV_FIELDS(FIELD, LINE)                                                                                        \
    PLACE_FIELDS(FIELD, LINE)                                                                                          \
    COUNT_FIELDS(FIELD, LINE)

static void put_profile(json_out *j, const gcast_simt_report *r)
{
    for (size_t i = 0; i < r->lines; i++) {
        const gcast_simt_line *l = &r->line[i];
        PUT_ELEMENT(LINE_FIELDS);
    }
}

static void put_mask_runs(json_out *j, const gcast_simt_report *r)
{
    size_t count;
    mask_run *runs = exec_mask_runs(r, true, &count);
    if (!runs)
        text_no_memory(j->out);
    for (size_t i = 0; runs && i < count; i++) {
        const gcast_simt_mask *m = &r->mask[runs[i].first];
        json_line_at(j, 2);
        json_key(j, NULL);
        text_printf(j->out, "[%u, %u, \"%08x\", %u, \"%08x\"]", m->source_line, m->ptx_line, m->active, runs[i].count,
                    m->returned);
    }
    free(runs);
}

#define MASKS_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(count, block, true, e->options->masks_of_block, "the block")                                                 \
    FIELD(count, warp, true, e->options->masks_of_warp, "the warp in it")                                              \
    FIELD(list, runs, true, put_mask_runs(j, e->report),                                                               \
          "[line, ptx_line, mask, times, returned]; masks are hexadecimal, lane 0 lowest")

FIELD_WRITER(put_masks_json, MASKS_FIELDS, const gcast_exec *e)

static void put_dims(json_out *j, const uint32_t d[3])
{
    for (int i = 0; i < 3; i++)
        json_put_count(j, NULL, d[i]);
}

#define BUFFER_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(text, name, true, b->name ? b->name : "a buffer", "its name")                                                \
    FIELD(count, bytes, true, b->bytes, "size")                                                                        \
    FIELD(text, crc32, true, crc, "checksum of what it holds")

static void put_buffers(json_out *j, const gcast_launch *launch)
{
    for (size_t i = 0; i < launch->buffers; i++) {
        const gcast_buffer *b = &launch->buffer[i];
        char crc[9];
        snprintf(crc, sizeof crc, "%08lx", crc32_z(0, b->data, b->bytes));
        PUT_ELEMENT(BUFFER_FIELDS);
    }
}

#define EXEC_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(text, schema, true, "gridcast.exec/1", "the format")                                                         \
    FIELD(text, source, true, e->source, "PTX file")                                                                   \
    FIELD(text, kernel, true, e->kernel, "name of the kernel")                                                         \
    FIELD(list, grid, true, put_dims(j, e->launch->grid), "blocks in x, y and z")                                      \
    FIELD(list, block, true, put_dims(j, e->launch->block), "threads of a block")                                      \
    FIELD(text, on, true, r ? "machine" : "gpu",                                                                       \
          "machine or gpu; all but cost, times, buffers and printed are of the machine")                               \
    LINE(text, model, r, r->model == GCAST_SIMT_STACK ? "stack" : "threads", "of divergence: stack or threads")        \
    FIELD(text, model_from, r, by_target ? "target" : "option", "who chose it")                                        \
    FIELD(int, sm, r, r->sm, "target of the PTX")                                                                      \
    FIELD(count, blocks, r, r->blocks, "blocks that ran")                                                              \
    FIELD(count, warps, r, r->warps, "their warps")                                                                    \
    FIELD(count, most_warp_instructions, r, r->max_warp_instructions, "instructions of the warp that has most")        \
    LINE(count, declared_registers, r, r->registers, "registers that the PTX declares")                                \
    FIELD(count, estimated_registers, r, r->estimated_registers, "registers per thread that ptxas might need")         \
    FIELD(count, registers, r && e->registers, e->registers, "registers per thread, as given")                         \
    FIELD(count, shared_bytes, r, r->shared_bytes, "shared memory of a block")                                         \
    FIELD(count, local_bytes, r, r->local_bytes, "local memory of a thread")                                           \
    FIELD(bool, one_by_one, r, r->one_by_one, "blocks exchange data, so they ran in turn")                             \
    LINE(text, contract, r, is_off ? "off" : "ptxas", "off, or as ptxas contracts")                                    \
    FIELD(count, contracted, r, r->contracted, "sums made one fma with a product")                                     \
    LINE(record, counts, r, put_counts_json(j, &r->counts), "counts of the launch")                                    \
    LINE(list, lines, r && e->options->profile, put_profile(j, r), "counts by source line")                            \
    LINE(list, races, has_races, put_races(j, r, 0, r->races), "pairs of accesses that nothing orders")                \
    LINE(list, race_notes, has_races, put_races(j, r, r->races, r->race_notes), "pairs that may be meant so")          \
    LINE(bool, races_cut, has_races, r->races_cut, "not all pairs were compared")                                      \
    LINE(record, masks, r && e->options->max_masks, put_masks_json(j, e), "active lanes of a warp over time")          \
    LINE(record, cost, e->cost, put_cost(j, e->cost), "time of a block by the cost model")                             \
    LINE(record, times, e->times, put_times(j, e->times), "times of blocks on a GPU")                                  \
    LINE(list, buffers, true, put_buffers(j, e->launch), "buffers after the launch")                                   \
    LINE(text, printed, e->printed, e->printed, "what the kernel printed")

const record exec_schema[] = {RECORD("", EXEC_FIELDS),
                              RECORD("counts", COUNTS_FIELDS),
                              RECORD("lines", LINE_FIELDS),
                              RECORD("races", RACE_FIELDS),
                              RECORD("masks", MASKS_FIELDS),
                              RECORD("cost", COST_FIELDS),
                              RECORD("cost.cycles", SPREAD_FIELDS),
                              RECORD("times", TIMES_FIELDS),
                              RECORD("times.runs", SPREAD_FIELDS),
                              RECORD("times.blocks", BLOCK_FIELDS),
                              RECORD("buffers", BUFFER_FIELDS),
                              {NULL, NULL}};
const record exec_csv_schema[] = {RECORD("", CSV_FIELDS), {NULL, NULL}};

static void exec_json(const gcast_exec *e, text *t)
{
    const gcast_simt_report *r = e->report;
    bool by_target = e->options->model == GCAST_SIMT_BY_TARGET,
         is_off = e->options->contract == GCAST_SIMT_CONTRACT_OFF;
    bool has_races = r && e->options->check_races;
    json_out *j = &(json_out){.out = t, .indent = 1};
    PUT_DOCUMENT(EXEC_FIELDS);
}

static void exec_csv(const gcast_exec *e, text *out)
{
    text_str(out, COLUMNS(CSV_FIELDS));
    for (int m = 0; m < GCAST_SIMT_MIX; m++)
        text_printf(out, ",mix_%s", mix_keys[m]);
    text_char(out, '\n');
    for (uint32_t i = 0; e->report && i < e->report->lines; i++) {
        const gcast_simt_line *l = &e->report->line[i];
        const gcast_simt_counts *c = &l->counts;
        bool is_first = true;
        PUT_COLUMNS(CSV_FIELDS);
        for (int m = 0; m < GCAST_SIMT_MIX; m++) {
            text_char(out, ',');
            text_uint(out, c->mix[m]);
        }
        text_char(out, '\n');
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
        return format_refused("a launch", format, err);
    text t;
    text_open(&t, write, data);
    writers[format](&exec, &t);
    return text_finish(&t, err);
}
