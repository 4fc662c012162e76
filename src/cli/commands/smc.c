/* gridcast smc: makes kernels SM-centric, says which can be, makes plans for them, reads the marks that they leave, and
 * searches how several share a GPU. */
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/exec/arguments/kernel.h"
#include "cli/say.h"
#include "cli/smc/corun/corun_run.h"
#include "cli/smc/coverage_print.h"
#include "cli/smc/plan_args.h"
#include "cli/smc/survey.h"
#include "cli/smc/transformation.h"

static const option_spec options[] = {
    {"output", 'o', "FILE", "write the SM-centric module; without it: a survey"},
    {"kernel", 0, "KERNEL", "only this kernel"},
    {"independent", 0, NULL, "accept loops that seem to wait for other blocks"},
    {"whole-warps", 0, NULL, "accept warps of which threads seem to end early"},
    {"grid", 0, "X[,Y[,Z]]", "blocks of the original launch: the plan's jobs"},
    {"gpu", 0, "GPU", "for which GPU the plan is;"},
    {"sms", 0, "N", "or instead how many SMs there are"},
    {"persistent", 0, NULL, "one queue for all SMs"},
    {"one-job", 0, NULL, "a worker does one job of its SM's queue"},
    {"segments", 0, NULL, "a worker does its part of the queue (default)"},
    {"queues", 0, NULL, "a worker takes jobs of the queue while it has any"},
    {"steal", 0, NULL, "the same, and then jobs of other SMs"},
    {"in-turn", 0, NULL, "deal jobs to SMs one by one, not in ranges"},
    {"workers", 0, "N", "per SM (default: 1)"},
    {"on", 0, "LIST", "SMs to use, such as 0-15,20 (default: all)"},
    {"weights", 0, "W1,W2,...", "each used SM's part of the jobs (default: even)"},
    {"data", 0, "FILE", "gridcast.job-data/1: keeps jobs close that share"},
    {"plan", 0, "FILE", "gridcast.plan/1 instead of these options"},
    {"save-plan", 0, "FILE", "write the plan as gridcast.plan/1"},
    {"block", 0, "X[,Y[,Z]]", "threads per block, to say how many an SM holds"},
    {"shared", 0, "BYTES", "dynamic shared memory per block, for the same"},
    {"registers", 0, "N", "per thread, for the same (else they do not limit)"},
    {"coverage", 0, "FILE", "marks against --plan: exit 1 if a job is amiss"},
    {"launches", 0, "N", "that left their marks (default: 1)"},
    {"corun", 0, NULL, "how kernels, given as launch files, share the SMs"},
    {"goal", 0, "METRIC", "of it: stp (default) or antt"},
    {"device", 0, NULL, "with --corun: measure times on this machine's GPU"},
    {"driver", 0, "FILE", "the CUDA driver (default: libcuda.so.1)"},
    {"json", 0, NULL, "print a survey or a co-run as JSON"},
    {"force", 'f', NULL, "overwrite files"},
    {"quiet", 'q', NULL, "print nothing but errors"},
    {NULL, 0, NULL, NULL},
};

static gcast_status usage(void)
{
    return say(GCAST_USAGE, "usage: gridcast smc [options] FILE.ptx");
}

