#include "files/system/given_values.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/text/units.h"

#define MAX_TIME_NS INT64_C(86400000000000) /* a day, as a system may have it */
#define MAX_TICK_PS INT64_C(1000000000000)  /* a second */

int64_t given_time(const node *n)
{
    int64_t ns = 0;
    if (json_is_string(n->value) && !units_parse_time(node_text(n), &ns))
        node_fail(n, "must be a time such as 20ns, 2.5us or 1ms");
    else if (!json_is_string(n->value))
        ns = node_int(n, 0, MAX_TIME_NS);
    if (ns > MAX_TIME_NS)
        node_fail(n, "must be at most a day");
    return n->doc->status == GCAST_OK ? ns : 0;
}

sys_range given_range(const node *n)
{
    sys_range r;
    if (!json_is_array(n->value)) {
        r.min_ns = r.max_ns = given_time(n);
        return r;
    }
    node least = node_item(n, 0), most = node_item(n, 1);
    if (json_array_size(n->value) != 2) {
        node_fail(n, "must be a time, or the least and the most");
        return (sys_range){0, 0};
    }
    r.min_ns = given_time(&least);
    r.max_ns = given_time(&most);
    if (r.max_ns < r.min_ns)
        node_fail(n, "the least is larger than the most");
    return n->doc->status == GCAST_OK ? r : (sys_range){0, 0};
}

int64_t given_tick(const node *n)
{
    int64_t ps = 0;
    if (json_is_string(n->value) && !units_parse_picoseconds(node_text(n), &ps))
        node_fail(n, "must be a time such as 500ps, 1ns or 1ms");
    else if (!json_is_string(n->value))
        ps = node_int(n, 0, MAX_TICK_PS / 1000) * 1000;
    if (ps < 1 || ps > MAX_TICK_PS)
        node_fail(n, "must be from 1ps to 1s");
    return n->doc->status == GCAST_OK ? ps : 0;
}

/* "8K" is 8 KiB, as in a GPU's string. */
static bool parse_size(const char *text, int64_t *bytes)
{
    char number[24];
    size_t length = strlen(text);
    if (!length || text[length - 1] != 'K' || length >= sizeof number)
        return units_parse_size(text, bytes);
    snprintf(number, sizeof number, "%.*s", (int)(length - 1), text);
    return units_parse_size(number, bytes) && checked_mul(*bytes, 1024, bytes);
}

int64_t given_size(const node *n)
{
    int64_t bytes = 0;
    if (!json_is_string(n->value))
        return node_int(n, 0, INT32_MAX);
    if (!parse_size(node_text(n), &bytes))
        node_fail(n, "must be a size such as 512B or 8KiB");
    else if (bytes > INT32_MAX)
        node_fail(n, "must be below 2GiB");
    return n->doc->status == GCAST_OK ? bytes : 0;
}

void *given_array(given_reader *r, const node *n, size_t count, size_t size)
{
    void *at = arena_alloc_array(&r->g->memory, count ? count : 1, size);
    if (!at)
        node_fail_as(n, gcast_error_set_memory(r->doc.err));
    return at;
}

const char *given_keep(given_reader *r, const node *n, const char *text)
{
    const char *copy = arena_strdup(&r->g->memory, text);
    if (!copy)
        node_fail_as(n, gcast_error_set_memory(r->doc.err));
    return copy ? copy : "";
}
