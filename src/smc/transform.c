/* The transformation (gridcast/smc.h): each kernel is looked at, then the module is printed with workers in place of
 * blocks. What was printed is parsed again, so that nothing leaves that is not PTX. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "gridcast/ptx.h"
#include "gridcast/smc.h"
#include "ptx/print/print.h"
#include "ptx/public.h"
#include "smc/check/check.h"
#include "smc/check/meeting.h"
#include "smc/check/whole_warps.h"
#include "smc/code.h"
#include "smc/worker_code.h"
#include "smc/worker_functions.h"

typedef struct job {
    const gcast_smc_options *options; /* what is asked for */
    smc_kernel *kernel;               /* those to transform */
    ptx_reached *reached;             /* of each */
    uint32_t kernels;                 /* their number */
} job;

static smc_kernel *kernel_of(const job *j, const ptx_function *f)
{
    for (uint32_t i = 0; i < j->kernels; i++)
        if (j->kernel[i].fn == f)
            return &j->kernel[i];
    return NULL;
}

static void before(const void *data, const ptx_function *f, text *out)
{
    const job *j = data;
    const smc_kernel *k = kernel_of(j, f);
    if (!k)
        return;
    smc_code_variables(k, j->options->plan, out);
    smc_worker_functions(k, out);
}

/* The kernel's .maxnreg, where none is there yet. */
static gcast_status limit_registers(const job *j, gcast_error *err)
{
    uint32_t max = j->options->max_registers;
    for (uint32_t i = 0; i < j->kernels && max; i++) {
        ptx_function *fn = (ptx_function *)j->kernel[i].fn;
        const char *given = fn->directives ? fn->directives : "";
        size_t size = strlen(given) + 32;
        if (strstr(given, ".maxnreg"))
            continue;
        char *words = arena_alloc((arena *)&j->kernel[i].module->memory, size);
        if (!words)
            return gcast_error_set_memory(err);
        snprintf(words, size, "%s%s.maxnreg %" PRIu32, given, given[0] ? " " : "", max);
        fn->directives = words;
    }
    return GCAST_OK;
}

static bool body(const void *data, const ptx_function *f, text *out)
{
    smc_kernel *k = kernel_of(data, f);
    if (!k)
        return false;
    smc_worker_before(k, out);
    for (uint32_t i = 0; i < f->items; i++)
        smc_code_item(k, &f->item[i], out);
    smc_worker_after(k, out);
    return true;
}

static gcast_status look_at(job *j, const ptx_module *m, const ptx_function *fn, gcast_error *err)
{
    smc_kernel *k = &j->kernel[j->kernels];
    ptx_reached *reached = &j->reached[j->kernels];
    *k = (smc_kernel){.module = m,
                      .fn = fn,
                      .reached = reached,
                      .independent = j->options->independent,
                      .whole_warps = j->options->whole_warps,
                      .records = j->options->records};
    if (!ptx_reach(m, fn, (arena *)&m->memory, reached))
        return gcast_error_set_memory(err);
    gcast_status status = ptx_graph_make(fn, &k->graph, err);
    if (status != GCAST_OK)
        return status;
    j->kernels++;
    status = smc_check(k, err);
    if (status == GCAST_OK)
        status = smc_check_whole_warps(k, err);
    return status == GCAST_OK ? smc_meeting_choose(k, err) : status;
}

