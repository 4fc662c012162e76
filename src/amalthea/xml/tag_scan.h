/* Finds the tags of XML text by their bytes, to check limits before the text is parsed, and to change it in place.
 * Comments, CDATA sections and processing instructions are skipped. Where the text is not well formed the scan ends
 * early, and the parser reports it. */
#ifndef AMALTHEA_XML_TAG_SCAN_H
#define AMALTHEA_XML_TAG_SCAN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum { TAG_START, TAG_END, TAG_DOCTYPE, TAG_NONE } tag_kind;

typedef struct tag_scan {
    const char *text;
    size_t size;
    size_t at; /* where the scan goes on */
} tag_scan;

typedef struct tag_found {
    tag_kind kind;
    size_t begin, end; /* of the text from < to behind > */
    bool empty;        /* START: it ends with /> */
    size_t attributes; /* START: how many */
    size_t schemas;    /* START: how many of them are xmlns */
} tag_found;

/* The next tag; TAG_NONE at the end, or where the text is not well formed. */
tag_found tag_next(tag_scan *s);

/* The value of an attribute of the start tag at [begin, end), as it is written: from `*from` to `*to`. */
bool tag_attribute(const char *text, size_t begin, size_t end, const char *name, size_t *from, size_t *to);

#endif
