#include "report/spawn/spawn_bars.h"

#include <stdio.h>
#include <string.h>

#include "base/minmax.h"
#include "base/text/number.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"
#include "report/spawn/value_axis.h"

#define LEFT PX(52)
#define TOP PX(104)
#define PLOT_HEIGHT PX(260)
#define BOTTOM (TOP + PLOT_HEIGHT)
#define HEIGHT (BOTTOM + PX(52))
#define BAR PX(13)
#define SINGLE_BAR PX(48) /* where there is one group */
#define GROUP_GAP PX(18)
#define MIN_WIDTH PX(520)
#define MIN_GROUP PX(64)
#define MAX_LINEAR 5.0   /* beyond, the axis is logarithmic */
#define MAX_SHOWN 1024.0 /* speedups beyond are cut off, and so are those below 1 / MAX_SHOWN */
#define FLAT_LINE 0xcc0000u
#define NAME_CHARS 40

typedef struct bars {
    const spawn_set *s; /* what is drawn */
    canvas *c;          /* what it is drawn on */
    value_axis axis;    /* of speedups */
    int32_t bar;        /* width of a bar */
    int32_t group;      /* width of a group */
    int32_t right;      /* end of the lower axis */
    size_t shown;       /* policies that have bars: all but flat */
    bool is_split;      /* names are in two lines, of which the second begins after a space or a hyphen */
} bars;

static bool has_bar(const bars *b, size_t choice)
{
    return b->s->at[0]->rows[choice].contender != GCAST_CONTENDER_FLAT;
}

static uint32_t colour_of(gcast_spawn_contender contender, size_t number)
{
    static const size_t colours[GCAST_CONTENDERS] = {[GCAST_CONTENDER_ALWAYS] = 1,
                                                     [GCAST_CONTENDER_OFFLINE] = 2,
                                                     [GCAST_CONTENDER_SPAWN] = 0,
                                                     [GCAST_CONTENDER_PREDICT] = 3};
    return palette_stream(contender == GCAST_CONTENDER_THRESHOLD ? 4 + number : colours[contender]);
}

/* A bar with its value at its end. On a logarithmic axis it begins at 1. */
static void draw_bar(const bars *b, int32_t x, double speedup, uint32_t rgb, const char *name, const char *policy)
{
    char value[32], tooltip[LABEL_SIZE + 96], label[LABEL_SIZE];
    int32_t y = value_axis_y(&b->axis, speedup);
    if (number_print(value, sizeof value, "%.2f", speedup) < 0) {
        canvas_no_memory(b->c);
        return;
    }
    snprintf(tooltip, sizeof tooltip, "%s, %s: %s times as fast as flat", label_cut(name, NAME_CHARS, label), policy,
             value);
    int32_t base = b->axis.min > 0 ? value_axis_y(&b->axis, 1) : BOTTOM;
    bool is_down = y > base;
    canvas_rect(b->c, x, is_down ? base : y, b->bar - PX(1), is_down ? y - base : base - y, rgb, CANVAS_NONE, tooltip);
    canvas_text_up(b->c, x + b->bar / 2 + PX(3), is_down ? y + PX(3) : y - PX(3), value, PX(9),
                   is_down ? CANVAS_RIGHT : CANVAS_LEFT, INK);
}

static void draw_name(const bars *b, int32_t middle, const char *name)
{
    char shown[LABEL_SIZE], fitting[LABEL_SIZE];
    label_cut(name, NAME_CHARS, shown);
    char *second = b->is_split ? strpbrk(shown, " -") : NULL;
    if (second)
        *second++ = '\0';
    if (font_fit(shown, PX(11), b->group, fitting))
        canvas_text(b->c, middle, BOTTOM + PX(17), fitting, PX(11), CANVAS_CENTRE, INK);
    if (second && font_fit(second, PX(11), b->group, fitting))
        canvas_text(b->c, middle, BOTTOM + PX(32), fitting, PX(11), CANVAS_CENTRE, INK);
}

/* Group `i`; the one after the last has the means. */
static void draw_group(const bars *b, size_t i)
{
    const gcast_spawn_comparison *first = b->s->at[0];
    bool is_mean = i == b->s->count;
    const char *name = is_mean ? "geometric mean" : b->s->at[i]->name;
    int32_t start = LEFT + (int32_t)i * b->group, x = start + (b->group - (int32_t)b->shown * b->bar) / 2;
    size_t threshold = 0;
    for (size_t k = 0; k < first->row_count; k++) {
        char policy[SPAWN_NAME_SIZE];
        if (!has_bar(b, k))
            continue;
        double speedup = is_mean ? spawn_mean_speedup(b->s, k) : b->s->at[i]->rows[k].speedup;
        draw_bar(b, x, speedup, colour_of(first->rows[k].contender, threshold), name,
                 spawn_row_name(&first->rows[k], policy));
        threshold += first->rows[k].contender == GCAST_CONTENDER_THRESHOLD;
        x += b->bar;
    }
    draw_name(b, start + b->group / 2, name);
    if (is_mean)
        canvas_line(b->c, start, TOP, start, BOTTOM, 0xaaaaaau, PX(1), false);
}

