/* Acceptance over utilisation as a picture: a line a test, without points where it has
 * no answer for any set. Where lines lie on each other, later ones are thinner. */
#include <stdio.h>
#include <stdlib.h>

#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"
#include "report/plots/acceptance.h"

#define WIDTH PX(720)
#define HEIGHT PX(420)
#define LEFT PX(64)
#define RIGHT PX(690)
#define TOP PX(84)
#define BOTTOM PX(360)
#define GRID 0xe4e4e4u

typedef struct plot {
    const acceptance *a;
    canvas *to;
    int64_t from, until; /* the lower axis, percent */
} plot;

static int32_t x_of(const plot *p, int64_t percent)
{
    return (int32_t)(LEFT + (percent - p->from) * (RIGHT - LEFT) / (p->until - p->from));
}

static int32_t y_of(int64_t permille)
{
    return (int32_t)(BOTTOM - permille * (BOTTOM - TOP) / 1000);
}

static void draw_axes(const plot *p)
{
    static const int64_t round[] = {1, 2, 5, 10, 20, 50, 100, 200};
    char label[32];
    size_t step = 0;
    for (int v = 0; v <= 100; v += 20) {
        int32_t y = y_of(v * 10);
        canvas_line(p->to, LEFT, y, RIGHT, y, GRID, PX(1), false);
        snprintf(label, sizeof label, "%d %%", v);
        canvas_text(p->to, LEFT - PX(8), y + PX(4), label, PX(12), CANVAS_RIGHT, INK);
    }
    while (step + 1 < sizeof round / sizeof round[0] && (p->until - p->from) / round[step] > 12)
        step++;
    for (int64_t v = (p->from + round[step] - 1) / round[step] * round[step]; v <= p->until; v += round[step]) {
        int32_t x = x_of(p, v);
        canvas_line(p->to, x, BOTTOM, x, BOTTOM + PX(4), INK, PX(1), false);
        snprintf(label, sizeof label, "%lld %%", (long long)v);
        canvas_text(p->to, x, BOTTOM + PX(18), label, PX(12), CANVAS_CENTRE, INK);
    }
    canvas_line(p->to, LEFT, TOP, LEFT, BOTTOM, INK, PX(1), false);
    canvas_line(p->to, LEFT, BOTTOM, RIGHT, BOTTOM, INK, PX(1), false);
    canvas_text(p->to, (LEFT + RIGHT) / 2, BOTTOM + PX(42), "utilisation of the GPU", PX(13), CANVAS_CENTRE, INK);
    canvas_text_up(p->to, PX(18), (TOP + BOTTOM) / 2, "sets accepted", PX(13), CANVAS_CENTRE, INK);
}

/* The point that comes after `percent`; count where there is none. */
static size_t next_point(const gcast_numbers *percents, int64_t percent)
{
    size_t best = percents->count;
    for (size_t i = 0; i < percents->count; i++)
        if (percents->at[i] > percent && (best == percents->count || percents->at[i] < percents->at[best]))
            best = i;
    return best;
}

static void draw_point(const plot *p, size_t point, size_t test, int32_t x, int32_t y, int32_t half)
{
    const gcast_experiment *e = p->a->e;
    const uint64_t *c = acceptance_at(p->a, point, test);
    char tooltip[160];
    snprintf(tooltip, sizeof tooltip, "%s at %lld %%: %llu accepted, %llu rejected, %llu unknown",
             gcast_test_name(e->tests[test]), (long long)e->percents.at[point],
             (unsigned long long)c[GCAST_VERDICT_ACCEPTED], (unsigned long long)c[GCAST_VERDICT_REJECTED],
             (unsigned long long)c[GCAST_VERDICT_UNKNOWN]);
    canvas_rect(p->to, x - half, y - half, 2 * half, 2 * half, palette_stream(test), CANVAS_NONE, tooltip);
}

static void draw_line(const plot *p, size_t test)
{
    const gcast_experiment *e = p->a->e;
    int32_t width = PX(2) + (int32_t)(e->test_count - 1 - test) * PX(3) / 2, last_x = 0, last_y = 0;
    bool joined = false;
    for (size_t i = next_point(&e->percents, 0); i < e->percents.count;
         i = next_point(&e->percents, e->percents.at[i])) {
        int32_t x = x_of(p, e->percents.at[i]), y = y_of(acceptance_permille(p->a, i, test));
        bool answered = acceptance_answered(p->a, i, test);
        if (answered && joined)
            canvas_line(p->to, last_x, last_y, x, y, palette_stream(test), width, false);
        if (answered)
            draw_point(p, i, test, x, y, width / 2 + PX(2));
        joined = answered;
        last_x = x;
        last_y = y;
    }
}

static void draw_heading(const plot *p)
{
    const gcast_experiment *e = p->a->e;
    char gpu[LABEL_SIZE], name[LABEL_SIZE], line[LABEL_SIZE + 64];
    label_cut(*e->name ? e->name : "Sets accepted over utilisation", LABEL_CHARS, name);
    canvas_text(p->to, LEFT, PX(24), name, PX(16), CANVAS_LEFT, INK);
    snprintf(line, sizeof line, "%s, %lld sets of %d tasks a point", label_cut(e->gpu->title, LABEL_CHARS / 2, gpu),
             (long long)e->sets, e->tasks);
    canvas_text(p->to, LEFT, PX(42), line, PX(12), CANVAS_LEFT, FAINT);
}

static void draw_legend(const plot *p)
{
    const gcast_experiment *e = p->a->e;
    int32_t x = LEFT, y = PX(62);
    for (size_t k = 0; k < e->test_count; k++) {
        char label[64];
        uint64_t unknown = acceptance_unknown(p->a, k);
        if (unknown)
            snprintf(label, sizeof label, "%s (%llu unknown)", gcast_test_name(e->tests[k]),
                     (unsigned long long)unknown);
        else
            snprintf(label, sizeof label, "%s", gcast_test_name(e->tests[k]));
        canvas_rect(p->to, x, y - PX(9), PX(10), PX(10), palette_stream(k), CANVAS_NONE, NULL);
        canvas_text(p->to, x + PX(14), y, label, PX(12), CANVAS_LEFT, INK);
        x += PX(14) + font_width(label, PX(12)) + PX(12);
    }
}

gcast_status acceptance_draw(const acceptance *a, gcast_format format, gcast_write_fn write, void *data,
                             gcast_error *err)
{
    const gcast_numbers *percents = &a->e->percents;
    plot p = {.a = a, .from = percents->at[0], .until = percents->at[0]};
    for (size_t i = 0; i < percents->count; i++) {
        p.from = percents->at[i] < p.from ? percents->at[i] : p.from;
        p.until = percents->at[i] > p.until ? percents->at[i] : p.until;
    }
    if (p.from == p.until) { /* a single point stands in the middle */
        p.from--;
        p.until++;
    }
    p.to = canvas_create(WIDTH, HEIGHT, "Sets accepted over utilisation");
    if (!p.to)
        return gcast_error_set_memory(err);
    draw_heading(&p);
    draw_legend(&p);
    draw_axes(&p);
    for (size_t k = 0; k < a->e->test_count; k++)
        draw_line(&p, k);
    gcast_status status = canvas_write(p.to, format, write, data, err);
    canvas_free(p.to);
    return status;
}
