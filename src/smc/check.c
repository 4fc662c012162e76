#include "smc/check.h"

#include <string.h>

#include "ptx/instruction.h"
#include "smc/module_layout.h"
#include "smc/spin_waits.h"
#include "smc/transformed_kernel.h"

/* The blocks of a transformed kernel differ from the original ones: they are fewer, have other numbers and another
 * order, and do several jobs each. Instructions that show this to the program, or whose effects outlive a job, are
 * refused. */

#define MAX_STATIC_SHARED (48 * 1024)

/* Special registers that a kernel must not read, by the start of their name, and why. */
static const struct {
    const char *name, *reason;
} shown[] = {
    {"%clock", "it reads a clock, and a worker's runs through all its jobs"},
    {"%globaltimer", "it reads a clock, and a worker's runs through all its jobs"},
    {"%smid", "it asks for its SM, which the plan chooses"},
    {"%nsmid", "it asks for the SMs, of which the plan may use some"},
    {"%gridid", "it asks for its grid, which is another one"},
    {"%envreg", "it uses what the driver gives to grids whose blocks meet"},
    {"%total_smem_size", "it asks for its shared memory, of which a worker has more"},
    {"%aggr_smem_size", "it asks for its shared memory, of which a worker has more"},
    {"%reserved_smem", "it uses shared memory that the system keeps"},
    {"%cluster", "it uses clusters of blocks"},
    {"%ncluster", "it uses clusters of blocks"},
    {"%is_explicit_cluster", "it uses clusters of blocks"},
};

static const char *reason_of_special(const ptx_operand *x)
{
    if (x->kind == PTX_OP_SPECIAL) {
        for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
            if (strncmp(x->name, shown[i].name, strlen(shown[i].name)) == 0)
                return shown[i].reason;
        bool is_index = strcmp(x->name, "%ctaid") == 0 || strcmp(x->name, "%nctaid") == 0;
        return is_index && (x->component < 1 || x->component > 3) ? "it reads all components of a block index at once"
                                                                  : NULL;
    }
    for (uint32_t i = 0; i < x->items; i++) {
        const char *reason = reason_of_special(&x->item[i]);
        if (reason)
            return reason;
    }
    return NULL;
}

static bool reads_index(const ptx_operand *x)
{
    if (x->kind == PTX_OP_SPECIAL)
        return strcmp(x->name, "%ctaid") == 0 || strcmp(x->name, "%nctaid") == 0;
    for (uint32_t i = 0; i < x->items; i++)
        if (reads_index(&x->item[i]))
            return true;
    return false;
}

/* Why a worker with several jobs cannot have the instruction; NULL: it can. */
static const char *reason_of_opcode(const ptx_instruction *in)
{
    static const char *const kept[] = {"mbarrier", "wgmma", "tcgen05", "tensormap"};
    if (PTX_IS_ANY(in, kept) || (ptx_is(in, "cp") && (ptx_has(in, "bulk") || ptx_has(in, "mbarrier"))))
        return "what it starts or waits for outlives a job";
    if (ptx_is(in, "setmaxnreg"))
        return "it changes the registers of a thread for good";
    if (ptx_is(in, "alloca"))
        return "its stack would grow from job to job";
    if (ptx_is(in, "griddepcontrol"))
        return "it waits for another grid";
    if (ptx_is(in, "mapa") || ptx_is(in, "getctarank") || ptx_is(in, "clusterlaunchcontrol") ||
        ptx_has(in, "cluster") || ptx_has(in, "shared::cluster"))
        return "it uses clusters of blocks";
    return NULL;
}

/* The callee of a call if neither the module nor the system has its code; else NULL. */
static const char *unknown_callee(const ptx_instruction *in)
{
    static const char *const system[] = {"vprintf", "malloc", "free", "__assertfail"};
    for (uint32_t i = 0; ptx_is(in, "call") && i < in->operands; i++) {
        const ptx_operand *x = &in->operand[i];
        bool known = x->kind != PTX_OP_FUNCTION || x->function->has_body || x->function->alias;
        for (size_t j = 0; j < sizeof system / sizeof *system && !known; j++)
            known = strcmp(x->name, system[j]) == 0;
        if (!known)
            return x->name;
    }
    return NULL;
}

