#include "files/examiner/read_log.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "files/document.h"

/* Times are seconds with nine decimals. Up to this limit, 13 days, doubles represent every nanosecond. */
#define SECONDS_MAX_NS (INT64_C(1) << 50)
#define THREADS_PER_SM 2048        /* max_resident_threads counts so many per SM, whatever the GPU allows */
#define MAX_THREADS_PER_BLOCK 1024 /* of every GPU */

/* Reads seconds as nanoseconds, rounded to the nearest; an error below min_ns and above SECONDS_MAX_NS. */
static int64_t node_seconds(const node *n, int64_t min_ns)
{
    double ns = json_number_value(n->value) * 1e9;
    if (!json_is_number(n->value))
        node_fail(n, "must be a number of seconds");
    else if (min_ns == 0 && ns < 0)
        node_fail(n, "must not be negative");
    else if (!(ns >= (double)min_ns && ns <= (double)SECONDS_MAX_NS))
        node_fail(n, "more than 13 days");
    else
        return llround(ns);
    return 0;
}

static const char *copy_text(const node *n, exam_log *log, const char *text)
{
    const char *copy = arena_strdup(&log->memory, text);
    if (!copy)
        node_fail_memory(n);
    return copy ? copy : "";
}

static void read_header(const node *root, exam_log *log)
{
    const char *slash = strrchr(root->doc->file, '/');
    log->file = copy_text(root, log, root->doc->file);
    log->base_name = copy_text(root, log, slash ? slash + 1 : root->doc->file);
    log->scenario = copy_text(root, log, get_text(root, "scenario_name"));
    log->benchmark = copy_text(root, log, get_text(root, "benchmark_name"));
    log->label = copy_text(root, log, get_text_or(root, "label", ""));
    node threads = node_key(root, "max_resident_threads"), benchmark = node_key(root, "benchmark_name");
    int64_t resident = node_int(&threads, THREADS_PER_SM, (int64_t)GCAST_MAX_SMS * THREADS_PER_SM);
    if (resident % THREADS_PER_SM)
        node_fail(&threads, "must be a multiple of %d, which the examiner counts per SM", THREADS_PER_SM);
    log->sms = (int)(resident / THREADS_PER_SM);
    log->pid = get_int(root, "PID", 0, INT64_MAX);
    log->is_thread = node_key(root, "TID").value != NULL;
    get_int_or(root, "TID", 0, INT64_MAX, 0);
    if (strcmp(log->benchmark, "Matrix Multiply") == 0)
        node_fail(&benchmark, "its block times are cycles of each SM's own clock, and cannot be compared");
}

/* Reads [start, end] of a part of an iteration; it must be inside `within` unless that is NULL. */
static void read_span(const node *n, const char *key, const int64_t within[2], int64_t span[2])
{
    node list = node_key(n, key);
    if (node_count(&list) != 2)
        node_fail(&list, "must be a start and an end");
    node start = node_item(&list, 0), end = node_item(&list, 1);
    span[0] = node_seconds(&start, 0);
    span[1] = node_seconds(&end, 0);
    if (span[1] < span[0])
        node_fail(&list, "ends before it starts");
    if (within && (span[0] < within[0] || span[1] > within[1]))
        node_fail(&list, "is not inside cpu_times");
}

static void read_iteration(const node *n, exam_log *log)
{
    log_iteration i = {.first_kernel = log->kernels.count};
    read_span(n, "cpu_times", NULL, i.cpu_ns);
    read_span(n, "copy_in_times", i.cpu_ns, i.copy_in_ns);
    read_span(n, "execute_times", i.cpu_ns, i.execute_ns);
    read_span(n, "copy_out_times", i.cpu_ns, i.copy_out_ns);
    if (!vec_push(&log->iterations, i))
        node_fail_memory(n);
}

/* Reads the times before the launch and after it. A third time that is not 0 is the end of a wait for the stream. */
static void read_launch(const node *n, log_kernel *k)
{
    node list = node_key(n, "cuda_launch_times");
    size_t count = node_count(&list);
    if (count != 2 && count != 3)
        node_fail(&list, "must be two or three times");
    node call = node_item(&list, 0), launched = node_item(&list, 1), sync = node_item(&list, 2);
    k->call_ns = node_seconds(&call, 0);
    k->return_ns = node_seconds(&launched, 0);
    k->sync_ns = count == 3 ? node_seconds(&sync, 0) : 0;
    k->sync_ns = k->sync_ns ? k->sync_ns : -1;
    if (k->return_ns < k->call_ns || (k->sync_ns >= 0 && k->sync_ns < k->return_ns))
        node_fail(&list, "must not go back");
}

