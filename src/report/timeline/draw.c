#include "report/timeline/draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "base/units.h"
#include "gridcast/names.h"
#include "model/run_op.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"
#include "report/canvas/picture_frame.h"
#include "report/run/display_names.h"
#include "report/run/hung_run.h"
#include "report/timeline/areas_draw.h"
#include "report/timeline/dependency_lines.h"
#include "report/timeline/job_rows.h"
#include "report/timeline/timeline.h"
#include "report/timeline/wait_lane.h"

/* blocks_draw and bars_draw draw rectangles. */

#define THIN PX(12) /* blocks lower than this are drawn as one box with equal blocks above them */
#define GAP 60      /* white between boxes */
#define PALE 3      /* the shade of a bar that waits */
#define MIN_SIDE 60 /* minimum width, so that a very short box can still be seen */

/* A rectangle of the picture. */
typedef struct box {
    int32_t x, y, w, h;
} box;

/* Draws the first that fits: the label, the name, the name upwards, or nothing. */
static void label_box(canvas *c, box b, uint32_t rgb, const char *label, const char *name)
{
    char fitting[LABEL_SIZE];
    int32_t size = b.h < PX(9) ? PX(7) : PX(8);
    if (b.h >= PX(13) && font_width(label, PX(10)) <= b.w - PX(4))
        size = PX(10);
    if (font_width(label, size) > b.w - PX(4))
        label = name;
    if (b.h >= PX(8) && font_fit_box(label, size, b.w, fitting))
        canvas_text(c, b.x + b.w / 2, b.y + b.h / 2 + font_drop(size), fitting, size, CANVAS_CENTRE, rgb);
    else if (b.w >= PX(9) && b.h > b.w && font_fit_box(name, PX(8), b.h, fitting))
        canvas_text_up(c, b.x + b.w / 2 + font_drop(PX(8)), b.y + b.h / 2, fitting, PX(8), CANVAS_CENTRE, rgb);
}

/* White gaps keep boxes apart, unless a box is so small that nothing would be left of it. */
static void draw_box(canvas *c, box b, uint32_t rgb, const char *label, const char *name, const char *tooltip)
{
    if (b.w > PX(2))
        b.w -= GAP;
    if (b.h > PX(2))
        b.h -= GAP;
    b.w = max_int(b.w, MIN_SIDE);
    b.h = max_int(b.h, MIN_SIDE);
    canvas_rect(c, b.x, b.y, b.w, b.h, rgb, CANVAS_NONE, tooltip);
    label_box(c, b, palette_on(rgb), label, name);
}

/* "end 9000 ns", or that it waits for ever. */
static void describe_end(const timeline *t, const span *s, char *out, size_t size)
{
    if (never_ends(t->run, s->op) && s->end == t->run->hang->time_ns)
        snprintf(out, size, "waits for ever: the run hangs at %lld ns", (long long)s->end);
    else
        snprintf(out, size, "end %lld ns", (long long)s->end);
}

/* Draws `count` blocks that lie on top of each other, s the lowest of them, as one box. */
static void draw_block(const timeline *t, const timeline_row *row, const span *s, uint32_t count, canvas *c)
{
    char name[LABEL_SIZE], label[LABEL_SIZE + 40], tip[LABEL_SIZE + 400];
    const gcast_run_op *o = &t->run->ops[s->op];
    timeline_name(t->run, s->op, name);
    uint32_t share = s->share * count;
    int32_t x = timeline_x(t, s->start), row_bottom = row->y + row->height;
    box b = {x, row_bottom - row_share_height(row, (uint64_t)s->place + share), timeline_x(t, s->end) - x, 0};
    b.h = row_bottom - row_share_height(row, s->place) - b.y;
    if (count > 1)
        snprintf(label, sizeof label, "%s x%u", name, count);
    else if (row->sms > 1)
        snprintf(label, sizeof label, "%s", name);
    else
        snprintf(label, sizeof label, "%s:%llu", name, (unsigned long long)s->block);
    char end[80];
    describe_end(t, s, end, sizeof end);
    const char *after = run_is_rest(t->run, s->op) ? ", after its children" : "";
    if (count == 1 && row->sms == 1)
        snprintf(tip, sizeof tip, "%s block %llu%s\n%s\nstart %lld ns\n%s", name, (unsigned long long)s->block, after,
                 row->label, (long long)s->start, end);
    else
        snprintf(tip, sizeof tip, "%s, %u of its blocks\n%s\nstart %lld ns\n%s", name, count, row->label,
                 (long long)s->start, end);
    draw_box(c, b, t->colour[o->op], label, name, tip);
}

