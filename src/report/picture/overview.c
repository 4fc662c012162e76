#include "report/picture/overview.h"

#include <stdio.h>

#include "report/canvas/palette.h"
#include "report/picture/areas_draw.h"
#include "report/run/sm_share.h"

#define DARKEST 0x12406bu

void share_percent(uint32_t share, char out[24])
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

uint32_t shade_colour(uint32_t shade)
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
