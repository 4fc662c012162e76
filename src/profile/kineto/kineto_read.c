#include "profile/kineto/kineto_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/text.h"
#include "profile/kineto/json_stream.h"
#include "profile/kineto/kineto_event.h"
#include "profile/reading.h"

#define MAX_DEPTH 512           /* limit of the nesting of values that are skipped */
#define PIECE ((size_t)1 << 18) /* bytes that are read at a time */

/* The place in the text. A trace is an object with "traceEvents", or an array of events. */
typedef enum { BEFORE, TOP, EVENTS, EVENT, ARGS, DIMS, DEVICES, DEVICE, AFTER } level;

struct kineto_text {
    const char *file;
    prof_trace *trace;
    gcast_error *err;
    json_stream *json;
    level at;
    int skipped;     /* nesting inside a value that is skipped; 0: not in such a value */
    bool is_array;   /* the file is an array of events */
    bool has_events; /* the text has events, or "traceEvents" */
    char key[64];    /* the last key, truncated */
    int64_t *dims;   /* grid or block, while it is read */
    int dim;         /* index of its next number */
    kineto_event event;
    kineto_device device;
    kineto_sum sum;
};

static void keep(char *to, size_t room, const char *value, size_t size)
{
    size = size < room ? size : room - 1;
    memcpy(to, value, size);
    to[size] = '\0';
}

static bool on_key(void *data, const char *value, size_t size)
{
    kineto_text *k = data;
    if (!k->skipped)
        keep(k->key, sizeof k->key, value, size);
    return true;
}

static bool is_key(const kineto_text *k, const char *key)
{
    return strcmp(k->key, key) == 0;
}

static bool on_string(void *data, const char *value, size_t size)
{
    kineto_text *k = data;
    kineto_event *e = &k->event;
    if (k->skipped)
        return true;
    if (k->at == BEFORE)
        return json_stream_fail(k->json, GCAST_INPUT, "this is not a trace: it has no traceEvents");
    if (k->at == EVENT && is_key(k, "name")) {
        e->name_size = size < sizeof e->name ? size : sizeof e->name - 1;
        keep(e->name, sizeof e->name, value, size);
    } else if (k->at == EVENT && is_key(k, "ph")) {
        e->phase = size ? *value : '\0';
    } else if (k->at == EVENT && is_key(k, "cat")) {
        keep(e->category, sizeof e->category, value, size);
    } else if (k->at == ARGS && is_key(k, "name")) {
        keep(e->thread_name, sizeof e->thread_name, value, size);
    } else if (k->at == DEVICE && is_key(k, "name")) {
        keep(k->device.name, sizeof k->device.name, value, size);
    }
    return true;
}

static bool event_number(kineto_text *k, const char *value, size_t size)
{
    static const struct {
        const char *key;
        bool in_args;
    } numbers[] = {
#define X(id, key, args) {key, args},
        KINETO_NUMBER_TABLE(X)
#undef X
    };
    kineto_event *e = &k->event;
    for (int i = 0; i < KINETO_NUMBERS; i++) {
        bool is_whole, is_time = i == KINETO_TS || i == KINETO_DUR;
        if (numbers[i].in_args != (k->at == ARGS) || !is_key(k, numbers[i].key))
            continue;
        if (!decimal_parse(value, size, is_time ? 3 : 0, &e->number[i], &is_whole))
            return json_stream_fail(k->json, GCAST_INPUT, "a number of an event is too large");
        e->given |= 1u << i;
        e->fraction = e->fraction || (is_time && !is_whole);
        return true;
    }
    return true;
}

static bool device_number(kineto_text *k, const char *value, size_t size)
{
    static const char *const keys[] = {
#define X(id, key) key,
        KINETO_DEVICE_TABLE(X)
#undef X
    };
    bool is_whole;
    for (int i = 0; i < KINETO_GPU_NUMBERS; i++)
        if (is_key(k, keys[i]) && !decimal_parse(value, size, 0, &k->device.number[i], &is_whole))
            return json_stream_fail(k->json, GCAST_INPUT, "a number of deviceProperties is too large");
    return true;
}

static bool on_number(void *data, const char *value, size_t size)
{
    kineto_text *k = data;
    bool is_whole;
    if (k->skipped)
        return true;
    switch (k->at) {
    case BEFORE:
        return json_stream_fail(k->json, GCAST_INPUT, "this is not a trace: it has no traceEvents");
    case EVENT:
    case ARGS:
        return event_number(k, value, size);
    case DEVICE:
        return device_number(k, value, size);
    case DIMS:
        if (k->dim < 3 && !decimal_parse(value, size, 0, &k->dims[k->dim], &is_whole))
            return json_stream_fail(k->json, GCAST_INPUT, "a number of an event is too large");
        k->dim++;
        return true;
    default:
        return true;
    }
}

static bool on_other(void *data)
{
    kineto_text *k = data;
    if (!k->skipped && k->at == BEFORE)
        return json_stream_fail(k->json, GCAST_INPUT, "this is not a trace: it has no traceEvents");
    return true;
}

/* The level of an object or array that begins at `at`; AFTER: it is skipped. */
static level inner_level(kineto_text *k, bool is_array)
{
    if (k->at == BEFORE)
        return is_array ? EVENTS : TOP;
    if (k->at == TOP && is_array && is_key(k, "traceEvents"))
        return EVENTS;
    if (k->at == TOP && is_array && is_key(k, "deviceProperties"))
        return DEVICES;
    if (k->at == EVENTS && !is_array)
        return EVENT;
    if (k->at == DEVICES && !is_array)
        return DEVICE;
    if (k->at == EVENT && !is_array && is_key(k, "args"))
        return ARGS;
    if (k->at == ARGS && is_array && (is_key(k, "grid") || is_key(k, "block")))
        return DIMS;
    return AFTER;
}

