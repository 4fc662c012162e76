#include "report/verdicts/verdict_bar.h"

#include <stdio.h>

#include "base/minmax.h"
#include "base/text/units.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"

#define BOUND 0xb5cfe8u
#define SEEN 0x2f5f8fu
#define LATE_BOUND 0xf3bfa9u
#define WAIT_INK 0xa9b0bau /* from the release to the best case */
#define BOUND_HEIGHT PX(12)
#define SEEN_HEIGHT PX(6)
#define MIN_WIDTH 250 /* of a bar, so that it can be seen */
#define HEAD PX(8)    /* length of an arrow's head */
#define FADE_STEPS 12
#define FADE_STEP PX(5)
#define LEGEND_FONT PX(11)

static int32_t x_of(const verdict_scale *s, int64_t ns)
{
    return s->left + (int32_t)((__int128)min_i64(ns, s->end_ns) * (s->right - s->left) / s->end_ns);
}

/* A bar from one time to another, in another colour beyond the deadline. */
static void draw_part(canvas *c, const verdict_scale *s, const verdict_row *row, int64_t start_ns, int64_t end_ns,
                      int32_t y, int32_t height, uint32_t rgb, uint32_t late_rgb, const char *tip)
{
    int32_t start = min_int(x_of(s, start_ns), s->right - MIN_WIDTH);
    int32_t end = max_int(x_of(s, end_ns), start + MIN_WIDTH);
    int32_t deadline = row->deadline_ns ? max_int(x_of(s, row->deadline_ns), start) : end;
    bool is_late = row->deadline_ns && end_ns > row->deadline_ns;
    int32_t met_end = is_late ? min_int(deadline, end) : end;
    if (met_end > start)
        canvas_rect(c, start, y - height / 2, met_end - start, height, rgb, CANVAS_NONE, tip);
    if (is_late && end > met_end)
        canvas_rect(c, met_end, y - height / 2, end - met_end, height, late_rgb, CANVAS_NONE, tip);
}

/* `part` of `count` on the way from a colour to white. */
static uint32_t fade(uint32_t rgb, uint32_t part, uint32_t count)
{
    uint32_t faded = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        uint32_t value = rgb >> shift & 255;
        faded |= (value + (255 - value) * part / count) << shift;
    }
    return faded;
}

/* Its bar goes on beyond the plot. */
static void draw_arrow_head(canvas *c, int32_t x, int32_t y)
{
    const canvas_point head[] = {{x - HEAD, y - PX(5)}, {x, y}, {x - HEAD, y + PX(5)}};
    canvas_polygon(c, head, 3, INK, NULL);
}

/* A bar without an end fades towards the right edge. */
static void draw_unbounded(canvas *c, const verdict_scale *s, const verdict_row *row, int32_t y, const char *tip)
{
    uint32_t rgb = row->deadline_ns ? LATE_BOUND : BOUND;
    draw_part(c, s, row, row->best_ns, s->end_ns, y, BOUND_HEIGHT, BOUND, LATE_BOUND, tip);
    for (uint32_t i = 0; i < FADE_STEPS; i++) {
        int32_t x = s->right - (int32_t)(FADE_STEPS - i) * FADE_STEP;
        if (x > x_of(s, max_i64(row->best_ns, row->deadline_ns)))
            canvas_rect(c, x, y - BOUND_HEIGHT / 2, FADE_STEP, BOUND_HEIGHT, fade(rgb, i + 1, FADE_STEPS + 1),
                        CANVAS_NONE, tip);
    }
}

static void describe(const verdict_row *row, const char *label, char *tip, size_t size)
{
    char name[LABEL_SIZE], best[40], worst[40], seen[40], deadline[40];
    units_format_time(row->best_ns, best, sizeof best);
    units_format_time(row->seen_ns, seen, sizeof seen);
    units_format_time(row->deadline_ns, deadline, sizeof deadline);
    if (row->worst_ns == GCAST_NO_BOUND)
        snprintf(worst, sizeof worst, "not known");
    else
        units_format_time(row->worst_ns, worst, sizeof worst);
    snprintf(tip, size, "%s\nbest %s\nseen %s\nworst %s\ndeadline %s", label_cut(label, LABEL_CHARS, name), best,
             row->seen_ns ? seen : "-", worst, row->deadline_ns ? deadline : "-");
}

