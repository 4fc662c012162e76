#include "papers/corun/corun_command.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/number.h"
#include "base/text.h"
#include "cli/args.h"
#include "cli/exec/exec_launch.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "cli/smc/gpu_filling.h"
#include "cli/smc/plan_args.h"
#include "model/launch_file.h"
#include "papers/corun/corun.h"
#include "papers/corun/corun_measure.h"
#include "report/grid.h"

_Static_assert(GCAST_CORUN_MAX <= GCAST_SMC_SESSION_MAX, "all kernels of a co-run can be measured");

typedef struct corun_kernel {
    gcast_launch_file *launch; /* its launch file */
    const char *file;          /* name of the launch file */
    char *module;              /* the PTX with the kernel made SM-centric, without a plan */
    size_t module_size;        /* in bytes */
    gcast_ptx *ptx;            /* the module, parsed */
    uint32_t number;           /* of the kernel in the module */
} corun_kernel;

typedef struct corun_request corun_request;

/* Says how long configurations take. */
typedef struct corun_evaluator {
    const char *name; /* of its times: "predicted" */
    const char *note; /* what users should know about the times: a line under the table */
    bool is_cheap;    /* thousands of configurations can be tried */
    /* Sets alone_ns, time and time_data of c->options; the rest is set. Errors are printed. */
    gcast_status (*start)(corun_request *c);
    void (*stop)(corun_request *c); /* called after the search, also if start failed; NULL: nothing to do */
} corun_evaluator;

/* One `gridcast smc --corun`. */
struct corun_request {
    smc_request *smc;                     /* the command line and the GPU */
    corun_kernel kernel[GCAST_CORUN_MAX]; /* in the order of the operands */
    const corun_evaluator *evaluator;     /* gives the times */
    void *evaluator_data;                 /* its data from start to stop */
    gcast_corun_launches launches;        /* launch files of the kernels */
    gcast_corun_options options;          /* of the search */
    gcast_corun found;                    /* result of the search */
};

/* The launch files are read, and their kernels made SM-centric, to find how many workers an SM holds. */

/* Makes the kernel SM-centric: it takes more of an SM than the original. */
static gcast_status transform(const corun_request *c, corun_kernel *k, const char *source, size_t size,
                              const gcast_ptx *original)
{
    const char *ptx = k->launch->ptx;
    gcast_error err;
    gcast_status status = exec_kernel_find(original, k->launch->kernel, ptx, &k->number);
    if (status != GCAST_OK)
        return status == GCAST_USAGE ? GCAST_INPUT : status; /* the name is from a file */
    gcast_smc_options options = smc_options_read(c->smc->a, gcast_ptx_kernel(original, k->number));
    if (gcast_smc_transform(source, size, ptx, &options, &k->module, &k->module_size, &err) != GCAST_OK ||
        gcast_ptx_parse(k->module, k->module_size, ptx, &k->ptx, &err) != GCAST_OK)
        return say_error(&err);
    return exec_kernel_find(k->ptx, options.kernel, ptx, &k->number);
}

static gcast_status read_module(const corun_request *c, corun_kernel *k)
{
    char *source = NULL;
    size_t size;
    gcast_ptx *original = NULL;
    gcast_error err;
    gcast_status status = GCAST_OK;
    if (gcast_file_read(k->launch->ptx, &source, &size, &err) != GCAST_OK ||
        gcast_ptx_parse(source, size, k->launch->ptx, &original, &err) != GCAST_OK)
        status = say_error(&err);
    if (status == GCAST_OK)
        status = transform(c, k, source, size, original);
    gcast_ptx_free(original);
    free(source);
    return status;
}

/* The largest number of workers for which the launch file has a time; at least 1. */
static uint32_t known_workers(const gcast_launch_file *l)
{
    uint32_t max_workers = 1;
    for (size_t i = 0; i < l->time_count; i++)
        max_workers = max_u32(max_workers, l->times[i].workers);
    return l->time_count ? max_workers : max_u32(max_workers, (uint32_t)l->job_ns_count);
}