static bool on_start(void *data, bool is_array)
{
    kineto_text *k = data;
    level inner = k->skipped ? AFTER : inner_level(k, is_array);
    if (inner == AFTER) {
        if (++k->skipped > MAX_DEPTH)
            return json_stream_fail(k->json, GCAST_INPUT, "values are nested more than 512 deep");
        return true;
    }
    if (k->at == BEFORE)
        k->is_array = is_array;
    if (inner == EVENTS)
        k->has_events = true;
    if (inner == EVENT) {
        kineto_event *e = &k->event;
        e->phase = e->category[0] = e->name[0] = e->thread_name[0] = '\0';
        e->name_size = 0;
        e->given = 0;
        e->fraction = false;
        memset(e->grid, 0, sizeof e->grid);
        memset(e->block, 0, sizeof e->block);
    } else if (inner == DEVICE) {
        k->device = (kineto_device){0};
    } else if (inner == DIMS) {
        k->dims = is_key(k, "grid") ? k->event.grid : k->event.block;
        k->dim = 0;
    }
    k->at = inner;
    return true;
}

static bool on_end(void *data)
{
    static const level outer[] = {[TOP] = AFTER, [EVENTS] = TOP,  [EVENT] = EVENTS,  [ARGS] = EVENT,
                                  [DIMS] = ARGS, [DEVICES] = TOP, [DEVICE] = DEVICES};
    kineto_text *k = data;
    if (k->skipped) {
        k->skipped--;
        return true;
    }
    level ended = k->at;
    k->at = ended == EVENTS && k->is_array ? AFTER : outer[ended];
    if (ended == EVENT)
        return kineto_add_event(k->trace, &k->event, &k->sum);
    if (ended == DEVICE)
        return kineto_add_device(k->trace, &k->device);
    return true;
}

kineto_text *kineto_text_open(const char *file, prof_trace *t, gcast_error *err)
{
    static const json_handler handler = {
        .key = on_key, .string = on_string, .number = on_number, .other = on_other, .start = on_start, .end = on_end};
    kineto_text *k = calloc(1, sizeof *k);
    if (!k) {
        gcast_error_set_memory(err);
        return NULL;
    }
    k->file = file;
    k->trace = t;
    k->err = err;
    k->json = json_stream_open(file, &handler, k, err);
    if (k->json)
        return k;
    free(k);
    return NULL;
}

gcast_status kineto_text_feed(kineto_text *k, const char *bytes, size_t size)
{
    return json_stream_feed(k->json, bytes, size);
}

gcast_status kineto_text_end(kineto_text *k)
{
    gcast_status status = json_stream_end(k->json);
    if (status != GCAST_OK)
        return status;
    if (!k->has_events)
        return prof_file_error(k->file, GCAST_INPUT, k->err, "this is not a trace: it has no traceEvents");
    if (k->sum.bad_kernel)
        return prof_file_error(
            k->file, GCAST_INPUT, k->err,
            "kernel %.100s has no grid and block, as in traces of AMD GPUs: no workload can be made from it",
            k->sum.bad_kernel);
    if (k->sum.ranges_only &&
        !prof_find(k->trace, "{kernel} with counters and without times: left out", NULL, k->sum.ranges_only))
        return gcast_error_set_memory(k->err);
    if (k->sum.any && !k->sum.fraction &&
        !prof_find(k->trace, "the times of the profile are whole microseconds", NULL, 1))
        return gcast_error_set_memory(k->err);
    prof_trace_set_one_process(k->trace);
    prof_trace_set_writer(k->trace, "Kineto");
    prof_trace_set_zero(k->trace, k->sum.first_ns);
    return GCAST_OK;
}

void kineto_text_close(kineto_text *k)
{
    if (!k)
        return;
    json_stream_close(k->json);
    free(k);
}

typedef struct trace_file {
    const char *name; /* for errors */
    gzFile in;
    double size; /* size of the file; 0: unknown */
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

/* Parses the first piece without a byte order mark. Refuses formats that can only be read from a plain file. */
static gcast_status feed_first(const trace_file *f, kineto_text *k, const char *piece, size_t size, gcast_error *err)
{
    if (begins_with(piece, size, "SQLite format 3"))
        return prof_file_error(f->name, GCAST_INPUT, err, "this is a database: give the uncompressed file itself");
    if (begins_with(piece, size, "gridcast.record/"))
        return prof_file_error(f->name, GCAST_INPUT, err, "this is a recording: give the uncompressed file itself");
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

gcast_status kineto_read_memory(const char *name, const char *value, size_t size, prof_trace **t, gcast_error *err)
{
    prof_trace *made;
    gcast_status status = prof_trace_create(name, &made, err);
    *t = NULL;
    if (status != GCAST_OK)
        return status;
    kineto_text *k = kineto_text_open(name, made, err);
    status = k ? kineto_text_feed(k, value, size) : err ? err->code : GCAST_RESOURCE;
    if (status == GCAST_OK)
        status = kineto_text_end(k);
    kineto_text_close(k);
    return finish(status, made, t, err);
}
