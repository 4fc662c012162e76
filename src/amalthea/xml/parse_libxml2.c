/* xml_parse checks the text, and makes a tree of libxml2's events. Nothing but the text is read, and nothing is
 * printed.
 */
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "amalthea/xml/tag_scan.h"
#include "amalthea/xml/xml_tree.h"
#include "base/index.h"
#include "base/text.h"
#include "base/vec.h"
#include "gridcast/error.h"

#define MAX_OF_ELEMENT 1000 /* attributes */
#define MAX_SCHEMAS 100     /* declarations of name spaces in a file */
#define XSI "http://www.w3.org/2001/XMLSchema-instance"
#define XMI "http://www.omg.org/XMI"

/* Text must be UTF-8, and within limits that keep a parser from running for hours: its time may grow with the square of
 * the attributes of one element, or with the number of name spaces times that of the attributes. */

static int line_of(const char *bytes, size_t at)
{
    int line = 1;
    for (const char *p = bytes; (p = memchr(p, '\n', (size_t)(bytes + at - p))); p++)
        line++;
    return line;
}

/* Refuses bytes that are not UTF-8, and NUL, which is not XML. */
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

static gcast_status xml_check(const char *file, const char *bytes, size_t size, gcast_error *err)
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

typedef struct xml_parse_state {
    xml_tree *tree;
    xml_node *open;           /* the element that is being read */
    size_t depth;             /* of it */
    hash_index index;         /* of names */
    VEC(const char *) names;  /* of tags and attributes, each once */
    xmlParserCtxtPtr context; /* libxml2's */
    bool no_memory, too_deep;
    bool names_fail; /* the first error is an empty name space */
    bool failed;     /* message, line and column are those of libxml2's first error */
    int line, column;
    char message[300];
} xml_parse_state;

static void stop(xml_parse_state *p, bool *why)
{
    *why = true;
    xmlStopParser(p->context);
}

/* The name in the tree's memory, the same pointer for equal names; NULL without memory. */
static const char *intern(xml_parse_state *p, const char *prefix, const char *name)
{
    char joined[256];
    if (prefix) {
        snprintf(joined, sizeof joined, "%s:%s", prefix, name);
        name = joined;
    }
    uint64_t hash = index_hash_text(name);
    for (index_probe probe = index_start(&p->index, hash); index_next(&p->index, &probe);)
        if (strcmp(p->names.at[probe.value], name) == 0)
            return p->names.at[probe.value];
    const char *copy = arena_strdup(&p->tree->memory, name);
    if (!copy || !vec_push(&p->names, copy) || !index_add(&p->index, hash, (uint32_t)(p->names.count - 1)))
        return NULL;
    return copy;
}

static char *copy_value(xml_parse_state *p, const xmlChar *from, const xmlChar *to)
{
    size_t length = (size_t)(to - from);
    char *value = arena_alloc(&p->tree->memory, length + 1);
    if (value)
        memcpy(value, from, length);
    return value;
}

/* `given` are libxml2's five values of an attribute: name, prefix, name space, value from and to. */
static bool take_attribute(xml_parse_state *p, xml_node *n, const xmlChar **given)
{
    const char *name = (const char *)given[0], *prefix = (const char *)given[1], *uri = (const char *)given[2];
    char *value = copy_value(p, given[3], given[4]);
    if (!value)
        return false;
    if (uri && strcmp(name, "type") == 0 && (strcmp(uri, XSI) == 0 || strcmp(uri, XMI) == 0)) {
        const char *colon = strchr(value, ':');
        n->type = colon ? colon + 1 : value;
        return true;
    }
    if (uri && strcmp(uri, XMI) == 0)
        prefix = "xmi";
    else if (uri && strcmp(uri, XSI) == 0)
        prefix = "xsi";
    xml_attribute *a = &n->attributes[n->attribute_count++];
    a->name = intern(p, prefix, name);
    a->value = value;
    return a->name;
}

static bool take_element(xml_parse_state *p, const char *tag, const char *uri, int count, const xmlChar **given)
{
    arena *memory = &p->tree->memory;
    xml_node *n = arena_alloc(memory, sizeof *n);
    if (!n)
        return false;
    n->tag = intern(p, NULL, tag);
    n->type = "";
    n->file = p->tree->file;
    n->line = p->context->input ? p->context->input->line : 0;
    n->order = p->tree->element_count++;
    n->number = -1;
    n->attributes = count ? arena_alloc_array(memory, (size_t)count, sizeof *n->attributes) : NULL;
    if (!n->tag || (count && !n->attributes))
        return false;
    for (int i = 0; i < count; i++)
        if (!take_attribute(p, n, given + 5 * i))
            return false;
    n->parent = p->open;
    if (!p->open) {
        p->tree->root = n;
        p->tree->schema_uri = arena_strdup(memory, uri ? uri : "");
        return p->tree->schema_uri;
    }
    if (p->open->last)
        p->open->last->next = n;
    else
        p->open->first = n;
    p->open->last = n;
    return true;
}

