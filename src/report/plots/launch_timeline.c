/* gcast_launch_timeline: blocks of parents and children over time, what children wait for, and how many run. */
#include <stdio.h>
#include <stdlib.h>

#include "analyze/spawn/spawn_compare.h"
#include "base/api.h"
#include "base/integers.h"
#include "gridcast/names.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"
#include "report/canvas/picture_frame.h"
#include "report/canvas/time_axis.h"
#include "report/canvas/value_axis.h"
#include "report/format_names.h"
#include "report/plots/launch_phases.h"

#define WIDTH PX(960)
#define LEFT PX(70)
#define RIGHT PX(940)
#define BLOCKS_TOP PX(142)
#define BLOCKS_BOTTOM PX(342)
#define WAITS_TOP PX(382)
#define WAITS_BOTTOM PX(482)
#define KERNELS_TOP PX(522)
#define KERNELS_BOTTOM PX(592)
#define HEIGHT PX(642)
#define LEGEND_UP PX(9)         /* from the top of a panel to its legend */
#define BLOCKS_LEGEND_UP PX(28) /* with the marks of phases between */
#define PHASES 4
#define MAX_STACKED 5
#define LIMIT_LINE 0xcc0000u
#define PHASE_LINE 0x555555u

/* Series that are stacked in a panel, and their colours. */
typedef struct panel {
    const char *title;                /* beside the left axis */
    int32_t top, bottom;              /* of the panel */
    int32_t legend_up;                /* from its top to its legend */
    int count;                        /* of series */
    gcast_series series[MAX_STACKED]; /* from the lowest up */
    const char *name[MAX_STACKED];    /* in the legend */
    size_t colour[MAX_STACKED];       /* of palette_stream */
    int limit;                        /* a line at this height; 0: none */
    const char *limit_name;           /* what it is */
} panel;

typedef struct drawing {
    const gcast_run *run;         /* what is drawn */
    const gcast_launch_series *s; /* its series */
    gcast_launch_phases phases;   /* of its longest kernel with children */
    bool has_phases;              /* `phases` is set */
    canvas *c;                    /* what it is drawn on */
    int64_t end_ns;               /* of the time axis */
    canvas_point *outline;        /* room for the outline of an area */
} drawing;

static int32_t x_of(const drawing *d, int64_t ns)
{
    return LEFT + (int32_t)((double)min_i64(ns, d->end_ns) / (double)d->end_ns * (RIGHT - LEFT) + 0.5);
}

/* The mean of a bin. */
static double mean_at(const drawing *d, gcast_series which, uint32_t bin)
{
    return d->s->sum[which][bin] / (double)d->s->bin_ns;
}

/* The upper edge of the lowest `count` series of a panel in a bin. */
static double stacked(const drawing *d, const panel *p, int count, uint32_t bin)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += mean_at(d, p->series[i], bin);
    return sum;
}

static bool has_values(const drawing *d, gcast_series which)
{
    for (uint32_t i = 0; i < d->s->count; i++)
        if (d->s->sum[which][i] > 0)
            return true;
    return false;
}

/* The area of one series: along its upper edge and back along its lower one. */
static void draw_area(const drawing *d, const panel *p, const value_axis *axis, int which)
{
    size_t n = 0;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < d->s->count; i++) {
            uint32_t bin = side ? d->s->count - 1 - i : i;
            int32_t y = value_axis_y(axis, stacked(d, p, side ? which : which + 1, bin));
            int32_t x0 = x_of(d, (int64_t)bin * d->s->bin_ns), x1 = x_of(d, ((int64_t)bin + 1) * d->s->bin_ns);
            if (i && d->outline[n - 1].y == y) {
                d->outline[n - 1].x = side ? x0 : x1;
                continue;
            }
            d->outline[n++] = (canvas_point){side ? x1 : x0, y};
            d->outline[n++] = (canvas_point){side ? x0 : x1, y};
        }
    if (has_values(d, p->series[which]))
        canvas_polygon(d->c, d->outline, n, palette_stream(p->colour[which]), p->name[which]);
}

static void draw_legend(const drawing *d, const panel *p)
{
    int32_t x = LEFT, y = p->top - p->legend_up;
    for (int i = 0; i < p->count; i++) {
        if (!has_values(d, p->series[i]))
            continue;
        x = frame_key(d->c, x, y, palette_stream(p->colour[i]), p->name[i], PX(11), PX(14));
    }
    if (p->limit) {
        canvas_line(d->c, x, y - PX(4), x + PX(18), y - PX(4), LIMIT_LINE, PX(1), false);
        canvas_text(d->c, x + PX(24), y, p->limit_name, PX(11), CANVAS_LEFT, INK);
    }
}

