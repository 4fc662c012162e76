#include "cli/exec/exec_placement.h"

#include <stdlib.h>
#include <string.h>

#include "cli/digits.h"
#include "cli/exec/execute.h"
#include "cli/say.h"

#define BLOCK_NS 1000000 /* of each block, where the simulator says which SM a block gets; all are alike */

static uint64_t grid_blocks(const execution *x)
{
    const uint32_t *g = x->launch.launch.grid;
    return (uint64_t)g[0] * g[1] * g[2];
}

static gcast_status allocate(execution *x)
{
    uint64_t blocks = grid_blocks(x);
    if (blocks > UINT32_MAX)
        return say(GCAST_USAGE, "a placement is of at most %u blocks, and the grid has %llu", UINT32_MAX,
                   (unsigned long long)blocks);
    x->block_sm = calloc(blocks + 1, sizeof *x->block_sm);
    x->block_order = calloc(blocks + 1, sizeof *x->block_order);
    if (!x->block_sm || !x->block_order)
        return say_no_memory();
    x->options.placed_blocks = blocks;
    return GCAST_OK;
}

static void use_placement(execution *x)
{
    x->options.block_sm = x->block_sm;
    x->options.block_order = x->block_order;
}

/* Simulates the launch alone on the GPU, or on the partition of it that --sms says. */
static gcast_status simulate_launch(execution *x, const gcast_block_shape *shape, gcast_gpu **gpu, gcast_workload **w,
                                    gcast_run **run, gcast_error *err)
{
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    memcpy(op.grid, x->launch.launch.grid, sizeof op.grid);
    memcpy(op.block, x->launch.launch.block, sizeof op.block);
    op.label = "kernel";
    op.shape = *shape;
    op.min_ns = op.max_ns = BLOCK_NS;
    options.record_blocks = true;
    gcast_status status = gcast_gpu_copy(x->options.gpu, gpu, err);
    if (status == GCAST_OK)
        status = gcast_gpu_partition(*gpu, (int)x->options.sms, err);
    if (status == GCAST_OK)
        status = gcast_workload_create("placement", w, err);
    if (status == GCAST_OK)
        status = gcast_workload_get_stream(*w, 1, &op.stream, err);
    if (status == GCAST_OK)
        status = gcast_workload_add_op(*w, &op, NULL, err);
    return status == GCAST_OK ? gcast_workload_simulate(*w, *gpu, &options, run, err) : status;
}

