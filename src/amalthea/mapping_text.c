#include "amalthea/mapping_text.h"

#include <stdlib.h>
#include <string.h>

#include "amalthea/xml/tag_scan.h"
#include "base/text.h"

/* Finds the tags of all elements: the n-th start tag is the n-th element of the tree. */
static bool find_spans(mapping_text *t)
{
    size_t open[XML_MAX_DEPTH + 1], depth = 0, count = 0;
    tag_scan scan = {.text = t->text, .size = t->size};
    t->spans = calloc(t->tree.element_count + 1, sizeof *t->spans);
    if (!t->spans)
        return false;
    for (tag_found tag; (tag = tag_next(&scan)).kind != TAG_NONE;) {
        if (tag.kind == TAG_END && depth) {
            t->spans[open[--depth]].close = tag.begin;
        } else if (tag.kind == TAG_START && count < t->tree.element_count && depth <= XML_MAX_DEPTH) {
            t->spans[count] = (tag_span){.begin = tag.begin, .end = tag.end, .close = tag.end, .empty = tag.empty};
            if (!tag.empty)
                open[depth++] = count;
            count++;
        } else {
            return false;
        }
    }
    return count == t->tree.element_count && !depth;
}

/* Finds out how the file writes line ends, empty elements and prefixes. */
static void find_style(mapping_text *t)
{
    const char *first = memchr(t->text, '\n', t->size);
    t->line_end = first && first > t->text && first[-1] == '\r' ? "\r\n" : "\n";
    t->empty_end = "/>";
    for (size_t i = 0; i < t->tree.element_count; i++)
        if (t->spans[i].empty) {
            t->empty_end = t->text[t->spans[i].end - 3] == ' ' ? " />" : "/>";
            break;
        }
    const char *root = t->text + t->spans[0].begin + 1;
    size_t length = strcspn(root, ": \t\r\n>");
    if (root[length] == ':' && length + 2 <= sizeof t->prefix)
        memcpy(t->prefix, root, length + 1);
    size_t from, to;
    t->has_xsi = tag_attribute(t->text, t->spans[0].begin, t->spans[0].end, "xmlns:xsi", &from, &to);
}

gcast_status mapping_text_open(mapping_text *t, const char *name, const char *bytes, size_t size, gcast_error *err)
{
    *t = (mapping_text){.name = name, .text = bytes, .size = size, .err = err};
    gcast_status status = xml_parse(name, bytes, size, &t->tree, err);
    if (status != GCAST_OK)
        return status;
    if (find_spans(t)) {
        find_style(t);
        return GCAST_OK;
    }
    bool memory = !t->spans;
    mapping_text_close(t);
    return memory ? gcast_error_set_memory(err)
                  : gcast_error_set(err, GCAST_INTERNAL, NULL, "%s: its tags are not found again", name);
}

void mapping_text_close(mapping_text *t)
{
    for (size_t i = 0; i < t->changes.count; i++)
        free(t->changes.at[i].put);
    vec_free(&t->changes);
    free(t->spans);
    t->spans = NULL;
    xml_free(&t->tree);
}

/* Adds a change with the text of `put`, which is used up. */
static bool add(mapping_text *t, size_t at, size_t cut, text *put)
{
    text_change change = {.at = at, .cut = cut, .put = text_take(put, NULL), .number = t->changes.count};
    if (change.put && vec_push(&t->changes, change))
        return true;
    free(change.put);
    return false;
}

/* The place behind the last character of a start tag's attributes. */
static size_t attributes_end(const mapping_text *t, const tag_span *span)
{
    size_t at = span->end - 1 - span->empty;
    while (at > span->begin && strchr(" \t\r\n", t->text[at - 1]))
        at--;
    return at;
}

bool change_attribute(mapping_text *t, const xml_node *n, const char *name, const char *value)
{
    const tag_span *span = &t->spans[n->order];
    size_t from, to;
    text put;
    text_open(&put, NULL, NULL);
    if (tag_attribute(t->text, span->begin, span->end, name, &from, &to)) {
        text_str(&put, value);
        return add(t, from, to - from, &put);
    }
    text_printf(&put, " %s=\"%s\"", name, value);
    return add(t, attributes_end(t, span), 0, &put);
}

