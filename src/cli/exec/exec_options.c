#include "cli/exec/exec_options.h"

#include <string.h>

#include "cli/digits.h"
#include "cli/say.h"

#define MAX_CORES 1024
#define MAX_SMS 1024

/* --masks BLOCK,WARP */
static gcast_status read_masks(execution *x)
{
    const char *value = args_value(x->a, "masks"), *at = value;
    uint32_t *numbers[] = {&x->options.masks_of_block, &x->options.masks_of_warp};
    const uint32_t *b = x->launch.launch.block, *g = x->launch.launch.grid;
    uint64_t counts[] = {(uint64_t)g[0] * g[1] * g[2], ((uint64_t)b[0] * b[1] * b[2] + 31) / 32};
    if (!value)
        return GCAST_OK;
    for (int i = 0; i < 2; i++) {
        uint64_t v;
        if (!read_digits(&at, &v) || v > UINT32_MAX || *at != (i ? '\0' : ','))
            return say(GCAST_USAGE, "--masks is a block and a warp of it such as 0,0, not %s", value);
        if (v >= counts[i])
            return say(GCAST_USAGE, "--masks %s: there are %llu %s", value, (unsigned long long)counts[i],
                       i ? "warps per block" : "blocks");
        *numbers[i] = (uint32_t)v;
        at++;
    }
    x->options.max_masks = MAX_RECORDED_MASKS;
    return GCAST_OK;
}

/* Some options need the program to run here, others on a GPU. */
static gcast_status check_device(const args *a)
{
    static const char *const only_here[] = {"model",   "contract", "gpu",   "cores", "sms",      "placement",
                                            "profile", "races",    "masks", "cost",  "registers"};
    static const char *const only_gpu[] = {"driver", "times"};
    bool device = args_has(a, "device");
    for (size_t i = 0; device && i < sizeof only_here / sizeof only_here[0]; i++)
        if (args_has(a, only_here[i]))
            return say(GCAST_USAGE, "--%s does not go with --device: %s", only_here[i],
                       strcmp(only_here[i], "gpu") == 0         ? "the driver knows what its own holds"
                       : strcmp(only_here[i], "placement") == 0 ? "a GPU places blocks itself"
                                                                : "a GPU does not tell");
    for (size_t i = 0; !device && i < sizeof only_gpu / sizeof only_gpu[0]; i++)
        if (args_has(a, only_gpu[i]))
            return say(GCAST_USAGE, "--%s goes with --device", only_gpu[i]);
    return GCAST_OK;
}

gcast_status exec_options_read(execution *x)
{
    const args *a = x->a;
    const char *library = args_value(a, "driver");
    int model = 0, contract = GCAST_SIMT_CONTRACT_PTXAS;
    int64_t cores = 0, sms = 0, limit = 0;
    gcast_error err;
    x->options = gcast_simt_options_default();
    x->gpu_options = gcast_gpu_exec_options_default();
    x->cost.registers = x->launch_file ? x->launch_file->registers : 0;
    gcast_status status = exec_cost_open(&x->cost, a, gcast_ptx_sm(x->ptx));
    if (status != GCAST_OK)
        return status;
    if (args_has(a, "gpu") && gcast_gpu_load(args_value(a, "gpu"), &x->gpu, &err) != GCAST_OK)
        return say_error(&err);
    x->options.gpu = x->gpu ? x->gpu : x->cost.gpu;
    x->options.registers = (uint32_t)x->cost.registers;
    x->options.profile = args_has(a, "profile");
    x->options.cost = x->cost.figures;
    x->options.check_races = args_has(a, "races");
    if (library)
        x->gpu_options.library = library;
    status = args_choice(a, "model", model_choices, &model);
    if (args_has(a, "model"))
        x->options.model = (gcast_simt_model)(GCAST_SIMT_THREADS + model);
    if (status == GCAST_OK)
        status = check_device(a);
    if (status == GCAST_OK)
        status = args_choice(a, "contract", contract_choices, &contract);
    x->options.contract = (gcast_simt_contract)contract;
    if (status == GCAST_OK)
        status = args_int(a, "cores", 1, MAX_CORES, &cores);
    if (status == GCAST_OK)
        status = args_int(a, "sms", 1, MAX_SMS, &sms);
    if (status == GCAST_OK && args_has(a, "device"))
        status = args_time(a, "limit", &x->gpu_options.limit_ns);
    else if (status == GCAST_OK)
        status = args_int(a, "limit", 1, INT64_MAX, &limit);
    if (status == GCAST_OK && (x->gpu_options.limit_ns < 1 || x->gpu_options.limit_ns > INT64_MAX / 4))
        status = say(GCAST_USAGE, "--limit is a time of at least 1ns");
    x->options.cores = (uint32_t)cores;
    x->options.sms = (uint32_t)sms;
    x->options.max_instructions = (uint64_t)limit;
    return status == GCAST_OK ? read_masks(x) : status;
}
