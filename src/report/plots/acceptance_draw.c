#include "report/plots/acceptance_draw.h"

#include <stdio.h>

#include "base/minmax.h"
#include "model/experiment.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"

#define WIDTH PX(720)
#define HEIGHT PX(420)
#define LEFT PX(64)
#define RIGHT PX(690)
#define TOP PX(84)
#define BOTTOM PX(360)
#define GRID 0xe4e4e4u
#define OPEN 0xffe9b8u          /* of sets that are open */
#define MIN_LABEL_HEIGHT PX(18) /* of a band with a label in it */

typedef struct plot {
    const acceptance *a; /* what is drawn */
    canvas *c;           /* what it is drawn on */
    int64_t first, last; /* ends of the lower axis, in percent */
} plot;

static int32_t x_of(const plot *p, int64_t percent)
{
    return (int32_t)(LEFT + (percent - p->first) * (RIGHT - LEFT) / (p->last - p->first));
}

static int32_t y_of(int64_t permille)
{
    return (int32_t)(BOTTOM - permille * (BOTTOM - TOP) / 1000);
}

static void draw_axes(const plot *p)
{
    static const int64_t steps[] = {1, 2, 5, 10, 20, 50, 100, 200};
    char label[32];
    size_t step = 0;
    for (int v = 0; v <= 100; v += 20) {
        int32_t y = y_of(v * 10);
        canvas_line(p->c, LEFT, y, RIGHT, y, GRID, PX(1), false);
        snprintf(label, sizeof label, "%d %%", v);
        canvas_text(p->c, LEFT - PX(8), y + PX(4), label, PX(12), CANVAS_RIGHT, INK);
    }
    while (step + 1 < sizeof steps / sizeof steps[0] && (p->last - p->first) / steps[step] > 12)
        step++;
    for (int64_t v = round_up(p->first, steps[step]); v <= p->last; v += steps[step]) {
        int32_t x = x_of(p, v);
        canvas_line(p->c, x, BOTTOM, x, BOTTOM + PX(4), INK, PX(1), false);
        snprintf(label, sizeof label, "%lld %%", (long long)v);
        canvas_text(p->c, x, BOTTOM + PX(18), label, PX(12), CANVAS_CENTRE, INK);
    }
    canvas_line(p->c, LEFT, TOP, LEFT, BOTTOM, INK, PX(1), false);
    canvas_line(p->c, LEFT, BOTTOM, RIGHT, BOTTOM, INK, PX(1), false);
    canvas_text(p->c, (LEFT + RIGHT) / 2, BOTTOM + PX(42), "utilisation of the GPU", PX(13), CANVAS_CENTRE, INK);
    canvas_text_up(p->c, PX(18), (TOP + BOTTOM) / 2, "sets accepted", PX(13), CANVAS_CENTRE, INK);
}

/* The point with the lowest utilisation above `percent`; percents->count where there is none. */
static size_t next_point(const gcast_numbers *percents, int64_t percent)
{
    size_t best = percents->count;
    for (size_t i = 0; i < percents->count; i++)
        if (percents->at[i] > percent && (best == percents->count || percents->at[i] < percents->at[best]))
            best = i;
    return best;
}

/* The point with the highest utilisation below `percent`; percents->count where there is none. */
static size_t last_point(const gcast_numbers *percents, int64_t percent)
{
    size_t best = percents->count;
    for (size_t i = 0; i < percents->count; i++)
        if (percents->at[i] < percent && (best == percents->count || percents->at[i] > percents->at[best]))
            best = i;
    return best;
}

/* Of a thousand sets: those that some analysis accepts. */
static int64_t shown_permille(const plot *p, size_t point)
{
    return acceptance_share(p->a, p->a->together[point][GCAST_VERDICT_ACCEPTED]);
}

/* Of a thousand sets: those of which no execution is known that misses a deadline. */
static int64_t unmissed_permille(const plot *p, size_t point)
{
    return 1000 - acceptance_share(p->a, p->a->together[point][GCAST_VERDICT_REJECTED]);
}

