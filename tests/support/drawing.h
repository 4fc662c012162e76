/* Checks of drawings, and what is in them. */
#ifndef TESTS_DRAWING_H
#define TESTS_DRAWING_H

#include "report/canvas/display_list.h"

/* Everything is inside of the canvas. */
void drawing_assert_inside(const canvas *c);
/* No text covers another. */
void drawing_assert_text_apart(const canvas *c);

/* The first text that is, or starts with, these words; NULL: there is none. */
const canvas_item *drawing_text(const canvas *c, const char *words);
/* How many rectangles have this colour. */
size_t drawing_rects(const canvas *c, uint32_t rgb);

#endif
