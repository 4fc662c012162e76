/* gcast_run_report_queues: the queues of a run at one time or several, as a table or as a picture. */
#include <stdio.h>
#include <stdlib.h>

#include "base/api.h"
#include "base/integers.h"
#include "base/text.h"
#include "base/units.h"
#include "gridcast/names.h"
#include "gridcast/report.h"
#include "model/run_op.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"
#include "report/canvas/picture_frame.h"
#include "report/format_names.h"
#include "report/grid.h"
#include "report/queue_rows.h"

/* queues_text writes the queues at one time as a table. */

#define MAX_ENTRIES 12   /* named per queue */
#define MAX_TEXT_ROWS 64 /* if there are more, empty ones are left out */

enum { QUEUE, CONTENTS };

static void put_entry(const queue_rows *q, const queue_row *r, const queue_entry *e, text *out)
{
    const gcast_run_op *o = &q->run->ops[e->run_op];
    const gcast_op *op = run_op(q->run, e->run_op);
    text_terminal(out, op->label);
    if (op->task != GCAST_ONCE)
        text_printf(out, "#%u", o->job);
    if (r->kind == QUEUE_EE)
        text_printf(out, " (%llu of %llu blocks dispatched)", (unsigned long long)e->blocks,
                    (unsigned long long)o->block_count);
    if (r->kind == QUEUE_SM)
        text_printf(out, " x %llu", (unsigned long long)e->blocks);
}

static void put_contents(const queue_rows *q, const queue_row *r, grid *g)
{
    text t;
    text_open(&t, NULL, NULL);
    for (size_t i = 0; i < r->count && i < MAX_ENTRIES; i++) {
        text_str(&t, i ? ", " : "");
        put_entry(q, r, &q->entries.at[r->first + i], &t);
    }
    if (r->count > MAX_ENTRIES)
        text_printf(&t, " and %zu more", r->count - MAX_ENTRIES);
    if (!r->count)
        text_char(&t, '-');
    else if (r->kind == QUEUE_SM)
        text_printf(&t, ": %lld of %d threads", (long long)queue_row_threads(q, r), q->run->gpu->limits.threads_per_sm);
    char *contents = text_take(&t, NULL);
    if (contents)
        grid_cell(g, CONTENTS, contents);
    else
        g->failed = true;
    free(contents);
}

static void queues_text(const queue_rows *q, bool color, text *out)
{
    static const grid_column columns[] = {{"queue", false}, {"contents, head first", false}, {NULL, false}};
    char time[40];
    size_t hidden = 0;
    grid g;
    units_format_time(q->at_ns, time, sizeof time);
    text_printf(out, "at %s\n", time);
    grid_open(&g, columns);
    for (size_t i = 0; i < q->rows.count; i++) {
        const queue_row *r = &q->rows.at[i];
        char title[64];
        if (!r->count && q->rows.count > MAX_TEXT_ROWS) {
            hidden++;
            continue;
        }
        queue_row_title(q, r, title, sizeof title);
        grid_add(&g, r->count ? GRID_PLAIN : GRID_DIM);
        grid_cell(&g, QUEUE, title);
        put_contents(q, r, &g);
    }
    grid_text(&g, color, out);
    grid_close(&g);
    if (hidden)
        text_printf(out, "and %zu that are empty\n", hidden);
}

/* queues_draw draws a row per queue, the head at the left, for each time in turn. On an SM the width of a kernel is the
 * share of the SM's threads that its blocks have. */

#define WIDTH PX(820)
#define LEFT PX(24)
#define CONTENTS_LEFT PX(190)
#define CONTENTS_WIDTH PX(600)
#define HEAD PX(58)
#define ROW PX(28)
#define BOX_HEIGHT PX(22)
#define BOX_WIDTH PX(100)
#define MAX_BOXES 5       /* per queue, before "and N more" */
#define MAX_DRAWN_ROWS 48 /* per time: if there are more, empty ones are left out, then the last ones */
#define TIME_HEAD PX(30)
#define TIME_FOOT PX(12)
#define SMALL PX(11)
#define FRAME 0xccccccu

