/* A warp's active masks over time: instructions from left to right, lanes from top
 * to bottom. Columns are runs of one mask and line, then of one mask, and where
 * there are more of these than fit, equal shares of the time in shades. */
#include <stdio.h>
#include <stdlib.h>

#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"
#include "report/exec/exec.h"

#define NARROWEST PX(560)
#define LEFT PX(56)
#define RIGHT PX(976)
#define TOP PX(78)
#define LANE PX(9)
#define BOTTOM (TOP + WARP_LANES * LANE)
#define HEIGHT (BOTTOM + PX(56))
#define WIDEST PX(16)      /* of one instruction */
#define COLUMN (PX(1) / 2) /* the narrowest */
#define MOST_COLUMNS ((uint32_t)(RIGHT - LEFT) / COLUMN)
#define SHADES 8
#define ACTIVE 0x2f6fa8u
#define IDLE 0xe9edf1u
#define RETURNED 0xd3e5d0u
#define ABSENT 0xf7dfc4u

typedef struct plot {
    const gcast_exec *e;
    canvas *to;
    uint32_t lanes; /* that have a thread */
    int32_t right;  /* where the last instruction ends */
} plot;

/* At half pixels, so that columns side by side show no seam. */
static int32_t x_of(const plot *p, uint32_t instruction)
{
    return LEFT + (int32_t)((int64_t)instruction * (p->right - LEFT) / p->e->report->masks / COLUMN) * COLUMN;
}

enum { NO_THREAD = -1, HAS_RETURNED = -2 };

/* The part of the column's instructions that the lane is active in, in SHADES, or why it is in none. */
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
        int from = IDLE >> shift & 255, to = ACTIVE >> shift & 255;
        rgb |= (uint32_t)(from + (to - from) * shade / SHADES) << shift;
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

/* Lanes side by side in one shade are one rectangle. */
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
        canvas_rect(p->to, x, TOP + (int32_t)lane * LANE, end - x, (int32_t)(next - lane) * LANE, colour_of(shade),
                    CANVAS_NONE, tooltip);
    }
}

static void draw_shares(const plot *p)
{
    uint32_t masks = p->e->report->masks;
    for (uint32_t i = 0; i < MOST_COLUMNS; i++) {
        uint32_t from = (uint32_t)((uint64_t)masks * i / MOST_COLUMNS);
        uint32_t to = (uint32_t)((uint64_t)masks * (i + 1) / MOST_COLUMNS);
        draw_column(p, &(mask_run){p->e->report->mask[from].active, from, to - from});
    }
}

static bool draw_columns(const plot *p)
{
    for (int by_line = 1; by_line >= 0; by_line--) {
        size_t count;
        mask_run *runs = exec_mask_runs(p->e->report, by_line, &count);
        if (!runs)
            return false;
        for (size_t i = 0; count <= MOST_COLUMNS && i < count; i++)
            draw_column(p, &runs[i]);
        free(runs);
        if (count <= MOST_COLUMNS)
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
        canvas_text(p->to, LEFT - PX(6), TOP + (int32_t)lanes[i] * LANE + PX(8), label, PX(11), CANVAS_RIGHT, INK);
    }
    for (int i = 0; x_of(p, step) - LEFT < PX(60) && step < masks; i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    for (uint64_t v = 0; v <= masks; v += step) {
        int32_t x = x_of(p, (uint32_t)v);
        canvas_line(p->to, x, BOTTOM, x, BOTTOM + PX(4), INK, PX(1), false);
        snprintf(label, sizeof label, "%llu", (unsigned long long)v);
        canvas_text(p->to, x, BOTTOM + PX(17), label, PX(11), CANVAS_CENTRE, INK);
    }
    canvas_text(p->to, (LEFT + p->right) / 2, BOTTOM + PX(40), "instructions issued to the warp", PX(13), CANVAS_CENTRE,
                INK);
    canvas_text_up(p->to, PX(20), (TOP + BOTTOM) / 2, "lane", PX(13), CANVAS_CENTRE, INK);
}

static void draw_heading(const plot *p)
{
    static const struct {
        uint32_t rgb;
        const char *what;
    } keys[] = {{ACTIVE, "active"}, {IDLE, "on another path"}, {RETURNED, "has returned"}, {ABSENT, "no thread"}};
    const gcast_simt_report *r = p->e->report;
    char name[LABEL_SIZE], line[LABEL_SIZE + 96];
    uint64_t active = 0;
    uint32_t returned = 0;
    for (uint32_t i = 0; i < r->masks; i++) {
        returned |= r->mask[i].returned;
        for (uint32_t mask = r->mask[i].active; mask; mask &= mask - 1)
            active++;
    }
    uint64_t permille = exec_ratio(active, (uint64_t)r->masks * WARP_LANES, 1000);
    snprintf(line, sizeof line, "%s: block %u, warp %u", label_cut(p->e->kernel, LABEL_CHARS, name),
             p->e->options->masks_of_block, p->e->options->masks_of_warp);
    canvas_text(p->to, LEFT, PX(24), line, PX(16), CANVAS_LEFT, INK);
    snprintf(line, sizeof line, "%u instructions, SIMT efficiency %llu.%llu %%", r->masks,
             (unsigned long long)permille / 10, (unsigned long long)permille % 10);
    canvas_text(p->to, LEFT, PX(42), line, PX(12), CANVAS_LEFT, FAINT);
    int32_t x = LEFT, y = PX(62);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if ((keys[i].rgb == RETURNED && !returned) || (keys[i].rgb == ABSENT && p->lanes >= WARP_LANES))
            continue;
        canvas_rect(p->to, x, y - PX(9), PX(10), PX(10), keys[i].rgb, CANVAS_NONE, NULL);
        canvas_text(p->to, x + PX(14), y, keys[i].what, PX(12), CANVAS_LEFT, INK);
        x += PX(14) + font_width(keys[i].what, PX(12)) + PX(12);
    }
}

gcast_status exec_masks_draw(const gcast_exec *e, gcast_format format, gcast_write_fn write, void *data,
                             gcast_error *err)
{
    if (!e->report || !e->report->masks)
        return gcast_error_set(err, GCAST_INPUT, NULL, "no masks were recorded: the launch has no such block and warp");
    const uint32_t *b = e->launch->block;
    uint32_t before = e->options->masks_of_warp * WARP_LANES, threads = b[0] * b[1] * b[2];
    int64_t wanted = (int64_t)e->report->masks * WIDEST;
    int32_t right = wanted < RIGHT - LEFT ? (int32_t)(LEFT + wanted) : RIGHT, width = right + PX(24);
    plot p = {.e = e,
              .to = canvas_create(width > NARROWEST ? width : NARROWEST, HEIGHT, "Active lanes of a warp over time"),
              .lanes = threads > before ? threads - before : 0,
              .right = right};
    if (!p.to)
        return gcast_error_set_memory(err);
    draw_heading(&p);
    gcast_status status = draw_columns(&p) ? GCAST_OK : gcast_error_set_memory(err);
    draw_axes(&p);
    if (status == GCAST_OK)
        status = canvas_write(p.to, format, write, data, err);
    canvas_free(p.to);
    return status;
}
