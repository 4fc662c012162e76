#include "report/run/display_names.h"

#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "model/run_op.h"
#include "model/workload/workload.h"

#define NAME_CHARS 28

/* The label that all operations of a stream have, apart from the number of an iteration; NULL: they have several. */
static const char *shared_label(const gcast_workload *w, size_t stream, size_t *length)
{
    const char *name = NULL;
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->stream != (int)stream || !gcast_kind_on_gpu(op->kind))
            continue;
        size_t stem = workload_label_stem(op->label);
        if (name && stem_compare(name, *length, op->label, stem) != 0)
            return NULL;
        name = op->label;
        *length = stem;
    }
    return name;
}

/* The name of the stream's only task, or two names and how many more there are. */
static void task_names(const gcast_workload *w, size_t stream, char out[LABEL_SIZE])
{
    char list[2 * LABEL_SIZE + 40] = "", label[LABEL_SIZE];
    size_t tasks = 0, listed = 0, used = 0;
    for (size_t i = 0; i < w->task_count; i++)
        tasks += w->tasks[i].stream == (int)stream;
    for (size_t i = 0; i < w->task_count && listed < 2; i++)
        if (w->tasks[i].stream == (int)stream)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", listed++ ? ", " : "",
                                     label_cut(w->tasks[i].name, tasks == 1 ? NAME_CHARS : NAME_CHARS / 2, label));
    if (tasks > listed)
        snprintf(list + used, sizeof list - used, " +%zu", tasks - listed);
    label_cut(list, LABEL_CHARS, out);
}

char *stream_name(const gcast_workload *w, size_t stream, char out[LABEL_SIZE])
{
    size_t length = 0;
    task_names(w, stream, out);
    const char *label = out[0] ? NULL : shared_label(w, stream, &length);
    if (label) {
        char stem[4 * NAME_CHARS + 8];
        snprintf(stem, sizeof stem, "%.*s", (int)(length < sizeof stem ? length : sizeof stem - 1), label);
        label_cut(stem, NAME_CHARS, out);
    }
    return out;
}

static int print_number(const gcast_workload *w, size_t stream, char *out, size_t size)
{
    int id = w->streams[stream].id;
    return snprintf(out, size, id ? "stream %d" : "NULL stream", id);
}

void stream_describe(const gcast_workload *w, size_t stream, char *out, size_t size)
{
    const gcast_stream *s = &w->streams[stream];
    char name[LABEL_SIZE], details[100];
    int used = print_number(w, stream, details, sizeof details);
    if (s->process)
        used += snprintf(details + used, sizeof details - (size_t)used, " of process %d", s->process);
    if (s->priority)
        snprintf(details + used, sizeof details - (size_t)used, ", priority %d", s->priority);
    stream_name(w, stream, name);
    snprintf(out, size, name[0] ? "%s (%s)" : "%s%s", name, details);
}

void stream_short(const gcast_workload *w, size_t stream, char *out, size_t size)
{
    char name[LABEL_SIZE];
    stream_name(w, stream, name);
    if (name[0])
        snprintf(out, size, "%s", name);
    else
        print_number(w, stream, out, size);
}

int stem_compare(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int order = memcmp(a, b, min_size(a_length, b_length));
    return order ? order : a_length < b_length ? -1 : a_length > b_length;
}

char *timeline_name(const gcast_run *run, size_t i, char out[LABEL_SIZE])
{
    i = run_owner(run, i);
    const gcast_op *op = run_op(run, i);
    if (op->task < 0 && i < run->op_count)
        return label_cut(op->label, 40, out);
    label_cut(op->label, 30, out);
    size_t used = strlen(out);
    snprintf(out + used, LABEL_SIZE - used, "#%u", run->ops[i].job);
    return out;
}