/* Where the lower edge of the band, to the left of the point, or the upper edge, to the right, is at this level. */
static int32_t edge_x(const plot *p, size_t point, int64_t level, bool is_right)
{
    const gcast_numbers *percents = &p->a->e->percents;
    size_t next;
    while ((next = is_right ? next_point(percents, percents->at[point]) : last_point(percents, percents->at[point])) <
           percents->count) {
        int64_t value = is_right ? unmissed_permille(p, point) : shown_permille(p, point);
        int64_t next_value = is_right ? unmissed_permille(p, next) : shown_permille(p, next);
        int64_t x = x_of(p, percents->at[point]), next_x = x_of(p, percents->at[next]);
        if (is_right ? next_value <= level : next_value >= level)
            return (int32_t)(value == next_value ? x : x + (next_x - x) * (level - value) / (next_value - value));
        point = next;
    }
    return x_of(p, percents->at[point]);
}

/* Writes "open" into the band where most sets are open, if there is space. */
static void draw_open_label(const plot *p)
{
    static const char label[] = "open";
    size_t widest = 0;
    for (size_t i = 0; i < p->a->e->percents.count; i++)
        if (p->a->together[i][GCAST_VERDICT_UNKNOWN] > p->a->together[widest][GCAST_VERDICT_UNKNOWN])
            widest = i;
    int64_t top = unmissed_permille(p, widest), bottom = shown_permille(p, widest), level = (top + bottom) / 2;
    int32_t left = edge_x(p, widest, level, false), right = edge_x(p, widest, level, true);
    if (y_of(bottom) - y_of(top) >= MIN_LABEL_HEIGHT && right - left >= font_width(label, PX(12)) + PX(8))
        canvas_text(p->c, (left + right) / 2, y_of(level) + PX(4), label, PX(12), CANVAS_CENTRE, INK);
}

/* Fills what is between the sets that some analysis accepts and those that miss no deadline in any execution tried. */
static void draw_open(const plot *p)
{
    const gcast_numbers *percents = &p->a->e->percents;
    for (size_t i = next_point(percents, 0), k; (k = next_point(percents, percents->at[i])) < percents->count; i = k) {
        int32_t x = x_of(p, percents->at[i]), next_x = x_of(p, percents->at[k]);
        canvas_point corners[] = {{x, y_of(unmissed_permille(p, i))},
                                  {next_x, y_of(unmissed_permille(p, k))},
                                  {next_x, y_of(shown_permille(p, k))},
                                  {x, y_of(shown_permille(p, i))}};
        if (corners[0].y != corners[3].y || corners[1].y != corners[2].y)
            canvas_polygon(p->c, corners, sizeof corners / sizeof corners[0], OPEN, NULL);
    }
}

static size_t proof_count(const gcast_experiment *e)
{
    size_t count = 0;
    for (size_t k = 0; k < e->test_count; k++)
        count += experiment_is_proof(e->tests[k]);
    return count;
}