void verdict_bar_draw(canvas *c, const verdict_scale *s, const verdict_row *row, int32_t y, const char *label)
{
    char tip[LABEL_SIZE + 240];
    describe(row, label, tip, sizeof tip);
    canvas_line(c, s->left, y, x_of(s, row->best_ns), y, WAIT_INK, 75, false);
    if (row->worst_ns == GCAST_NO_BOUND)
        draw_unbounded(c, s, row, y, tip);
    else
        draw_part(c, s, row, row->best_ns, row->worst_ns, y, BOUND_HEIGHT, BOUND, LATE_BOUND, tip);
    if (row->seen_ns)
        draw_part(c, s, row, row->best_ns, row->seen_ns, y, SEEN_HEIGHT, SEEN, VERDICT_LATE, tip);
    if (max_i64(row->worst_ns, row->seen_ns) > s->end_ns)
        draw_arrow_head(c, s->right + HEAD, y);
    if (row->deadline_ns && row->deadline_ns <= s->end_ns) {
        int32_t x = x_of(s, row->deadline_ns);
        canvas_line(c, x, y - PX(8), x, y + PX(8), INK, PX(2), false);
    }
}

static void draw_square(canvas *c, int32_t x, int32_t y, uint32_t rgb, bool is_filled)
{
    canvas_rect(c, x, y - PX(5), PX(10), PX(10), rgb, CANVAS_NONE, NULL);
    if (!is_filled)
        canvas_rect(c, x + 150, y - PX(5) + 150, PX(7), PX(7), 0xffffff, CANVAS_NONE, NULL);
}

void verdict_symbol_draw(canvas *c, int32_t x, int32_t y, gcast_deadline_verdict v)
{
    switch (v) {
    case GCAST_DEADLINE_MET:
    case GCAST_DEADLINE_MET_IF:
        draw_square(c, x, y, SEEN, v == GCAST_DEADLINE_MET);
        break;
    case GCAST_DEADLINE_MISSED:
        canvas_line(c, x, y - PX(5), x + PX(10), y + PX(5), VERDICT_LATE, 250, false);
        canvas_line(c, x, y + PX(5), x + PX(10), y - PX(5), VERDICT_LATE, 250, false);
        break;
    case GCAST_DEADLINE_OPEN:
        canvas_text(c, x + PX(5), y + PX(5), "?", PX(14), CANVAS_CENTRE, INK);
        break;
    default:
        break;
    }
}

/* One entry of the legend; returns where the next one begins. */
static int32_t add_bar(canvas *c, int32_t x, int32_t base_line, uint32_t rgb, int32_t height, const char *words)
{
    canvas_rect(c, x, base_line - PX(4) - height / 2, PX(18), height, rgb, CANVAS_NONE, NULL);
    canvas_text(c, x + PX(23), base_line, words, LEGEND_FONT, CANVAS_LEFT, INK);
    return x + PX(23) + font_width(words, LEGEND_FONT) + PX(16);
}

void verdict_legend_draw(canvas *c, int32_t x, int32_t base_line, const gcast_answer *a)
{
    bool has_deadline = false, is_late = false, is_late_seen = false, is_bound = !a->attained;
    for (size_t i = 0; i < a->response_count; i++) {
        const gcast_response *r = &a->responses[i];
        has_deadline = has_deadline || r->deadline_ns;
        is_late = is_late || (is_bound && r->deadline_ns && gcast_answer_verdict(a, r) == GCAST_DEADLINE_OPEN);
        is_late_seen = is_late_seen || gcast_answer_verdict(a, r) == GCAST_DEADLINE_MISSED;
    }
    canvas_open(c, NULL, "legend");
    if (is_bound)
        x = add_bar(c, x, base_line, BOUND, BOUND_HEIGHT, "best case to bound");
    if (!is_bound || a->searched)
        x = add_bar(c, x, base_line, SEEN, SEEN_HEIGHT, is_bound ? "to the longest seen" : "best to worst case");
    if (is_late || (is_bound && is_late_seen))
        x = add_bar(c, x, base_line, LATE_BOUND, BOUND_HEIGHT, "may be late");
    if (is_late_seen)
        x = add_bar(c, x, base_line, VERDICT_LATE, SEEN_HEIGHT, "late");
    if (has_deadline) {
        canvas_line(c, x + PX(3), base_line - PX(11), x + PX(3), base_line + PX(2), INK, PX(2), false);
        canvas_text(c, x + PX(10), base_line, "deadline", LEGEND_FONT, CANVAS_LEFT, INK);
    }
    canvas_close(c);
}
