/* See xml_check.h. A parser's time may grow with the square of the attributes of one element, or with the number of
 * name spaces times that of the attributes; so these are counted first. */
#include "amalthea/xml/xml_check.h"

#include <string.h>
#include <strings.h>

#include "amalthea/xml/tag_scan.h"
#include "amalthea/xml/xml_tree.h"
#include "base/text/text.h"

#define MAX_OF_ELEMENT 1000 /* attributes */
#define MAX_SCHEMAS 100     /* declarations of name spaces in a file */

static int line_of(const char *bytes, size_t at)
{
    int line = 1;
    for (const char *p = bytes; (p = memchr(p, '\n', (size_t)(bytes + at - p))); p++)
        line++;
    return line;
}

/* Bytes other than UTF-8; a NUL is not XML. */
static gcast_status check_bytes(const char *file, const char *bytes, size_t size, gcast_error *err)
{
    if (size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))
        return xml_file_error(file, 0, 0, err, "it is UTF-16; AMALTHEA models are read in UTF-8");
    for (size_t i = 0; i < size;) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == 0)
            return xml_file_error(file, line_of(bytes, i), 0, err, "there is a NUL byte; XML has none");
        size_t length = 1;
        if (c >= 0x80) {
            char sequence[5] = {0}; /* the bytes may end in the middle of one */
            memcpy(sequence, bytes + i, size - i < 4 ? size - i : 4);
            length = text_utf8(sequence);
        }
        if (!length)
            return xml_file_error(file, line_of(bytes, i), 0, err, "byte 0x%02x is not UTF-8", c);
        i += length;
    }
    return GCAST_OK;
}

/* The encoding that the first line declares, if any, must be the one that is read. */
static gcast_status check_encoding(const char *file, const char *bytes, size_t size, gcast_error *err)
{
    static const char *const good[] = {"UTF-8", "UTF8", "ASCII", "US-ASCII"};
    if (size < 5 || memcmp(bytes, "<?xml", 5) != 0)
        return GCAST_OK;
    const char *end = memchr(bytes, '>', size);
    size_t from, to;
    if (!end || !tag_attribute(bytes, 0, (size_t)(end - bytes), "encoding", &from, &to))
        return GCAST_OK;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (strlen(good[i]) == to - from && strncasecmp(bytes + from, good[i], to - from) == 0)
            return GCAST_OK;
    return xml_file_error(file, 1, 0, err, "its encoding is %.*s; AMALTHEA models are read in UTF-8",
                          (int)(to - from < 40 ? to - from : 40), bytes + from);
}

static gcast_status check_tags(const char *file, const char *bytes, size_t size, gcast_error *err)
{
    tag_scan scan = {.text = bytes, .size = size};
    size_t depth = 0, elements = 0, attributes = 0, schemas = 0;
    for (;;) {
        tag_found tag = tag_next(&scan);
        if (tag.kind == TAG_NONE)
            return GCAST_OK;
        int line = 0;
        const char *what = NULL;
        size_t limit = 0;
        if (tag.kind == TAG_DOCTYPE)
            return xml_file_error(file, line_of(bytes, tag.begin), 0, err,
                                  "there is a document type (<!...>), which AMALTHEA models have not; it is refused");
        if (tag.kind == TAG_END) {
            depth -= depth > 0;
            continue;
        }
        elements++;
        attributes += tag.attributes;
        schemas += tag.schemas;
        depth += !tag.empty;
        if (depth > XML_MAX_DEPTH)
            what = "elements in each other", limit = XML_MAX_DEPTH;
        else if (elements > XML_MAX_ELEMENTS)
            what = "elements", limit = XML_MAX_ELEMENTS;
        else if (attributes > XML_MAX_ATTRIBUTES)
            what = "attributes", limit = XML_MAX_ATTRIBUTES;
        else if (tag.attributes > MAX_OF_ELEMENT)
            what = "attributes of one element", limit = MAX_OF_ELEMENT;
        else if (schemas > MAX_SCHEMAS)
            what = "name spaces", limit = MAX_SCHEMAS;
        if (what) {
            line = line_of(bytes, tag.begin);
            return xml_file_error(file, line, 0, err, "there are more than %zu %s", limit, what);
        }
    }
}

gcast_status xml_check(const char *file, const char *bytes, size_t size, gcast_error *err)
{
    if (size > XML_MAX_SIZE)
        return xml_file_error(file, 0, 0, err, "larger than %zu MiB", XML_MAX_SIZE >> 20);
    gcast_status status = check_bytes(file, bytes, size, err);
    if (status == GCAST_OK)
        status = check_encoding(file, bytes, size, err);
    if (status == GCAST_OK)
        status = check_tags(file, bytes, size, err);
    return status;
}
