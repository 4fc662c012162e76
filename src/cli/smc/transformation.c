#include "cli/smc/transformation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/text.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "cli/smc/gpu_filling.h"
#include "cli/smc/plan_args.h"
#include "gridcast/names.h"
#include "report/grid.h"

/* A plan is a row of a table for each kernel. */

/* The minimum and maximum over the SMs that are used. */
typedef struct range {
    uint32_t min, max;
} range;

static void extend(range *r, uint32_t value, bool is_first)
{
    r->min = is_first ? value : min_u32(r->min, value);
    r->max = is_first ? value : max_u32(r->max, value);
}

static void put_range(grid *g, int column, const range *r)
{
    if (r->min == r->max)
        grid_print(g, column, "%u", r->min);
    else
        grid_print(g, column, "%u-%u", r->min, r->max);
}

/* Fills columns from `column` on. */
static void put_sms(grid *g, const gcast_plan *p, int column)
{
    range workers = {0}, jobs = {0};
    uint32_t used = 0;
    for (uint32_t sm = 0; sm < p->sms; sm++) {
        if (!p->workers[sm])
            continue;
        extend(&workers, p->workers[sm], used == 0);
        extend(&jobs, p->first[sm + 1] - p->first[sm], used == 0);
        used++;
    }
    grid_print(g, column, "%u of %u", used, p->sms);
    put_range(g, column + 1, &workers);
    put_range(g, column + 2, &jobs);
}

static void put_row(grid *g, const gcast_plan *p, const char *kernel)
{
    int column = 0;
    grid_add(g, GRID_PLAIN);
    if (kernel)
        grid_label(g, column++, kernel);
    grid_print(g, column++, "%s%s", gcast_name(GCAST_NAMES_MAPPING, p->mapping), p->steal ? ", steal" : "");
    grid_print(g, column++, "%u", p->jobs);
    if (p->mapping != GCAST_MAPPING_PERSISTENT) {
        put_sms(g, p, column);
        return;
    }
    grid_cell(g, column, "any");
    grid_cell(g, column + 1, "any");
    grid_cell(g, column + 2, "any");
}

/* Writes a row per kernel of `p` that is transformed, by `stays`; with p NULL one row without a kernel. */
static void plan_table(const smc_request *r, const gcast_ptx *p, const bool *stays, text *out)
{
    static const grid_column columns[] = {
        {"kernel", false},        {"mapping", false},    {"jobs", true}, {"SMs used", true},
        {"workers per SM", true}, {"jobs per SM", true}, {NULL, false},
    };
    grid g;
    grid_open(&g, p ? columns : columns + 1);
    if (!p)
        put_row(&g, r->plan, NULL);
    for (uint32_t i = 0; p && i < gcast_ptx_kernels(p); i++)
        if (!stays[i] && (!r->kernel || strcmp(r->kernel, gcast_ptx_kernel(p, i)) == 0))
            put_row(&g, r->plan, gcast_ptx_kernel(p, i));
    grid_text(&g, want_color(r->a), out);
    grid_close(&g);
}

/* The results are a module, a plan and lines for standard output. */

typedef struct results {
    char *module;       /* the transformed PTX; NULL: there is no program */
    size_t module_size; /* size of the text */
    gcast_ptx *ptx;     /* the transformed program */
    bool *stays;        /* by kernel: it cannot be transformed, and stays as it is */
    bool some_stay;     /* there is such a kernel */
    char *plan;         /* gridcast.plan/1; NULL: the plan is not saved */
    text printed;       /* for standard output */
} results;

gcast_status smc_outputs_check(const smc_request *r)
{
    const char *module = args_value(r->a, "output"), *plan = args_value(r->a, "save-plan");
    bool is_plan_printed = plan && output_is_standard(plan);
    gcast_status status = output_check_single(r->a);
    if (status == GCAST_OK && module)
        status = outputs_check(r->a, is_plan_printed ? "--save-plan" : NULL);
    if (status != GCAST_OK || !plan || is_plan_printed)
        return status;
    for (size_t i = 0; i < r->a->operand_count; i++)
        if (atomic_file_same(r->a->operands[i], plan))
            return say(GCAST_USAGE, "--save-plan %s: this file is an input", plan);
    if (module && !output_is_standard(module) && atomic_file_same(module, plan))
        return say(GCAST_USAGE, "--save-plan %s: -o names the same file", plan);
    return output_check(plan, args_has(r->a, "force"));
}

