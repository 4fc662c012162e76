/* kineto_read: the bytes of a trace, from a file, plain or gzip, or from memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/text/begins_with.h"
#include "profile/kineto/kineto.h"
#include "profile/kineto/kineto_text.h"

#define PIECE ((size_t)1 << 18) /* bytes that are read at a time */

typedef struct trace_file {
    const char *name; /* for errors */
    gzFile in;
    double size; /* of the file; 0: not known */
} trace_file;

static gcast_status open_file(const char *path, trace_file *f, gcast_error *err)
{
    struct stat status = {0};
    bool is_standard = strcmp(path, "-") == 0;
    *f = (trace_file){.name = is_standard ? "standard input" : path};
    errno = 0;
    int fd = is_standard ? dup(STDIN_FILENO) : -1;
    if (is_standard && fd < 0)
        return prof_system_error(f->name, errno, err);
    f->in = is_standard ? gzdopen(fd, "rb") : gzopen(path, "rb");
    if (!f->in) {
        int reason = errno ? errno : ENOMEM;
        if (fd >= 0)
            close(fd);
        return prof_system_error(f->name, reason, err);
    }
    gzbuffer(f->in, PIECE);
    if (!is_standard && stat(path, &status) == 0 && S_ISREG(status.st_mode))
        f->size = (double)status.st_size;
    return GCAST_OK;
}

static gcast_status read_error(const trace_file *f, gcast_error *err)
{
    int code;
    gzerror(f->in, &code);
    if (code == Z_ERRNO)
        return prof_system_error(f->name, errno, err);
    if (code == Z_MEM_ERROR)
        return gcast_error_set_memory(err);
    return prof_file_error(f->name, GCAST_INPUT, err,
                           code == Z_BUF_ERROR ? "the gzip data ends early" : "the gzip data is damaged");
}

/* The first piece, without a byte order mark. What can only be read from a file of its own is told apart. */
static gcast_status feed_first(const trace_file *f, kineto_text *k, const char *piece, size_t size, gcast_error *err)
{
    if (begins_with(piece, size, "SQLite format 3"))
        return prof_file_error(f->name, GCAST_INPUT, err, "is a database: give its file, and not compressed");
    if (begins_with(piece, size, "gridcast.record/"))
        return prof_file_error(f->name, GCAST_INPUT, err, "is a recording: give its file, and not compressed");
    size_t mark = begins_with(piece, size, "\xef\xbb\xbf") ? 3 : 0;
    return kineto_text_feed(k, piece + mark, size - mark);
}

static gcast_status feed_file(const trace_file *f, kineto_text *k, char *piece, const prof_read_options *options,
                              gcast_error *err)
{
    for (bool first = true;; first = false) {
        int n = gzread(f->in, piece, PIECE);
        int code = Z_OK;
        if (n <= 0)
            gzerror(f->in, &code);
        if (n < 0 || (n == 0 && code != Z_OK && code != Z_STREAM_END))
            return read_error(f, err);
        if (n == 0)
            return kineto_text_end(k);
        gcast_status status = first ? feed_first(f, k, piece, (size_t)n, err) : kineto_text_feed(k, piece, (size_t)n);
        if (status != GCAST_OK)
            return status;
        if (options->progress &&
            !options->progress(options->progress_data, f->size > 0 ? (double)gzoffset(f->in) / f->size : -1))
            return prof_file_error(f->name, GCAST_RESOURCE, err, "was not read to its end");
    }
}

static gcast_status read_file(const char *path, prof_trace *t, const prof_read_options *options, gcast_error *err)
{
    trace_file f;
    gcast_status status = open_file(path, &f, err);
    if (status != GCAST_OK)
        return status;
    char *piece = malloc(PIECE);
    kineto_text *k = piece ? kineto_text_open(f.name, t, err) : NULL;
    if (!piece)
        status = gcast_error_set_memory(err);
    else
        status = k ? feed_file(&f, k, piece, options, err) : err ? err->code : GCAST_RESOURCE;
    kineto_text_close(k);
    free(piece);
    gzclose(f.in);
    return status;
}

static gcast_status finish(gcast_status status, prof_trace *made, prof_trace **t, gcast_error *err)
{
    if (status == GCAST_OK)
        status = prof_trace_finish(made, err);
    if (status != GCAST_OK) {
        prof_trace_free(made);
        made = NULL;
    }
    *t = made;
    return status;
}

gcast_status kineto_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err)
{
    prof_trace *made;
    gcast_status status = prof_trace_create(path, &made, err);
    *t = NULL;
    if (status != GCAST_OK)
        return status;
    return finish(read_file(path, made, options, err), made, t, err);
}

gcast_status kineto_read_memory(const char *name, const char *text, size_t size, prof_trace **t, gcast_error *err)
{
    prof_trace *made;
    gcast_status status = prof_trace_create(name, &made, err);
    *t = NULL;
    if (status != GCAST_OK)
        return status;
    kineto_text *k = kineto_text_open(name, made, err);
    status = k ? kineto_text_feed(k, text, size) : err ? err->code : GCAST_RESOURCE;
    if (status == GCAST_OK)
        status = kineto_text_end(k);
    kineto_text_close(k);
    return finish(status, made, t, err);
}