static const char *entry_name(const queue_rows *q, const queue_entry *e, char out[LABEL_SIZE + 16])
{
    char label[LABEL_SIZE];
    const gcast_op *op = run_op(q->run, e->run_op);
    label_cut(op->label, 40, label);
    if (op->task == GCAST_ONCE)
        snprintf(out, LABEL_SIZE + 16, "%s", label);
    else
        snprintf(out, LABEL_SIZE + 16, "%s#%u", label, q->run->ops[e->run_op].job);
    return out;
}

/* What follows the name: the number of dispatched or of resident blocks. */
static void put_count(const queue_rows *q, const queue_row *r, const queue_entry *e, char *out, size_t size)
{
    *out = 0;
    if (r->kind == QUEUE_EE)
        snprintf(out, size, " %llu/%llu", (unsigned long long)e->blocks,
                 (unsigned long long)q->run->ops[e->run_op].block_count);
    else if (r->kind == QUEUE_SM)
        snprintf(out, size, " x %llu", (unsigned long long)e->blocks);
}

static void draw_box(canvas *c, const queue_rows *q, const queue_row *r, const queue_entry *e, int32_t x, int32_t y,
                     int32_t w)
{
    char name[LABEL_SIZE + 16], count[64], words[LABEL_SIZE + 96], cut[LABEL_SIZE];
    uint32_t fill = palette_stream((size_t)run_op(q->run, e->run_op)->stream);
    entry_name(q, e, name);
    put_count(q, r, e, count, sizeof count);
    snprintf(words, sizeof words, "%s%s", name, count);
    canvas_rect(c, x, y, w, BOX_HEIGHT, fill, 0xffffff, words);
    if (font_fit_box(name, SMALL, w - PX(6) - font_width(count, SMALL), cut)) {
        snprintf(words, sizeof words, "%s%s", cut, count);
        canvas_text(c, x + w / 2, y + PX(15), words, SMALL, CANVAS_CENTRE, palette_on(fill));
    }
}

static void draw_sm(canvas *c, const queue_rows *q, const queue_row *r, int32_t y)
{
    int64_t all = q->run->gpu->limits.threads_per_sm, used = 0;
    canvas_rect(c, CONTENTS_LEFT, y, CONTENTS_WIDTH, BOX_HEIGHT, 0xffffff, (int32_t)FRAME, NULL);
    for (size_t i = 0; i < r->count; i++) {
        const queue_entry *e = &q->entries.at[r->first + i];
        int64_t threads = (int64_t)e->blocks * run_op(q->run, e->run_op)->shape.threads;
        int64_t from = min_i64(used, all), to = min_i64(used + threads, all);
        int32_t x = CONTENTS_LEFT + (int32_t)(from * CONTENTS_WIDTH / all);
        draw_box(c, q, r, e, x, y, CONTENTS_LEFT + (int32_t)(to * CONTENTS_WIDTH / all) - x);
        used += threads;
    }
}

static void draw_queue(canvas *c, const queue_rows *q, const queue_row *r, int32_t y)
{
    canvas_line(c, CONTENTS_LEFT, y + BOX_HEIGHT, CONTENTS_LEFT + CONTENTS_WIDTH, y + BOX_HEIGHT, FRAME, PX(1), false);
    size_t shown = r->count > MAX_BOXES + 1 ? MAX_BOXES : r->count;
    int32_t x = CONTENTS_LEFT;
    for (size_t i = 0; i < shown; i++, x += BOX_WIDTH)
        draw_box(c, q, r, &q->entries.at[r->first + i], x, y, BOX_WIDTH - PX(4));
    if (shown < r->count) {
        char more[40];
        snprintf(more, sizeof more, "and %zu more", r->count - shown);
        canvas_text(c, x, y + PX(15), more, SMALL, CANVAS_LEFT, FAINT);
    }
}

/* Has the queue a row? Empty queues have none where there are many. */
static bool is_shown(const queue_rows *q, const queue_row *r)
{
    return r->count || q->rows.count <= MAX_DRAWN_ROWS;
}

static size_t shown_rows(const queue_rows *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->rows.count; i++)
        count += is_shown(q, &q->rows.at[i]);
    return count < MAX_DRAWN_ROWS ? count : MAX_DRAWN_ROWS;
}

