#include "report/timeline/areas_draw.h"

#include <stdio.h>

#include "base/integers.h"
#include "model/run_op.h"
#include "model/workload/workload.h"
#include "report/canvas/palette.h"
#include "report/run/display_names.h"
#include "report/run/sm_share.h"

/* Consecutive columns in which an area covers the heights from low to high. */
typedef struct strip {
    int first, count;   /* columns */
    uint32_t low, high; /* in 1/SHARE_ALL */
} strip;

/* The strip of a key with the most columns that is at least min_height high, for its label. */
static strip widest_strip(const area *a, int key, uint32_t min_height)
{
    strip best = {0}, current = {0};
    for (int c = 0; c < a->columns.count; c++) {
        uint32_t high = area_top(a, key, c), low = area_low(a, key, c);
        uint32_t common_low = current.count ? max_u32(current.low, low) : low;
        uint32_t common_high = current.count ? min_u32(current.high, high) : high;
        if (current.count && common_high >= common_low + min_height)
            current = (strip){current.first, current.count + 1, common_low, common_high};
        else
            current = high >= low + min_height ? (strip){c, 1, low, high} : (strip){0};
        if (current.count > best.count)
            best = current;
    }
    return best;
}

static int32_t column_x(const timeline *t, const area *a, int c)
{
    return timeline_x(t, a->columns.edge[c]);
}

/* Writes the name where the area is nearly at its maximum height, else anywhere that it fits. */
static void label_area(const timeline *t, const timeline_row *row, int key, const char *name, uint32_t rgb, canvas *c)
{
    const area *a = &row->held;
    uint32_t highest = 0, min_height = (uint32_t)((uint64_t)PX(11) * row->capacity / (uint64_t)row->height);
    for (int k = 0; k < a->columns.count; k++)
        highest = max_u32(highest, area_top(a, key, k) - area_low(a, key, k));
    for (uint32_t wanted = highest / 10 * 9; highest >= min_height; wanted = min_height) {
        wanted = max_u32(wanted, min_height);
        strip s = widest_strip(a, key, wanted);
        int32_t x0 = column_x(t, a, s.first), x1 = column_x(t, a, s.first + s.count);
        char fitting[LABEL_SIZE];
        if (s.count && font_fit_box(name, PX(9), x1 - x0, fitting)) {
            int32_t middle = row->y + row->height - row_share_height(row, ((uint64_t)s.low + s.high) / 2);
            canvas_text(c, (x0 + x1) / 2, middle + PX(3), fitting, PX(9), CANVAS_CENTRE, palette_on(rgb));
            return;
        }
        if (wanted == min_height)
            return;
    }
}

/* The outline of one key in columns first to last: along its upper edge and back along its lower one, with points only
 * where the edge changes. Returns how many points it has. */
static size_t outline(const timeline *t, const timeline_row *row, int key, int first, int last)
{
    canvas_point *out = t->outline;
    const area *a = &row->held;
    int32_t row_bottom = row->y + row->height;
    size_t n = 0;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k <= last - first; k++) {
            int c = side ? last - k : first + k;
            int32_t y = row_bottom - row_share_height(row, side ? area_low(a, key, c) : area_top(a, key, c));
            int32_t x0 = column_x(t, a, side ? c + 1 : c), x1 = column_x(t, a, side ? c : c + 1);
            if (k && out[n - 1].y == y) {
                out[n - 1].x = x1;
                continue;
            }
            out[n++] = (canvas_point){x0, y};
            out[n++] = (canvas_point){x1, y};
        }
    return n;
}

static void draw_key(const timeline *t, const timeline_row *row, int key, const char *name, uint32_t rgb, canvas *c)
{
    const area *a = &row->held;
    char tip[LABEL_SIZE + 200];
    snprintf(tip, sizeof tip, "%s\n%s", name, row->label);
    for (int first = 0; first < a->columns.count; first++) {
        int last = first;
        while (last < a->columns.count && area_top(a, key, last) > area_low(a, key, last))
            last++;
        if (last > first)
            canvas_polygon(c, t->outline, outline(t, row, key, first, last - 1), rgb, tip);
        first = last;
    }
    label_area(t, row, key, name, rgb, c);
}

void areas_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    for (int key = 0; key < row->held.keys; key++) {
        uint32_t op = t->keys.op_of[key], rgb = t->colour[t->run->ops[op].op];
        char name[LABEL_SIZE];
        if (op < t->run->op_count)
            timeline_name(t->run, op, name);
        else
            label_cut(run_op(t->run, op)->label, 40, name); /* the key is for all children of this label */
        if (key == t->keys.others_key) {
            rgb = t->keys.only_others ? ALL_COLOUR : OTHERS_COLOUR;
            snprintf(name, sizeof name, t->keys.only_others ? "all streams" : "other streams");
        } else if (t->keys.streams && run_op(t->run, op)->stream >= 0) {
            size_t stream = (size_t)run_op(t->run, op)->stream;
            rgb = palette_stream(stream);
            stream_short(t->run->workload, stream, name, sizeof name);
        }
        draw_key(t, row, key, name, rgb, c);
    }
}

void busy_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    const gcast_op *op = run_op(t->run, row->spans.at[0].op);
    bool stream = op->kind == GCAST_KIND_KERNEL && op->stream >= 0;
    draw_key(t, row, 0, "busy", stream ? palette_stream((size_t)op->stream) : OTHERS_COLOUR, c);
}

#define DARKEST 0x12406bu
#define SHADES 12

/* "12.5 %", or "12 %": a share in 1/SHARE_ALL. */
static void share_percent(uint32_t share, char out[24])
{
    uint32_t permille = (uint32_t)(((uint64_t)share * 1000 + SHARE_ALL / 2) / SHARE_ALL);
    if (permille % 10)
        snprintf(out, 24, "%u.%u %%", permille / 10, permille % 10);
    else
        snprintf(out, 24, "%u %%", permille / 10);
}

void use_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    for (int i = 1; i <= 2; i++) { /* lines at half and at all of the scale */
        char label[24];
        int32_t y = row->y + row->height - row->height * i / 2;
        share_percent(row->capacity * (uint32_t)i / 2, label);
        canvas_line(c, t->left, y, t->left + t->plot, y, FAINT, 50, false);
        canvas_text(c, t->left + t->plot + PX(3), y + PX(4), label, PX(9), CANVAS_LEFT, FAINT);
    }
    areas_draw(t, row, c);
}

/* The colour of a shade from 0, white, to SHADES. */
static uint32_t shade_colour(uint32_t shade)
{
    uint32_t rgb = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        int white = 0xff, dark = DARKEST >> shift & 255;
        rgb |= (uint32_t)(white + (dark - white) * (int)shade / SHADES) << shift;
    }
    return rgb;
}

static uint32_t shade_of(const timeline_row *row, int column)
{
    uint32_t held = area_top(&row->held, 0, column);
    return held ? 1 + (uint32_t)((uint64_t)held * (SHADES - 1) / row->capacity) : 0;
}

/* Neighbouring columns of one shade are one rectangle. */
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
    bool is_child = k->op >= t->run->workload->op_count; /* kernels of any stream may launch it */
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
