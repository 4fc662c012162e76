/* gridcast smc: makes kernels SM-centric, says which kernels can be, makes plans for them, reads the marks that they
 * leave, and searches how several kernels share a GPU. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/text.h"
#include "cli/args.h"
#include "cli/components.h"
#include "cli/exec/buffer_fill.h"
#include "cli/exec/exec_launch.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "cli/smc/plan_args.h"
#include "cli/smc/transformation.h"
#include "report/grid.h"

/* Without -o a survey says which kernels of a module can be made SM-centric, and why others cannot. */

typedef struct survey {
    grid table;       /* a row per kernel */
    text *json;       /* the same as JSON; NULL: not asked for */
    bool has_rows;    /* a kernel was written */
    bool any_refused; /* a kernel cannot be made SM-centric */
} survey;

/* The part of a message behind the kernel's name. */
static const char *reason_of(const gcast_error *err)
{
    static const char words[] = " cannot be made SM-centric: ";
    const char *at = strstr(err->message, words);
    return at ? at + sizeof words - 1 : err->message;
}

static void add_json(survey *s, const char *kernel, const gcast_error *refusal)
{
    text_str(s->json, s->has_rows ? ",\n  {\"kernel\": " : "\n  {\"kernel\": ");
    text_json(s->json, kernel);
    text_printf(s->json, ", \"can\": %s", refusal ? "false" : "true");
    if (refusal) {
        text_printf(s->json, ", \"line\": %d, \"column\": %d, \"reason\": ", refusal->line, refusal->column);
        text_json(s->json, reason_of(refusal));
    }
    text_char(s->json, '}');
}

static void add_row(survey *s, const char *kernel, const gcast_error *refusal)
{
    char reason[sizeof refusal->message + 32];
    grid_add(&s->table, refusal ? GRID_ALARM : GRID_PLAIN);
    grid_label(&s->table, 0, kernel);
    grid_cell(&s->table, 1, refusal ? "no" : "yes");
    if (!refusal)
        return;
    snprintf(reason, sizeof reason, "line %d: %s", refusal->line, reason_of(refusal));
    grid_cell(&s->table, 2, reason);
}

static gcast_status survey_kernel(survey *s, const smc_request *r, const char *kernel)
{
    gcast_smc_options options = smc_options_read(r->a, kernel);
    gcast_error err;
    gcast_status status = gcast_smc_check(r->ptx, &options, &err);
    if (status != GCAST_OK && status != GCAST_INPUT)
        return say_error(&err);
    if (s->json)
        add_json(s, kernel, status == GCAST_OK ? NULL : &err);
    else
        add_row(s, kernel, status == GCAST_OK ? NULL : &err);
    s->has_rows = true;
    s->any_refused = s->any_refused || status != GCAST_OK;
    return GCAST_OK;
}

static gcast_status survey_all(survey *s, const smc_request *r)
{
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < gcast_ptx_kernels(r->ptx) && status == GCAST_OK; i++) {
        const char *kernel = gcast_ptx_kernel(r->ptx, i);
        if (!r->kernel || strcmp(r->kernel, kernel) == 0)
            status = survey_kernel(s, r, kernel);
    }
    return status == GCAST_OK && !s->has_rows ? say(GCAST_INPUT, "%s: has no kernel", r->file) : status;
}

/* Prints a table, or gridcast.smc/1 with --json. GCAST_NO if a kernel cannot be made SM-centric. Errors are printed. */
static gcast_status smc_survey(const smc_request *r)
{
    static const grid_column columns[] = {{"kernel", false}, {"SM-centric", false}, {"why not", false}, {NULL, false}};
    bool is_json = args_has(r->a, "json");
    survey s = {0};
    text printed;
    text_open(&printed, NULL, NULL);
    grid_open(&s.table, columns);
    s.json = is_json ? &printed : NULL;
    if (is_json) {
        text_str(&printed, "{\"schema\": \"gridcast.smc/1\", \"file\": ");
        text_json(&printed, r->file);
        text_str(&printed, ", \"kernels\": [");
    }
    gcast_status status = survey_all(&s, r);
    if (is_json)
        text_str(&printed, "]}\n");
    else if (!args_has(r->a, "quiet"))
        grid_text(&s.table, want_color(r->a), &printed);
    status = print_text(&printed, status);
    grid_close(&s.table);
    return status == GCAST_OK && s.any_refused ? GCAST_NO : status;
}

/* --coverage: did every job run once, on the SM that was planned? */

#define MAX_NAMED 10 /* jobs in a list */