static void on_start(void *data, const xmlChar *tag, const xmlChar *prefix, const xmlChar *uri, int schema_count,
                     const xmlChar **schemas, int count, int defaulted, const xmlChar **attributes)
{
    (void)prefix, (void)schema_count, (void)schemas, (void)defaulted;
    xml_parse_state *p = data;
    if (p->no_memory || p->too_deep)
        return;
    if (p->depth >= XML_MAX_DEPTH) {
        stop(p, &p->too_deep);
    } else if (!take_element(p, (const char *)tag, (const char *)uri, count, attributes)) {
        stop(p, &p->no_memory);
    } else {
        p->open = p->open ? p->open->last : p->tree->root;
        p->depth++;
    }
}

static void on_end(void *data, const xmlChar *tag, const xmlChar *prefix, const xmlChar *uri)
{
    (void)tag, (void)prefix, (void)uri;
    xml_parse_state *p = data;
    if (!p->open)
        return;
    p->open = p->open->parent;
    p->depth--;
}

static void on_text(void *data, const xmlChar *content, int length)
{
    xml_parse_state *p = data;
    for (int i = 0; i < length && p->open && !p->open->has_text; i++)
        p->open->has_text = !strchr(" \t\r\n", content[i]);
}

static void on_error(void *data, xmlErrorPtr error)
{
    xml_parse_state *p = data;
    if (error->code == XML_ERR_NO_MEMORY)
        p->no_memory = true;
    if (p->failed || error->level < XML_ERR_ERROR)
        return;
    p->failed = true;
    /* Messages of other codes quote the file, which may hold these words. */
    p->names_fail = error->domain == XML_FROM_NAMESPACE && error->code == XML_NS_ERR_XML_NAMESPACE && error->message &&
                    strstr(error->message, "Empty XML namespace");
    p->line = error->line;
    p->column = error->int2;
    snprintf(p->message, sizeof p->message, "%s", error->message ? error->message : "it is not well-formed XML");
    size_t length = strlen(p->message); /* libxml2's ends with a line end */
    if (length && p->message[length - 1] == '\n')
        p->message[length - 1] = '\0';
}

/* Runs libxml2, which calls the functions above. */
static void run_parser(xml_parse_state *p, const char *content, size_t size)
{
    static const xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC,
                                          .startElementNs = on_start,
                                          .endElementNs = on_end,
                                          .characters = on_text,
                                          .cdataBlock = on_text,
                                          .serror = (xmlStructuredErrorFunc)on_error};
    p->context = xmlNewParserCtxt();
    if (!p->context) {
        p->no_memory = true;
        return;
    }
    *p->context->sax = handler;
    p->context->userData = p;
    /* NOENT: values have & and the like decoded; there are no entities but XML's own. */
    int options = XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC; /* xml_check found UTF-8 */
    xmlFreeDoc(xmlCtxtReadMemory(p->context, content, (int)size, NULL, NULL, options));
    if (!p->failed && (!p->context->wellFormed || !p->tree->root))
        p->no_memory = !p->too_deep; /* it gave up without an error */
    xmlFreeParserCtxt(p->context);
}

/* Is some name space declared as ""? libxml2 reports that also when it has no memory for the name. */
static bool has_empty_name_space(const char *content, size_t size)
{
    const char *end = content + size;
    for (const char *at = content; end - at > 5 && (at = memchr(at, 'x', (size_t)(end - at))); at++) {
        if (end - at <= 5 || memcmp(at, "xmlns", 5) != 0)
            continue;
        const char *value = memchr(at, '=', (size_t)(end - at));
        while (value && ++value < end && strchr(" \t\r\n", *value))
            ;
        if (value && end - value > 1 && (*value == '"' || *value == '\'') && value[1] == *value)
            return true;
    }
    return false;
}

static gcast_status parse(xml_parse_state *p, const char *content, size_t size, gcast_error *err)
{
    run_parser(p, content, size);
    const char *file = p->tree->file;
    if (p->no_memory || (p->names_fail && !has_empty_name_space(content, size)))
        return gcast_error_set_memory(err);
    if (p->too_deep)
        return xml_file_error(file, 0, 0, err, "there are more than %d elements in each other", XML_MAX_DEPTH);
    if (p->failed)
        return xml_file_error(file, p->line, p->column, err, "%s", p->message);
    return GCAST_OK;
}

gcast_status xml_parse(const char *file, const char *content, size_t size, xml_tree *tree, gcast_error *err)
{
    *tree = (xml_tree){0};
    gcast_status status = xml_check(file, content, size, err);
    if (status != GCAST_OK)
        return status;
    tree->file = arena_strdup(&tree->memory, file);
    if (!tree->file)
        return gcast_error_set_memory(err);
    xml_parse_state state = {.tree = tree};
    /* libxml2 would print errors outside of a parser. The thread's handler belongs to the program, which gets it back,
     * and libxml2's last error must not refer to memory that is freed here. */
    xmlStructuredErrorFunc program_handler = xmlStructuredError;
    void *program_data = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(&state, (xmlStructuredErrorFunc)on_error);
    xmlInitParser();
    status = parse(&state, content, size, err);
    xmlResetLastError();
    xmlSetStructuredErrorFunc(program_data, program_handler);
    vec_free(&state.names);
    index_free(&state.index);
    if (status != GCAST_OK)
        xml_free(tree);
    return status;
}