/* How many spans from s on lie on top of each other, with one operation, start and end. */
static uint32_t stack_height(const span *s, const span *end)
{
    uint32_t n = 1;
    while (s + n < end && s[n].op == s->op && s[n].start == s->start && s[n].end == s->end &&
           s[n].place == s->place + n * s->share)
        n++;
    return n;
}

static void blocks_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    const span *s = row->spans.at, *end = row->spans.count ? s + row->spans.count : s;
    while (s < end) {
        uint32_t n = row_share_height(row, s->share) < THIN ? stack_height(s, end) : 1;
        draw_block(t, row, s, n, c);
        s += n;
    }
}

/* The x in a bar from which on a kernel has no block left and waits for its children; the bar's end: nowhere. */
static int32_t wait_for_children(const timeline *t, const span *s, box b)
{
    if (!run_op(t->run, s->op)->launches || !t->run->ops[s->op].blocks)
        return b.x + b.w;
    return min_int(timeline_x(t, run_blocks_end_ns(t->run, s->op)), b.x + b.w);
}

static void bars_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    for (size_t i = 0; i < row->spans.count; i++) {
        const span *s = &row->spans.at[i];
        const gcast_op *op = run_op(t->run, s->op);
        char name[LABEL_SIZE], label[LABEL_SIZE + 40], tip[LABEL_SIZE + 200];
        timeline_name(t->run, s->op, name);
        int32_t x = timeline_x(t, s->start), h = row->height / (int32_t)row->lanes;
        box b = {x, row->y + (int32_t)((int64_t)row->height * s->place / row->lanes), timeline_x(t, s->end) - x, h};
        snprintf(label, sizeof label, op->kind == GCAST_KIND_COPY ? "%s %s" : "%s", name,
                 gcast_name(GCAST_NAMES_DIRECTION, op->direction));
        char end[80];
        describe_end(t, s, end, sizeof end);
        snprintf(tip, sizeof tip, "%s %s\nstart %lld ns\n%s", gcast_name(GCAST_NAMES_KIND, op->kind), label,
                 (long long)s->start, end);
        uint32_t rgb = t->colour[t->run->ops[s->op].op];
        int32_t wait = wait_for_children(t, s, b);
        if (wait > b.x)
            draw_box(c, (box){b.x, b.y, wait - b.x, b.h}, rgb, label, name, tip);
        if (wait < b.x + b.w) {
            snprintf(tip, sizeof tip, "%s waits for its children\nend %lld ns", name, (long long)s->end);
            draw_box(c, (box){wait, b.y, b.x + b.w - wait, b.h}, palette_shade(rgb, PALE), "children", "", tip);
        }
    }
}

/* legend_draw writes the legend. */

#define SIZE PX(11)
#define LINE PX(18)
#define SQUARE PX(10)
#define MAX_LINES 3
#define NARROW PX(600) /* pictures up to this width may have twice as many lines */

/* Is this stream in the legend? In an overview, only streams that have a colour of their own are. */
static bool has_entry(const timeline *t, size_t stream)
{
    if (!t->overview)
        return t->used[stream];
    for (int k = 0; k < t->keys.count; k++)
        if (k != t->keys.others_key && run_op(t->run, t->keys.op_of[k])->stream == (int)stream)
            return true;
    return false;
}

