#include "files/examiner/read_config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/integers.h"
#include "files/examiner/benchmark.h"
#include "files/examiner/plugins.h"
#include "files/workload_formats.h"
#include "model/workload/workload.h"

#define MAX_OPS 100000 /* limit for a workload: an error is better than a long wait */

/* A lower bound of the duration of an iteration. */
static int64_t min_iteration_ns(const exam_bench *b)
{
    int64_t kernels = 0, delays = 0;
    for (size_t i = 0; i < b->ops.count; i++) {
        const gcast_op *op = &b->ops.at[i];
        if (op->kind == GCAST_KIND_KERNEL && op->min_ns != GCAST_UNKNOWN_NS && b->end_stream >= 0 &&
            !checked_add(kernels, op->min_ns, &kernels))
            kernels = INT64_MAX;
        if (!checked_add(delays, op->delay_ns, &delays))
            delays = INT64_MAX;
    }
    return max_i64(kernels, delays);
}

/* Sets an error that can be avoided by a number of iterations in the options. */
static void fail_without_iterations(const exam_bench *b, const char *message)
{
    if (b->x->doc.status == GCAST_OK)
        hint_add(b->x->doc.err, GCAST_HINT_ITERATIONS, node_fail(b->at, "%s", message));
}

/* The maximum number of iterations of the benchmark; 0 after an error. */
static int64_t iteration_count(const exam_bench *b, int64_t min_ns)
{
    int64_t n = b->max_iterations, limit = b->x->max_iterations;
    if (limit && (n == 0 || n > limit))
        n = limit;
    if (n == 0 && b->config->sync_every_iteration) {
        fail_without_iterations(b, "sync_every_iteration can wait forever without max_iterations");
        return 0;
    }
    /* With barriers, all benchmarks have the same number. */
    if (b->max_ns && min_ns && !b->config->sync_every_iteration) {
        int64_t possible = div_up(b->max_ns, min_ns);
        if (!n || possible < n)
            workload_owned(b->x->w)->counted_by_time = true;
        n = n ? min_i64(n, possible) : possible;
    }
    if (n == 0) {
        fail_without_iterations(b, b->max_ns ? "its number of iterations depends on times that are not known"
                                             : "it loops forever");
        return 0;
    }
    int64_t size;
    if (!checked_mul(n, (int64_t)b->ops.count, &size) || size > MAX_OPS - (int64_t)b->x->w->op_count) {
        char message[64];
        snprintf(message, sizeof message, "more than %d operations", MAX_OPS);
        fail_without_iterations(b, message);
        return 0;
    }
    return n;
}

/* Adds the wait at the end of an iteration and the barrier at its start, and makes labels unique. */
static void complete_iteration(exam_bench *b)
{
    examiner *x = b->x;
    if (b->end_stream >= 0) {
        gcast_op sync = gcast_op_default(GCAST_KIND_SYNC);
        sync.stream = b->end_stream;
        bench_add(b, sync, b->label, ": end");
    }
    if (b->config->sync_every_iteration) {
        bench_add(b, gcast_op_default(GCAST_KIND_BARRIER), b->label, ": barrier");
        gcast_op *at = b->ops.at, barrier = at[b->ops.count - 1];
        memmove(at + 1, at, (b->ops.count - 1) * sizeof *at);
        at[0] = barrier;
    }
    for (size_t k = 0; k < b->ops.count && x->doc.status == GCAST_OK; k++) {
        gcast_op *op = &b->ops.at[k];
        op->label = unique_take(&x->labels, op->label);
        if (!op->label)
            node_fail_memory(b->at);
    }
}

/* Sets the call of an iteration's first op: the first iteration begins at the release, and later ones do not begin
 * after max_time. */
static void begin_iteration(const exam_bench *b, int64_t iteration, gcast_op *op)
{
    if (iteration == 0) {
        op->release_ns = b->release_ns + op->delay_ns;
        op->delay_ns = 0;
    } else if (b->max_ns) {
        /* The limit is checked before the delay. */
        int64_t skip = b->release_ns + b->max_ns;
        op->skip_ns = skip <= WORKLOAD_MAX_NS - op->delay_ns ? skip + op->delay_ns : GCAST_NEVER;
    }
}

