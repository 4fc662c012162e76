/* Which colour is which stream. */
#include <stdio.h>

#include "report/palette.h"
#include "report/timeline.h"

#define SIZE PX(11)
#define LINE PX(18)
#define SQUARE PX(10)
#define MOST_LINES 3

static void describe(const gcast_run *run, size_t stream, char *out, size_t size)
{
    const gcast_stream *s = &run->workload->streams[stream];
    int used = snprintf(out, size, s->id ? "stream %d" : "NULL stream", s->id);
    if (s->process)
        used += snprintf(out + used, size - (size_t)used, " of process %d", s->process);
    if (s->priority)
        snprintf(out + used, size - (size_t)used, ", priority %d", s->priority);
}

int32_t legend_draw(const timeline *t, canvas *c, int32_t y)
{
    int32_t x = PX(12);
    int lines = 1;
    size_t left_out = 0;
    for (size_t s = 0; s < t->run->workload->stream_count; s++) {
        char label[80];
        if (left_out || !t->used[s]) {
            left_out += left_out && t->used[s];
            continue;
        }
        describe(t->run, s, label, sizeof label);
        int32_t w = SQUARE + PX(5) + font_width(label, SIZE) + PX(16);
        int32_t limit = t->width - PX(12) - (lines == MOST_LINES ? PX(70) : 0); /* room for "+N more" */
        if (x + w > limit) {
            if (lines == MOST_LINES) {
                left_out = 1;
                continue;
            }
            lines++;
            x = PX(12);
        }
        if (c) {
            int32_t base = y + lines * LINE - PX(6);
            canvas_rect(c, x, base - PX(9), SQUARE, SQUARE, palette_stream(s), CANVAS_NONE, NULL);
            canvas_text(c, x + SQUARE + PX(5), base, label, SIZE, CANVAS_LEFT, INK);
        }
        x += w;
    }
    if (c && left_out) {
        char more[40];
        snprintf(more, sizeof more, "+%zu more", left_out);
        canvas_text(c, x, y + lines * LINE - PX(6), more, SIZE, CANVAS_LEFT, FAINT);
    }
    return lines * LINE + PX(4);
}