static bool launches(const ptx_instruction *in)
{
    static const char *const runtime[] = {"cudaLaunchDevice",          "cudaGetParameterBuffer",
                                          "cudaCGGetIntrinsicHandle",  "cudaCGSynchronizeGrid",
                                          "cudaStreamCreateWithFlags", "__cudaCDP"};
    if (!ptx_is(in, "call"))
        return false;
    for (uint32_t i = 0; i < in->operands; i++)
        for (size_t j = 0; j < sizeof runtime / sizeof *runtime; j++)
            if (in->operand[i].kind == PTX_OP_FUNCTION &&
                strncmp(in->operand[i].name, runtime[j], strlen(runtime[j])) == 0)
                return true;
    return false;
}

/* Why a called function cannot have the instruction, although the kernel itself can; else NULL. */
static const char *reason_in_function(const ptx_instruction *in)
{
    smc_barrier barrier;
    for (uint32_t i = 0; i < in->operands; i++)
        if (reads_index(&in->operand[i]))
            return "a function that it calls reads a block index";
    if (ptx_is(in, "exit"))
        return "a function that it calls ends the thread";
    if (smc_barrier_of(in, &barrier))
        return "a function that it calls has a barrier";
    return NULL;
}

static gcast_status check_instruction(smc_kernel *k, const ptx_function *fn, const ptx_instruction *in,
                                      gcast_error *err)
{
    const char *reason = reason_of_opcode(in);
    for (uint32_t i = 0; i < in->operands && !reason; i++)
        reason = reason_of_special(&in->operand[i]);
    if (!reason && launches(in))
        reason = "it launches kernels, or its blocks meet";
    if (!reason && fn != k->fn)
        reason = reason_in_function(in);
    const char *callee = reason ? NULL : unknown_callee(in);
    if (callee)
        return smc_refuse(k, in->at, err, "it calls %s, whose code is not here", callee);
    k->copies_async = k->copies_async || (ptx_is(in, "cp") && ptx_has(in, "async"));
    return reason ? smc_refuse(k, in->at, err, "%s", reason) : GCAST_OK;
}

/* Do functions that the kernel calls see other threads' writes? */
static bool callees_see_others(const ptx_reached *reached)
{
    for (uint32_t f = 1; f < reached->functions; f++)
        for (uint32_t i = 0; i < reached->function[f]->items; i++)
            if (reached->function[f]->item[i].kind == PTX_ITEM_INSTRUCTION &&
                smc_sees_others(reached->function[f]->item[i].instruction))
                return true;
    return false;
}

/* Does the operand name this function, for a call or for its address? */
static bool names(const ptx_operand *x, const ptx_function *fn)
{
    if (x->kind == PTX_OP_FUNCTION && x->function == fn)
        return true;
    for (uint32_t i = 0; i < x->items; i++)
        if (names(&x->item[i], fn))
            return true;
    return false;
}

static bool calls_directly(const ptx_function *caller, const ptx_function *fn)
{
    for (uint32_t i = 0; i < caller->items; i++)
        for (uint32_t j = 0; caller->item[i].kind == PTX_ITEM_INSTRUCTION && j < caller->item[i].instruction->operands;
             j++)
            if (names(&caller->item[i].instruction->operand[j], fn))
                return true;
    return false;
}

static bool is_reached(const ptx_reached *by, const ptx_function *fn)
{
    for (uint32_t i = 0; i < by->functions; i++)
        if (by->function[i] == fn)
            return true;
    return false;
}

