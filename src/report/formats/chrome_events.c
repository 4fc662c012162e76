#include "report/formats/chrome_events.h"

#include <stdlib.h>

#define LABEL_BYTES 256 /* kernel names may be long, and are written once per block */

void chrome_open(chrome_events *e, text *out)
{
    *e = (chrome_events){.out = out};
    text_str(out, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
}

void chrome_close(chrome_events *e)
{
    text_str(e->out, "\n]}\n");
}

static void begin(chrome_events *e, const char *phase)
{
    text_str(e->out, e->has_events ? ",\n{\"ph\": \"" : "\n{\"ph\": \"");
    text_str(e->out, phase);
    text_str(e->out, "\", ");
    e->has_events = true;
}

static void put_track(chrome_events *e, chrome_track at)
{
    text_str(e->out, "\"pid\": ");
    text_int(e->out, at.pid);
    if (at.tid) {
        text_str(e->out, ", \"tid\": ");
        text_uint(e->out, at.tid);
    }
}

/* Microseconds. Importers read them as a double, multiply it by 1000 and cut the fraction: 1.001 becomes 1000 ns, and
 * slices that touched overlap. A tenth of a nanosecond more prevents that. */
static void put_us(chrome_events *e, int64_t ns)
{
    text_milli(e->out, ns);
    if ((int64_t)((double)ns / 1000.0 * 1000.0) < ns)
        text_char(e->out, '1');
}

static void put_time(chrome_events *e, int64_t ns)
{
    text_str(e->out, ", \"ts\": ");
    put_us(e, ns);
}

/* Metadata of a process or thread, up to the value of its argument. */
static void begin_metadata(chrome_events *e, const char *name, chrome_track at, const char *argument)
{
    begin(e, "M");
    text_str(e->out, "\"name\": \"");
    text_str(e->out, name);
    text_str(e->out, "\", ");
    put_track(e, at);
    text_str(e->out, ", \"args\": {\"");
    text_str(e->out, argument);
    text_str(e->out, "\": ");
}

static void put_name(chrome_events *e, const char *kind, chrome_track at, const char *name)
{
    begin_metadata(e, kind, at, "name");
    text_json(e->out, name);
    text_str(e->out, "}}");
}

static void put_sort_index(chrome_events *e, const char *kind, chrome_track at, int64_t index)
{
    begin_metadata(e, kind, at, "sort_index");
    text_int(e->out, index);
    text_str(e->out, "}}");
}

void chrome_process(chrome_events *e, int pid, const char *name, int sort_index)
{
    put_name(e, "process_name", (chrome_track){pid, 0}, name);
    put_sort_index(e, "process_sort_index", (chrome_track){pid, 0}, sort_index);
}

void chrome_thread(chrome_events *e, chrome_track at, const char *name)
{
    put_name(e, "thread_name", at, name);
    put_sort_index(e, "thread_sort_index", at, at.tid);
}

void chrome_slice(chrome_events *e, const char *head, chrome_track at, int64_t start, int64_t end)
{
    begin(e, "X");
    text_str(e->out, head);
    text_str(e->out, ", ");
    put_track(e, at);
    put_time(e, start);
    text_str(e->out, ", \"dur\": ");
    put_us(e, end - start);
    text_str(e->out, ", \"args\": {");
}

void chrome_slice_end(chrome_events *e)
{
    text_str(e->out, "}}");
}

static void cut_label(text *t, const char *label)
{
    char cut[LABEL_BYTES + 1];
    size_t used = 0, n;
    while (label[used] && used + (n = text_utf8(label + used)) <= LABEL_BYTES - 4) {
        n = n ? n : 1;
        memcpy(cut + used, label + used, n);
        used += n;
    }
    cut[used] = '\0';
    text_json(t, cut);
}

void chrome_label(chrome_events *e, const char *label)
{
    cut_label(e->out, label);
}

char *chrome_head(const char *label, const char *category)
{
    text t;
    text_open(&t, NULL, NULL);
    text_str(&t, "\"name\": ");
    cut_label(&t, label);
    text_str(&t, ", \"cat\": ");
    text_json(&t, category);
    return text_take(&t, NULL);
}

void chrome_moment(chrome_events *e, const char *name, chrome_track at, int64_t ns)
{
    begin(e, "i");
    text_str(e->out, "\"s\": \"g\", \"name\": \"");
    text_str(e->out, name);
    text_str(e->out, "\", ");
    put_track(e, at);
    put_time(e, ns);
    text_char(e->out, '}');
}

void chrome_flow(chrome_events *e, bool start, uint64_t id, chrome_track at, int64_t ns)
{
    begin(e, start ? "s" : "f");
    text_str(e->out, start ? "" : "\"bp\": \"e\", ");
    text_str(e->out, "\"name\": \"launch\", \"cat\": \"launch\", \"id\": ");
    text_uint(e->out, id);
    text_str(e->out, ", ");
    put_track(e, at);
    put_time(e, ns);
    text_char(e->out, '}');
}

/* A counter event, up to its value. */
static void begin_counter(chrome_events *e, int pid, const char *name, int64_t ns)
{
    begin(e, "C");
    text_str(e->out, "\"name\": \"");
    text_str(e->out, name);
    text_str(e->out, "\", ");
    put_track(e, (chrome_track){pid, 0});
    put_time(e, ns);
    text_str(e->out, ", \"args\": {\"");
    text_str(e->out, name);
    text_str(e->out, "\": ");
}

void chrome_counter(chrome_events *e, int pid, const char *name, int64_t ns, int64_t value)
{
    begin_counter(e, pid, name, ns);
    text_int(e->out, value);
    text_str(e->out, "}}");
}

void chrome_counter_milli(chrome_events *e, int pid, const char *name, int64_t ns, int64_t value)
{
    begin_counter(e, pid, name, ns);
    text_milli(e->out, value);
    text_str(e->out, "}}");
}