/* How far the legend is written. */
typedef struct pen {
    canvas *c;       /* NULL: nothing is drawn, only its place is found */
    int32_t x, y;    /* where the next entry goes; y of the first line */
    int32_t right;   /* where lines end */
    int lines;       /* begun so far */
    int max_lines;   /* that there may be */
    size_t left_out; /* entries that did not fit */
} pen;

/* Makes room for something of this width, on a new line if need be; false: there is none. */
static bool fit_width(pen *p, int32_t width)
{
    if (p->left_out)
        return false;
    if (p->x + width > p->right - (p->lines == p->max_lines ? PX(70) : 0)) { /* the last line ends with "+N more" */
        if (p->lines == p->max_lines)
            return false;
        p->lines++;
        p->x = PX(12);
    }
    return true;
}

static int32_t base_line(const pen *p)
{
    return p->y + p->lines * LINE - PX(6);
}

static void add_entry(pen *p, const char *label, uint32_t rgb)
{
    int32_t width = SQUARE + PX(5) + font_width(label, SIZE) + PX(16);
    if (!fit_width(p, width)) {
        p->left_out++;
        return;
    }
    if (p->c) {
        canvas_rect(p->c, p->x, base_line(p) - PX(9), SQUARE, SQUARE, rgb, CANVAS_NONE, NULL);
        canvas_text(p->c, p->x + SQUARE + PX(5), base_line(p), label, SIZE, CANVAS_LEFT, INK);
    }
    p->x += width;
}

/* Adds all entries; `brief`: streams that have names are shown without their numbers. */
static void add_entries(const timeline *t, pen *p, bool brief)
{
    const gcast_workload *w = t->run->workload;
    int32_t marks = jobs_legend_draw(t, NULL, 0, 0);
    if (marks && fit_width(p, marks))
        p->x += jobs_legend_draw(t, p->c, p->x, base_line(p));
    for (size_t s = 0; s < w->stream_count; s++) {
        char name[LABEL_SIZE + 100], label[LABEL_SIZE];
        if (!has_entry(t, s))
            continue;
        if (p->left_out) {
            p->left_out++;
            continue;
        }
        (brief ? stream_short : stream_describe)(w, s, name, sizeof name);
        if (font_fit(name, SIZE, p->right - PX(120), label))
            add_entry(p, label, palette_stream(s));
    }
    for (size_t k = 0; k < w->child_count && !t->overview && t->shown.blocks; k++) {
        char name[LABEL_SIZE], cut[LABEL_SIZE];
        if (!t->launched[k])
            continue;
        snprintf(name, sizeof name, "%s: %" PRIu64 " %s", label_cut(w->ops[w->op_count + k].label, 30, cut),
                 t->launched[k], t->launched[k] == 1 ? "child" : "children");
        add_entry(p, name, t->colour[w->op_count + k]);
    }
    if (t->overview && t->keys.others_key >= 0)
        add_entry(p, t->keys.only_others ? "all streams" : "other streams",
                  t->keys.only_others ? ALL_COLOUR : OTHERS_COLOUR);
}

int32_t legend_draw(const timeline *t, canvas *c, int32_t y)
{
    pen start = {.x = PX(12), .y = y, .right = t->width - PX(12), .lines = 1}, p;
    start.max_lines = t->width < NARROW ? 2 * MAX_LINES : MAX_LINES;
    p = start;
    add_entries(t, &p, false);
    bool brief = p.left_out > 0;
    p = start;
    p.c = c;
    add_entries(t, &p, brief);
    if (c && p.left_out) {
        char count_text[40];
        snprintf(count_text, sizeof count_text, "+%zu more", p.left_out);
        canvas_text(c, p.x, base_line(&p), count_text, SIZE, CANVAS_LEFT, FAINT);
    }
    return p.lines * LINE + PX(4);
}