static void draw_panel(const drawing *d, const panel *p)
{
    double highest = p->limit;
    for (uint32_t i = 0; i < d->s->count; i++) {
        double sum = stacked(d, p, p->count, i);
        highest = sum > highest ? sum : highest;
    }
    value_axis axis = value_axis_for(highest, 1, p->bottom - p->top > PX(120) ? 6 : 3, p->top, p->bottom);
    value_axis_draw(d->c, &axis, LEFT, RIGHT);
    for (int i = 0; i < p->count; i++)
        draw_area(d, p, &axis, i);
    if (p->limit) {
        int32_t y = value_axis_y(&axis, p->limit);
        canvas_line(d->c, LEFT, y, RIGHT, y, LIMIT_LINE, PX(1), false);
    }
    canvas_line(d->c, LEFT, p->bottom, RIGHT, p->bottom, INK, PX(1), false);
    canvas_text_up(d->c, PX(16), (p->top + p->bottom) / 2, p->title, PX(12), CANVAS_CENTRE, INK);
    draw_legend(d, p);
}

static void draw_time(const drawing *d)
{
    ticks t = ticks_for(0, d->end_ns, RIGHT - LEFT, PX(11));
    char label[48];
    for (int64_t ns = t.first; ns <= d->end_ns; ns += t.step) {
        time_in_unit(ns, t.unit, t.decimals, label, sizeof label);
        frame_tick(d->c, x_of(d, ns), KERNELS_BOTTOM, label, PX(11));
    }
    snprintf(label, sizeof label, "time (%s)", t.unit->name);
    canvas_text(d->c, (LEFT + RIGHT) / 2, KERNELS_BOTTOM + PX(37), label, PX(12), CANVAS_CENTRE, INK);
}

typedef struct phase_mark {
    int64_t ns;          /* when */
    const char *name;    /* at the top */
    const char *tooltip; /* what it means */
    int32_t label_x;     /* where the name begins */
} phase_mark;

/* The marks by time, with names that do not overlap. Returns their number. */
static int place_marks(const drawing *d, phase_mark marks[PHASES])
{
    const gcast_launch_phases *p = &d->phases;
    const phase_mark all[PHASES] = {{p->child_ns, "(i)", "the first block of a child starts", 0},
                                    {p->fewer_ns, "(ii)", "the last block of the parent starts", 0},
                                    {p->gone_ns, "(iii)", "the blocks of the parent have ended", 0},
                                    {p->end_ns, "(iiii)", "all is complete", 0}};
    int count = 0;
    for (int i = 0; i < PHASES; i++) {
        int k = count;
        if (all[i].ns < 0)
            continue;
        for (; k > 0 && marks[k - 1].ns > all[i].ns; k--)
            marks[k] = marks[k - 1];
        marks[k] = all[i];
        count++;
    }
    int32_t min_x = LEFT, max_x = WIDTH - PX(2);
    for (int i = 0; i < count; i++) {
        int32_t width = font_width(marks[i].name, PX(11));
        marks[i].label_x = (int32_t)max_i64(x_of(d, marks[i].ns) - width / 2, min_x);
        min_x = marks[i].label_x + width + PX(4);
    }
    for (int i = count; i-- > 0;) {
        int32_t width = font_width(marks[i].name, PX(11));
        marks[i].label_x = (int32_t)min_i64(marks[i].label_x, max_x - width);
        max_x = marks[i].label_x - PX(4);
    }
    return count;
}

static void draw_phases(const drawing *d)
{
    phase_mark marks[PHASES];
    int count = place_marks(d, marks);
    for (int i = 0; i < count; i++) {
        int32_t x = x_of(d, marks[i].ns), width = font_width(marks[i].name, PX(11));
        canvas_rect(d->c, marks[i].label_x, BLOCKS_TOP - PX(17), width, PX(12), 0xffffffu, CANVAS_NONE,
                    marks[i].tooltip);
        canvas_text(d->c, marks[i].label_x, BLOCKS_TOP - PX(7), marks[i].name, PX(11), CANVAS_LEFT, PHASE_LINE);
        canvas_line(d->c, x, BLOCKS_TOP - PX(4), x, BLOCKS_BOTTOM, PHASE_LINE, PX(1), false);
        canvas_line(d->c, x, WAITS_TOP, x, WAITS_BOTTOM, PHASE_LINE, PX(1), false);
        canvas_line(d->c, x, KERNELS_TOP, x, KERNELS_BOTTOM, PHASE_LINE, PX(1), false);
    }
}

