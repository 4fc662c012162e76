#include "report/timeline/wait_lane.h"

#include <stdio.h>

#include "base/units.h"
#include "report/canvas/palette.h"
#include "report/phrases.h"

#define SIZE PX(11)
#define LANE_SIZE PX(9)
#define LINE PX(17)
#define MAX_LISTED 8
#define WAITED 0xd3d6dbu
#define WAITED_OTHER 0xbfc4cbu /* every other wait, so that neighbours differ */
#define RAN 0x4a4f57u
/* Columns of the list, from the left of the plot. */
#define OP PX(86)
#define REASON PX(220)

void wait_lane_draw(const timeline *t, const timeline_row *row, canvas *c)
{
    for (size_t i = 0; i < t->wait_count; i++) {
        const gcast_report_wait *w = &t->waits[i];
        const char *word = phrase_word(w->rule), *code = word == w->rule ? "" : w->rule;
        char holder[LABEL_SIZE], op[LABEL_SIZE], label[2 * LABEL_SIZE], cut[LABEL_SIZE], tip[3 * LABEL_SIZE + 200];
        int32_t x = timeline_x(t, w->from_ns), width = timeline_x(t, w->to_ns) - x;
        if (!view_holds(&t->shown, w->from_ns, w->to_ns))
            continue;
        uint32_t rgb = w->runs ? RAN : i % 2 ? WAITED : WAITED_OTHER;
        label_cut(w->holders, LABEL_CHARS, holder);
        label_cut(w->op, 40, op);
        snprintf(label, sizeof label, "%s%s%s", word, w->runs || *holder ? " " : "", w->runs ? op : holder);
        snprintf(tip, sizeof tip, "%s, %s: %s%s%s%s\n%s\nfrom %lld ns\nto %lld ns", op, word, w->reason,
                 *code ? " (rule " : "", code, *code ? ")" : "", holder, (long long)w->from_ns, (long long)w->to_ns);
        canvas_rect(c, x, row->y + PX(1), max_int(width - (width > PX(3) ? 60 : 0), 60), row->height - PX(2), rgb,
                    CANVAS_NONE, tip);
        if (font_fit_box(label, LANE_SIZE, width, cut))
            canvas_text(c, x + width / 2, row->y + row->height / 2 + PX(3), cut, LANE_SIZE, CANVAS_CENTRE,
                        palette_on(rgb));
    }
}

/* Is it one of the MAX_LISTED longest waits? Of equal ones the first are. */
static bool is_listed(const timeline *t, size_t i)
{
    int64_t length = t->waits[i].to_ns - t->waits[i].from_ns;
    size_t longer = 0;
    for (size_t k = 0; k < t->wait_count && longer < MAX_LISTED; k++) {
        int64_t other = t->waits[k].to_ns - t->waits[k].from_ns;
        longer += other > length || (other == length && k < i);
    }
    return longer < MAX_LISTED;
}

static void draw_wait(const timeline *t, const gcast_report_wait *w, canvas *c, int32_t y)
{
    char length[40], label[LABEL_SIZE], reason[240];
    uint32_t rgb = w->runs ? FAINT : INK;
    int32_t x = t->left + REASON;
    units_format_time(w->to_ns - w->from_ns, length, sizeof length);
    canvas_text(c, t->left + OP - PX(12), y, length, SIZE, CANVAS_RIGHT, rgb);
    if (font_fit(w->op, SIZE, REASON - OP - PX(8), label))
        canvas_text(c, t->left + OP, y, label, SIZE, CANVAS_LEFT, rgb);
    snprintf(reason, sizeof reason, "%s: %s%s", w->rule, w->reason, *w->holders ? ": " : "");
    canvas_text(c, x, y, reason, SIZE, CANVAS_LEFT, rgb);
    x += font_width(reason, SIZE);
    if (*w->holders && font_fit(w->holders, SIZE, t->width - PX(4) - x, label))
        canvas_text(c, x, y, label, SIZE, CANVAS_LEFT, rgb);
}

int32_t wait_list_draw(const timeline *t, canvas *c, int32_t y)
{
    size_t listed = min_u64(t->wait_count, MAX_LISTED);
    if (!t->wait_count)
        return 0;
    int32_t line = y + LINE;
    if (c) {
        canvas_open(c, "wait-list", "list");
        char title[LABEL_SIZE], count_text[80];
        int32_t x = t->left;
        if (t->waits_title && font_fit(t->waits_title, SIZE, t->plot - PX(200), title)) {
            canvas_text(c, x, line, title, SIZE, CANVAS_LEFT, INK);
            x += font_width(title, SIZE) + PX(12);
        }
        snprintf(count_text, sizeof count_text, "the longest %zu of %zu waits", listed, t->wait_count);
        canvas_text(c, x, line, listed < t->wait_count ? count_text : "what it waited for", SIZE, CANVAS_LEFT, FAINT);
        for (size_t i = 0; i < t->wait_count; i++)
            if (is_listed(t, i))
                draw_wait(t, &t->waits[i], c, line += LINE);
        canvas_close(c);
    }
    return LINE * ((int32_t)listed + 1);
}
