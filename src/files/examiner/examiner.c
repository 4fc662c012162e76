/* The examiner's configurations: a file, and the configurations in it (a nested
 * task_host holds a whole one). Keys and defaults are those of its parse_config.c. */
#include "files/examiner/examiner.h"
#include "base/api/options_copy.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "model/workload/edit.h"

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
        if (copy + size - p < 9 || memcmp(p, "\"comment\"", 9) != 0 || (p > copy && p[-1] == '\\'))
            continue;
        char *after = p + 9;
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

void examiner_note(examiner *x, const char *note)
{
    uint64_t hash = index_hash_text(note);
    if (x->doc.status != GCAST_OK)
        return;
    for (index_probe p = index_start(&x->notes, hash); index_next(&x->notes, &p);)
        if (strcmp(x->w->notes[p.value], note) == 0)
            return;
    x->doc.status = gcast_workload_add_note(x->w, note, x->doc.err);
    if (x->doc.status == GCAST_OK && !index_add(&x->notes, hash, (uint32_t)(x->w->note_count - 1)))
        x->doc.status = gcast_error_set_memory(x->doc.err);
}

void examiner_note_once(examiner *x, examiner_note_id note)
{
    static const char *const texts[] = {
#define X(id, text) text,
        EXAMINER_NOTE_TABLE(X)
#undef X
    };
    examiner_note(x, texts[note]);
}

void examiner_config(const exam_config *parent, const node *n)
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
    exam_config c = *parent;
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
        examiner_benchmark(&c, &b, i);
    }
}

/* What of the GPU decides how a file is read. Without one it is the TX2, for
 * which these files were first written. */
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
    x->iteration_cap = options->iterations;
    set_gpu(x, options->gpu);
    node_fail_as(&root, gcast_workload_create(get_text(&root, "name"), &x->w, x->doc.err));
    if (!x->w)
        return;
    exam_config outside = {.x = x};
    examiner_config(&outside, &root);
    if (x->doc.status == GCAST_OK)
        node_fail_as(&root, workload_check_form(x->w, x->doc.err));
    if (x->doc.status == GCAST_OK)
        node_fail_as(&root, gcast_workload_set_source(x->w, file, x->doc.err));
}

gcast_status gcast_workload_read_examiner(const char *text, size_t size, const char *file,
                                          const gcast_read_options *given, gcast_workload **w, gcast_error *err)
{
    examiner x = {0};
    gcast_error own_error;
    gcast_read_options own = gcast_read_options_default();
    *w = NULL;
    err = err ? err : &own_error;
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_read_options", err);
    if (status != GCAST_OK)
        return status;
    char *copy = examiner_rename_comments(text, size);
    if (!copy)
        return gcast_error_set_memory(err);
    if (document_open(&x.doc, copy, size, file, err) == GCAST_OK)
        read_file(&x, file, &own);
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
