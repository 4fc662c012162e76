/* gcast_workload_read and _load: a workload in any known format. A key of the outermost object tells the format; a scan
 * finds it without parsing the text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/text.h"
#include "files/document.h"
#include "files/workload_formats.h"
#include "gridcast/read.h"

/* The closing quote of the string that opens at p, or `end`. */
static const char *string_end(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        if (*p == '\\' && p + 1 < end)
            p++;
    return p;
}

/* Does the outermost object have this key? The text need not be JSON. */
static bool has_key(const char *content, size_t size, const char *key)
{
    const char *end = content + size;
    size_t length = strlen(key), depth = 0;
    for (const char *p = content; p < end; p++) {
        if (*p == '{' || *p == '[')
            depth++;
        if (*p == '}' || *p == ']')
            depth--;
        if (*p != '"')
            continue;
        const char *start = p + 1;
        p = string_end(p, end);
        if (depth != 1 || (size_t)(p - start) != length || memcmp(start, key, length) != 0)
            continue;
        const char *after = p + 1;
        while (after < end && strchr(" \t\r\n", *after) && *after)
            after++;
        if (after < end && *after == ':')
            return true;
    }
    return false;
}

/* The error for files of other known formats, with advice; NULL: the format is unknown. */
static const char *other_kind(const char *content, size_t size)
{
    size_t at = begins_with(content, size, "\xef\xbb\xbf") ? 3 : 0;
    while (at < size && content[at] && strchr(" \t\r\n", content[at]))
        at++;
    if (begins_with(content, size, "SQLite format 3"))
        return "this is a database, perhaps of Nsight Systems, not a workload: gridcast import makes one from it";
    if (begins_with(content, size, "gridcast.record/"))
        return "this is a recording, not a workload: gridcast import makes one from it";
    if (at < size && content[at] == '<')
        return "this is XML, not a workload: gridcast simulate, analyze and convert read AMALTHEA models named .amxmi";
    if (has_key(content, size, "traceEvents"))
        return "this is a trace, not a workload: gridcast import makes one from it";
    return NULL;
}

static gcast_status refuse(const char *file, const char *why, gcast_error *err)
{
    gcast_error_set(err, GCAST_INPUT, NULL, "%s", why);
    if (err)
        snprintf(err->file, sizeof err->file, "%s", file);
    return GCAST_INPUT;
}

gcast_status gcast_workload_read(const char *content, size_t size, const char *file, const gcast_read_options *given,
                                 gcast_workload **w, gcast_error *err)
{
    if (w)
        *w = NULL;
    if (!content || !file || !w)
        return argument_missing(err);
    gcast_read_options own = gcast_read_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_read_options", err);
    if (status != GCAST_OK)
        return status;
    if (has_key(content, size, "schema"))
        return gcast_workload_read_native(content, size, file, w, err);
    if (has_key(content, size, "benchmarks"))
        return gcast_workload_read_examiner(content, size, file, &own, w, err);
    const char *other = other_kind(content, size);
    if (other)
        return refuse(file, other, err);
    document doc;
    if (document_open(&doc, content, size, file, err) == GCAST_OK) {
        node root = document_root(&doc);
        node_fail(&root, "not a workload: it has neither a schema nor benchmarks");
    }
    document_close(&doc);
    return doc.status;
}

gcast_status gcast_workload_load(const char *path, const gcast_read_options *options, gcast_workload **w,
                                 gcast_error *err)
{
    if (w)
        *w = NULL;
    if (!path || !w)
        return argument_missing(err);
    char *content;
    size_t size;
    gcast_status status = gcast_file_read(path, &content, &size, err);
    if (status != GCAST_OK)
        return status;
    status = gcast_workload_read(content, size, strcmp(path, "-") == 0 ? "standard input" : path, options, w, err);
    free(content);
    return status;
}