/* Draws it where there is a canvas. Returns where it ends. */
static int32_t draw_legend(const bars *b)
{
    const gcast_spawn_comparison *first = b->s->at[0];
    int32_t x = LEFT, y = PX(64);
    size_t threshold = 0;
    for (size_t k = 0; k < first->row_count; k++) {
        char policy[SPAWN_NAME_SIZE];
        if (!has_bar(b, k))
            continue;
        spawn_row_name(&first->rows[k], policy);
        if (b->c) {
            canvas_rect(b->c, x, y - PX(9), PX(10), PX(10), colour_of(first->rows[k].contender, threshold), CANVAS_NONE,
                        NULL);
            canvas_text(b->c, x + PX(14), y, policy, PX(12), CANVAS_LEFT, INK);
        }
        x += PX(14) + font_width(policy, PX(12)) + PX(14);
        threshold += first->rows[k].contender == GCAST_CONTENDER_THRESHOLD;
    }
    if (b->c) {
        canvas_line(b->c, x, y - PX(4), x + PX(18), y - PX(4), FLAT_LINE, PX(1), false);
        canvas_text(b->c, x + PX(24), y, "flat", PX(12), CANVAS_LEFT, INK);
    }
    return x + PX(24) + font_width("flat", PX(12));
}

static void draw_heading(const bars *b)
{
    const gcast_spawn_comparison *first = b->s->at[0];
    char name[LABEL_SIZE], title[LABEL_SIZE], line[2 * LABEL_SIZE + 8];
    canvas_text(b->c, LEFT, PX(24), "Speedup over flat: who launches child kernels?", PX(16), CANVAS_LEFT, INK);
    snprintf(line, sizeof line, "%s: %s", label_cut(first->gpu, LABEL_CHARS / 2, name),
             label_cut(first->gpu_title, LABEL_CHARS, title));
    canvas_text(b->c, LEFT, PX(43), line, PX(12), CANVAS_LEFT, FAINT);
}

static void set_axes(bars *b)
{
    const spawn_set *s = b->s;
    double highest = 1, lowest = 1;
    for (size_t k = 0; k < s->at[0]->row_count; k++) {
        b->shown += has_bar(b, k);
        for (size_t i = 0; i < s->count && has_bar(b, k); i++) {
            double speedup = s->at[i]->rows[k].speedup;
            highest = speedup > highest ? speedup : highest;
            lowest = speedup < lowest ? speedup : lowest;
            b->is_split = b->is_split || (s->count > 1 && font_width(s->at[i]->name, PX(11)) > MIN_GROUP);
        }
    }
    if (highest > MAX_LINEAR)
        b->axis = value_axis_logarithmic(lowest < 1 / MAX_SHOWN ? 1 / MAX_SHOWN
                                         : lowest < 1           ? lowest / 2
                                                                : 1,
                                         highest < MAX_SHOWN ? highest : MAX_SHOWN, TOP, BOTTOM);
    else
        b->axis = value_axis_for(highest, 0.1, 8, TOP, BOTTOM);
    b->bar = s->count > 1 ? BAR : SINGLE_BAR;
    b->group = (int32_t)max_i64((int64_t)b->shown * b->bar + GROUP_GAP, MIN_GROUP);
    if (s->count == 1)
        b->group = (int32_t)max_i64(b->group, MIN_WIDTH - LEFT - PX(20));
    b->right = LEFT + (int32_t)(s->count + (s->count > 1)) * b->group;
}

gcast_status spawn_bars(const spawn_set *s, gcast_format format, gcast_write_fn write, void *data, gcast_error *err)
{
    bars b = {.s = s};
    set_axes(&b);
    int32_t right = (int32_t)max_i64(b.right, draw_legend(&b));
    b.c = canvas_create((int32_t)max_i64(right + PX(20), MIN_WIDTH), HEIGHT, "Speedup over flat");
    if (!b.c)
        return gcast_error_set_memory(err);
    draw_heading(&b);
    draw_legend(&b);
    value_axis_draw(b.c, &b.axis, LEFT, b.right);
    for (size_t i = 0; i < s->count + (s->count > 1); i++)
        draw_group(&b, i);
    int32_t y = value_axis_y(&b.axis, 1);
    canvas_line(b.c, LEFT, y, b.right, y, FLAT_LINE, PX(1), false);
    canvas_line(b.c, LEFT, BOTTOM, b.right, BOTTOM, INK, PX(1), false);
    canvas_text_up(b.c, PX(14), (TOP + BOTTOM) / 2,
                   b.axis.min > 0 ? "speedup over flat (logarithmic)" : "speedup over flat", PX(12), CANVAS_CENTRE,
                   INK);
    gcast_status status = canvas_write(b.c, format, write, data, err);
    canvas_free(b.c);
    return status;
}