static void add_op(exam_bench *b, gcast_op *op, int64_t iteration)
{
    examiner *x = b->x;
    if (iteration > 0) {
        size_t size = strlen(op->label) + 24;
        char *numbered = arena_alloc(&b->memory, size);
        if (numbered)
            snprintf(numbered, size, "%s#%lld", op->label, (long long)iteration + 1);
        op->label = numbered ? unique_take(&x->labels, numbered) : NULL;
    }
    if (!op->label)
        node_fail_memory(b->at);
    else
        node_fail_as(b->at, gcast_workload_add_op(x->w, op, NULL, x->doc.err));
}

/* Keeps the name of the newest host's log, if names are needed; false without memory. */
static bool add_host_log(const exam_bench *b)
{
    exam_host_logs *logs = b->x->host_logs;
    if (!logs)
        return true;
    size_t size = strlen(b->log_name ? b->log_name : b->plugin) + 32;
    char *name = arena_alloc(&logs->memory, size);
    if (name && b->log_name)
        snprintf(name, size, "%s", b->log_name);
    else if (name)
        snprintf(name, size, "%s_%zu.json", b->plugin, b->place);
    return name && vec_push(&logs->names, name);
}

static int add_host(exam_bench *b)
{
    const char *name = unique_take(&b->x->hosts, b->label);
    int host = -1;
    if (!name || gcast_workload_add_host(b->x->w, name, &host, b->x->doc.err) != GCAST_OK || !add_host_log(b))
        node_fail_memory(b->at);
    return host;
}

/* Adds all iterations to the workload, one after the other, like the loop in the examiner's task_host.c. Each starts
 * with a check of the limit, and a barrier if there is one, and ends with a wait for its stream. */
static void unroll(exam_bench *b)
{
    examiner *x = b->x;
    int64_t min_ns = min_iteration_ns(b);
    complete_iteration(b);
    int64_t count = x->doc.status == GCAST_OK ? iteration_count(b, min_ns) : 0;
    int host = count ? add_host(b) : -1;
    if (b->config->sync_every_iteration && x->next_barrier < b->config->barrier + count)
        x->next_barrier = b->config->barrier + (int)count;
    for (int64_t i = 0; i < count; i++) {
        /* The last iteration has no wait at its end. */
        size_t ops = b->ops.count - (i + 1 == count && b->end_stream >= 0);
        for (size_t k = 0; k < ops && x->doc.status == GCAST_OK; k++) {
            gcast_op op = b->ops.at[k];
            op.host = host;
            op.barrier = op.kind == GCAST_KIND_BARRIER ? b->config->barrier + (int)i : 0;
            if (k == 0)
                begin_iteration(b, i, &op);
            add_op(b, &op, i);
        }
    }
}

/* Reads a number or an array of one to three. 0 is allowed, as not every plugin needs it. (The examiner itself reads
 * [8, 16] as 8 x 8.) */
static void read_dimensions(const node *object, const char *key, uint32_t d[3])
{
    node n = node_key(object, key);
    bool array = json_is_array(n.value);
    size_t count = array ? json_array_size(n.value) : 1;
    d[0] = d[1] = d[2] = 1;
    if (count < 1 || count > 3)
        node_fail(&n, "must be a number or an array of one to three");
    for (size_t i = 0; i < count && i < 3; i++) {
        node item = array ? node_item(&n, i) : n;
        d[i] = (uint32_t)node_int(&item, 0, INT_MAX);
    }
}

/* A priority in the GPU's range makes a non-blocking stream. Otherwise, and without one, the examiner calls
 * cudaStreamCreate, which makes a blocking stream. */
static gcast_stream stream_traits(const examiner *x, const node *n)
{
    const int64_t none = -100;
    int64_t p = get_int_or(n, "stream_priority", INT_MIN, INT_MAX, none);
    bool in_range = p <= 0 && p > -x->priority_levels;
    return (gcast_stream){.priority = in_range ? (int)p : 0, .blocking = !in_range};
}

