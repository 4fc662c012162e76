#include "files/workload/launches/items_text.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SHOWN 20 /* characters of a word in an error */

static bool is_separator(char c)
{
    return c == ' ' || c == ',' || (c >= '\t' && c <= '\r');
}

/* The end of the word that starts at p. */
static const char *word_end(const char *p, const char *end)
{
    while (p < end && !is_separator(*p) && *p != '#')
        p++;
    return p;
}

/* A word as it is shown: up to its first character that is not printable ASCII. */
static int shown(const char *word, const char *end)
{
    int length = 0;
    while (word + length < end && length < MAX_SHOWN && word[length] > ' ' && word[length] < 127)
        length++;
    return length;
}

static gcast_status word_error(const char *word, const char *end, gcast_error *err)
{
    const char *digit = word + (*word == '-');
    int length = shown(word, end);
    const char *more = end - word > MAX_SHOWN ? "..." : "";
    bool is_number = digit < end;
    for (; digit < end; digit++)
        is_number = is_number && *digit >= '0' && *digit <= '9';
    if (is_number && *word == '-')
        return gcast_error_set(err, GCAST_INPUT, NULL, "%.*s%s items: a launcher has 0 or more", length, word, more);
    if (is_number)
        return gcast_error_set(err, GCAST_INPUT, NULL, "%.*s%s items: a launcher has at most %u", length, word, more,
                               UINT32_MAX);
    if (length == 0)
        return gcast_error_set(err, GCAST_INPUT, NULL, "the byte 0x%02x is not of a whole number",
                               (unsigned)(unsigned char)*word);
    return gcast_error_set(err, GCAST_INPUT, NULL, "%.*s%s is not a whole number", length, word, more);
}

/* False where the word is not the items of a launcher. */
static bool read_word(const char *word, const char *end, uint32_t *items)
{
    uint64_t value = 0;
    for (; word < end; word++) {
        if (*word < '0' || *word > '9')
            return false;
        value = value * 10 + (uint64_t)(*word - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *items = (uint32_t)value;
    return true;
}

gcast_status items_text_read(const char *text, size_t size, uint64_t max, item_list *items, gcast_error *err)
{
    const char *end = text + size, *line_start = text;
    gcast_status status = GCAST_OK;
    int line = 1;
    for (const char *p = text; p < end;) {
        if (*p == '#') {
            const char *newline = memchr(p, '\n', (size_t)(end - p));
            p = newline ? newline : end;
            continue;
        }
        if (is_separator(*p)) {
            if (*p++ == '\n') {
                line++;
                line_start = p;
            }
            continue;
        }
        const char *word = p;
        uint32_t value;
        p = word_end(p, end);
        if (!read_word(word, p, &value))
            status = word_error(word, p, err);
        else if (items->count == max)
            status = gcast_error_set(err, GCAST_INPUT, NULL, "there are more numbers than launchers: %llu",
                                     (unsigned long long)max);
        else if (!vec_push(items, value))
            return gcast_error_set_memory(err);
        if (status != GCAST_OK) {
            if (err) {
                err->line = line;
                err->column = (int)(word - line_start) + 1;
            }
            return status;
        }
    }
    return GCAST_OK;
}
