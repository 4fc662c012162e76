#include "support/drawing.h"

#include <string.h>

#include "report/canvas/font.h"
#include "support/support.h"

#define SLACK PX(8) /* by which the unit behind the last number of an axis may pass the edge */

static int32_t width_of(const canvas_item *item, int32_t *x)
{
    int32_t w = font_width(item->text, item->size);
    *x = item->x - w * (item->align + 1) / 2;
    return w;
}

void drawing_assert_inside(const canvas *c)
{
    for (size_t i = 0; i < c->items.count; i++) {
        const canvas_item *item = &c->items.at[i];
        if (item->kind == CANVAS_RECT) {
            assert_true(item->x >= 0 && item->x + item->w <= c->width);
            assert_true(item->y >= 0 && item->y + item->h <= c->height);
            assert_true(item->w > 0 && item->h > 0);
        }
        if (item->kind == CANVAS_TEXT && !item->up) {
            int32_t x, w = width_of(item, &x);
            if (x < 0 || x + w > c->width + SLACK)
                print_error("\"%s\" is outside\n", item->text);
            assert_true(x >= 0 && x + w <= c->width + SLACK);
            assert_true(item->y >= item->size * 7 / 10 && item->y <= c->height);
        }
        for (size_t k = 0; k < item->point_count; k++) {
            assert_true(item->points[k].x >= 0 && item->points[k].x <= c->width);
            assert_true(item->points[k].y >= 0 && item->points[k].y <= c->height);
        }
    }
}

void drawing_assert_text_apart(const canvas *c)
{
    for (size_t i = 0; i < c->items.count; i++)
        for (size_t k = 0; k < i; k++) {
            const canvas_item *a = &c->items.at[i], *b = &c->items.at[k];
            if (a->kind != CANVAS_TEXT || b->kind != CANVAS_TEXT || a->up || b->up)
                continue;
            int32_t xa, xb, wa = width_of(a, &xa), wb = width_of(b, &xb);
            bool apart =
                xa >= xb + wb || xb >= xa + wa || a->y - a->size * 7 / 10 >= b->y || b->y - b->size * 7 / 10 >= a->y;
            if (!apart)
                print_error("\"%s\" and \"%s\"\n", a->text, b->text);
            assert_true(apart);
        }
}

const canvas_item *drawing_text(const canvas *c, const char *words)
{
    for (size_t i = 0; i < c->items.count; i++)
        if (c->items.at[i].kind == CANVAS_TEXT && strncmp(c->items.at[i].text, words, strlen(words)) == 0)
            return &c->items.at[i];
    return NULL;
}

size_t drawing_rects(const canvas *c, uint32_t rgb)
{
    size_t n = 0;
    for (size_t i = 0; i < c->items.count; i++)
        n += c->items.at[i].kind == CANVAS_RECT && c->items.at[i].rgb == rgb;
    return n;
}
