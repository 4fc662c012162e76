/* Measures text by a table, as layouts must not depend on the fonts of a machine; cuts and cleans text for drawing. */
#ifndef REPORT_CANVAS_FONT_H
#define REPORT_CANVAS_FONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest text that a picture shows in one place, in characters and in bytes. */
#define LABEL_CHARS 60
#define LABEL_SIZE (LABEL_CHARS * 4 + 4)

/* Width in hundredths of a pixel at this size (hundredths too). Never less than what common sans-serif fonts take for
 * ASCII. */
int32_t font_width(const char *s, int32_t size);
/* From the middle of a line of text down to its base line. */
static inline int32_t font_drop(int32_t size)
{
    return size * 36 / 100;
}

/* Copies `s` for showing: at most `chars` characters (the last one an ellipsis where something was cut), with control
 * characters, invisible characters and bad UTF-8 as U+FFFD. Returns out. */
char *label_cut(const char *s, size_t chars, char out[LABEL_SIZE]);
/* label_cut to what fits into `width`; false where not even two characters do. */
bool font_fit(const char *s, int32_t size, int32_t width, char out[LABEL_SIZE]);
/* `s` for a box of this width: in full, or cut where enough is left to read; false where neither fits. */
bool font_fit_box(const char *s, int32_t size, int32_t box_width, char out[LABEL_SIZE]);

#endif