static void draw_heading(const drawing *d, const char *title)
{
    const gcast_launch_phases *p = &d->phases;
    char name[LABEL_SIZE], gpu[LABEL_SIZE], label[LABEL_SIZE], line[2 * LABEL_SIZE + 160];
    frame_heading(d->c, LEFT, label_cut(title, LABEL_CHARS, name), label_cut(d->run->gpu->title, LABEL_CHARS, gpu));
    if (!d->has_phases)
        return;
    const char *op = d->run->workload->ops[d->run->ops[p->op].op].label;
    snprintf(line, sizeof line,
             "%s: (i) first child block starts, (ii) last parent block starts, (iii) parent blocks have ended, (iiii) "
             "complete",
             label_cut(op, 24, label));
    canvas_text(d->c, LEFT, PX(64), line, PX(12), CANVAS_LEFT, INK);
    snprintf(line, sizeof line, "from (iii) on, children are limited by %s", p->limit);
    if (*p->limit)
        canvas_text(d->c, LEFT, PX(82), line, PX(12), CANVAS_LEFT, INK);
}

static bool is_nested(const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].launches && w->ops[i].launches->child->launches)
            return true;
    return false;
}

static void draw_all(drawing *d, const char *title)
{
    kernel_limit limit = launch_kernel_limit(d->run);
    panel blocks = {.title = "resident blocks",
                    .top = BLOCKS_TOP,
                    .bottom = BLOCKS_BOTTOM,
                    .legend_up = BLOCKS_LEGEND_UP,
                    .count = 2,
                    .series = {GCAST_SERIES_PARENT_BLOCKS, GCAST_SERIES_CHILD_BLOCKS},
                    .name = {"blocks of parents", "blocks of children"},
                    .colour = {0, 1}};
    panel waits = {.title = "children waiting",
                   .top = WAITS_TOP,
                   .bottom = WAITS_BOTTOM,
                   .legend_up = LEGEND_UP,
                   .count = 4,
                   .series = {GCAST_SERIES_OVERHEAD, GCAST_SERIES_STREAM, GCAST_SERIES_POOL_WAIT, GCAST_SERIES_QUEUED},
                   .name = {"launch overhead", "for the stream", "for the pool", "in the EE queue"},
                   .colour = {9, 5, 7, 4}};
    panel kernels = {.title = "child kernels",
                     .top = KERNELS_TOP,
                     .bottom = KERNELS_BOTTOM,
                     .legend_up = LEGEND_UP,
                     .count = 1,
                     .series = {GCAST_SERIES_CHILD_KERNELS},
                     .name = {"child kernels that run"},
                     .colour = {1},
                     .limit = limit.kernels,
                     .limit_name = limit.name};
    if (is_nested(d->run->workload)) { /* children wait for their own children without a hardware queue */
        kernels.name[0] = "child kernels that run, or whose children do";
        kernels.limit = 0;
    }
    if (d->run->gpu->child_pool_grows) { /* else a child is in the pool all the time */
        waits.series[waits.count] = GCAST_SERIES_POOL;
        waits.name[waits.count] = "in the pool, for a hardware queue";
        waits.colour[waits.count++] = 10;
    }
    draw_heading(d, title);
    draw_panel(d, &blocks);
    draw_panel(d, &waits);
    draw_panel(d, &kernels);
    draw_time(d);
    if (d->has_phases)
        draw_phases(d);
}

gcast_status gcast_launch_timeline(const gcast_run *run, const char *title, gcast_format format, gcast_write_fn write,
                                   void *data, gcast_error *err)
{
    if (!run || !title || !write)
        return argument_missing(err);
    drawing d = {.run = run, .s = run->series};
    if (!canvas_writes(format))
        return format_refused("a timeline of launches", format, err);
    if (!d.s || !d.s->count || run->end_ns < 1)
        return gcast_error_set(err, GCAST_INPUT, NULL, "the run has no kernels that launch kernels");
    d.end_ns = run->end_ns;
    d.has_phases = gcast_launch_phases_find(run, &d.phases);
    d.outline = malloc((size_t)d.s->count * 4 * sizeof *d.outline);
    d.c = d.outline ? canvas_create(WIDTH, HEIGHT, "Launches over time") : NULL;
    if (d.c)
        draw_all(&d, title);
    free(d.outline);
    return canvas_end(d.c, format, write, data, err);
}
