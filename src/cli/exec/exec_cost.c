#include "cli/exec/exec_cost.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/text.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "model/cost.h"

#define MAX_REGISTERS 255

/* GPU or GPU,REGISTERS. registers_option says in messages where c->registers is from. */
static gcast_status read_cost(exec_cost *c, const char *value, const char *registers_option)
{
    size_t length = strcspn(value, ",");
    char name[32], *end;
    gcast_error err;
    if (length >= sizeof name)
        return say(GCAST_USAGE, "--cost %s: there is no such GPU", value);
    memcpy(name, value, length);
    name[length] = '\0';
    if (gcast_gpu_preset(name, &c->gpu, &err) != GCAST_OK)
        return say_error(&err);
    if (value[length]) {
        int64_t given_registers = c->registers; /* by registers_option */
        c->registers = strtol(value + length + 1, &end, 10);
        if (*end || c->registers < 1 || c->registers > MAX_REGISTERS)
            return say(GCAST_USAGE, "--cost %s: registers per thread are 1 to %d", value, MAX_REGISTERS);
        if (given_registers && given_registers != c->registers)
            return say(GCAST_USAGE, "--cost %s and %s %d are different", value, registers_option, (int)given_registers);
    }
    c->figures = gcast_cost_find(c->gpu->name);
    return c->figures ? GCAST_OK
                      : say(GCAST_USAGE, "--cost %s: its instructions have not been measured; h200's have", value);
}

gcast_status exec_cost_open(exec_cost *c, const args *a, int sm)
{
    const char *value = args_value(a, "cost"), *path = args_value(a, "workload"), *model = args_value(a, "model");
    gcast_status status = args_int(a, "registers", 1, MAX_REGISTERS, &c->registers);
    if (status != GCAST_OK)
        return status;
    if (!value)
        return path ? say(GCAST_USAGE, "--workload needs --cost") : GCAST_OK;
    if (model ? strcmp(model, "threads") != 0 : sm && sm < GCAST_SIMT_VOLTA)
        return say(GCAST_USAGE, "--cost needs --model threads: no older GPU has been measured");
    status = read_cost(c, value, args_has(a, "launch") ? "the launch file's registers" : "--registers");
    return status == GCAST_OK && path ? output_check(path, args_has(a, "force")) : status;
}

void exec_cost_close(exec_cost *c)
{
    gcast_gpu_free(c->gpu);
}

/* Takes the estimate of the run, but not more registers than a block may have. */
static void take_estimate(exec_cost *c, const gcast_simt_report *r, int64_t threads)
{
    int64_t max = c->gpu->limits.registers_per_block / round_up(threads, 32) / 8 * 8;
    c->estimated = true;
    c->registers = min_i64(r->estimated_registers, max);
}

gcast_status exec_cost_compute(exec_cost *c, const gcast_simt_report *r, const gcast_launch *l)
{
    gcast_error err;
    gcast_occupancy occupancy;
    gcast_block_shape shape = {.threads = (int)(l->block[0] * l->block[1] * l->block[2]),
                               .static_smem = r->shared_bytes - l->shared_bytes,
                               .dynamic_smem = l->shared_bytes};
    if (!c->figures)
        return GCAST_OK;
    if (!c->registers)
        take_estimate(c, r, shape.threads);
    shape.registers = (int)c->registers;
    if (gcast_occupancy_compute(&c->gpu->limits, &shape, GCAST_CARVEOUT_DEFAULT, &occupancy, &err) != GCAST_OK)
        return say_error(&err);
    if (!occupancy.blocks_per_sm)
        return say(GCAST_INPUT, "no SM of %s holds such a block: %s", c->gpu->name, occupancy.reason);
    uint64_t sms = (uint64_t)c->gpu->sms;
    uint64_t residents = min_u64((r->blocks + sms - 1) / sms, (uint64_t)occupancy.blocks_per_sm);
    if (gcast_cost_summarize(r, c->figures, (uint32_t)residents, &c->summary, &err) != GCAST_OK)
        return say_error(&err);
    return GCAST_OK;
}

static void put_dims(text *t, const char *key, const uint32_t d[3])
{
    text_printf(t, ", \"%s\": [%u, %u, %u]", key, d[0], d[1], d[2]);
}

gcast_status exec_cost_write(const exec_cost *c, const gcast_simt_report *r, const gcast_launch *l, const args *a)
{
    const char *path = args_value(a, "workload");
    output out;
    text *t = &out.words;
    if (!path || !c->figures)
        return GCAST_OK;
    gcast_status status = output_open(&out, path, args_has(a, "force"));
    if (status != GCAST_OK)
        return status;
    text_str(t, "{\n  \"schema\": \"gridcast.workload/1\",\n  \"name\": ");
    text_json(t, l->kernel);
    text_str(t, ",\n  \"gpu\": ");
    text_json(t, c->gpu->name);
    text_str(t, ",\n  \"ops\": [\n    {\"kind\": \"kernel\", \"label\": ");
    text_json(t, l->kernel);
    text_str(t, ", \"stream\": 1");
    put_dims(t, "grid", l->grid);
    put_dims(t, "block", l->block);
    text_printf(t, ", \"registers\": %d", (int)c->registers);
    if (c->estimated)
        text_str(t, ", \"x-registers\": \"estimated\"");
    if (r->shared_bytes > l->shared_bytes)
        text_printf(t, ", \"static_smem\": %u", r->shared_bytes - l->shared_bytes);
    if (l->shared_bytes)
        text_printf(t, ", \"dynamic_smem\": %u", l->shared_bytes);
    text_printf(t, ", \"duration_ns\": %llu}\n  ]\n}\n", (unsigned long long)c->summary.median_ns);
    status = output_finish(&out, GCAST_OK, NULL);
    if (status == GCAST_OK && c->estimated)
        say(GCAST_OK, "note: %s: %d registers per thread are an estimate; --registers takes what ptxas -v says", path,
            (int)c->registers);
    return status;
}