static gcast_status find_max_workers(const corun_request *c, const corun_kernel *k, uint32_t *out)
{
    const gcast_launch_file *l = k->launch;
    filling_shape shape = {true, {l->block[0], l->block[1], l->block[2]}, l->shared_bytes, l->registers};
    gcast_status status = filling_capacity(c->smc->gpu, &shape, k->ptx, k->number, out);
    if (status == GCAST_OK && *out == 0)
        *out = known_workers(l);
    return status;
}

/* Sets c->kernel, c->launches, and kernels and max_workers of c->options. Errors are printed. */
static gcast_status corun_launches_read(corun_request *c)
{
    const args *a = c->smc->a;
    gcast_error err;
    gcast_status status = GCAST_OK;
    c->launches.kernels = c->options.kernels = (uint32_t)a->operand_count;
    for (uint32_t i = 0; i < c->options.kernels && status == GCAST_OK; i++) {
        corun_kernel *k = &c->kernel[i];
        k->file = a->operands[i];
        if (gcast_launch_file_load(k->file, &k->launch, &err) != GCAST_OK)
            return say_error(&err);
        c->launches.launch[i] = k->launch;
        status = read_module(c, k);
        if (status == GCAST_OK)
            status = find_max_workers(c, k, &c->options.max_workers[i]);
    }
    return status;
}

static void corun_launches_free(corun_request *c)
{
    for (uint32_t i = 0; i < c->options.kernels; i++) {
        gcast_ptx_free(c->kernel[i].ptx);
        free(c->kernel[i].module);
        gcast_launch_file_free(c->kernel[i].launch);
    }
}

/* Times of a co-run are predicted from the times of each kernel alone in its launch file. */

static gcast_status start_predicted(corun_request *c)
{
    gcast_corun_options *o = &c->options;
    gcast_error err;
    for (uint32_t k = 0; k < o->kernels; k++)
        if (gcast_corun_time_alone(c->launches.launch[k], o->max_workers[k], o->sms, &o->alone_ns[k], &err) != GCAST_OK)
            return say_error(&err);
    o->time = gcast_corun_predict;
    o->time_data = &c->launches;
    return GCAST_OK;
}

static const corun_evaluator corun_predicted = {
    .name = "predicted",
    .note = "each kernel as if it ran alone on its SMs; memory bandwidth and L2 are shared: --device measures",
    .is_cheap = true,
    .start = start_predicted,
};

/* With --device they are measured on this machine's GPU. */

#define ROUNDS 5 /* of the time alone */

typedef struct measured {
    launches l;        /* the launches on the GPU */
    corun_times times; /* of their co-runs */
} measured;

static gcast_status start_measured(corun_request *c)
{
    gcast_corun_options *o = &c->options;
    measured *m = calloc(1, sizeof *m);
    if (!m)
        return say_no_memory();
    c->evaluator_data = m;
    gcast_status status = GCAST_OK;
    m->l.a = c->smc->a;
    for (uint32_t k = 0; k < o->kernels && status == GCAST_OK; k++)
        status = launches_read(&m->l, c->kernel[k].file);
    if (status == GCAST_OK)
        status = launches_open(&m->l, args_value(c->smc->a, "driver"));
    if (status == GCAST_OK && (uint32_t)m->l.gpu->sms != o->sms)
        status = say(GCAST_USAGE, "this machine's GPU has %d SMs, not %u", m->l.gpu->sms, o->sms);
    for (uint32_t k = 0; k < o->kernels && status == GCAST_OK; k++) {
        status = launches_time(&m->l, k, NULL, ROUNDS, &o->alone_ns[k]);
        o->max_workers[k] = m->l.at[k].facts.holds[1];
    }
    m->times = (corun_times){.l = &m->l, .form = {"queues", GCAST_MAPPING_QUEUES, false, true}};
    o->time = corun_times_measure;
    o->time_data = &m->times;
    return status;
}

static void stop_measured(corun_request *c)
{
    measured *m = c->evaluator_data;
    if (!m)
        return;
    launches_close(&m->l);
    free(m);
}

static const corun_evaluator corun_measured = {
    .name = "measured",
    .note = "on this machine's GPU; alone: the original kernels",
    .start = start_measured,
    .stop = stop_measured,
};

/* The result is printed as a table. */

#define MAX_DECIMALS 3

