/* The transformation (gridcast/smc.h): each kernel is checked, then the module is printed with workers in place of
 * blocks. The printed text is parsed again, so that the result is always valid PTX. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "gridcast/plan.h"
#include "gridcast/ptx.h"
#include "gridcast/smc.h"
#include "ptx/instruction.h"
#include "ptx/print.h"
#include "ptx/ptx.h"
#include "ptx/public.h"
#include "smc/check.h"
#include "smc/early_exit.h"
#include "smc/module_layout.h"
#include "smc/transformed_kernel.h"
#include "smc/worker_code.h"

static void words(const smc_kernel *k, const char *name, const uint32_t *word, size_t count, text *out)
{
    text_printf(out, ".visible .global .align 16 .b32 %s_smc_%s[%zu]", k->fn->name, name, count);
    for (size_t i = 0; word && i < count; i++) {
        text_str(out, i ? "," : " = {");
        text_uint(out, word[i]);
    }
    text_str(out, word ? "};\n" : ";\n");
}

/* The array `first`: where the queues begin, and the steps between their jobs. */
static void first_words(const smc_kernel *k, const gcast_plan *p, text *out)
{
    text_printf(out, ".visible .global .align 16 .b32 %s_smc_first[%zu] = {", k->fn->name, 2 * (size_t)p->queues + 1);
    for (uint32_t q = 0; q <= p->queues; q++)
        text_printf(out, "%" PRIu32 ", ", p->first[q]);
    for (uint32_t q = 0; q < p->queues; q++)
        text_printf(out, "%s%" PRIu32, q ? ", " : "", smc_queue_step(p, q));
    text_str(out, "};\n");
}

static int header_words(const smc_kernel *k)
{
    return (k->records ? SMC_HEADER_BYTES_RECORDS : SMC_HEADER_BYTES) / 8;
}

static void plan_variables(const smc_kernel *k, const gcast_plan *p, text *out)
{
    uint64_t mode = 1u + (uint64_t)p->mapping + (p->steal ? SMC_MODE_STEAL : 0);
    words(k, "workers", p->workers, p->sms, out);
    first_words(k, p, out);
    words(k, "job", p->job, p->jobs, out);
    words(k, "counters", NULL, 2 * (size_t)p->sms + p->queues + 1, out);
    words(k, "marks", NULL, p->jobs, out);
    if (k->records)
        words(k, "records", NULL, (size_t)p->jobs * (SMC_RECORD_BYTES / 4), out);
    text_printf(out, ".visible .global .align 16 .u64 %s_smc[%d] = {", k->fn->name, header_words(k));
    text_printf(out, "%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu32, p->grid[0] | (uint64_t)p->grid[1] << 32,
                p->grid[2] | mode << 32, p->jobs | (uint64_t)p->sms << 32, p->queues);
    static const char *const arrays[] = {"workers", "first", "job", "counters", "marks", "records"};
    for (size_t i = 0; i < (k->records ? 6 : 5); i++)
        text_printf(out, ", %s_smc_%s", k->fn->name, arrays[i]);
    text_str(out, "};\n");
}

/* Prints the variables of a kernel. plan NULL: the program writes the plan before it launches the kernel. */
static void print_variables(const smc_kernel *k, const gcast_plan *plan, text *out)
{
    if (plan)
        plan_variables(k, plan, out);
    else
        text_printf(out, ".visible .global .align 16 .u64 %s_smc[%d];\n", k->fn->name, header_words(k));
    words(k, "lost", NULL, 1, out);
    text_printf(out, ".shared .align 32 .b32 %s_smc_block[%d];\n", k->fn->name, SMC_BLOCK_WORDS);
}

static void guard(const smc_kernel *k, const ptx_instruction *in, text *out)
{
    text_char(out, '\t');
    if (in->guard >= 0)
        text_printf(out, "@%s%s ", in->guard_negated ? "!" : "", k->fn->reg[in->guard].name);
}