/* The block scheduler starts blocks in the order of their numbers. */
static gcast_status place_by_simulation(execution *x, const gcast_block_shape *shape, bool reversed)
{
    gcast_gpu *gpu = NULL;
    gcast_workload *w = NULL;
    gcast_run *run = NULL;
    gcast_error err;
    uint64_t blocks = x->options.placed_blocks;
    gcast_status status = simulate_launch(x, shape, &gpu, &w, &run, &err);
    for (uint64_t i = 0; status == GCAST_OK && i < blocks; i++) {
        x->block_sm[i] = run->ops[0].blocks[i].sm;
        x->block_order[i] = (uint32_t)(reversed ? blocks - 1 - i : i);
    }
    gcast_run_free(run);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

static const gcast_limits *find_limits(const execution *x)
{
    int sm = gcast_ptx_sm(x->ptx);
    const gcast_limits *of_target = gcast_limits_find(sm / 10, sm % 10);
    return x->options.gpu ? &x->options.gpu->limits : of_target ? of_target : gcast_limits_find(9, 0);
}

static gcast_status place_by_kind(execution *x, gcast_placement_kind kind, uint64_t seed)
{
    gcast_block_shape shape;
    gcast_occupancy fits;
    gcast_error err;
    if (gcast_simt_block_shape(x->ptx, &x->launch.launch, &x->options, &shape, &err) != GCAST_OK)
        return execution_say_error(x, &err);
    if (gcast_occupancy_compute(find_limits(x), &shape, GCAST_CARVEOUT_DEFAULT, &fits, &err) != GCAST_OK)
        return execution_say_error(x, &err);
    if (!fits.blocks_per_sm)
        return GCAST_OK; /* the launch will be refused, which says why */
    gcast_status status = allocate(x);
    if (status != GCAST_OK)
        return status;
    bool reversed = kind == GCAST_PLACEMENT_KIND_REVERSED;
    if (x->options.gpu && (reversed || kind == GCAST_PLACEMENT_KIND_HARDWARE))
        status = place_by_simulation(x, &shape, reversed);
    else if (gcast_placement_make(kind, seed, x->options.sms, (uint32_t)fits.blocks_per_sm, x->options.placed_blocks,
                                  x->block_sm, x->block_order, &err) != GCAST_OK)
        status = say_error(&err);
    if (status == GCAST_OK)
        use_placement(x);
    return status;
}

/* FILE or FILE#LABEL. */
static gcast_status place_by_run(execution *x, const char *value)
{
    const char *label = strchr(value, '#');
    char *path = strndup(value, label ? (size_t)(label - value) : strlen(value)), *bytes = NULL;
    size_t size;
    uint32_t sms;
    gcast_error err;
    gcast_status status = path ? allocate(x) : say_no_memory();
    if (status == GCAST_OK &&
        (gcast_file_read(path, &bytes, &size, &err) != GCAST_OK ||
         gcast_placement_read(bytes, size, strcmp(path, "-") == 0 ? "standard input" : path, label ? label + 1 : NULL,
                              x->options.placed_blocks, &sms, x->block_sm, x->block_order, &err) != GCAST_OK))
        status = say_error(&err);
    if (status == GCAST_OK && args_has(x->a, "sms") && sms != x->options.sms)
        status = say(GCAST_USAGE, "--sms %u: the run %s has %u SMs", x->options.sms, path, sms);
    if (status == GCAST_OK) {
        x->options.sms = sms;
        use_placement(x);
    }
    free(bytes);
    free(path);
    return status;
}

static gcast_status unknown_kind(const char *word)
{
    char kinds[160];
    choices_join(placement_choices, kinds, sizeof kinds);
    return say(GCAST_USAGE, "--placement is %s, or a run such as run.json; not %s", kinds, word);
}

static gcast_status read_placement(execution *x, const char *value)
{
    size_t length = strcspn(value, ":");
    char word[16] = "";
    const char *at = value + length;
    uint64_t seed = 0;
    if (length < sizeof word)
        memcpy(word, value, length);
    int kind = choice_find(placement_choices, word);
    if (kind < 0)
        return strpbrk(value, "./#") || strcmp(value, "-") == 0 ? place_by_run(x, value) : unknown_kind(value);
    if (*at++ && (!read_digits(&at, &seed) || *at))
        return say(GCAST_USAGE, "--placement %s: a seed is a whole number, as in random:7", value);
    if (!x->options.sms)
        return say(GCAST_USAGE, "--placement %s: --gpu or --sms says how many SMs there are", value);
    return place_by_kind(x, (gcast_placement_kind)kind, seed);
}

gcast_status exec_placement_read(execution *x)
{
    const char *value = args_value(x->a, "placement");
    const gcast_gpu *gpu = x->options.gpu;
    if (args_has(x->a, "device"))
        return GCAST_OK;
    if (gpu && x->options.sms > (uint32_t)gpu->sms)
        return say(GCAST_USAGE, "--sms %u: %s has %d SMs", x->options.sms, gpu->name, gpu->sms);
    if (gpu && !x->options.sms)
        x->options.sms = (uint32_t)gpu->sms;
    if (value)
        return read_placement(x, value);
    /* Only a program that reads %smid can tell. */
    if (x->options.sms > 1 && strstr(x->source, "%smid"))
        return place_by_kind(x, GCAST_PLACEMENT_KIND_HARDWARE, 0);
    return GCAST_OK;
}

void exec_placement_free(execution *x)
{
    free(x->block_sm);
    free(x->block_order);
}