static int compare_counts(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The minimum, median and maximum of jobs per SM, over SMs that have workers or ran a job; with one queue all SMs
 * count. */
static void put_jobs_per_sm(const gcast_plan *plan, gcast_smc_coverage *c, text *out)
{
    uint32_t used = 0;
    for (uint32_t sm = 0; sm < c->sms; sm++) {
        bool has_workers = plan->mapping == GCAST_MAPPING_PERSISTENT || (sm < plan->sms && plan->workers[sm]);
        if (has_workers || c->jobs_of_sm[sm])
            c->jobs_of_sm[used++] = c->jobs_of_sm[sm];
    }
    qsort(c->jobs_of_sm, used, sizeof *c->jobs_of_sm, compare_counts);
    uint64_t doubled = (uint64_t)c->jobs_of_sm[used / 2] + c->jobs_of_sm[(used - 1) / 2];
    text_printf(out, "jobs per SM     %u to %u, median %" PRIu64 "%s\n", c->jobs_of_sm[0], c->jobs_of_sm[used - 1],
                doubled / 2, doubled % 2 ? ".5" : "");
}

static void put_list(const char *title, const uint32_t *job, uint32_t count, text *out)
{
    for (uint32_t i = 0; i < min_u32(count, MAX_NAMED); i++)
        text_printf(out, "%s%s%u", i ? " " : title, i ? "" : ": ", job[i]);
    if (count)
        text_str(out, count > MAX_NAMED ? " ...\n" : "\n");
}

static void put_displaced(const gcast_smc_coverage *c, text *out)
{
    for (uint32_t i = 0; i < min_u32(c->displaced, MAX_NAMED); i++) {
        uint32_t job = c->displaced_job[i];
        if (c->sm[job] == GCAST_SMC_UNKNOWN)
            text_printf(out, "job %u: not always on SM %u, as planned\n", job, c->planned_sm[job]);
        else
            text_printf(out, "job %u: on SM %u, planned on SM %u\n", job, c->sm[job], c->planned_sm[job]);
    }
    if (c->displaced > MAX_NAMED)
        text_printf(out, "... and %u more\n", c->displaced - MAX_NAMED);
}

static void put_coverage(const gcast_plan *plan, gcast_smc_coverage *c, uint32_t launches, text *out)
{
    text_printf(out, "jobs run        %u of %u\n", c->jobs - c->missing, c->jobs);
    text_printf(out, "missing         %u\n", c->missing);
    text_printf(out, "repeated        %u\n", c->repeated);
    if (plan->mapping == GCAST_MAPPING_PERSISTENT || plan->steal)
        text_str(out, "on another SM   any SM may run any job\n");
    else
        text_printf(out, "on another SM   %u\n", c->displaced);
    if (launches > 1)
        text_str(out, "jobs per SM     not known of several launches\n");
    else
        put_jobs_per_sm(plan, c, out);
    put_list("missing", c->missing_job, c->missing, out);
    put_list("repeated", c->repeated_job, c->repeated, out);
    put_displaced(c, out);
}

/* Reads the marks, little-endian words. Errors are printed. */
static gcast_status read_marks(const char *path, uint32_t jobs, uint32_t **out)
{
    char owner[40];
    size_t bytes = 4 * (size_t)jobs;
    uint8_t *raw = malloc(bytes);
    *out = calloc(jobs, sizeof **out);
    snprintf(owner, sizeof owner, "a plan of %u jobs", jobs);
    gcast_status status = raw && *out ? exec_read_raw(path, raw, bytes, owner) : say_no_memory();
    for (uint32_t j = 0; j < jobs && status == GCAST_OK; j++)
        (*out)[j] = raw[4 * j] | (uint32_t)raw[4 * j + 1] << 8 | (uint32_t)raw[4 * j + 2] << 16 |
                    (uint32_t)raw[4 * j + 3] << 24;
    free(raw);
    return status;
}

/* Reads the marks of r->plan and prints what they say. GCAST_NO if a job is missing, repeated or on another SM than
 * planned. Errors are printed. */
static gcast_status smc_coverage(const smc_request *r)
{
    const char *path = args_value(r->a, "coverage");
    int64_t launches = 1;
    uint32_t *marks = NULL;
    gcast_smc_coverage *c = NULL;
    gcast_error err;
    text printed;
    gcast_status status = args_int(r->a, "launches", 1, GCAST_SMC_MAX_LAUNCHES, &launches);
    if (status == GCAST_OK)
        status = read_marks(path, r->plan->jobs, &marks);
    if (status == GCAST_OK && gcast_smc_coverage_make(r->plan, marks, (uint32_t)launches, &c, &err) != GCAST_OK) {
        snprintf(err.file, sizeof err.file, "%s", path);
        status = say_error(&err);
    }
    text_open(&printed, NULL, NULL);
    if (status == GCAST_OK && !args_has(r->a, "quiet"))
        put_coverage(r->plan, c, (uint32_t)launches, &printed);
    status = print_text(&printed, status);
    if (status == GCAST_OK && (c->missing || c->repeated || c->displaced))
        status = GCAST_NO;
    gcast_smc_coverage_free(c);
    free(marks);
    return status;
}

static const option_spec options[] = {
    {"output", 'o', "FILE", "write the SM-centric module; without -o: a survey"},
    {"kernel", 0, "KERNEL", "only this kernel"},
    {"independent", 0, NULL, "accept loops that seem to wait for other blocks"},
    {"whole-warps", 0, NULL, "accept warps whose threads seem to end early"},
    {"grid", 0, "X[,Y[,Z]]", "blocks of the original launch: the plan's jobs"},
    {"gpu", 0, "GPU", "GPU of the plan;"},
    {"sms", 0, "N", "or instead: how many SMs it has"},
    {"persistent", 0, NULL, "one queue for all SMs"},
    {"one-job", 0, NULL, "a worker does one job of its SM's queue"},
    {"segments", 0, NULL, "a worker does its part of the queue (default)"},
    {"queues", 0, NULL, "workers take jobs from their SM's queue"},
    {"steal", 0, NULL, "like --queues, and then jobs of other SMs"},
    {"in-turn", 0, NULL, "deal jobs to SMs one by one, not in ranges"},
    {"workers", 0, "N", "workers per SM (default: 1)"},
    {"on", 0, "LIST", "SMs to use, such as 0-15,20 (default: all)"},
    {"weights", 0, "W1,W2,...", "jobs of each used SM, in parts (default: equal)"},
    {"data", 0, "FILE", "gridcast.job-data/1: shared data, same SM"},
    {"plan", 0, "FILE", "gridcast.plan/1 instead of these options"},
    {"save-plan", 0, "FILE", "write the plan as gridcast.plan/1"},
    {"block", 0, "X[,Y[,Z]]", "threads per block, to show how many an SM holds"},
    {"shared", 0, "BYTES", "dynamic shared memory per block, with --block"},
    {"registers", 0, "N", "registers per thread, with --block (else: any)"},
    {"coverage", 0, "FILE", "check marks against --plan; exit 1 if they differ"},
    {"launches", 0, "N", "--coverage: launches that left marks (default: 1)"},
    {"corun", 0, NULL, "how kernels (launch files) should share the SMs"},
    {"goal", 0, "METRIC", "with --corun: stp (default) or antt"},
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
            return say(GCAST_USAGE, "--%s needs %s", r->a->given[i].spec->name,
                       args_is(r->a, i, "launches") ? "--coverage"
                       : is_of_corun(r->a, i)       ? "--corun"
                                                    : "-o or --save-plan");
    }
    if (!r->a->operand_count)
        return usage();
    gcast_status status = read_program(r);
    return status == GCAST_OK ? smc_survey(r) : status;
}