/* Replaces a block index by a register, and prints a line that computes the register if needed. `bytes`: 2 or 4. */
static void replace_index(const smc_kernel *k, ptx_operand *x, int bytes, text *out)
{
    static const char *const half[] = {"%smc_h0", "%smc_h1", "%smc_h2", "%smc_h3", "%smc_h4", "%smc_h5"};
    static const char *const word[] = {"%smc_x", "%smc_y", "%smc_z", "%smc_w3", "%smc_w4", "%smc_w5"};
    for (uint32_t i = 0; i < x->items; i++)
        replace_index(k, &x->item[i], bytes, out);
    if (x->kind != PTX_OP_SPECIAL || (strcmp(x->name, "%ctaid") != 0 && strcmp(x->name, "%nctaid") != 0))
        return;
    bool is_size = x->name[1] == 'n';
    unsigned axis = x->component - 1u;
    x->name = (bytes == 2 ? half : word)[axis + (is_size ? 3 : 0)];
    x->component = 0;
    if (is_size)
        text_printf(out, "\tld.shared.u%d %s, [%s_smc_block+%u];\n", 8 * bytes, x->name, k->fn->name, 48 + 4 * axis);
    else if (bytes == 2)
        text_printf(out, "\tcvt.u16.u32 %s, %s;\n", x->name, word[axis]);
}

/* Prints a line of the kernel's body; changes its operands. */
static void print_body_item(smc_kernel *k, ptx_item *item, text *out)
{
    smc_barrier barrier;
    ptx_instruction *in = item->kind == PTX_ITEM_INSTRUCTION ? item->instruction : NULL;
    if (in && (ptx_is(in, "ret") || ptx_is(in, "exit"))) {
        guard(k, in, out);
        text_str(out, "bra $smc_done;\n");
        return;
    }
    if (in && k->meeting == MEET_AS_PROXY && smc_barrier_of(in, &barrier) && !barrier.is_counted) {
        k->sites++;
        text_printf(out, "\tmov.u32 %%smc_site, %" PRIu32 ";\n", k->sites);
        guard(k, in, out);
        text_printf(out, "bra $smc_vote;\n$smc_site%" PRIu32 ":\n", k->sites);
        return;
    }
    for (uint32_t i = 0; in && i < in->operands; i++)
        replace_index(k, &in->operand[i], ptx_type_bytes(ptx_last_type(in)) == 2 ? 2 : 4, out);
    print_item(k->fn, item, out);
}

typedef struct job {
    const gcast_smc_options *options;
    smc_kernel *kernel;   /* kernels to transform */
    ptx_reached *reached; /* by kernel: functions that it can call */
    uint32_t kernels;     /* number of kernels */
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
    print_variables(k, j->options->plan, out);
    smc_worker_functions(k, out);
}

/* Adds .maxnreg to kernels that have none. */
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
        print_body_item(k, &f->item[i], out);
    smc_worker_after(k, out);
    return true;
}

/* Adds a kernel to the job if it can be transformed. */
static gcast_status add_kernel(job *j, const ptx_module *m, const ptx_function *fn, gcast_error *err)
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

static gcast_status add_kernels(job *j, const gcast_ptx *p, gcast_error *err)
{
    const char *wanted = j->options->kernel;
    gcast_status status = GCAST_OK;
    j->kernel = calloc((size_t)p->kernels + 1, sizeof *j->kernel);
    j->reached = calloc((size_t)p->kernels + 1, sizeof *j->reached);
    if (!j->kernel || !j->reached)
        return gcast_error_set_memory(err);
    gcast_error first = {.code = GCAST_OK}; /* why the first kernel that is left as it is was refused */
    for (uint32_t i = 0; i < p->kernels && status == GCAST_OK; i++) {
        uint32_t before = j->kernels;
        gcast_error refusal;
        if (wanted && strcmp(wanted, p->kernel[i]->name) != 0)
            continue;
        status = add_kernel(j, p->module, p->kernel[i], &refusal);
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
    gcast_status status = add_kernels(&j, p, err);
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
    status = add_kernels(&j, p, err);
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