enum { KERNEL, ALONE, WORKERS, SMS, TOGETHER, SLOWDOWN };

static int64_t rounded(double ns)
{
    return (int64_t)(ns + 0.5);
}

/* One unit for all times. */
static time_format find_format(const corun_request *c)
{
    int64_t longest = 0;
    for (uint32_t k = 0; k < c->options.kernels; k++)
        longest = max_i64(longest, max_i64(rounded(c->options.alone_ns[k]), rounded(c->found.together_ns[k])));
    time_format f = time_format_for(longest, MAX_DECIMALS);
    for (uint32_t k = 0; k < c->options.kernels; k++) {
        time_format_include(&f, rounded(c->options.alone_ns[k]));
        time_format_include(&f, rounded(c->found.together_ns[k]));
    }
    return f;
}

static void put_kernels(grid *g, const corun_request *c, time_format f)
{
    for (uint32_t k = 0; k < c->options.kernels; k++) {
        double alone = c->options.alone_ns[k], together = c->found.together_ns[k];
        char slowdown[32] = "";
        grid_add(g, GRID_PLAIN);
        grid_label(g, KERNEL, c->kernel[k].launch->name);
        time_format_cell(g, ALONE, rounded(alone), true, f);
        grid_print(g, WORKERS, "%u", c->found.config.workers[k]);
        grid_print(g, SMS, "%u", c->found.config.sms[k]);
        time_format_cell(g, TOGETHER, rounded(together), true, f);
        if (number_print(slowdown, sizeof slowdown, "%.2f", together / alone) < 0)
            g->failed = true;
        grid_cell(g, SLOWDOWN, slowdown);
    }
}

static void corun_table(const corun_request *c, text *out)
{
    char alone[32], together[32];
    time_format f = find_format(c);
    const grid_column columns[] = {
        {"kernel", false},
        {time_format_title(alone, sizeof alone, "alone", f), true},
        {"workers per SM", true},
        {"SMs", true},
        {time_format_title(together, sizeof together, "together", f), true},
        {"slowdown", true},
        {NULL, false},
    };
    bool is_antt = c->options.goal == GCAST_CORUN_ANTT;
    grid g;
    grid_open(&g, columns);
    put_kernels(&g, c, f);
    grid_text(&g, want_color(c->smc->a), out);
    grid_close(&g);
    text_printf(out, "STP    %.3f%s\n", c->found.score.stp, is_antt ? "" : ", the goal");
    text_printf(out, "ANTT   %.3f%s\n", c->found.score.antt, is_antt ? ", the goal" : "");
    text_printf(out, "tried  %u configurations\n", c->found.tried);
    text_printf(out, "times  %s: %s\n", c->evaluator->name, c->evaluator->note);
}

/* With --json it is printed as gridcast.corun/1. */

/* The SMs of a kernel in the form of `on` of a plan: a number, or [from, to] with both included. */
static void put_sms(const uint32_t *kernel_of, uint32_t sms, uint32_t k, text *out)
{
    const char *between = "";
    for (uint32_t s = 0, end; s < sms; s = end) {
        for (end = s + 1; end < sms && kernel_of[end] == kernel_of[s]; end++)
            ;
        if (kernel_of[s] != k)
            continue;
        if (end - s == 1)
            text_printf(out, "%s%u", between, s);
        else
            text_printf(out, "%s[%u, %u]", between, s, end - 1);
        between = ", ";
    }
}

static void put_kernel(const corun_request *c, uint32_t k, const uint32_t *kernel_of, text *out)
{
    double alone = c->options.alone_ns[k], together = c->found.together_ns[k];
    text_str(out, k ? ",\n  {\"kernel\": " : "\n  {\"kernel\": ");
    text_json(out, c->kernel[k].launch->name);
    text_str(out, ", \"file\": ");
    text_json(out, c->kernel[k].file);
    text_printf(out, ", \"workers\": %u, \"max_workers\": %u, \"sms\": %u, \"on\": [", c->found.config.workers[k],
                c->options.max_workers[k], c->found.config.sms[k]);
    put_sms(kernel_of, c->options.sms, k, out);
    text_printf(out, "], \"alone_ns\": %.0f, \"together_ns\": %.0f, \"slowdown\": %.6f}", alone, together,
                together / alone);
}