/* Do the options fit each other? Asked before anything is read. */
static gcast_status check_options(const args *a)
{
    static const char *const of_program[] = {"kernel", "independent", "whole-warps", "block", "shared", "registers"};
    static const char *const of_launch[] = {"block", "shared", "registers"};
    bool has_plan = args_has(a, "plan") || args_has(a, "gpu") || smc_plan_option(a);
    if (args_has(a, "launches"))
        return say(GCAST_USAGE, "--launches needs --coverage");
    for (size_t i = 0; i < a->given_count; i++)
        if (is_of_corun(a, i))
            return say(GCAST_USAGE, "--%s needs --corun", a->given[i].spec->name);
    if (args_has(a, "json"))
        return say(GCAST_USAGE, "--json is for a survey: without -o and --save-plan");
    if (args_has(a, "output") && !a->operand_count)
        return usage();
    if (args_has(a, "save-plan") && !has_plan)
        return say(GCAST_USAGE, "--save-plan needs a plan: give --grid and --sms");
    for (size_t i = 0; i < sizeof of_program / sizeof *of_program; i++)
        if (args_has(a, of_program[i]) && !a->operand_count)
            return say(GCAST_USAGE, "--%s needs FILE.ptx", of_program[i]);
    for (size_t i = 0; i < sizeof of_launch / sizeof *of_launch; i++)
        if (args_has(a, of_launch[i]) && !has_plan)
            return say(GCAST_USAGE, "--%s needs a plan", of_launch[i]);
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
        status = component_corun.search(&r);
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
    .summary = "rewrite a kernel so that a plan says which SM runs each block",
    .options = options,
    .examples = {"gridcast smc examples/saxpy.ptx", "gridcast smc examples/saxpy.ptx -o smc.ptx --grid 8 --gpu h200"},
    .run = run,
};
