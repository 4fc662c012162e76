/* gcast_scenario_read_logs: logs of the CUDA scheduling examiner as a scenario. */
#include <stdlib.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "files/examiner/comments.h"
#include "files/examiner/log/executions.h"
#include "files/examiner/log/log_run.h"
#include "files/examiner/log/log_workload.h"
#include "files/examiner/log/read_log.h"
#include "gridcast/examiner_log.h"

#define FAMILY "examiner"

/* What is read, in the order in which it is. */
typedef struct reading {
    const gcast_gpu *gpu;             /* that the logs are of */
    log_set set;                      /* the logs */
    const gcast_log_file *configured; /* the configuration; NULL: none is given */
    log_config config;                /* that is read from it */
    gcast_error *err;                 /* of the call */
} reading;

/* A configuration has benchmarks. Its comments may repeat keys. */
static gcast_status read_file(reading *r, const gcast_log_file *file)
{
    document d;
    exam_log log = {0};
    char *copy = examiner_rename_comments(file->text, file->size);
    if (!copy)
        return gcast_error_set_memory(r->err);
    gcast_status status = document_open(&d, copy, file->size, file->name, r->err);
    node root = document_root(&d), benchmarks = node_key(&root, "benchmarks");
    if (status == GCAST_OK && benchmarks.value) {
        if (r->configured)
            node_fail(&benchmarks, "is a second configuration, besides %.200s", r->configured->name);
        r->configured = file;
        status = d.status;
    } else if (status == GCAST_OK) {
        status = log_read(&d, &log);
        if (status == GCAST_OK && !vec_push(&r->set.logs, log))
            status = gcast_error_set_memory(r->err);
        if (status != GCAST_OK)
            log_free(&log);
    }
    document_close(&d);
    free(copy);
    return status;
}

static gcast_status read_runs(const reading *r, gcast_scenario *s)
{
    size_t count = log_run_count(&r->set);
    gcast_status status = GCAST_OK;
    s->family = s->memory = strdup(FAMILY);
    s->runs = calloc(count, sizeof *s->runs);
    if (!s->memory || !s->runs)
        return gcast_error_set_memory(r->err);
    for (; s->run_count < count && status == GCAST_OK; s->run_count += status == GCAST_OK)
        status = log_run_create(&r->set, s->run_count, s->workload, &s->runs[s->run_count], r->err);
    return status;
}

static gcast_status make_scenario(reading *r, gcast_scenario **scenario)
{
    gcast_status status = log_set_order(&r->set, r->err);
    const gcast_log_file *file = r->configured;
    if (status == GCAST_OK && file)
        status = log_config_read(file->text, file->size, file->name, &r->set, r->gpu, &r->config, r->err);
    if (status != GCAST_OK)
        return status;
    gcast_scenario *s = calloc(1, sizeof *s);
    if (!s)
        return gcast_error_set_memory(r->err);
    status = log_workload_create(&r->set, file ? &r->config : NULL, r->gpu, &s->workload, r->err);
    if (status == GCAST_OK)
        status = read_runs(r, s);
    if (status == GCAST_OK)
        *scenario = s;
    else
        gcast_scenario_free(s);
    return status;
}

gcast_status gcast_scenario_read_logs(const gcast_log_file *files, size_t count, const gcast_gpu *gpu,
                                      gcast_scenario **scenario, gcast_error *err)
{
    if (scenario)
        *scenario = NULL;
    if (!files || !scenario)
        return argument_missing(err);
    gcast_error own;
    reading r = {.gpu = gpu, .err = err ? err : &own};
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < count && status == GCAST_OK; i++)
        status = read_file(&r, &files[i]);
    if (status == GCAST_OK && !r.set.logs.count)
        status = gcast_error_set(r.err, GCAST_INPUT, NULL, "there is no log among the files");
    if (status == GCAST_OK)
        status = make_scenario(&r, scenario);
    for (size_t i = 0; i < r.set.logs.count; i++)
        log_free(&r.set.logs.at[i]);
    vec_free(&r.set.logs);
    vec_free(&r.set.order);
    log_config_free(&r.config);
    return status;
}
