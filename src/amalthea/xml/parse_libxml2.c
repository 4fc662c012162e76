/* The parser: libxml2's events become a tree. Nothing is read but the text, and nothing is printed. */
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "amalthea/xml/xml_check.h"
#include "amalthea/xml/xml_tree.h"
#include "base/index.h"
#include "base/vec.h"

#define XSI "http://www.w3.org/2001/XMLSchema-instance"
#define XMI "http://www.omg.org/XMI"

typedef struct xml_parse_state {
    xml_tree *tree;
    xml_node *open;           /* the element that is being read */
    size_t depth;             /* of it */
    hash_index index;         /* of names */
    VEC(const char *) names;  /* of tags and attributes, each once */
    xmlParserCtxtPtr context; /* libxml2's */
    bool no_memory, too_deep;
    bool names_fail; /* the first error is that a name space is empty */
    bool failed;     /* message, line and column are libxml2's first */
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

static void on_text(void *data, const xmlChar *text, int length)
{
    xml_parse_state *p = data;
    for (int i = 0; i < length && p->open && !p->open->has_text; i++)
        p->open->has_text = !strchr(" \t\r\n", text[i]);
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

/* libxml2's events of the text. */
static void run_parser(xml_parse_state *p, const char *text, size_t size)
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
    /* NOENT: values with & are handed over as they are meant; there are no entities but XML's own. */
    int options = XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC; /* xml_check found UTF-8 */
    xmlFreeDoc(xmlCtxtReadMemory(p->context, text, (int)size, NULL, NULL, options));
    if (!p->failed && (!p->context->wellFormed || !p->tree->root))
        p->no_memory = !p->too_deep; /* it gave up without a word */
    xmlFreeParserCtxt(p->context);
}

/* Is some name space declared as ""? libxml2 says so too where it has no memory for its name. */
static bool has_empty_name_space(const char *text, size_t size)
{
    const char *end = text + size;
    for (const char *at = text; end - at > 5 && (at = memchr(at, 'x', (size_t)(end - at))); at++) {
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

static gcast_status parse(xml_parse_state *p, const char *text, size_t size, gcast_error *err)
{
    run_parser(p, text, size);
    const char *file = p->tree->file;
    if (p->no_memory || (p->names_fail && !has_empty_name_space(text, size)))
        return gcast_error_set_memory(err);
    if (p->too_deep)
        return xml_file_error(file, 0, 0, err, "there are more than %d elements in each other", XML_MAX_DEPTH);
    if (p->failed)
        return xml_file_error(file, p->line, p->column, err, "%s", p->message);
    return GCAST_OK;
}

gcast_status xml_parse(const char *file, const char *text, size_t size, xml_tree *tree, gcast_error *err)
{
    *tree = (xml_tree){0};
    gcast_status status = xml_check(file, text, size, err);
    if (status != GCAST_OK)
        return status;
    tree->file = arena_strdup(&tree->memory, file);
    if (!tree->file)
        return gcast_error_set_memory(err);
    xml_parse_state state = {.tree = tree};
    /* What libxml2 says outside of a parser would be printed. The handler of the thread is the program's own, which
     * gets it back, and nothing that is freed here stays in its last error. */
    xmlStructuredErrorFunc program_handler = xmlStructuredError;
    void *program_data = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(&state, (xmlStructuredErrorFunc)on_error);
    xmlInitParser();
    status = parse(&state, text, size, err);
    xmlResetLastError();
    xmlSetStructuredErrorFunc(program_data, program_handler);
    vec_free(&state.names);
    index_free(&state.index);
    if (status != GCAST_OK)
        xml_free(tree);
    return status;
}