/* The blanks with which the line of the element begins. */
static size_t indent_of(const mapping_text *t, const xml_node *n, const char **indent)
{
    size_t begin = t->spans[n->order].begin, at = begin;
    while (at && t->text[at - 1] != '\n')
        at--;
    *indent = t->text + at;
    size_t size = 0;
    while (at + size < begin && strchr(" \t", t->text[at + size]))
        size++;
    return size;
}

/* Writes a line end before each line, and indents it as `n`, or one level deeper; no line end at the end. */
static void put_lines(const mapping_text *t, const xml_node *n, bool deeper, const char *lines, text *put)
{
    const char *indent;
    size_t size = indent_of(t, n, &indent);
    bool tabs = size && indent[0] == '\t';
    while (*lines) {
        size_t levels = (size_t)deeper, length;
        for (; strncmp(lines, "  ", 2) == 0; lines += 2)
            levels++;
        length = strcspn(lines, "\n");
        text_str(put, t->line_end);
        text_bytes(put, indent, size);
        for (size_t i = 0; i < levels; i++)
            text_str(put, tabs ? "\t" : "  ");
        text_bytes(put, lines, length);
        lines += length + (lines[length] == '\n');
    }
}

/* Replaces /> of a start tag by an end tag, with `lines` between the tags. */
static bool open_empty(mapping_text *t, const xml_node *n, const char *lines)
{
    const tag_span *span = &t->spans[n->order];
    size_t at = attributes_end(t, span);
    const char *tag = t->text + span->begin + 1;
    text put;
    text_open(&put, NULL, NULL);
    text_char(&put, '>');
    put_lines(t, n, true, lines, &put);
    put_lines(t, n, false, "</", &put);
    text_bytes(&put, tag, strcspn(tag, " \t\r\n/>"));
    text_char(&put, '>');
    return add(t, at, span->end - at, &put);
}

bool change_child(mapping_text *t, const xml_node *n, const char *lines)
{
    const tag_span *span = &t->spans[n->order];
    if (span->empty)
        return open_empty(t, n, lines);
    text put;
    text_open(&put, NULL, NULL);
    put_lines(t, n, true, lines, &put);
    return add(t, span->end, 0, &put);
}

/* The place behind the whole element. */
static size_t element_end(const mapping_text *t, const xml_node *n)
{
    const tag_span *span = &t->spans[n->order];
    if (span->empty)
        return span->end;
    const char *end = memchr(t->text + span->close, '>', t->size - span->close);
    return (size_t)(end - t->text) + 1;
}

bool change_behind(mapping_text *t, const xml_node *n, const char *lines)
{
    text put;
    text_open(&put, NULL, NULL);
    put_lines(t, n, false, lines, &put);
    return add(t, element_end(t, n), 0, &put);
}

bool change_remove(mapping_text *t, const xml_node *n)
{
    size_t at = t->spans[n->order].begin, end = element_end(t, n);
    while (at && strchr(" \t", t->text[at - 1]))
        at--;
    if (at && t->text[at - 1] == '\n')
        at -= 1 + (at > 1 && t->text[at - 2] == '\r');
    text put;
    text_open(&put, NULL, NULL);
    return add(t, at, end - at, &put);
}

/* Before the indent of the end tag, so that this stays where it is. */
bool change_last(mapping_text *t, const xml_node *n, const char *lines)
{
    const tag_span *span = &t->spans[n->order];
    if (n->last)
        return change_behind(t, n->last, lines);
    return span->empty ? open_empty(t, n, lines) : change_child(t, n, lines);
}

static int by_place(const void *a, const void *b)
{
    const text_change *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

char *changed_text(mapping_text *t, size_t *size)
{
    text out;
    text_open(&out, NULL, NULL);
    if (t->changes.count)
        qsort(t->changes.at, t->changes.count, sizeof *t->changes.at, by_place);
    size_t at = 0;
    for (size_t i = 0; i < t->changes.count; i++) {
        const text_change *c = &t->changes.at[i];
        if (c->at < at) { /* two changes overlap */
            text_no_memory(&out);
            break;
        }
        text_bytes(&out, t->text + at, c->at - at);
        text_str(&out, c->put);
        at = c->at + c->cut;
    }
    text_bytes(&out, t->text + at, t->size - at);
    return text_take(&out, size);
}
