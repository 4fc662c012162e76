/* Logs as the CUDA scheduling examiner writes them, one per stream, so that its viewers show runs of gridcast. Keys,
 * order and layout are those of its task_host.c. Its iterations are jobs here. */
#include <stdio.h>
#include <string.h>

#include "base/api.h"
#include "base/integers.h"
#include "base/text.h"
#include "gridcast/report.h"
#include "model/run_op.h"
#include "model/workload/workload.h"
#include "report/formats/examiner_log.h"

#define EXAMINER_THREADS_PER_SM 2048 /* for every GPU: its viewers divide by that */

typedef struct log_writer {
    text t;               /* the output */
    const gcast_run *run; /* what is written */
    int stream;           /* whose log it is, an index in the workload */
} log_writer;

/* Did operation i run, and in this stream? */
static bool ran_in_stream(const log_writer *l, size_t i)
{
    return run_op(l->run, i)->stream == l->stream && gcast_kind_on_gpu(run_op(l->run, i)->kind) &&
           !l->run->ops[i].skipped;
}

static bool is_kernel(const log_writer *l, size_t i)
{
    return ran_in_stream(l, i) && run_op(l->run, i)->kind == GCAST_KIND_KERNEL;
}

bool gcast_run_has_examiner_log(const gcast_run *run, int stream)
{
    if (!run)
        return false;
    log_writer l = {.run = run, .stream = stream};
    for (size_t i = 0; i < run->op_count; i++)
        if (is_kernel(&l, i))
            return true;
    return false;
}

/* Nanoseconds as seconds with nine decimals. */
static void put_seconds(text *t, int64_t ns)
{
    uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    char digits[10] = {'.'};
    if (ns < 0)
        text_char(t, '-');
    text_uint(t, v / 1000000000);
    v %= 1000000000;
    for (int i = 9; i > 0; i--, v /= 10)
        digits[i] = (char)('0' + v % 10);
    text_bytes(t, digits, sizeof digits);
}

static void put_span(text *t, const char *key, int64_t start, int64_t end)
{
    text_printf(t, "\"%s\": [", key);
    put_seconds(t, start);
    text_char(t, ',');
    put_seconds(t, end);
    text_char(t, ']');
}

/* The name of a kernel, the same for all iterations: its task, or its label without the number of an iteration. */
static const char *name_of(const log_writer *l, size_t op, size_t *length)
{
    const gcast_workload *w = l->run->workload;
    const char *name = w->ops[op].task == GCAST_ONCE ? w->ops[op].label : w->tasks[w->ops[op].task].name;
    *length = w->ops[op].task == GCAST_ONCE ? workload_label_stem(name) : strlen(name);
    return name;
}

/* Is this op of the workload a kernel of this stream? */
static bool is_kernel_of_stream(const log_writer *l, size_t index)
{
    const gcast_op *op = &l->run->workload->ops[index];
    return op->stream == l->stream && op->kind == GCAST_KIND_KERNEL;
}

/* Has an earlier kernel of this stream the same name? */
static bool named_before(const log_writer *l, size_t op)
{
    size_t length, earlier_length;
    const char *name = name_of(l, op, &length);
    for (size_t i = 0; i < op; i++) {
        const char *earlier = name_of(l, i, &earlier_length);
        if (is_kernel_of_stream(l, i) && earlier_length == length && memcmp(earlier, name, length) == 0)
            return true;
    }
    return false;
}

/* The names of the stream's kernels, by which viewers sort streams; where these are too long, its number. */
static void write_label(log_writer *l)
{
    char label[100] = "";
    size_t used = 0, length;
    for (size_t i = 0; i < l->run->workload->op_count; i++) {
        if (!is_kernel_of_stream(l, i) || named_before(l, i))
            continue;
        const char *name = name_of(l, i, &length);
        if (length + 2 >= sizeof label - used) {
            snprintf(label, sizeof label, "stream %d", l->run->workload->streams[l->stream].id);
            break;
        }
        used += (size_t)snprintf(label + used, sizeof label - used, "%s%.*s", used ? ", " : "", (int)length, name);
    }
    text_json(&l->t, label);
}