/* Finds a function of the kernel that may call itself, also by way of others; NULL: there is none. */
static gcast_status find_recursion(const smc_kernel *k, const ptx_function **found, gcast_error *err)
{
    uint32_t count = k->reached->functions;
    arena memory = {0};
    ptx_reached *reached = arena_alloc_array(&memory, count, sizeof *reached); /* by function: its callees */
    bool ok = reached != NULL;
    *found = NULL;
    for (uint32_t f = 1; f < count && ok; f++)
        ok = ptx_reach(k->module, k->reached->function[f], &memory, &reached[f]);
    for (uint32_t f = 1; f < count && ok && !*found; f++) {
        const ptx_function *fn = k->reached->function[f];
        bool recurs = calls_directly(fn, fn);
        for (uint32_t g = 1; g < count && !recurs; g++)
            recurs = g != f && is_reached(&reached[f], k->reached->function[g]) && is_reached(&reached[g], fn);
        *found = recurs ? fn : NULL;
    }
    arena_free(&memory);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

/* Refuses loops that may wait for another block. A function that calls itself is a loop, too. */
static gcast_status check_waits(const smc_kernel *k, gcast_error *err)
{
    bool calls_see_others = callees_see_others(k->reached);
    const ptx_function *recursion = NULL;
    gcast_status status = calls_see_others ? find_recursion(k, &recursion, err) : GCAST_OK;
    if (recursion)
        return smc_refuse(k, recursion->at, err, "%.100s calls itself, and may wait for what another block writes",
                          recursion->name);
    for (uint32_t f = 0; f < k->reached->functions && status == GCAST_OK; f++) {
        const ptx_instruction *found = NULL;
        ptx_graph g;
        status = ptx_graph_make(k->reached->function[f], &g, err);
        if (status != GCAST_OK)
            return status;
        status = smc_waits_find(&g, calls_see_others, &found, err);
        if (found)
            status =
                smc_refuse(k, found->at, err, "a loop waits for this value, which another block may have to write");
        ptx_graph_free(&g);
    }
    return status;
}

/* Static shared memory of the kernel, its functions and the module. */
static uint64_t shared_bytes(const smc_kernel *k)
{
    uint64_t bytes = 0;
    for (uint32_t f = 0; f < k->reached->functions; f++)
        for (uint32_t i = 0; i < k->reached->function[f]->items; i++) {
            const ptx_item *x = &k->reached->function[f]->item[i];
            bytes += x->kind == PTX_ITEM_VAR && x->var->space == PTX_SPACE_shared ? x->var->bytes : 0;
        }
    for (uint32_t i = 0; i < k->module->vars; i++)
        bytes += k->module->var[i]->space == PTX_SPACE_shared ? k->module->var[i]->bytes : 0;
    return bytes;
}

/* Is this K_smc, or does it begin with K_smc_, for kernel K? */
static bool is_own_name(const smc_kernel *k, const char *name)
{
    size_t size = strlen(k->fn->name);
    return strncmp(name, k->fn->name, size) == 0 && strncmp(name + size, "_smc", 4) == 0 &&
           (name[size + 4] == '\0' || name[size + 4] == '_');
}

/* A name in the module that the transformed kernel needs for itself; NULL: there is none. */
static const char *own_name(const smc_kernel *k)
{
    for (uint32_t i = 0; i < k->module->vars; i++)
        if (is_own_name(k, k->module->var[i]->name))
            return k->module->var[i]->name;
    for (uint32_t i = 0; i < k->module->functions; i++)
        if (is_own_name(k, k->module->function[i]->name))
            return k->module->function[i]->name;
    for (uint32_t i = 0; i < k->fn->registers; i++)
        if (strncmp(k->fn->reg[i].name, "%smc_", 5) == 0)
            return k->fn->reg[i].name;
    for (uint32_t i = 0; i < k->fn->items; i++)
        if (k->fn->item[i].kind == PTX_ITEM_LABEL && strncmp(k->fn->item[i].name, "$smc_", 5) == 0)
            return k->fn->item[i].name;
    return NULL;
}

static gcast_status check_kernel(const smc_kernel *k, gcast_error *err)
{
    const char *name = own_name(k);
    if (name)
        return smc_refuse(k, k->fn->at, err, "the module has the name %s, which the transformed kernel needs", name);
    if (k->module->address_bits != 64)
        return smc_refuse(k, k->fn->at, err, "it has addresses of %d bits, not 64", k->module->address_bits);
    if (k->reached->grid)
        return smc_refuse(k, k->fn->at, err, "its blocks meet");
    if (k->fn->directives && strstr(k->fn->directives, "cluster"))
        return smc_refuse(k, k->fn->at, err, "it uses clusters of blocks");
    uint64_t shared = shared_bytes(k);
    if (shared + 2 * SMC_BLOCK_BYTES > MAX_STATIC_SHARED)
        return smc_refuse(k, k->fn->at, err, "its shared memory leaves no %d bytes for the worker",
                          2 * SMC_BLOCK_BYTES);
    return GCAST_OK;
}

gcast_status smc_check(smc_kernel *k, gcast_error *err)
{
    gcast_status status = check_kernel(k, err);
    for (uint32_t f = 0; f < k->reached->functions; f++)
        for (uint32_t i = 0; i < k->reached->function[f]->items && status == GCAST_OK; i++) {
            const ptx_item *x = &k->reached->function[f]->item[i];
            if (x->kind == PTX_ITEM_INSTRUCTION)
                status = check_instruction(k, k->reached->function[f], x->instruction, err);
        }
    return status == GCAST_OK && !k->independent ? check_waits(k, err) : status;
}