/* run_draw draws all of a timeline. */

#define GRID 0xd9dce1u
#define AXIS 0x555555u

static void draw_heading(const timeline *t, canvas *c)
{
    const gcast_run *run = t->run;
    char gpu[LABEL_SIZE], end[40], subtitle[LABEL_SIZE + 100];
    const char *ends = run->hang ? "HANGS" : "ends", *sms = run->gpu->sms == 1 ? "SM" : "SMs";
    units_format_time(run->hang ? run->hang->time_ns : run->end_ns, end, sizeof end);
    snprintf(subtitle, sizeof subtitle, "%s, %d %s, %s, %s at %s", label_cut(run->gpu->title, 40, gpu), run->gpu->sms,
             sms, run->source, ends, end);
    if (font_width(subtitle, PX(11)) > t->width - PX(24))
        snprintf(subtitle, sizeof subtitle, "%d %s, %s at %s", run->gpu->sms, sms, ends, end);
    frame_rows_heading(c, run->workload->name, subtitle);
    canvas_open(c, NULL, "legend");
    legend_draw(t, c, PX(48));
    canvas_close(c);
}

/* The numbers of the axis are below the launches. */
static int32_t axis_y(const timeline *t)
{
    return t->bottom + (t->mark_levels ? t->mark_levels * MARK_STEP + PX(8) : 0);
}

void timeline_grid_draw(const timeline *t, canvas *c)
{
    canvas_open(c, NULL, "grid");
    for (int64_t at = t->axis.first; at <= t->shown.end_ns; at += t->axis.step) {
        int32_t x = timeline_x(t, at);
        canvas_line(c, x, t->top, x, axis_y(t) + PX(4), GRID, 75, false);
        if (t->shown.end_ns - at < t->axis.step)
            break;
    }
    canvas_close(c);
}

void timeline_axis_draw(const timeline *t, canvas *c)
{
    int32_t y = axis_y(t) + PX(17);
    canvas_open(c, NULL, "axis");
    canvas_line(c, t->left, t->bottom, t->left + t->plot, t->bottom, AXIS, PX(1), false);
    for (int64_t at = t->axis.first; at <= t->shown.end_ns; at += t->axis.step) {
        char label[64];
        bool last = t->shown.end_ns - at < t->axis.step;
        time_in_unit(at, t->axis.unit, t->axis.decimals, label, sizeof label);
        int32_t x = timeline_x(t, at);
        canvas_text(c, x, y, label, PX(11), CANVAS_CENTRE, INK);
        if (last) {
            snprintf(label + strlen(label), 8, " ");
            canvas_text(c, x + font_width(label, PX(11)) / 2 + PX(3), y, t->axis.unit->name, PX(11), CANVAS_LEFT, INK);
            break;
        }
    }
    canvas_close(c);
}

static void draw_launches(const timeline *t, canvas *c)
{
    canvas_open(c, NULL, "launches");
    for (size_t i = t->marks.count; i-- > 0;) { /* of arrows at one place, the shorter ones are on top */
        const timeline_mark *m = &t->marks.at[i];
        size_t stream = run_op(t->run, m->op)->stream < 0 ? 0 : (size_t)run_op(t->run, m->op)->stream;
        uint32_t rgb = palette_stream(stream);
        int32_t y = t->bottom + PX(8) + (m->level + 1) * MARK_STEP - PX(3);
        canvas_line(c, m->x, y, m->x, t->bottom + 50, rgb, 150, true);
        if (m->label[0])
            canvas_text(c, m->x + PX(4), y, m->label, PX(10), CANVAS_LEFT, palette_dark(rgb));
    }
    canvas_close(c);
}