/* The sets that some analysis accepts, where there are several. */
static void draw_shown(const plot *p)
{
    const gcast_numbers *percents = &p->a->e->percents;
    int32_t last_x = 0, last_y = 0;
    bool joined = false;
    for (size_t i = next_point(percents, 0); i < percents->count; i = next_point(percents, percents->at[i])) {
        const uint64_t *c = p->a->together[i];
        int32_t x = x_of(p, percents->at[i]), y = y_of(shown_permille(p, i)), half = PX(2);
        char tooltip[160];
        snprintf(tooltip, sizeof tooltip, "all at %lld %%: %llu shown, %llu missed, %llu open",
                 (long long)percents->at[i], (unsigned long long)c[GCAST_VERDICT_ACCEPTED],
                 (unsigned long long)c[GCAST_VERDICT_REJECTED], (unsigned long long)c[GCAST_VERDICT_UNKNOWN]);
        if (joined)
            canvas_line(p->c, last_x, last_y, x, y, INK, PX(1), false);
        canvas_rect(p->c, x - half, y - half, 2 * half, 2 * half, INK, CANVAS_NONE, tooltip);
        joined = true;
        last_x = x;
        last_y = y;
    }
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
    canvas_rect(p->c, x - half, y - half, 2 * half, 2 * half, palette_stream(test), CANVAS_NONE, tooltip);
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
            canvas_line(p->c, last_x, last_y, x, y, palette_stream(test), width, false);
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
    canvas_text(p->c, LEFT, PX(24), name, PX(16), CANVAS_LEFT, INK);
    snprintf(line, sizeof line, "%s, %lld sets of %d tasks a point", label_cut(e->gpu->title, LABEL_CHARS / 2, gpu),
             (long long)e->sets, e->tasks);
    canvas_text(p->c, LEFT, PX(42), line, PX(12), CANVAS_LEFT, FAINT);
}

/* An entry of the legend at *x, which becomes the place of the next. */
static void draw_entry(const plot *p, int32_t *x, uint32_t rgb, const char *label)
{
    int32_t y = PX(62);
    canvas_rect(p->c, *x, y - PX(9), PX(10), PX(10), rgb, CANVAS_NONE, NULL);
    canvas_text(p->c, *x + PX(14), y, label, PX(12), CANVAS_LEFT, INK);
    *x += PX(14) + font_width(label, PX(12)) + PX(12);
}

/* Adds what all tests together say: "bound or explore", "open". */
static void draw_legend_together(const plot *p, int32_t *x)
{
    const gcast_experiment *e = p->a->e;
    char label[64] = "";
    for (size_t k = 0, n = 0; k < e->test_count; k++)
        if (experiment_is_proof(e->tests[k]))
            n += (size_t)snprintf(label + n, sizeof label - n, "%s%s", n ? " or " : "", gcast_test_name(e->tests[k]));
    if (proof_count(e) > 1)
        draw_entry(p, x, INK, label);
    draw_entry(p, x, OPEN, "open");
}

static void draw_legend(const plot *p)
{
    const gcast_experiment *e = p->a->e;
    int32_t x = LEFT;
    for (size_t k = 0; k < e->test_count; k++) {
        char label[64];
        uint64_t unknown = acceptance_unknown(p->a, k);
        if (unknown)
            snprintf(label, sizeof label, "%s (%llu unknown)", gcast_test_name(e->tests[k]),
                     (unsigned long long)unknown);
        else
            snprintf(label, sizeof label, "%s", gcast_test_name(e->tests[k]));
        draw_entry(p, &x, palette_stream(k), label);
    }
    if (p->a->together)
        draw_legend_together(p, &x);
}

gcast_status acceptance_draw(const acceptance *a, gcast_format format, gcast_write_fn write, void *data,
                             gcast_error *err)
{
    const gcast_numbers *percents = &a->e->percents;
    plot p = {.a = a, .first = percents->at[0], .last = percents->at[0]};
    for (size_t i = 0; i < percents->count; i++) {
        p.first = min_i64(p.first, percents->at[i]);
        p.last = max_i64(p.last, percents->at[i]);
    }
    if (p.first == p.last) { /* a single point is in the middle */
        p.first--;
        p.last++;
    }
    p.c = canvas_create(WIDTH, HEIGHT, "Sets accepted over utilisation");
    if (!p.c)
        return gcast_error_set_memory(err);
    draw_heading(&p);
    draw_legend(&p);
    if (a->together)
        draw_open(&p);
    draw_axes(&p);
    for (size_t k = 0; k < a->e->test_count; k++)
        draw_line(&p, k);
    if (a->together && proof_count(a->e) > 1)
        draw_shown(&p);
    if (a->together)
        draw_open_label(&p);
    gcast_status status = canvas_write(p.c, format, write, data, err);
    canvas_free(p.c);
    return status;
}