static void read_blocks(const node *n, exam_log *log, log_kernel *k)
{
    node times = node_key(n, "block_times"), sms = node_key(n, "block_smids");
    size_t count = k->block_count;
    if (node_count(&times) != 2 * count)
        node_fail(&times, "must have a start and an end of each of the %zu blocks", count);
    if (node_count(&sms) != count)
        node_fail(&sms, "must have the SM of each of the %zu blocks", count);
    if (n->doc->status != GCAST_OK)
        return;
    gcast_block *blocks = arena_alloc_array(&log->memory, count, sizeof *blocks);
    if (!blocks) {
        node_fail_memory(n);
        return;
    }
    k->start_ns = INT64_MAX;
    k->end_ns = INT64_MIN;
    for (size_t i = 0; i < count && n->doc->status == GCAST_OK; i++) {
        node start = node_item(&times, 2 * i), end = node_item(&times, 2 * i + 1), sm = node_item(&sms, i);
        blocks[i] = (gcast_block){.start_ns = node_seconds(&start, -SECONDS_MAX_NS),
                                  .end_ns = node_seconds(&end, -SECONDS_MAX_NS),
                                  .sm = (uint32_t)node_int(&sm, 0, log->sms - 1)};
        if (blocks[i].end_ns < blocks[i].start_ns)
            node_fail(&end, "block %zu ends before it starts", i);
        k->start_ns = min_i64(k->start_ns, blocks[i].start_ns);
        k->end_ns = max_i64(k->end_ns, blocks[i].end_ns);
    }
    k->blocks = blocks;
}

static void read_kernel(const node *n, exam_log *log)
{
    log_kernel k = {.entry = n->index};
    if (!log->iterations.count)
        node_fail(n, "a kernel before the cpu_times of its iteration");
    k.name = copy_text(n, log, get_text_or(n, "kernel_name", ""));
    k.block_count = (uint32_t)get_int(n, "block_count", 1, INT_MAX);
    k.thread_count = (uint32_t)get_int(n, "thread_count", 1, MAX_THREADS_PER_BLOCK);
    k.shared_memory = get_int(n, "shared_memory", 0, INT_MAX);
    read_launch(n, &k);
    read_blocks(n, log, &k);
    if (n->doc->status != GCAST_OK)
        return;
    k.iteration = log->iterations.count - 1;
    log->iterations.at[k.iteration].kernel_count++;
    if (!vec_push(&log->kernels, k))
        node_fail_memory(n);
}

/* Entries have the CPU times of an iteration, followed by its kernels. The first one is empty. */
static void read_entry(const node *n, exam_log *log)
{
    if (!node_is_object(n) || json_object_size(n->value) == 0)
        return;
    if (node_key(n, "cpu_times").value)
        read_iteration(n, log);
    else if (node_key(n, "block_times").value)
        read_kernel(n, log);
    else
        node_fail(n, "has neither cpu_times, as an iteration has, nor block_times, as a kernel has");
}

gcast_status log_read(document *d, exam_log *log)
{
    node root = document_root(d), times = node_key(&root, "times");
    read_header(&root, log);
    size_t count = node_count(&times);
    for (size_t i = 0; i < count && d->status == GCAST_OK; i++) {
        node entry = node_item(&times, i);
        read_entry(&entry, log);
    }
    return d->status;
}

void log_free(exam_log *log)
{
    vec_free(&log->kernels);
    vec_free(&log->iterations);
    arena_free(&log->memory);
}

gcast_status log_fail(const exam_log *log, const log_kernel *kernel, const char *key, gcast_error *err,
                      const char *format, ...)
{
    char path[64] = "", message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (kernel)
        snprintf(path, sizeof path, "/times/%zu%s%s", kernel->entry, key ? "/" : "", key ? key : "");
    else if (key)
        snprintf(path, sizeof path, "/%s", key);
    gcast_error_set(err, GCAST_INPUT, path, "%s", message);
    snprintf(err->file, sizeof err->file, "%s", log->file);
    return GCAST_INPUT;
}