static gcast_status read_program(smc_request *r)
{
    const char *path = r->a->operands[0], *wanted = args_value(r->a, "kernel");
    gcast_error err;
    uint32_t kernel;
    r->file = strcmp(path, "-") == 0 ? "standard input" : path;
    if (gcast_file_read(path, &r->source, &r->source_size, &err) != GCAST_OK ||
        gcast_ptx_parse(r->source, r->source_size, r->file, &r->ptx, &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = wanted ? exec_kernel_find(r->ptx, wanted, r->file, &kernel) : GCAST_OK;
    if (status == GCAST_OK && wanted)
        r->kernel = gcast_ptx_kernel(r->ptx, kernel);
    return status;
}

static gcast_status run_coverage(smc_request *r)
{
    static const char *const allowed[] = {"coverage", "plan", "launches", "quiet", "color", NULL};
    gcast_status status = args_only(r->a, "coverage", allowed);
    if (status != GCAST_OK)
        return status;
    if (r->a->operand_count || !args_has(r->a, "plan"))
        return say(GCAST_USAGE, "usage: gridcast smc --coverage MARKS --plan FILE [--launches N]");
    status = smc_plan_read(r);
    return status == GCAST_OK ? smc_coverage(r) : status;
}

static bool is_of_corun(const args *a, size_t i)
{
    return args_is(a, i, "goal") || args_is(a, i, "device") || args_is(a, i, "driver");
}

static gcast_status run_survey(smc_request *r)
{
    static const char *const allowed[] = {"kernel", "independent", "whole-warps", "json", "quiet", "color", NULL};
    for (size_t i = 0; i < r->a->given_count; i++) {
        size_t k = 0;
        while (allowed[k] && !args_is(r->a, i, allowed[k]))
            k++;
        if (!allowed[k])
            return say(GCAST_USAGE, "--%s goes with %s", r->a->given[i].spec->name,
                       args_is(r->a, i, "launches") ? "--coverage"
                       : is_of_corun(r->a, i)       ? "--corun"
                                                    : "-o or --save-plan");
    }
    if (!r->a->operand_count)
        return usage();
    gcast_status status = read_program(r);
    return status == GCAST_OK ? smc_survey(r) : status;
}

/* What contradicts itself, before anything is read. */
static gcast_status check_options(const args *a)
{
    static const char *const of_program[] = {"kernel", "independent", "whole-warps", "block", "shared", "registers"};
    static const char *const of_launch[] = {"block", "shared", "registers"};
    bool has_plan = args_has(a, "plan") || args_has(a, "gpu") || smc_plan_option(a);
    if (args_has(a, "launches"))
        return say(GCAST_USAGE, "--launches goes with --coverage");
    for (size_t i = 0; i < a->given_count; i++)
        if (is_of_corun(a, i))
            return say(GCAST_USAGE, "--%s goes with --corun", a->given[i].spec->name);
    if (args_has(a, "json"))
        return say(GCAST_USAGE, "--json is for a survey: without -o and --save-plan");
    if (args_has(a, "output") && !a->operand_count)
        return usage();
    if (args_has(a, "save-plan") && !has_plan)
        return say(GCAST_USAGE, "--save-plan: no option describes a plan; --grid and --sms do");
    for (size_t i = 0; i < sizeof of_program / sizeof *of_program; i++)
        if (args_has(a, of_program[i]) && !a->operand_count)
            return say(GCAST_USAGE, "--%s goes with FILE.ptx", of_program[i]);
    for (size_t i = 0; i < sizeof of_launch / sizeof *of_launch; i++)
        if (args_has(a, of_launch[i]) && !has_plan)
            return say(GCAST_USAGE, "--%s goes with a plan", of_launch[i]);
    return GCAST_OK;
}

static gcast_status run_transformation(smc_request *r)
{
    gcast_status status = check_options(r->a);
    if (status == GCAST_OK)
        status = smc_plan_read(r);
    if (status == GCAST_OK && r->a->operand_count)
        status = read_program(r);
    if (status == GCAST_OK)
        status = smc_outputs_check(r);
    return status == GCAST_OK ? smc_transform(r) : status;
}

static gcast_status run(const args *a)
{
    smc_request r = {.a = a};
    gcast_status status;
    if (args_has(a, "corun"))
        status = smc_corun(&r);
    else if (a->operand_count > 1)
        status = usage();
    else if (args_has(a, "coverage"))
        status = run_coverage(&r);
    else if (args_has(a, "output") || args_has(a, "save-plan"))
        status = run_transformation(&r);
    else
        status = run_survey(&r);
    gcast_plan_free(r.plan);
    gcast_gpu_free(r.gpu);
    gcast_ptx_free(r.ptx);
    free(r.source);
    return status;
}

const command cmd_smc = {
    .name = "smc",
    .operands = "FILE.ptx",
    .min_operands = 0,
    .max_operands = -1, /* of --corun */
    .summary = "make a kernel's jobs run on the SMs that a plan names",
    .options = options,
    .examples = {"gridcast smc examples/saxpy.ptx", "gridcast smc examples/saxpy.ptx -o smc.ptx --grid 8 --gpu h200"},
    .run = run,
};
