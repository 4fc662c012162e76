/* A row per queue, the head at the left, for each time in turn. On an SM the width of a kernel is the share of the SM's
 * threads that its blocks have. */
#include "report/queues/queues_draw.h"

#include <stdio.h>

#include "base/minmax.h"
#include "base/text/units.h"
#include "model/run_op.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"

#define WIDTH PX(820)
#define LEFT PX(24)
#define CONTENTS_LEFT PX(190)
#define CONTENTS_WIDTH PX(600)
#define HEAD PX(58)
#define ROW PX(28)
#define BOX_HEIGHT PX(22)
#define BOX_WIDTH PX(100)
#define MAX_BOXES 5 /* of a queue; the last place is for how many more there are */
#define MAX_ROWS 48 /* of a time: beyond that empty ones are left out, then those at the end */
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

/* What is behind the name: blocks that are dispatched, or resident. */
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

/* Is there a row for it? There is not for what is empty, where there are many. */
static bool is_shown(const queue_rows *q, const queue_row *r)
{
    return r->count || q->rows.count <= MAX_ROWS;
}

static size_t shown_rows(const queue_rows *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->rows.count; i++)
        count += is_shown(q, &q->rows.at[i]);
    return count < MAX_ROWS ? count : MAX_ROWS;
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

gcast_status queues_draw(const queue_rows *times, size_t count, gcast_format format, gcast_write_fn write, void *data,
                         gcast_error *err)
{
    const gcast_run *run = times[0].run;
    char label[LABEL_SIZE];
    int32_t height = HEAD;
    for (size_t i = 0; i < count; i++)
        height += height_of(&times[i]);
    canvas *c = canvas_create(WIDTH, height, "Queues");
    if (!c)
        return gcast_error_set_memory(err);
    canvas_text(c, LEFT, PX(24), label_cut(*run->workload->name ? run->workload->name : "Queues", LABEL_CHARS, label),
                PX(16), CANVAS_LEFT, INK);
    canvas_text(c, LEFT, PX(42), label_cut(run->gpu->title, LABEL_CHARS, label), PX(12), CANVAS_LEFT, FAINT);
    canvas_text(c, CONTENTS_LEFT + CONTENTS_WIDTH, PX(42), "heads of queues are at the left; SMs by threads", SMALL,
                CANVAS_RIGHT, FAINT);
    int32_t top = HEAD;
    for (size_t i = 0; i < count; i++) {
        draw_time(c, &times[i], top);
        top += height_of(&times[i]);
    }
    gcast_status status = canvas_write(c, format, write, data, err);
    canvas_free(c);
    return status;
}
