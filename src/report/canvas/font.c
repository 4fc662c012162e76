#include "report/canvas/font.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/canvas/canvas.h"

/* Advance widths of DejaVu Sans, the widest of the common ones, in hundredths of the size, rounded up: characters 32 to
 * 126. */
static const uint8_t widths[] = {
    32, 41, 46, 84, 64, 96, 78, 28, 40,  40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69,  62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
};

#define OTHER_WIDTH 100
#define BOX_MARGIN PX(4)     /* left and right together */
#define MIN_CUT_WIDTH PX(36) /* with less room than this, a text that is cut is not worth reading */
#define ELLIPSIS "\xe2\x80\xa6"
#define REPLACEMENT "\xef\xbf\xbd"

static int width_of(const char *s)
{
    unsigned char c = (unsigned char)*s;
    return c >= 32 && c < 127 ? widths[c - 32] : OTHER_WIDTH;
}

int32_t font_width(const char *s, int32_t size)
{
    int64_t sum = 0;
    for (; *s; s++)
        if (((unsigned char)*s & 0xc0) != 0x80)
            sum += width_of(s);
    sum = sum * size / 100;
    return sum > INT32_MAX ? INT32_MAX : (int32_t)sum;
}

/* The first character of s, or a replacement where it cannot be shown; *next is where the next one starts. */
static const char *printable(const char *s, char character[5], const char **next)
{
    size_t n = text_utf8(s);
    memcpy(character, s, n);
    character[n] = '\0';
    *next = s + (n ? n : 1);
    return n && text_width(character) <= 2 ? character : REPLACEMENT;
}

/* At most `chars` characters and `max_width` (hundredths of the size); an ellipsis stands for what was cut. */
static char *cut(const char *s, size_t chars, int64_t max_width, char out[LABEL_SIZE])
{
    size_t used = 0, count = 0, keep = 0; /* keep: bytes after which an ellipsis still fits */
    int64_t width = 0;
    char character[5];
    if (chars > LABEL_CHARS)
        chars = LABEL_CHARS;
    while (*s && count < chars) {
        const char *c = printable(s, character, &s);
        int64_t wider = width + width_of(c);
        if (wider > max_width)
            break;
        memcpy(out + used, c, strlen(c));
        used += strlen(c);
        width = wider;
        count++;
        if (count < chars && width + OTHER_WIDTH <= max_width)
            keep = used;
        if (!*s) {
            out[used] = '\0';
            return out;
        }
    }
    snprintf(out + keep, LABEL_SIZE - keep, "%s", keep ? ELLIPSIS : "");
    return out;
}

char *label_cut(const char *s, size_t chars, char out[LABEL_SIZE])
{
    return cut(s, chars, INT64_MAX / 2, out);
}

bool font_fit(const char *s, int32_t size, int32_t width, char out[LABEL_SIZE])
{
    cut(s, LABEL_CHARS, width > 0 ? (int64_t)width * 100 / size : 0, out);
    return out[0] != '\0';
}

bool font_fit_box(const char *s, int32_t size, int32_t box_width, char out[LABEL_SIZE])
{
    int32_t width = box_width - BOX_MARGIN;
    return (font_width(s, size) <= width || width > MIN_CUT_WIDTH) && font_fit(s, size, width, out);
}
