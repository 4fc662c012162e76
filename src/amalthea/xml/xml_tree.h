/* A file of XML as a tree of elements, which remembers the elements and attributes that were used. Only this folder
 * knows libxml2. */
#ifndef AMALTHEA_XML_XML_TREE_H
#define AMALTHEA_XML_XML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "gridcast/error.h"

#define XML_MAX_SIZE ((size_t)256 << 20) /* bytes of a file */
#define XML_MAX_DEPTH 200                /* of elements in each other */
#define XML_MAX_ELEMENTS ((size_t)1 << 22)
#define XML_MAX_ATTRIBUTES ((size_t)1 << 24)

typedef struct xml_attribute {
    const char *name; /* with a prefix where it has one: "xmi:id" */
    const char *value;
    bool used; /* a reader asked for it */
} xml_attribute;

typedef struct xml_node xml_node;
struct xml_node {
    const char *tag;  /* without prefix */
    const char *type; /* the class in xsi:type without prefix, or "" */
    xml_attribute *attributes;
    size_t attribute_count;
    xml_node *parent, *first, *last, *next;
    const char *file;
    int line;
    size_t order;  /* the number of its start tag in the file, from 0 */
    int number;    /* for the reader: its index among those of its kind, or -1 */
    bool used;     /* a reader asked for it */
    bool has_text; /* it has text that is not blank */
};

typedef struct xml_tree {
    xml_node *root;
    const char *file;       /* its name */
    const char *schema_uri; /* the namespace of the root, or "" */
    size_t element_count;
    arena memory;
} xml_tree;

/* `text` must be UTF-8. Document type definitions, entities and everything that would read other files are refused. */
gcast_status xml_parse(const char *file, const char *text, size_t size, xml_tree *tree, gcast_error *err);
void xml_free(xml_tree *tree);

/* The value of an attribute, which is marked as used, or NULL. */
const char *xml_get(xml_node *n, const char *name);
/* As xml_get, but does not mark it. */
const char *xml_peek(const xml_node *n, const char *name);
/* The first child with this tag, and the next one after `n`, or NULL; it is marked as used. */
xml_node *xml_first(xml_node *n, const char *tag);
xml_node *xml_next(xml_node *n, const char *tag);

/* The path of the element, such as /swModel/tasks[EKF]/activityGraph. */
void xml_path(const xml_node *n, char *out, size_t size);
/* Fills err with a message about the element, and returns GCAST_INPUT. */
gcast_status xml_error(const xml_node *n, gcast_error *err, const char *format, ...) GCAST_PRINTF(3, 4);

/* Replaces line ends, which texts of files may have, by blanks for a message. */
void xml_one_line(char *text);
/* For parsers: an error at a line of a file; GCAST_INPUT. */
gcast_status xml_file_error(const char *file, int line, int column, gcast_error *err, const char *format, ...)
    GCAST_PRINTF(5, 6);

#endif