/* Says which kernels of the module stay as they are, and why. */
static gcast_status find_staying(const smc_request *r, results *out)
{
    uint32_t kernels = gcast_ptx_kernels(r->ptx);
    out->stays = calloc((size_t)kernels + 1, sizeof *out->stays);
    if (!out->stays)
        return say_no_memory();
    for (uint32_t i = 0; i < kernels && !r->kernel; i++) {
        gcast_smc_options options = smc_options_read(r->a, gcast_ptx_kernel(r->ptx, i));
        gcast_error err;
        char note[sizeof err.message + 80];
        gcast_status status = gcast_smc_check(r->ptx, &options, &err);
        if (status != GCAST_OK && status != GCAST_INPUT)
            return say_error(&err);
        if (status == GCAST_OK)
            continue;
        out->stays[i] = out->some_stay = true;
        snprintf(note, sizeof note, "line %d: %s; this kernel is not changed", err.line, err.message);
        say_note(note);
    }
    return GCAST_OK;
}

static gcast_status make_module(const smc_request *r, results *out)
{
    gcast_smc_options options = smc_options_read(r->a, r->kernel);
    gcast_error err;
    options.plan = r->plan;
    options.others_stay = true;
    if (gcast_smc_transform(r->source, r->source_size, r->file, &options, &out->module, &out->module_size, &err) !=
            GCAST_OK ||
        gcast_ptx_parse(out->module, out->module_size, r->file, &out->ptx, &err) != GCAST_OK)
        return say_error(&err);
    return find_staying(r, out);
}

static gcast_status describe_launches(const smc_request *r, results *out)
{
    filling_shape shape;
    gcast_status status = filling_shape_read(r->a, &shape);
    for (uint32_t i = 0; i < gcast_ptx_kernels(out->ptx) && status == GCAST_OK; i++) {
        const char *kernel = gcast_ptx_kernel(out->ptx, i);
        bool is_transformed = !out->stays[i] && (!r->kernel || strcmp(r->kernel, kernel) == 0);
        if (is_transformed && r->plan) {
            status = filling_line(r, &shape, out->ptx, i, &out->printed);
        } else if (is_transformed) {
            text_terminal(&out->printed, kernel);
            text_str(&out->printed, ": has no plan yet; the program writes ");
            text_terminal(&out->printed, kernel);
            text_str(&out->printed, "_smc before it launches\n");
        }
    }
    return status;
}

static gcast_status make_results(const smc_request *r, results *out)
{
    gcast_error err;
    gcast_status status = r->ptx ? make_module(r, out) : GCAST_OK;
    if (status == GCAST_OK && r->plan)
        plan_table(r, out->ptx, out->stays, &out->printed);
    if (status == GCAST_OK && out->ptx)
        status = describe_launches(r, out);
    if (status == GCAST_OK && args_has(r->a, "save-plan") && gcast_plan_write(r->plan, &out->plan, &err) != GCAST_OK)
        status = say_error(&err);
    return status;
}

static gcast_status write_results(const smc_request *r, const results *out)
{
    const char *module = args_value(r->a, "output"), *plan = args_value(r->a, "save-plan");
    bool force = args_has(r->a, "force");
    gcast_status status = module ? output_bytes(module, force, out->module, out->module_size) : GCAST_OK;
    return status == GCAST_OK && plan ? output_bytes(plan, force, out->plan, strlen(out->plan)) : status;
}

gcast_status smc_transform(const smc_request *r)
{
    const char *module = args_value(r->a, "output"), *plan = args_value(r->a, "save-plan");
    bool is_quiet =
        args_has(r->a, "quiet") || (module && output_is_standard(module)) || (plan && output_is_standard(plan));
    results out = {0};
    text_open(&out.printed, NULL, NULL);
    gcast_status status = make_results(r, &out);
    if (status == GCAST_OK)
        status = write_results(r, &out);
    if (is_quiet)
        text_drop(&out.printed);
    else
        status = print_text(&out.printed, status);
    gcast_ptx_free(out.ptx);
    free(out.stays);
    free(out.module);
    free(out.plan);
    return status == GCAST_OK && out.some_stay ? GCAST_NO : status;
}