/* Reads the keys that all benchmarks have. */
static void read_common(exam_bench *b)
{
    static const char *const keys[] = {"filename",
                                       "thread_count",
                                       "block_count",
                                       "data_size",
                                       "log_name",
                                       "label",
                                       "mps_thread_percentage",
                                       "additional_info",
                                       "max_iterations",
                                       "max_time",
                                       "release_time",
                                       "cpu_core",
                                       "stream_priority",
                                       "sm_mask",
                                       "terminator",
                                       NULL};
    const node *n = b->at;
    node_known(n, keys);
    read_dimensions(n, "thread_count", b->block);
    read_dimensions(n, "block_count", b->grid);
    b->data_size = get_int(n, "data_size", 0, INT64_MAX);
    b->max_iterations = get_int_or(n, "max_iterations", 0, INT64_MAX, b->config->max_iterations);
    b->max_ns = get_seconds_or(n, "max_time", b->config->max_ns);
    b->release_ns = get_seconds_or(n, "release_time", 0) + b->config->start_ns;
    if (b->release_ns > WORKLOAD_MAX_NS)
        node_fail(n, "released after 2^61 nanoseconds");
    b->traits = stream_traits(b->x, n);
    b->traits.process = b->process;
    b->mask = examiner_mask(b->x, n);
    b->log_name = get_text_or(n, "log_name", NULL);
    get_int_or(n, "cpu_core", -1, INT_MAX, -1);
    if (b->config->sync_every_iteration && node_key(n, "max_iterations").value)
        node_fail(n, "max_iterations cannot differ where sync_every_iteration is true");
    if (get_bool_or(n, "terminator", false))
        node_fail(n, "terminator is not supported");
    node mps = node_key(n, "mps_thread_percentage");
    double percent = json_number_value(mps.value);
    if (mps.value && !(percent > 0 && percent <= 100))
        node_fail(&mps, "must be more than 0 and at most 100");
    else if (mps.value)
        examiner_note_once(b->x, EXAMINER_NOTE_MPS);
}

static void check_dimensions(const exam_bench *b, const exam_plugin *p)
{
    node threads = node_key(b->at, "thread_count"), blocks = node_key(b->at, "block_count");
    const char *why = *p->name ? "" : ": nothing else says what it launches";
    if (p->threads && !(b->block[0] && b->block[1] && b->block[2]))
        node_fail(&threads, "%.100s needs threads%s", b->plugin, why);
    if (p->blocks && !(b->grid[0] && b->grid[1] && b->grid[2]))
        node_fail(&blocks, "%.100s needs blocks%s", b->plugin, why);
}

/* The benchmark's own label, or one made from its plugin and place. */
static const char *label_of(exam_bench *b)
{
    if (node_key(b->at, "label").value)
        return get_name(b->at, "label");
    size_t size = strlen(b->plugin) + 24;
    char *label = arena_alloc(&b->memory, size);
    if (!label) {
        node_fail_memory(b->at);
        return "";
    }
    snprintf(label, size, "%s_%zu", b->plugin, b->place);
    return label;
}

static void read_benchmark(exam_bench *b)
{
    const exam_plugin *p = examiner_plugin(b);
    if (!p)
        return;
    b->label = label_of(b);
    b->process = b->config->use_processes ? ++b->x->next_process : b->config->process;
    read_common(b);
    check_dimensions(b, p);
    if (b->x->doc.status == GCAST_OK)
        p->read(b);
    if (b->x->doc.status == GCAST_OK && b->ops.count)
        unroll(b);
}

/* Reads a benchmark and adds its iterations. `index` is its place in the list of benchmarks. */
static void add_benchmark(const exam_config *c, const node *n, size_t index)
{
    if (!node_is_object(n))
        return;
    exam_bench b = {.x = c->x,
                    .config = c,
                    .at = n,
                    .info = node_key(n, "additional_info"),
                    .place = index,
                    .stream = -1,
                    .end_stream = -1};
    read_benchmark(&b);
    vec_free(&b.ops);
    arena_free(&b.memory);
}

void examiner_config(const exam_config *outer, const node *n)
{
    static const char *const keys[] = {"name",
                                       "max_iterations",
                                       "max_time",
                                       "cuda_device",
                                       "benchmarks",
                                       "use_processes",
                                       "base_result_directory",
                                       "pin_cpus",
                                       "do_warmup",
                                       "sync_every_iteration",
                                       NULL};
    exam_config c = *outer;
    node_known(n, keys);
    get_text(n, "name");
    get_int(n, "cuda_device", 0, INT_MAX);
    get_text_or(n, "base_result_directory", "");
    get_bool_or(n, "pin_cpus", false);
    c.max_iterations = get_int(n, "max_iterations", 0, INT64_MAX);
    if (!node_key(n, "max_time").value)
        node_fail(n, "max_time is missing");
    c.max_ns = get_seconds_or(n, "max_time", 0);
    c.use_processes = get_bool_or(n, "use_processes", false);
    c.sync_every_iteration = get_bool_or(n, "sync_every_iteration", false);
    c.barrier = c.x->next_barrier;
    if (get_bool_or(n, "do_warmup", false))
        examiner_note_once(c.x, EXAMINER_NOTE_WARMUP);
    node benchmarks = node_key(n, "benchmarks");
    size_t count = node_count(&benchmarks);
    if (count == 0)
        node_fail(&benchmarks, "must have at least one benchmark");
    for (size_t i = 0; i < count && c.x->doc.status == GCAST_OK; i++) {
        node b = node_item(&benchmarks, i);
        add_benchmark(&c, &b, i);
    }
}