static void write_header(log_writer *l)
{
    text *t = &l->t;
    const gcast_stream *s = &l->run->workload->streams[l->stream];
    int64_t release = INT64_MAX;
    for (size_t i = 0; i < l->run->op_count; i++)
        if (ran_in_stream(l, i))
            release = min_i64(release, l->run->ops[i].release_ns);
    text_str(t, "{\n\"scenario_name\": ");
    text_json(t, l->run->workload->name);
    text_printf(t, ",\n\"benchmark_name\": \"gridcast, %s\",\n\"label\": ", l->run->source);
    write_label(l);
    text_printf(t, ",\n\"max_resident_threads\": %d,\n\"data_size\": 0,\n\"release_time\": ",
                l->run->gpu->sms * EXAMINER_THREADS_PER_SM);
    put_seconds(t, release == INT64_MAX ? 0 : release); /* nothing of the stream may have run */
    text_printf(t, ",\n\"PID\": %d,\n\"TID\": %d,\n\"times\": [{}", s->process + 1, l->stream + 1);
}

/* Writes the times of this stream's operations from `first` on that belong to one job, or to no task. Returns the
 * operation after them. */
static size_t write_cpu_times(log_writer *l, size_t first)
{
    size_t i = first;
    int64_t start = l->run->ops[first].call_ns, end = start;
    for (; i < l->run->op_count; i++) {
        const gcast_run_op *o = &l->run->ops[i];
        if (!ran_in_stream(l, i))
            continue;
        if (run_op(l->run, i)->task != run_op(l->run, first)->task || o->job != l->run->ops[first].job)
            break;
        end = max_i64(end, o->end_ns);
    }
    text_str(&l->t, ",\n{");
    put_span(&l->t, "copy_in_times", start, start);
    text_str(&l->t, ", ");
    put_span(&l->t, "execute_times", start, end);
    text_str(&l->t, ", ");
    put_span(&l->t, "copy_out_times", end, end);
    text_str(&l->t, ", ");
    put_span(&l->t, "cpu_times", start, end);
    text_char(&l->t, '}');
    return i;
}

static void write_kernel(log_writer *l, size_t i)
{
    text *t = &l->t;
    const gcast_run_op *o = &l->run->ops[i];
    const gcast_op *op = run_op(l->run, i);
    text_str(t, ",\n{\"kernel_name\": ");
    text_json(t, op->label);
    text_printf(t, ", \"block_count\": %llu, \"thread_count\": %d, \"shared_memory\": %lld, \"cuda_launch_times\": [",
                (unsigned long long)o->block_count, op->shape.threads,
                (long long)op->shape.static_smem + op->shape.dynamic_smem);
    /* the return of a call that waits is that of the wait, not of the launch */
    put_seconds(t, o->call_ns);
    text_str(t, ", ");
    put_seconds(t, op->host_waits ? o->call_ns : o->return_ns);
    text_str(t, ", ");
    put_seconds(t, op->host_waits ? o->return_ns : 0);
    text_str(t, "], \"block_times\": [");
    for (uint64_t b = 0; b < o->block_count; b++) {
        text_str(t, b ? "," : "");
        put_seconds(t, o->blocks[b].start_ns);
        text_char(t, ',');
        put_seconds(t, o->blocks[b].end_ns);
    }
    text_str(t, "], \"block_smids\": [");
    for (uint64_t b = 0; b < o->block_count; b++) {
        text_str(t, b ? "," : "");
        text_uint(t, o->blocks[b].sm);
    }
    text_str(t, "], \"cpu_core\": 0}");
}

gcast_status gcast_run_report_examiner_log(const gcast_run *run, int stream, gcast_write_fn write, void *data,
                                           gcast_error *err)
{
    if (!run || !write)
        return argument_missing(err);
    log_writer l = {.run = run, .stream = stream};
    if (stream < 0 || (size_t)stream >= run->workload->stream_count)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the workload has no stream number %d", stream);
    if (!run->blocks_recorded)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a log needs the blocks, and they were not recorded");
    text_open(&l.t, write, data);
    write_header(&l);
    for (size_t i = 0, next = 0; i < run->op_count; i++) {
        if (ran_in_stream(&l, i) && i >= next)
            next = write_cpu_times(&l, i);
        if (is_kernel(&l, i))
            write_kernel(&l, i);
    }
    text_str(&l.t, "\n]}");
    return text_finish(&l.t, err);
}