static int32_t height_of(const queue_rows *q)
{
    return TIME_HEAD + (int32_t)(shown_rows(q) + (shown_rows(q) < q->rows.count)) * ROW + TIME_FOOT;
}

static void draw_time(canvas *c, const queue_rows *q, int32_t top)
{
    char words[96], time[40];
    size_t max_rows = shown_rows(q), drawn = 0;
    int32_t y = top + TIME_HEAD;
    units_format_time(q->at_ns, time, sizeof time);
    snprintf(words, sizeof words, "at %s", time);
    canvas_text(c, LEFT, top + PX(18), words, PX(14), CANVAS_LEFT, INK);
    for (size_t i = 0; i < q->rows.count && drawn < max_rows; i++) {
        const queue_row *r = &q->rows.at[i];
        if (!is_shown(q, r))
            continue;
        queue_row_title(q, r, words, sizeof words);
        canvas_text(c, LEFT, y + PX(15), words, PX(12), CANVAS_LEFT, r->count ? INK : FAINT);
        (r->kind == QUEUE_SM ? draw_sm : draw_queue)(c, q, r, y);
        drawn++;
        y += ROW;
    }
    if (drawn < q->rows.count) {
        snprintf(words, sizeof words, "%zu more, most of them empty, are not shown", q->rows.count - drawn);
        canvas_text(c, LEFT, y + PX(15), words, SMALL, CANVAS_LEFT, FAINT);
    }
}

/* As SVG, PNG or PDF. All times are of one run. */
static gcast_status queues_draw(const queue_rows *times, size_t count, gcast_format format, gcast_write_fn write,
                                void *data, gcast_error *err)
{
    const gcast_run *run = times[0].run;
    char title[LABEL_SIZE], gpu[LABEL_SIZE];
    int32_t height = HEAD;
    for (size_t i = 0; i < count; i++)
        height += height_of(&times[i]);
    canvas *c = canvas_create(WIDTH, height, "Queues");
    if (!c)
        return gcast_error_set_memory(err);
    frame_heading(c, LEFT, label_cut(*run->workload->name ? run->workload->name : "Queues", LABEL_CHARS, title),
                  label_cut(run->gpu->title, LABEL_CHARS, gpu));
    canvas_text(c, CONTENTS_LEFT + CONTENTS_WIDTH, PX(42), "heads of queues are at the left; SMs by threads", SMALL,
                CANVAS_RIGHT, FAINT);
    int32_t top = HEAD;
    for (size_t i = 0; i < count; i++) {
        draw_time(c, &times[i], top);
        top += height_of(&times[i]);
    }
    return canvas_end(c, format, write, data, err);
}

static gcast_status write_all(const queue_rows *all, size_t count, gcast_format format, bool color,
                              gcast_write_fn write, void *data, gcast_error *err)
{
    if (format != GCAST_FORMAT_TABLE)
        return queues_draw(all, count, format, write, data, err);
    text t;
    text_open(&t, write, data);
    for (size_t i = 0; i < count; i++) {
        text_str(&t, i ? "\n" : "");
        queues_text(&all[i], color, &t);
    }
    return text_finish(&t, err);
}

gcast_status gcast_run_report_queues(const gcast_run *run, const int64_t *times_ns, size_t count, gcast_format format,
                                     bool color, gcast_write_fn write, void *data, gcast_error *err)
{
    if (!run || !times_ns || !write)
        return argument_missing(err);
    if (!canvas_writes(format) && format != GCAST_FORMAT_TABLE)
        return format_refused("queues", format, err);
    if (run->workload->child_count)
        return gcast_error_set(err, GCAST_USAGE, NULL, "queues are not shown where kernels launch kernels");
    if (!count || !run->blocks_recorded)
        return gcast_error_set(err, GCAST_USAGE, NULL,
                               "queues are shown at one time or more, of a run with all blocks");
    queue_rows *all = calloc(count, sizeof *all);
    bool ok = all;
    for (size_t i = 0; ok && i < count; i++)
        ok = queue_rows_make(run, times_ns[i], &all[i]);
    gcast_status status = ok ? write_all(all, count, format, color, write, data, err) : gcast_error_set_memory(err);
    for (size_t i = 0; all && i < count; i++)
        queue_rows_free(&all[i]);
    free(all);
    return status;
}
