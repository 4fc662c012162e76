/* Recordings as traces: frame by frame, process by process. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/recorded/state.h"

#define MAX_PROCESSES 4096
#define FRAMES_BETWEEN_PROGRESS 4096

bool recorded_begins(const void *head, size_t size)
{
    return frames_recognise(head, size);
}

/* Without memory of its own, so that a lack of it is told by who reads the file. */
bool recorded_is_file(const char *path)
{
    char head[RECORDED_MAGIC_SIZE];
    struct stat st;
    bool is_regular = strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
    int fd = is_regular ? open(path, O_RDONLY | O_CLOEXEC) : -1; /* what a pipe gives would be lost */
    ssize_t size = fd < 0 ? 0 : read(fd, head, sizeof head);
    if (fd >= 0)
        close(fd);
    return size > 0 && recorded_begins(head, (size_t)size);
}

void recorded_process_free(recorded_process *p)
{
    vec_free(&p->texts);
    vec_free(&p->contexts);
    vec_free(&p->streams);
    vec_free(&p->calls);
    vec_free(&p->ops);
    vec_free(&p->records);
    vec_free(&p->syncs);
    vec_free(&p->markers);
    *p = (recorded_process){0};
}

static void recording_free(recording *r)
{
    recorded_process_free(&r->process);
    vec_free(&r->pids);
    vec_free(&r->devices);
    vec_free(&r->nodes);
    vec_free(&r->edges);
    vec_free(&r->removed);
    vec_free(&r->uses);
    vec_free(&r->launches);
}

/* A process that executes another program keeps its number, and begins to count its calls again. */
static bool begin_process(recording *r, const frame *f)
{
    int64_t pid = frame_field(f, PROCESS_PID), repeated = 0;
    if (!recorded_process_end(r))
        return false;
    pid = pid < 0 || pid > INT32_MAX ? 0 : pid;
    for (size_t i = 0; i < r->pids.count; i++)
        repeated += r->pids.at[i] == pid;
    r->in_process = true;
    r->process.pid = pid + (repeated << 32);
    r->process.first_launch = r->launches.count;
    return vec_push(&r->pids, pid);
}

static bool take_text(recording *r, const frame *f)
{
    int64_t id = frame_field(f, TEXT_ID);
    const char *words = prof_trace_text(r->trace, f->text, strlen(f->text));
    if (id != (int64_t)r->process.texts.count + 1) /* they come in order */
        return words != NULL;
    return words && vec_push(&r->process.texts, words);
}

static bool take_note(recording *r, const frame *f)
{
    const char *words = prof_trace_text(r->trace, f->text, strlen(f->text));
    int64_t code = frame_field(f, NOTE_CODE), number = frame_field(f, NOTE_NUMBER);
    if (!words)
        return false;
    switch (code) {
    case RECORDED_NOTE_NO_CUPTI:
    case RECORDED_NOTE_FAILED:
    case RECORDED_NOTE_OLDER:
        r->note = r->note ? r->note : code;
        r->note_text = r->note_text ? r->note_text : words;
        return true;
    case RECORDED_NOTE_WITHOUT:
        return prof_find(r->trace, "{part} of CUPTI that could not be used: what it tells is missing", words, 1);
    case RECORDED_NOTE_NEWER:
        return prof_find(r->trace,
                         "CUPTI is newer than those that are known here: fields that were added since are not read",
                         words, 1);
    case RECORDED_NOTE_DROPPED:
        return prof_find(r->trace, "{record} dropped by CUPTI", NULL, number > 0 ? (uint64_t)number : 1);
    default:
        return true;
    }
}

static bool take_frame(recording *r, const frame *f)
{
    switch (f->kind) {
    case RECORDED_PROCESS:
        return begin_process(r, f);
    case RECORDED_TEXT:
        return take_text(r, f);
    case RECORDED_KERNEL:
    case RECORDED_COPY:
    case RECORDED_MEMSET:
        return take_op_frame(r, f);
    case RECORDED_DEVICE:
    case RECORDED_CONTEXT:
    case RECORDED_STREAM:
    case RECORDED_CALL:
    case RECORDED_EVENT:
    case RECORDED_SYNC:
    case RECORDED_MARKER:
    case RECORDED_THREAD:
        return take_host_frame(r, f);
    case RECORDED_LAUNCH:
    case RECORDED_NODE:
    case RECORDED_EDGE:
    case RECORDED_EXEC:
        return take_graph_frame(r, f);
    case RECORDED_NOTE:
        return take_note(r, f);
    case RECORDED_CUPTI:
        r->version = frame_field(f, CUPTI_VERSION);
        return true;
    case RECORDED_END:
        r->process.has_ended = true;
        return true;
    default:
        return true;
    }
}

static bool show(const prof_read_options *options, const frame_reader *in)
{
    double fraction = in->size ? (double)in->at / (double)in->size : 0;
    return !options || !options->progress || options->progress(options->progress_data, fraction);
}

