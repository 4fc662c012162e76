/* gcast_workload_read_examiner: a workload from a configuration of the CUDA scheduling examiner. */
#include "files/examiner/read/examiner.h"

#include <stdlib.h>

#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "files/examiner/comments.h"
#include "files/examiner/plugins/plugins.h"
#include "files/examiner/read/config.h"
#include "model/workload/edit.h"

/* The properties of the GPU that decide how a file is read. Without a GPU they are those of the TX2, for which these
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