/* The end of the string that contains `p`, behind its closing quote. */
static char *end_of_text(char *p, char *end)
{
    while (p < end && *p != '"')
        p += *p == '\\' && end - p > 1 ? 2 : 1;
    return p < end ? p + 1 : end;
}

char *examiner_rename_comments(const char *text, size_t size)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char *copy = malloc(size + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, size);
    copy[size] = '\0';
    unsigned number = 0;
    for (char *p = copy; (p = memchr(p, '"', (size_t)(copy + size - p))); p++) {
        if (copy + size - p < 9 || memcmp(p, "\"comment", 8) != 0 || (p > copy && p[-1] == '\\'))
            continue;
        char *after = end_of_text(p + 8, copy + size);
        while (after < copy + size && strchr(" \t\r\n", *after) && *after)
            after++;
        if (*after != ':')
            continue;
        p[1] = 'x';
        p[2] = '-';
        unsigned n = number++;
        for (int i = 7; i > 2; i--, n /= 36)
            p[i] = digits[n % 36];
    }
    return copy;
}

/* Sets the GPU's properties that decide how a file is read. Without a GPU they are those of the TX2, for which these
 * files were first written. */
static void set_gpu(examiner *x, const gcast_gpu *gpu)
{
    gcast_gpu *tx2 = NULL;
    if (!gpu && gcast_gpu_preset("tx2", &tx2, x->doc.err) != GCAST_OK) {
        x->doc.status = GCAST_INTERNAL;
        return;
    }
    x->priority_levels = gpu ? gpu->priority_levels : tx2->priority_levels;
    x->sms_per_tpc = gpu ? gpu->sms_per_tpc : tx2->sms_per_tpc;
    gcast_gpu_free(tx2);
}

static void read_file(examiner *x, const char *file, const gcast_read_options *options)
{
    node root = document_root(&x->doc);
    x->doc.examiner = true;
    x->max_iterations = options->iterations;
    set_gpu(x, options->gpu);
    node_fail_as(&root, gcast_workload_create(get_text(&root, "name"), &x->w, x->doc.err));
    if (!x->w)
        return;
    examiner_config(&(exam_config){.x = x}, &root);
    if (x->doc.status == GCAST_OK)
        node_fail_as(&root, workload_check_form(x->w, x->doc.err));
    if (x->doc.status == GCAST_OK)
        node_fail_as(&root, gcast_workload_set_source(x->w, file, x->doc.err));
}

gcast_status examiner_read(const char *text, size_t size, const char *file, const gcast_read_options *options,
                           exam_host_logs *logs, gcast_workload **w, gcast_error *err)
{
    examiner x = {.plugins = examiner_plugins, .host_logs = logs};
    *w = NULL;
    char *copy = examiner_rename_comments(text, size);
    if (!copy)
        return gcast_error_set_memory(err);
    if (document_open(&x.doc, copy, size, file, err) == GCAST_OK)
        read_file(&x, file, options);
    if (x.doc.status == GCAST_OK)
        *w = x.w;
    else
        gcast_workload_free(x.w);
    unique_free(&x.labels);
    unique_free(&x.hosts);
    index_free(&x.notes);
    document_close(&x.doc);
    free(copy);
    return x.doc.status;
}

void examiner_host_logs_free(exam_host_logs *logs)
{
    vec_free(&logs->names);
    arena_free(&logs->memory);
}

gcast_status gcast_workload_read_examiner(const char *text, size_t size, const char *file,
                                          const gcast_read_options *given, gcast_workload **w, gcast_error *err)
{
    if (w)
        *w = NULL;
    if (!text || !file || !w)
        return argument_missing(err);
    gcast_error own_error;
    gcast_read_options own = gcast_read_options_default();
    err = err ? err : &own_error;
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_read_options", err);
    return status == GCAST_OK ? examiner_read(text, size, file, &own, NULL, w, err) : status;
}
