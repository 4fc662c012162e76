#include "report/canvas/picture_frame.h"

#include "report/canvas/font.h"
#include "report/canvas/palette.h"

#define GRID 0xe4e4e4u
#define MARGIN PX(12) /* of pictures of rows */

void frame_heading(canvas *c, int32_t left, const char *title, const char *subtitle)
{
    canvas_text(c, left, PX(24), title, PX(16), CANVAS_LEFT, INK);
    canvas_text(c, left, PX(42), subtitle, PX(12), CANVAS_LEFT, FAINT);
}

void frame_rows_heading(canvas *c, const char *title, const char *subtitle)
{
    char shown[LABEL_SIZE];
    if (font_fit(title, PX(15), canvas_width(c) - 2 * MARGIN, shown))
        canvas_text(c, MARGIN, PX(22), shown, PX(15), CANVAS_LEFT, INK);
    canvas_text(c, MARGIN, PX(40), subtitle, PX(11), CANVAS_LEFT, FAINT);
}

int32_t frame_key(canvas *c, int32_t x, int32_t y, uint32_t rgb, const char *words, int32_t size, int32_t gap)
{
    if (c) {
        canvas_rect(c, x, y - PX(9), PX(10), PX(10), rgb, CANVAS_NONE, NULL);
        canvas_text(c, x + PX(14), y, words, size, CANVAS_LEFT, INK);
    }
    return x + PX(14) + font_width(words, size) + gap;
}

void frame_tick(canvas *c, int32_t x, int32_t bottom, const char *label, int32_t size)
{
    canvas_line(c, x, bottom, x, bottom + PX(4), INK, PX(1), false);
    canvas_text(c, x, bottom + size + PX(6), label, size, CANVAS_CENTRE, INK);
}

void frame_line(canvas *c, int32_t left, int32_t right, int32_t y, const char *label)
{
    canvas_line(c, left, y, right, y, GRID, PX(1), false);
    canvas_text(c, left - PX(8), y + PX(4), label, PX(12), CANVAS_RIGHT, INK);
}