/* Says what heights mean, and how many launches and dependencies are not shown. */
static void draw_caption(const timeline *t, size_t hidden_links, canvas *c)
{
    const char *words = t->shown.blocks     ? ""
                        : !t->run->launches ? "no blocks: operations from start to end"
                        : !t->run->blocks_recorded
                            ? "no blocks: operations from start to end, which is that of their children"
                            : "no blocks: operations from start to end; pale: it waits for children";
    char line[200];
    for (size_t i = 0; i < t->rows.count; i++) {
        if (t->rows.at[i].kind == ROW_BLOCKS)
            words = "height of a block: its largest share of any resource of its SM";
        if (t->rows.at[i].kind == ROW_AREA)
            words = "height: share of the row's SMs that a kernel's blocks hold";
        if (t->rows.at[i].kind == ROW_BUSY)
            words = "height: part of the time that something runs there";
    }
    if (t->overview)
        words = "height: share of the threads of all SMs shown";
    if (t->shown.blocks && t->run->launches && !t->run->blocks_recorded)
        words = "blocks of children are not recorded in a window of time";
    snprintf(line, sizeof line, "%s", words);
    if (t->unmarked)
        snprintf(line, sizeof line, "%s%s%zu launches are not marked", words, words[0] ? "; " : "", t->unmarked);
    size_t length = strlen(line);
    if (hidden_links)
        snprintf(line + length, sizeof line - length, "%s%zu dependencies are not drawn", length ? "; " : "",
                 hidden_links);
    if (font_width(line, PX(9)) < t->left + t->plot - PX(8))
        canvas_text(c, t->left + t->plot, t->height - PX(6), line, PX(9), CANVAS_RIGHT, FAINT);
}

void timeline_row_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    static void (*const draw[])(const timeline *, const timeline_row *, canvas *) = {
        [ROW_BLOCKS] = blocks_draw, [ROW_AREA] = areas_draw, [ROW_USE] = use_draw,   [ROW_SHADES] = shades_draw,
        [ROW_BARS] = bars_draw,     [ROW_BUSY] = busy_draw,  [ROW_JOBS] = jobs_draw, [ROW_WAITS] = wait_lane_draw};
    char label[LABEL_SIZE];
    canvas_open(c, row->id, "row");
    if (font_fit(row->label, PX(11), t->left - PX(14), label))
        canvas_text(c, t->left - PX(8), row->y + row->height / 2 + PX(4), label, PX(11), CANVAS_RIGHT, INK);
    draw[row->kind](t, row, c);
    canvas_close(c);
}

canvas *timeline_draw(const timeline *t, gcast_error *err)
{
    char title[LABEL_SIZE];
    canvas *c = canvas_create(t->width, t->height, label_cut(t->run->workload->name, LABEL_CHARS, title));
    if (!c) {
        gcast_error_set_memory(err);
        return NULL;
    }
    draw_heading(t, c);
    for (size_t i = 0; i < t->rows.count; i++) {
        const timeline_row *row = &t->rows.at[i];
        canvas_rect(c, t->left, row->y, t->plot, row->height, ROW_GROUND, CANVAS_NONE, NULL);
    }
    timeline_grid_draw(t, c);
    for (size_t i = 0; i < t->rows.count; i++)
        timeline_row_draw(t, &t->rows.at[i], c);
    size_t hidden_links = dependency_lines_draw(t, c);
    timeline_axis_draw(t, c);
    draw_launches(t, c);
    int32_t list_y = axis_y(t) + PX(24);
    wait_list_draw(t, c, list_y + kernel_list_draw(t, c, list_y));
    draw_caption(t, hidden_links, c);
    return c;
}

gcast_status run_draw(const gcast_run *run, const gcast_report_options *options, canvas **out, gcast_error *err)
{
    timeline t;
    gcast_status status = timeline_make(&t, run, options, err);
    if (status)
        return status;
    *out = timeline_draw(&t, err);
    timeline_free(&t);
    return *out ? GCAST_OK : GCAST_RESOURCE;
}
