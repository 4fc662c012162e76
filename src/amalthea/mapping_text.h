/* The text of a file with the places of its tags, and changes that leave all else as it is. */
#ifndef AMALTHEA_MAPPING_TEXT_H
#define AMALTHEA_MAPPING_TEXT_H

#include "amalthea/xml/xml_tree.h"
#include "base/vec.h"

/* Where an element is in the text. */
typedef struct tag_span {
    size_t begin, end; /* its start tag */
    size_t close;      /* where its end tag begins; `end` where it has none */
    bool empty;        /* it has no end tag: the start tag ends with /> */
} tag_span;

typedef struct text_change {
    size_t at, cut; /* `cut` bytes from there on are replaced */
    char *put;      /* by this text */
    size_t number;  /* changes at one place stay in their order */
} text_change;

typedef struct mapping_text {
    const char *name; /* of the file */
    const char *text;
    size_t size;
    xml_tree tree;
    tag_span *spans;       /* by the order of the elements */
    const char *line_end;  /* "\n" or "\r\n" */
    const char *empty_end; /* "/>" or " />" */
    char prefix[40];       /* of the schema: "am:" */
    bool has_xsi;          /* the prefix xsi stands for types */
    VEC(text_change) changes;
    gcast_error *err;
} mapping_text;

gcast_status mapping_text_open(mapping_text *t, const char *name, const char *bytes, size_t size, gcast_error *err);
void mapping_text_close(mapping_text *t);

/* Changes are false without memory. Values are written as they are given: they must not need to be escaped. */

/* Sets or adds an attribute. */
bool change_attribute(mapping_text *t, const xml_node *n, const char *name, const char *value);
/* Adds a first child; `lines` are its lines with line ends as \n, two spaces deeper for each level. */
bool change_child(mapping_text *t, const xml_node *n, const char *lines);
/* Adds an element behind this one. */
bool change_behind(mapping_text *t, const xml_node *n, const char *lines);
/* Adds a last child. */
bool change_last(mapping_text *t, const xml_node *n, const char *lines);
/* Removes the element and the blanks and line end before it. */
bool change_remove(mapping_text *t, const xml_node *n);
/* The new text, for the caller to free; NULL without memory. */
char *changed_text(mapping_text *t, size_t *size);

#endif