static void corun_json(const corun_request *c, text *out)
{
    uint32_t kernel_of[GCAST_PLAN_MAX_SMS];
    gcast_corun_deal_sms(&c->found.config, c->options.kernels, c->options.sms, kernel_of);
    text_str(out, "{\"schema\": \"gridcast.corun/1\", \"gpu\": ");
    if (c->smc->gpu)
        text_json(out, c->smc->gpu->name);
    else
        text_str(out, "null");
    text_printf(out, ", \"sms\": %u, \"goal\": \"%s\", \"stp\": %.6f, \"antt\": %.6f, \"tried\": %u", c->options.sms,
                metric_choices[c->options.goal], c->found.score.stp, c->found.score.antt, c->found.tried);
    text_printf(out, ", \"times\": \"%s\", \"note\": ", c->evaluator->name);
    text_json(out, c->evaluator->note);
    text_str(out, ", \"kernels\": [");
    for (uint32_t k = 0; k < c->options.kernels; k++)
        put_kernel(c, k, kernel_of, out);
    text_str(out, "]}\n");
}

/* --save-plan writes one plan per kernel, each on SMs of its own, to numbered files. */

/* plan.json becomes plan-1.json for the first kernel. */
static gcast_status number_path(const char *path, uint32_t kernel, char out[PATH_MAX])
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - path) : strlen(path);
    int size = snprintf(out, PATH_MAX, "%.*s-%u%s", (int)length, path, kernel + 1, path + length);
    return size < PATH_MAX ? GCAST_OK : say(GCAST_USAGE, "--save-plan: the name is too long");
}

static gcast_status check_path(const corun_request *c, const char *path)
{
    const args *a = c->smc->a;
    for (uint32_t k = 0; k < c->options.kernels; k++)
        if (atomic_file_same(a->operands[k], path) || atomic_file_same(c->kernel[k].launch->ptx, path))
            return say(GCAST_USAGE, "--save-plan %s: this file is an input", path);
    return output_check(path, args_has(a, "force"));
}

/* Can the files of --save-plan be written, and do the mapping options go together? Errors are printed. */
static gcast_status corun_plans_check(const corun_request *c)
{
    static const char *const of_mapping[] = {"segments", "queues", "steal"};
    gcast_plan_options options = gcast_plan_options_default();
    const args *a = c->smc->a;
    const char *path = args_value(a, "save-plan");
    char numbered[PATH_MAX];
    for (size_t i = 0; !path && i < sizeof of_mapping / sizeof *of_mapping; i++)
        if (args_has(a, of_mapping[i]))
            return say(GCAST_USAGE, "--%s needs --save-plan", of_mapping[i]);
    if (path && output_is_standard(path))
        return say(GCAST_USAGE, "--save-plan %s: there are several plans, for a file each", path);
    gcast_status status = smc_mapping_read(a, &options);
    for (uint32_t k = 0; path && k < c->options.kernels && status == GCAST_OK; k++) {
        status = number_path(path, k, numbered);
        if (status == GCAST_OK)
            status = check_path(c, numbered);
    }
    return status;
}

static gcast_status make_plan(const corun_request *c, uint32_t kernel, const uint32_t *kernel_of, char **out)
{
    gcast_plan_options o = gcast_plan_options_default();
    uint32_t sm[GCAST_PLAN_MAX_SMS];
    gcast_plan *plan = NULL;
    gcast_error err;
    gcast_status status = smc_mapping_read(c->smc->a, &o);
    if (status != GCAST_OK)
        return status;
    if (args_has(c->smc->a, "device")) { /* as measured */
        o.mapping = GCAST_MAPPING_QUEUES;
        o.in_turn = true;
    }
    memcpy(o.grid, c->kernel[kernel].launch->grid, sizeof o.grid);
    o.sms = c->options.sms;
    o.workers = c->found.config.workers[kernel];
    o.sm = sm;
    for (uint32_t s = 0; s < o.sms; s++)
        if (kernel_of[s] == kernel)
            sm[o.sm_count++] = s;
    if (gcast_plan_make(&o, &plan, &err) != GCAST_OK || gcast_plan_write(plan, out, &err) != GCAST_OK) {
        snprintf(err.file, sizeof err.file, "%s", c->kernel[kernel].file);
        status = say_error(&err);
    }
    gcast_plan_free(plan);
    return status;
}

