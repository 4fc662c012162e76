/* How wide text is, the same on every machine: layout must not depend on the
 * fonts a machine has. And text made short and safe enough to draw. */
#ifndef REPORT_CANVAS_FONT_H
#define REPORT_CANVAS_FONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest text a picture shows in one place, and the bytes that takes. */
#define LABEL_CHARS 60
#define LABEL_SIZE (LABEL_CHARS * 4 + 4)

/* Width in hundredths of a pixel at this size (hundredths too). Never less than
 * what common sans-serif fonts take for ASCII. */
int32_t font_width(const char *s, int32_t size);

/* `s` for showing: at most `chars` characters (the last one an ellipsis where
 * something was cut), control and invisible characters and bad UTF-8 as U+FFFD.
 * Returns out. */
char *label_cut(const char *s, size_t chars, char out[LABEL_SIZE]);
/* label_cut to what fits in `room`; false where not even two characters do. */
bool font_fit(const char *s, int32_t size, int32_t room, char out[LABEL_SIZE]);

#endif
