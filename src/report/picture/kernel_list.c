#include "report/picture/kernel_list.h"

#include <stdio.h>

#include "base/minmax.h"
#include "model/workload/edit.h"
#include "report/canvas/palette.h"
#include "report/picture/overview.h"

#define SIZE PX(11)
#define LINE PX(17)
#define MAX_BAR PX(240)

/* Where the list is, and how wide its columns are. */
typedef struct list_layout {
    int32_t left;   /* of the list */
    int32_t name;   /* column of names */
    int32_t bar;    /* column of bars, which show the shares */
    int32_t share;  /* column of percentages */
    int32_t runs;   /* column of runs or blocks; 0: there is none */
    bool key_below; /* the scale of the shades does not fit beside the title */
} list_layout;

#define TITLE "busiest of %zu kernels, by their share of the thread time in use"
#define KEY_TITLE "SMs: threads in use  0"
#define KEY_WIDTH (font_width(KEY_TITLE, SIZE) + SHADES * PX(6) + PX(60))

static list_layout lay_out(const timeline *t)
{
    bool narrow = t->plot < PX(500);
    list_layout r = {.left = narrow ? PX(12) : t->left, .share = PX(60), .runs = narrow ? 0 : PX(110)};
    int32_t all = t->left + t->plot - r.left, rest = all - PX(22) - r.share - r.runs;
    r.bar = min_int(rest * 2 / 5, MAX_BAR);
    r.name = rest - r.bar - PX(8);
    r.key_below = all < font_width(TITLE, SIZE) + KEY_WIDTH + PX(60);
    return r;
}

static void draw_shade_key(const timeline *t, canvas *c, int32_t x, int32_t y)
{
    uint32_t capacity = 0;
    char label[24];
    for (size_t i = 0; i < t->rows.count; i++)
        capacity = t->rows.at[i].kind == ROW_SHADES ? t->rows.at[i].capacity : capacity;
    if (!capacity)
        return;
    share_percent(capacity, label);
    canvas_text(c, x, y, KEY_TITLE, SIZE, CANVAS_LEFT, FAINT);
    x += font_width(KEY_TITLE, SIZE) + PX(4);
    for (uint32_t shade = 1; shade <= SHADES; shade++, x += PX(6))
        canvas_rect(c, x, y - PX(9), PX(6), PX(10), shade_colour(shade), CANVAS_NONE, NULL);
    canvas_text(c, x + PX(4), y, label, SIZE, CANVAS_LEFT, FAINT);
}

static void draw_kernel(const timeline *t, canvas *c, const list_layout *r, int rank, int32_t y)
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
    int32_t w = (int32_t)((int64_t)r->bar * k->ppm / (t->busy.at[0].ppm ? t->busy.at[0].ppm : 1));
    bool is_child = k->op >= t->run->workload->op_count; /* of kernels of any stream */
    uint32_t rgb = is_child ? OTHERS_COLOUR : palette_stream(op->stream < 0 ? 0 : (size_t)op->stream);
    canvas_rect(c, x, y - PX(9), max_int(w, 60), PX(10), rgb, CANVAS_NONE, NULL);
    x += r->bar + r->share;
    if (k->ppm >= 10000)
        snprintf(words, sizeof words, "%u.%u %%", (k->ppm + 500) / 10000, (k->ppm + 500) / 1000 % 10);
    else
        snprintf(words, sizeof words, "0.%03u %%", (k->ppm + 5) / 10);
    canvas_text(c, x, y, words, SIZE, CANVAS_RIGHT, INK);
    if (k->runs > 1)
        snprintf(words, sizeof words, "%llu runs", (unsigned long long)k->runs);
    else
        snprintf(words, sizeof words, "%llu block%s", (unsigned long long)k->blocks, k->blocks == 1 ? "" : "s");
    if (font_fit(words, SIZE, r->runs - PX(10), label))
        canvas_text(c, x + PX(10), y, label, SIZE, CANVAS_LEFT, FAINT);
}

int32_t kernel_list_draw(const timeline *t, canvas *c, int32_t y)
{
    char title[160], fitting[LABEL_SIZE];
    if (!t->overview)
        return 0;
    list_layout r = lay_out(t);
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