static gcast_status look_at_all(job *j, const gcast_ptx *p, gcast_error *err)
{
    const char *wanted = j->options->kernel;
    gcast_status status = GCAST_OK;
    j->kernel = calloc((size_t)p->kernels + 1, sizeof *j->kernel);
    j->reached = calloc((size_t)p->kernels + 1, sizeof *j->reached);
    if (!j->kernel || !j->reached)
        return gcast_error_set_memory(err);
    gcast_error first = {.code = GCAST_OK}; /* of the first kernel that stays as it is */
    for (uint32_t i = 0; i < p->kernels && status == GCAST_OK; i++) {
        uint32_t before = j->kernels;
        gcast_error refusal;
        if (wanted && strcmp(wanted, p->kernel[i]->name) != 0)
            continue;
        status = look_at(j, p->module, p->kernel[i], &refusal);
        if (status != GCAST_OK && err)
            *err = refusal;
        if (status != GCAST_INPUT || wanted || !j->options->others_stay)
            continue;
        if (first.code == GCAST_OK)
            first = refusal;
        if (j->kernels > before)
            ptx_graph_free(&j->kernel[--j->kernels].graph);
        status = GCAST_OK;
    }
    if (status == GCAST_OK && !j->kernels && first.code != GCAST_OK) {
        if (err)
            *err = first;
        return first.code;
    }
    if (status == GCAST_OK && !j->kernels)
        status = wanted ? gcast_error_set(err, GCAST_INPUT, NULL, "there is no kernel %s", wanted)
                        : gcast_error_set(err, GCAST_INPUT, NULL, "there is no kernel");
    return status;
}

static gcast_status print(const job *j, const gcast_ptx *p, char **out, size_t *size, gcast_error *err)
{
    text t;
    text_open(&t, NULL, NULL);
    ptx_print_with(p->module, &(ptx_print_hooks){before, body, j}, &t);
    *out = text_take(&t, size);
    return *out ? GCAST_OK : gcast_error_set_memory(err);
}

static void close_job(job *j)
{
    for (uint32_t i = 0; i < j->kernels; i++)
        ptx_graph_free(&j->kernel[i].graph);
    free(j->kernel);
    free(j->reached);
}

static gcast_status transform(const gcast_ptx *p, const gcast_smc_options *o, char **out, size_t *size,
                              gcast_error *err)
{
    job j = {.options = o};
    gcast_ptx *printed = NULL;
    gcast_status status = look_at_all(&j, p, err);
    if (status == GCAST_OK)
        status = limit_registers(&j, err);
    if (status == GCAST_OK)
        status = print(&j, p, out, size, err);
    if (status == GCAST_OK)
        status = gcast_ptx_parse(*out, *size, NULL, &printed, err);
    if (*out && status == GCAST_INPUT) {
        char reason[256];
        snprintf(reason, sizeof reason, "%.250s", err ? err->message : "");
        status = gcast_error_set(err, GCAST_INTERNAL, NULL, "the transformed text is not PTX: %s", reason);
    }
    gcast_ptx_free(printed);
    close_job(&j);
    return status;
}

gcast_status gcast_smc_check(const gcast_ptx *p, const gcast_smc_options *given, gcast_error *err)
{
    if (!p)
        return argument_missing(err);
    gcast_smc_options o = gcast_smc_options_default();
    gcast_status status = options_copy(&o, sizeof o, given, "gcast_smc_options", err);
    if (status != GCAST_OK)
        return status;
    job j = {.options = &o};
    status = look_at_all(&j, p, err);
    close_job(&j);
    return status;
}

gcast_status gcast_smc_transform(const char *source, size_t size, const char *name, const gcast_smc_options *given,
                                 char **out, size_t *out_size, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!source || !out || !out_size)
        return argument_missing(err);
    gcast_smc_options o = gcast_smc_options_default();
    gcast_ptx *p = NULL;
    *out_size = 0;
    gcast_status status = options_copy(&o, sizeof o, given, "gcast_smc_options", err);
    if (status == GCAST_OK && o.plan)
        status = gcast_plan_check(o.plan, err);
    if (status == GCAST_OK && o.plan && o.plan->jobs > GCAST_SMC_MAX_JOBS)
        status = gcast_error_set(err, GCAST_INPUT, "/grid", "a plan in a module has at most %d jobs, not %u",
                                 GCAST_SMC_MAX_JOBS, o.plan->jobs);
    if (status == GCAST_OK)
        status = gcast_ptx_parse(source, size, name, &p, err);
    if (status == GCAST_OK) {
        status = transform(p, &o, out, out_size, err);
        if (status != GCAST_OK && err && name)
            snprintf(err->file, sizeof err->file, "%s", name);
    }
    gcast_ptx_free(p);
    if (status != GCAST_OK) {
        free(*out);
        *out = NULL;
        *out_size = 0;
    }
    return status;
}
