#include "amalthea/xml/tag_scan.h"

#include <string.h>

static bool starts(const tag_scan *s, size_t at, const char *what)
{
    size_t length = strlen(what);
    return s->size - at >= length && memcmp(s->text + at, what, length) == 0;
}

/* The place behind the next `what` from `at` on, or the size of the text. */
static size_t behind(const tag_scan *s, size_t at, const char *what)
{
    size_t length = strlen(what);
    while (at < s->size) {
        const char *p = memchr(s->text + at, what[0], s->size - at);
        if (!p)
            break;
        at = (size_t)(p - s->text);
        if (starts(s, at, what))
            return at + length;
        at++;
    }
    return s->size;
}

/* Reads a start tag from `begin` on; an equals sign that is not in quotes counts as an attribute. */
static tag_found start_tag(tag_scan *s, size_t begin)
{
    tag_found found = {.kind = TAG_START, .begin = begin};
    char quote = '\0';
    for (size_t i = begin + 1; i < s->size; i++) {
        char c = s->text[i];
        if (quote) {
            if (c == quote)
                quote = '\0';
            continue;
        }
        if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '=') {
            found.attributes++;
        } else if (c == 'x' && starts(s, i, "xmlns")) {
            found.schemas++;
        } else if (c == '>') {
            found.end = s->at = i + 1;
            found.empty = s->text[i - 1] == '/';
            return found;
        } else if (c == '<') {
            break;
        }
    }
    return (tag_found){.kind = TAG_NONE};
}

tag_found tag_next(tag_scan *s)
{
    while (s->at < s->size) {
        const char *p = memchr(s->text + s->at, '<', s->size - s->at);
        if (!p)
            break;
        size_t begin = (size_t)(p - s->text);
        if (starts(s, begin, "<!--")) {
            s->at = behind(s, begin + 4, "-->");
        } else if (starts(s, begin, "<![CDATA[")) {
            s->at = behind(s, begin + 9, "]]>");
        } else if (starts(s, begin, "<?")) {
            s->at = behind(s, begin + 2, "?>");
        } else if (starts(s, begin, "<!")) {
            return (tag_found){.kind = TAG_DOCTYPE, .begin = begin, .end = begin + 2};
        } else if (starts(s, begin, "</")) {
            s->at = behind(s, begin + 2, ">");
            return (tag_found){.kind = TAG_END, .begin = begin, .end = s->at};
        } else {
            return start_tag(s, begin);
        }
    }
    return (tag_found){.kind = TAG_NONE};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t skip_blank(const char *text, size_t at, size_t end)
{
    while (at < end && is_blank(text[at]))
        at++;
    return at;
}

bool tag_attribute(const char *text, size_t begin, size_t end, const char *name, size_t *from, size_t *to)
{
    size_t at = begin + 1, length = strlen(name);
    while (at < end && !is_blank(text[at]) && text[at] != '>') /* the tag's own name */
        at++;
    while (at < end) {
        at = skip_blank(text, at, end);
        size_t key = at;
        while (at < end && !is_blank(text[at]) && text[at] != '=' && text[at] != '>')
            at++;
        size_t key_end = at;
        at = skip_blank(text, at, end);
        if (at >= end || text[at] != '=')
            return false;
        at = skip_blank(text, at + 1, end);
        if (at >= end || (text[at] != '"' && text[at] != '\''))
            return false;
        const char *close = memchr(text + at + 1, text[at], end - at - 1);
        if (!close)
            return false;
        size_t value = at + 1, value_end = (size_t)(close - text);
        at = value_end + 1;
        if (key_end - key == length && memcmp(text + key, name, length) == 0) {
            *from = value;
            *to = value_end;
            return true;
        }
    }
    return false;
}
