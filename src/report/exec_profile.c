#include "report/exec_profile.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"
#include "model/exec.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"
#include "report/canvas/picture_frame.h"

uint64_t exec_ratio(uint64_t a, uint64_t b, uint64_t scale)
{
    return b ? (uint64_t)(((unsigned __int128)a * scale + b / 2) / b) : 0;
}

static int larger_first(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

static int by_cost(const void *x, const void *y)
{
    const gcast_simt_line *a = *(const gcast_simt_line *const *)x, *b = *(const gcast_simt_line *const *)y;
    int order = larger_first(a->counts.lost_divergence, b->counts.lost_divergence);
    if (!order)
        order = larger_first(a->counts.lost_return, b->counts.lost_return);
    if (!order)
        order = larger_first(a->counts.sectors + a->counts.shared_wavefronts,
                             b->counts.sectors + b->counts.shared_wavefronts);
    if (!order)
        order = larger_first(a->counts.instructions, b->counts.instructions);
    return order ? order : larger_first(b->ptx_line, a->ptx_line);
}

const gcast_simt_line **exec_lines(const gcast_simt_report *r)
{
    const gcast_simt_line **lines = malloc(((size_t)r->lines + 1) * sizeof *lines);
    for (uint32_t i = 0; lines && i < r->lines; i++)
        lines[i] = &r->line[i];
    if (lines)
        qsort(lines, r->lines, sizeof *lines, by_cost);
    return lines;
}

mask_run *exec_mask_runs(const gcast_simt_report *r, bool by_line, size_t *count)
{
    mask_run *runs = malloc(((size_t)r->masks + 1) * sizeof *runs);
    *count = 0;
    for (uint32_t i = 0; runs && i < r->masks; i++) {
        const gcast_simt_mask *m = &r->mask[i];
        bool same_run = i > 0 && m->active == m[-1].active && (!by_line || m->source_line == m[-1].source_line);
        if (by_line && !m->source_line) /* without source lines, a new PTX line begins a run */
            same_run = same_run && m->ptx_line == m[-1].ptx_line;
        if (same_run)
            runs[*count - 1].count++;
        else
            runs[(*count)++] = (mask_run){m->active, i, 1};
    }
    return runs;
}

/* exec_masks_draw draws a column per run of one mask and one line; if these are too many, per run of one mask; if these
 * are still too many, per equal share of the instructions, in shades of how often a lane is active. */

#define MIN_WIDTH PX(560)
#define LEFT PX(56)
#define RIGHT PX(976)
#define TOP PX(78)
#define LANE PX(9)
#define BOTTOM (TOP + WARP_LANES * LANE)
#define HEIGHT (BOTTOM + PX(56))
#define INSTRUCTION PX(16) /* greatest width of an instruction */
#define COLUMN (PX(1) / 2) /* least width of a column */
#define MAX_COLUMNS ((uint32_t)(RIGHT - LEFT) / COLUMN)
#define SHADES 8
#define ACTIVE 0x2f6fa8u
#define IDLE 0xe9edf1u
#define RETURNED 0xd3e5d0u
#define ABSENT 0xf7dfc4u

typedef struct plot {
    const gcast_exec *e; /* the launch */
    canvas *c;           /* what is drawn on */
    uint32_t lanes;      /* lanes of the warp that have a thread */
    int32_t right;       /* where the last instruction ends */
} plot;

/* On half pixels, so that there is no seam between columns. */
static int32_t x_of(const plot *p, uint32_t instruction)
{
    return LEFT + (int32_t)((int64_t)instruction * (p->right - LEFT) / p->e->report->masks / COLUMN) * COLUMN;
}

enum { NO_THREAD = -1, HAS_RETURNED = -2 };

/* How often the lane is active in the column, from 0, never, to SHADES, always; or why it cannot be. */
static int shade_of(const plot *p, const mask_run *column, uint32_t lane)
{
    const gcast_simt_mask *m = &p->e->report->mask[column->first];
    uint64_t active = 0;
    if (lane >= p->lanes)
        return NO_THREAD;
    if (m->returned >> lane & 1)
        return HAS_RETURNED;
    for (uint32_t i = 0; i < column->count; i++)
        active += m[i].active >> lane & 1;
    return (int)((active * SHADES + column->count / 2) / column->count);
}

static uint32_t colour_of(int shade)
{
    uint32_t rgb = 0;
    if (shade < 0)
        return shade == NO_THREAD ? ABSENT : RETURNED;
    for (int shift = 0; shift < 24; shift += 8) {
        int idle = IDLE >> shift & 255, active = ACTIVE >> shift & 255;
        rgb |= (uint32_t)(idle + (active - idle) * shade / SHADES) << shift;
    }
    return rgb;
}

static void describe(const plot *p, const mask_run *column, char *out, size_t size)
{
    const gcast_simt_mask *m = &p->e->report->mask[column->first];
    char line[32] = "", numbers[48];
    int lanes = 0;
    for (uint32_t mask = m->active; mask; mask &= mask - 1)
        lanes++;
    if (m->source_line)
        snprintf(line, sizeof line, "line %u, ", m->source_line);
    if (column->count > 1)
        snprintf(numbers, sizeof numbers, "instructions %u to %u", column->first, column->first + column->count - 1);
    else
        snprintf(numbers, sizeof numbers, "instruction %u", column->first);
    snprintf(out, size, "%s: %sPTX line %u, %d of %d lanes, mask 0x%08x", numbers, line, m->ptx_line, lanes, WARP_LANES,
             m->active);
}

/* Neighbouring lanes of one shade are one rectangle. */
static void draw_column(const plot *p, const mask_run *column)
{
    char tooltip[160];
    int32_t x = x_of(p, column->first), end = x_of(p, column->first + column->count);
    if (x == end)
        return;
    describe(p, column, tooltip, sizeof tooltip);
    for (uint32_t lane = 0, next; lane < WARP_LANES; lane = next) {
        int shade = shade_of(p, column, lane);
        for (next = lane + 1; next < WARP_LANES && shade_of(p, column, next) == shade;)
            next++;
        canvas_rect(p->c, x, TOP + (int32_t)lane * LANE, end - x, (int32_t)(next - lane) * LANE, colour_of(shade),
                    CANVAS_NONE, tooltip);
    }
}

static void draw_shares(const plot *p)
{
    uint32_t masks = p->e->report->masks;
    for (uint32_t i = 0; i < MAX_COLUMNS; i++) {
        uint32_t first = (uint32_t)((uint64_t)masks * i / MAX_COLUMNS);
        uint32_t next = (uint32_t)((uint64_t)masks * (i + 1) / MAX_COLUMNS);
        draw_column(p, &(mask_run){p->e->report->mask[first].active, first, next - first});
    }
}

static bool draw_columns(const plot *p)
{
    for (int by_line = 1; by_line >= 0; by_line--) {
        size_t count;
        mask_run *runs = exec_mask_runs(p->e->report, by_line, &count);
        if (!runs)
            return false;
        for (size_t i = 0; count <= MAX_COLUMNS && i < count; i++)
            draw_column(p, &runs[i]);
        free(runs);
        if (count <= MAX_COLUMNS)
            return true;
    }
    draw_shares(p);
    return true;
}

static void draw_axes(const plot *p)
{
    char label[32];
    uint32_t masks = p->e->report->masks, step = 1;
    static const uint32_t lanes[] = {0, 8, 16, 24, 31};
    for (size_t i = 0; i < sizeof lanes / sizeof lanes[0]; i++) {
        snprintf(label, sizeof label, "%u", lanes[i]);
        canvas_text(p->c, LEFT - PX(6), TOP + (int32_t)lanes[i] * LANE + PX(8), label, PX(11), CANVAS_RIGHT, INK);
    }
    for (int i = 0; x_of(p, step) - LEFT < PX(60) && step < masks; i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    for (uint64_t v = 0; v <= masks; v += step) {
        snprintf(label, sizeof label, "%llu", (unsigned long long)v);
        frame_tick(p->c, x_of(p, (uint32_t)v), BOTTOM, label, PX(11));
    }
    canvas_text(p->c, (LEFT + p->right) / 2, BOTTOM + PX(40), "instructions issued to the warp", PX(13), CANVAS_CENTRE,
                INK);
    canvas_text_up(p->c, PX(20), (TOP + BOTTOM) / 2, "lane", PX(13), CANVAS_CENTRE, INK);
}

static void draw_heading(const plot *p)
{
    static const struct {
        uint32_t rgb;
        const char *name;
    } keys[] = {{ACTIVE, "active"}, {IDLE, "on another path"}, {RETURNED, "has returned"}, {ABSENT, "no thread"}};
    const gcast_simt_report *r = p->e->report;
    char name[LABEL_SIZE], title[LABEL_SIZE + 96], line[96];
    uint64_t active = 0;
    uint32_t returned = 0;
    for (uint32_t i = 0; i < r->masks; i++) {
        returned |= r->mask[i].returned;
        for (uint32_t mask = r->mask[i].active; mask; mask &= mask - 1)
            active++;
    }
    uint64_t permille = exec_ratio(active, (uint64_t)r->masks * WARP_LANES, 1000);
    snprintf(title, sizeof title, "%s: block %u, warp %u", label_cut(p->e->kernel, LABEL_CHARS, name),
             p->e->options->masks_of_block, p->e->options->masks_of_warp);
    snprintf(line, sizeof line, "%u instructions, SIMT efficiency %llu.%llu %%", r->masks,
             (unsigned long long)permille / 10, (unsigned long long)permille % 10);
    frame_heading(p->c, LEFT, title, line);
    int32_t x = LEFT, y = PX(62);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if ((keys[i].rgb == RETURNED && !returned) || (keys[i].rgb == ABSENT && p->lanes >= WARP_LANES))
            continue;
        x = frame_key(p->c, x, y, keys[i].rgb, keys[i].name, PX(12), PX(12));
    }
}

gcast_status exec_masks_draw(const gcast_exec *e, gcast_format format, gcast_write_fn write, void *data,
                             gcast_error *err)
{
    if (!e->report || !e->report->masks)
        return gcast_error_set(err, GCAST_INPUT, NULL, "no masks were recorded: the launch has no such block and warp");
    const uint32_t *b = e->launch->block;
    uint32_t before = e->options->masks_of_warp * WARP_LANES, threads = b[0] * b[1] * b[2];
    int64_t wanted = (int64_t)e->report->masks * INSTRUCTION;
    int32_t right = wanted < RIGHT - LEFT ? (int32_t)(LEFT + wanted) : RIGHT, width = right + PX(24);
    plot p = {.e = e,
              .c = canvas_create(max_int(width, MIN_WIDTH), HEIGHT, "Active lanes of a warp over time"),
              .lanes = threads > before ? threads - before : 0,
              .right = right};
    if (!p.c)
        return gcast_error_set_memory(err);
    draw_heading(&p);
    if (!draw_columns(&p))
        canvas_no_memory(p.c);
    draw_axes(&p);
    return canvas_end(p.c, format, write, data, err);
}
