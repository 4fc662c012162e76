/* Where kernels are too many to be seen: the threads in use over time, SMs in shades
 * of that, and below the kernels that hold most. */
#include <stdio.h>

#include "model/workload/edit.h"
#include "report/canvas/palette.h"
#include "report/run/sm_share.h"
#include "report/timeline/boxes.h"

#define SHADES 12
#define DARK 0x12406bu
#define SIZE PX(11)
#define LINE PX(17)
#define BAR_ROOM PX(240)

static void percent(uint32_t share, char out[24])
{
    uint32_t permille = (uint32_t)(((uint64_t)share * 1000 + SHARE_ALL / 2) / SHARE_ALL);
    if (permille % 10)
        snprintf(out, 24, "%u.%u %%", permille / 10, permille % 10);
    else
        snprintf(out, 24, "%u %%", permille / 10);
}

void use_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    for (int i = 1; i <= 2; i++) { /* half and all of the scale */
        char label[24];
        int32_t y = row->y + row->height - row->height * i / 2;
        percent(row->full * (uint32_t)i / 2, label);
        canvas_line(c, t->left, y, t->left + t->plot, y, FAINT, 50, false);
        canvas_text(c, t->left + t->plot + PX(3), y + PX(4), label, PX(9), CANVAS_LEFT, FAINT);
    }
    areas_draw(t, row, c);
}

static uint32_t shade_colour(uint32_t shade)
{
    uint32_t rgb = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        int from = 0xff, to = DARK >> shift & 255;
        rgb |= (uint32_t)(from + (to - from) * (int)shade / SHADES) << shift;
    }
    return rgb;
}

static uint32_t shade_of(const timeline_row *row, int column)
{
    uint32_t held = area_top(&row->held, 0, column);
    return held ? 1 + (uint32_t)((uint64_t)held * (SHADES - 1) / row->full) : 0;
}

/* Columns side by side in one shade are one rectangle. */
void shades_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    const bins *columns = &row->held.columns;
    for (int first = 0, next; first < columns->count; first = next) {
        uint32_t shade = shade_of(row, first);
        for (next = first + 1; next < columns->count && shade_of(row, next) == shade;)
            next++;
        int32_t x = timeline_x(t, columns->edge[first]), end = timeline_x(t, columns->edge[next]);
        if (shade && end > x)
            canvas_rect(c, x, row->y, end - x, row->height, shade_colour(shade), CANVAS_NONE, row->label);
    }
}

/* Where the list is, and what its parts take. */
typedef struct list_room {
    int32_t left, name, bar, share, runs;
    bool key_below; /* there is no room for the shades beside the title */
} list_room;

#define TITLE "busiest of %zu kernels, by their share of the thread time in use"
#define KEY_TITLE "SMs: threads in use  0"
#define KEY_WIDTH (font_width(KEY_TITLE, SIZE) + SHADES * PX(6) + PX(60))

static list_room room_of(const timeline *t)
{
    bool narrow = t->plot < PX(500);
    list_room r = {.left = narrow ? PX(12) : t->left, .share = PX(60), .runs = narrow ? 0 : PX(110)};
    int32_t all = t->left + t->plot - r.left, rest = all - PX(22) - r.share - r.runs;
    r.bar = rest * 2 / 5 < BAR_ROOM ? rest * 2 / 5 : BAR_ROOM;
    r.name = rest - r.bar - PX(8);
    r.key_below = all < font_width(TITLE, SIZE) + KEY_WIDTH + PX(60);
    return r;
}

static void draw_shade_key(const timeline *t, canvas *c, int32_t x, int32_t y)
{
    uint32_t full = 0;
    char label[24];
    for (size_t i = 0; i < t->rows.count; i++)
        full = t->rows.at[i].kind == ROW_SHADES ? t->rows.at[i].full : full;
    if (!full)
        return;
    percent(full, label);
    canvas_text(c, x, y, KEY_TITLE, SIZE, CANVAS_LEFT, FAINT);
    x += font_width(KEY_TITLE, SIZE) + PX(4);
    for (uint32_t shade = 1; shade <= SHADES; shade++, x += PX(6))
        canvas_rect(c, x, y - PX(9), PX(6), PX(10), shade_colour(shade), CANVAS_NONE, NULL);
    canvas_text(c, x + PX(4), y, label, SIZE, CANVAS_LEFT, FAINT);
}

static void draw_kernel(const timeline *t, canvas *c, const list_room *r, int rank, int32_t y)
{
    const busy_kernel *k = &t->busy.at[rank];
    const gcast_op *op = &t->run->workload->ops[k->op];
    char label[LABEL_SIZE], words[64], name[LABEL_SIZE];
    int32_t x = r->left + PX(22);
    snprintf(words, sizeof words, "%d", rank + 1);
    canvas_text(c, x - PX(8), y, words, SIZE, CANVAS_RIGHT, FAINT);
    snprintf(name, sizeof name, "%.*s", (int)workload_label_stem(op->label), op->label);
    if (font_fit(name, SIZE, r->name, label))
        canvas_text(c, x, y, label, SIZE, CANVAS_LEFT, INK);
    x += r->name + PX(8);
    int32_t w = (int32_t)((int64_t)r->bar * k->million / (t->busy.at[0].million ? t->busy.at[0].million : 1));
    canvas_rect(c, x, y - PX(9), w < 60 ? 60 : w, PX(10), palette_stream(op->stream < 0 ? 0 : (size_t)op->stream),
                CANVAS_NONE, NULL);
    x += r->bar + r->share;
    if (k->million >= 10000)
        snprintf(words, sizeof words, "%u.%u %%", (k->million + 500) / 10000, (k->million + 500) / 1000 % 10);
    else
        snprintf(words, sizeof words, "0.%03u %%", (k->million + 5) / 10);
    canvas_text(c, x, y, words, SIZE, CANVAS_RIGHT, INK);
    if (k->runs > 1)
        snprintf(words, sizeof words, "%llu runs", (unsigned long long)k->runs);
    else
        snprintf(words, sizeof words, "%llu block%s", (unsigned long long)k->blocks, k->blocks == 1 ? "" : "s");
    if (font_fit(words, SIZE, r->runs - PX(10), label))
        canvas_text(c, x + PX(10), y, label, SIZE, CANVAS_LEFT, FAINT);
}

int32_t overview_list_draw(const timeline *t, canvas *c, int32_t y)
{
    char title[160], fitting[LABEL_SIZE];
    if (!t->overview)
        return 0;
    list_room r = room_of(t);
    if (c) {
        snprintf(title, sizeof title, TITLE, t->busy.kernels);
        canvas_open(c, "busiest", "list");
        if (font_width(title, SIZE) <= t->width - r.left)
            canvas_text(c, r.left, y + LINE, title, SIZE, CANVAS_LEFT, INK);
        else if (font_fit("busiest kernels", SIZE, t->width - r.left, fitting))
            canvas_text(c, r.left, y + LINE, fitting, SIZE, CANVAS_LEFT, INK);
        for (int i = 0; i < t->busy.count; i++)
            draw_kernel(t, c, &r, i, y + LINE * (i + 2) + PX(2));
        if (r.key_below)
            draw_shade_key(t, c, r.left, y + LINE * (t->busy.count + 2) + PX(6));
        else
            draw_shade_key(t, c, t->left + t->plot - KEY_WIDTH + PX(20), y + LINE);
        canvas_close(c);
    }
    return LINE * (t->busy.count + 2 + r.key_below);
}