/* Writes the plans. Kernel 1 has the SMs from 0 on, kernel 2 the next ones, and so on. Errors are printed. */
static gcast_status corun_plans_write(const corun_request *c)
{
    const char *path = args_value(c->smc->a, "save-plan");
    char *written[GCAST_CORUN_MAX] = {NULL}, numbered[PATH_MAX];
    uint32_t kernel_of[GCAST_PLAN_MAX_SMS];
    gcast_status status = GCAST_OK;
    gcast_corun_deal_sms(&c->found.config, c->options.kernels, c->options.sms, kernel_of);
    for (uint32_t k = 0; path && k < c->options.kernels && status == GCAST_OK; k++)
        status = make_plan(c, k, kernel_of, &written[k]);
    for (uint32_t k = 0; path && k < c->options.kernels && status == GCAST_OK; k++) {
        status = number_path(path, k, numbered);
        if (status == GCAST_OK)
            status = output_bytes(numbered, args_has(c->smc->a, "force"), written[k], strlen(written[k]));
    }
    for (uint32_t k = 0; k < GCAST_CORUN_MAX; k++)
        free(written[k]);
    return status;
}

static gcast_status check_args(const args *a)
{
    static const char *const allowed[] = {"corun", "gpu",       "sms",         "goal",        "segments", "queues",
                                          "steal", "save-plan", "independent", "whole-warps", "json",     "force",
                                          "quiet", "color",     "device",      "driver",      NULL};
    gcast_status status = args_only(a, "corun", allowed);
    if (status == GCAST_OK && (a->operand_count < 2 || a->operand_count > GCAST_CORUN_MAX))
        status = say(GCAST_USAGE, "--corun takes from 2 to %d launch files", GCAST_CORUN_MAX);
    if (status == GCAST_OK && args_has(a, "driver") && !args_has(a, "device"))
        status = say(GCAST_USAGE, "--driver needs --device");
    if (status == GCAST_OK && args_has(a, "device") && (args_has(a, "segments") || args_has(a, "steal")))
        status = say(GCAST_USAGE, "--device measures queues, and --save-plan writes these");
    return status;
}

static gcast_status read_request(corun_request *c)
{
    int goal = GCAST_CORUN_STP;
    gcast_status status = check_args(c->smc->a);
    if (status == GCAST_OK)
        status = args_choice(c->smc->a, "goal", metric_choices, &goal);
    if (status == GCAST_OK)
        status = smc_sms_read(c->smc, "--corun", &c->options.sms);
    c->options.goal = (gcast_corun_goal)goal;
    if (status == GCAST_OK)
        status = corun_launches_read(c);
    return status == GCAST_OK ? corun_plans_check(c) : status;
}

static gcast_status search(corun_request *c)
{
    gcast_error err;
    c->options.exhaustive = c->options.every_worker = c->evaluator->is_cheap && c->options.kernels == 2;
    gcast_status status = c->evaluator->start(c);
    if (status == GCAST_OK && gcast_corun_search(&c->options, &c->found, &err) != GCAST_OK)
        status = say_error(&err);
    if (c->evaluator->stop)
        c->evaluator->stop(c);
    return status;
}

static gcast_status print(const corun_request *c)
{
    bool is_json = args_has(c->smc->a, "json");
    text printed;
    text_open(&printed, NULL, NULL);
    if (is_json)
        corun_json(c, &printed);
    else if (!args_has(c->smc->a, "quiet"))
        corun_table(c, &printed);
    return print_text(&printed, GCAST_OK);
}

gcast_status smc_corun(smc_request *r)
{
    corun_request c = {.smc = r,
                       .evaluator = args_has(r->a, "device") ? &corun_measured : &corun_predicted,
                       .options = gcast_corun_options_default()};
    gcast_status status = read_request(&c);
    if (status == GCAST_OK)
        status = search(&c);
    if (status == GCAST_OK)
        status = corun_plans_write(&c);
    if (status == GCAST_OK)
        status = print(&c);
    corun_launches_free(&c);
    return status;
}