static gcast_status read_frames(recording *r, frame_reader *in, const prof_read_options *options, gcast_error *err)
{
    frame f;
    frame_result result;
    while ((result = frames_next(in, &f, err)) == FRAME_READ) {
        if (f.kind != RECORDED_PROCESS && !r->in_process)
            return prof_file_error(in->file, GCAST_INPUT, err, "has frames before those of a process");
        if (f.kind == RECORDED_PROCESS && r->pids.count == MAX_PROCESSES)
            return prof_file_error(in->file, GCAST_INPUT, err, "has more than %d processes", MAX_PROCESSES);
        if (!take_frame(r, &f))
            return gcast_error_set_memory(err);
        if (++r->frame_count % FRAMES_BETWEEN_PROGRESS == 0 && !show(options, in))
            return prof_file_error(in->file, GCAST_RESOURCE, err, "was not read to its end");
    }
    if (result == FRAME_FAILED)
        return err->code;
    return recorded_process_end(r) ? GCAST_OK : gcast_error_set_memory(err);
}

/* Without operations: why? */
static gcast_status explain_nothing(const recording *r, const char *source, gcast_error *err)
{
    switch (r->note) {
    case RECORDED_NOTE_NO_CUPTI:
        return prof_file_error(source, GCAST_GPU, err,
                               "libcupti %s%swas not found: packages such as cuda-cupti-13-0, libcupti-dev and "
                               "nvidia-cuda-cupti (pip) bring it",
                               r->note_text, *r->note_text ? " " : "");
    case RECORDED_NOTE_OLDER:
        return prof_file_error(source, GCAST_GPU, err, "%s is older than that of CUDA 11.0", r->note_text);
    case RECORDED_NOTE_FAILED:
        return prof_file_error(source, GCAST_GPU, err, "nothing was recorded: %s", r->note_text);
    default:
        return prof_file_error(source, GCAST_INPUT, err, "has no kernel, copy or memset");
    }
}

static gcast_status finish(recording *r, const char *source, gcast_error *err)
{
    char writer[64] = "gridcast record";
    if (!r->op_count)
        return explain_nothing(r, source, err);
    recorded_settle(r);
    if (!recorded_tell_graphs(r))
        return gcast_error_set_memory(err);
    if (r->note && !prof_find(r->trace, "processes that could not be recorded", r->note_text, 1))
        return gcast_error_set_memory(err);
    if (r->version != RECORDED_UNKNOWN)
        snprintf(writer, sizeof writer, "gridcast record, CUPTI %lld", (long long)r->version);
    const char *kept = prof_trace_text(r->trace, writer, strlen(writer));
    if (!kept)
        return gcast_error_set_memory(err);
    prof_trace_set_writer(r->trace, kept);
    prof_trace_set_zero(r->trace, r->first_ns);
    return prof_trace_finish(r->trace, err);
}

/* One file, or `bytes`. */
static gcast_status read_one(recording *r, const char *path, const void *bytes, size_t size,
                             const prof_read_options *options, gcast_error *err)
{
    frame_reader in;
    gcast_status status = frames_open(&in, path, bytes, size, err);
    if (status != GCAST_OK)
        return status;
    status = read_frames(r, &in, options, err);
    frames_close(&in);
    return status;
}

static gcast_status hand_over(recording *r, gcast_status status, prof_trace **t, recorded_extras *extras)
{
    if (status == GCAST_OK) {
        *t = r->trace;
        if (extras)
            recorded_extras_take(r, extras);
    } else {
        prof_trace_free(r->trace);
    }
    recording_free(r);
    return status;
}

gcast_status recorded_read_files(const char *source, const char *const *paths, size_t count,
                                 const prof_read_options *options, prof_trace **t, recorded_extras *extras,
                                 gcast_error *err)
{
    gcast_error own;
    recording r = {.version = RECORDED_UNKNOWN};
    err = err ? err : &own;
    *t = NULL;
    if (extras)
        *extras = (recorded_extras){0};
    gcast_status status = prof_trace_create(source, &r.trace, err);
    for (size_t i = 0; i < count && status == GCAST_OK; i++)
        status = read_one(&r, paths[i], NULL, 0, options, err);
    if (status == GCAST_OK)
        status = finish(&r, source, err);
    return hand_over(&r, status, t, extras);
}

gcast_status recorded_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err)
{
    return recorded_read_files(path, &path, 1, options, t, NULL, err);
}

gcast_status recorded_read_memory(const char *name, const void *bytes, size_t size, prof_trace **t,
                                  recorded_extras *extras, gcast_error *err)
{
    gcast_error own;
    recording r = {.version = RECORDED_UNKNOWN};
    err = err ? err : &own;
    *t = NULL;
    if (extras)
        *extras = (recorded_extras){0};
    gcast_status status = prof_trace_create(name, &r.trace, err);
    if (status == GCAST_OK)
        status = read_one(&r, name, bytes, size, NULL, err);
    if (status == GCAST_OK)
        status = finish(&r, name, err);
    return hand_over(&r, status, t, extras);
}
