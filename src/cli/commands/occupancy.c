/* gridcast occupancy: blocks per SM, what limits them, and the curve over block sizes. */
#include "cli/commands/occupancy.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "cli/args.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "gridcast/names.h"
#include "model/gpu.h"
#include "report/format_names.h"
#include "report/plots/occupancy_report.h"

static const option_spec options[] = {
    {"gpu", 0, "GPU", "a preset, a file, or a string such as \"sms:2 cc:6.2\";"},
    {"cc", 0, "N.N", "or instead a compute capability, such as 9.0"},
    {"block", 0, "N", "threads per block; must be given"},
    {"registers", 0, "N", "registers per thread (default 0: registers do not limit)"},
    {"static-smem", 0, "SIZE", "static shared memory per block, such as 4096 or 4KiB"},
    {"dynamic-smem", 0, "SIZE", "dynamic shared memory per block; above 48 KiB: with the opt-in"},
    {"barriers", 0, "N", "named barriers that a block uses"},
    {"carveout", 0, "PCT", "preferred shared memory carveout, percent of the maximum"},
    {"cluster", 0, "N", "blocks per cluster; shows how many clusters run at a time"},
    {"json", 0, NULL, "print gridcast.occupancy/1"},
    {"output", 'o', "FILE", "write the curve over block sizes: .svg .png .pdf .csv .json .txt"},
    {"force", 'f', NULL, "overwrite FILE"},
    {NULL, 0, NULL, NULL},
};

typedef struct occupancy_query {
    gcast_gpu *gpu;          /* of --gpu or --cc */
    gcast_block_shape shape; /* of the blocks */
    int carveout;            /* as for gcast_occupancy_compute */
    int cluster;             /* blocks of a cluster; 0: not asked */
    int64_t clusters;        /* clusters that fit on the GPU, if asked */
} occupancy_query;

static gcast_status args_size(const args *a, const char *name, int64_t *bytes)
{
    const char *value = args_value(a, name);
    if (value && (!units_parse_size(value, bytes) || *bytes > INT_MAX))
        return say(GCAST_USAGE, "--%s is a size up to 2 GiB such as 4096 or 48KiB, not %s", name, value);
    return GCAST_OK;
}

static gcast_status args_small_int(const args *a, const char *name, int min, int max, int *out)
{
    int64_t v = *out;
    gcast_status status = args_int(a, name, min, max, &v);
    *out = (int)v;
    return status;
}

/* --cc 9.0 stands for any GPU of that compute capability. */
static gcast_status gpu_of_cc(const char *cc, gcast_gpu **gpu)
{
    char line[64], title[64];
    gcast_error err;
    snprintf(line, sizeof line, "sms:1 cc:%.32s", cc);
    snprintf(title, sizeof title, "Compute capability %.32s", cc);
    gcast_status status = strpbrk(cc, " \t\n") ? GCAST_INPUT : gcast_gpu_read_string(line, gpu, &err);
    if (status == GCAST_RESOURCE)
        return say_error(&err);
    if (status != GCAST_OK)
        return say(GCAST_USAGE,
                   "--cc is a known compute capability such as 9.0, not %s; gridcast gpus --limits lists them", cc);
    return gcast_gpu_keep_text(*gpu, title, &(*gpu)->title, &err) == GCAST_OK ? GCAST_OK : say_error(&err);
}

static gcast_status choose_gpu(const args *a, occupancy_query *q)
{
    const char *gpu = args_value(a, "gpu"), *cc = args_value(a, "cc");
    gcast_error err;
    if (!gpu == !cc)
        return say(GCAST_USAGE, "give one of --gpu and --cc");
    if (cc)
        return gpu_of_cc(cc, &q->gpu);
    return gcast_gpu_load(gpu, &q->gpu, &err) == GCAST_OK ? GCAST_OK : say_error(&err);
}

static gcast_status read_question(const args *a, occupancy_query *q)
{
    if (!args_has(a, "block"))
        return say(GCAST_USAGE, "--block is missing: the threads per block");
    gcast_status status = args_small_int(a, "block", 1, INT_MAX, &q->shape.threads);
    if (status == GCAST_OK)
        status = args_small_int(a, "registers", 0, INT_MAX, &q->shape.registers);
    if (status == GCAST_OK)
        status = args_small_int(a, "barriers", 0, INT_MAX, &q->shape.barriers);
    if (status == GCAST_OK)
        status = args_small_int(a, "carveout", 0, 100, &q->carveout);
    if (status == GCAST_OK)
        status = args_small_int(a, "cluster", 1, 16, &q->cluster);
    if (status == GCAST_OK)
        status = args_size(a, "static-smem", &q->shape.static_smem);
    if (status == GCAST_OK)
        status = args_size(a, "dynamic-smem", &q->shape.dynamic_smem);
    return status == GCAST_OK ? choose_gpu(a, q) : status;
}

/* `use` says how much of the resource a block takes. */
static void print_limit(text *t, const gcast_occupancy *o, gcast_resource r, const char *use)
{
    text_printf(t, "  %-14s ", gcast_name(GCAST_NAMES_RESOURCE, r));
    if (o->limit[r] == INT_MAX)
        text_printf(t, "%8s", "no limit");
    else
        text_printf(t, "%8d", o->limit[r]);
    text_printf(t, "%s%s\n", o->limited_by >> r & 1 ? "  *  " : "     ", use);
}

/* The last warp of a block takes all its lanes, also those without a thread. */
static void print_idle(text *t, const gcast_block_shape *shape, const gcast_occupancy *o)
{
    int64_t thousandths = occupancy_idle_thousandths(shape, o);
    if (o->idle_lanes)
        text_printf(t, "idle lanes       %d of %lld per block, %lld.%lld %%\n", o->idle_lanes,
                    (long long)shape->threads + o->idle_lanes, (long long)thousandths / 10,
                    (long long)thousandths % 10);
}

static void print_answer(text *t, const occupancy_query *q, const gcast_occupancy *o)
{
    const gcast_limits *l = &q->gpu->limits;
    char use[GCAST_RESOURCES][96];
    int64_t thousandths = occupancy_thousandths(o);
    text_terminal(t, q->gpu->title);
    text_printf(t, ", blocks of %d thread%s\n\n", q->shape.threads, q->shape.threads == 1 ? "" : "s");
    if (o->blocks_per_sm == 0)
        text_printf(t, "cannot launch: %s\n\n", o->reason);
    text_printf(t, "blocks per SM    %d\nwarps per SM     %d of %d\noccupancy        %lld.%lld %%\n", o->blocks_per_sm,
                o->warps_per_sm, o->max_warps, (long long)thousandths / 10, (long long)thousandths % 10);
    if (q->cluster)
        text_printf(t, "clusters of %-4d %lld at a time\n", q->cluster, (long long)q->clusters);
    print_idle(t, &q->shape, o);
    text_str(t, "limited by       ");
    occupancy_names(t, o->limited_by, ", ");
    text_str(t, "\n\nblocks that each resource allows (* limits), and what a block takes of what an SM has\n");
    snprintf(use[GCAST_RES_THREADS], sizeof use[0], "%d of %d", q->shape.threads, l->threads_per_sm);
    snprintf(use[GCAST_RES_WARPS], sizeof use[0], "%d of %d", (q->shape.threads - 1) / 32 + 1, l->warps_per_sm);
    snprintf(use[GCAST_RES_BLOCKS], sizeof use[0], "1 of %d", l->blocks_per_sm);
    snprintf(use[GCAST_RES_REGISTERS], sizeof use[0], "%d of %d in %d parts", o->registers_per_block,
             l->registers_per_sm, l->register_parts);
    snprintf(use[GCAST_RES_SHARED_MEMORY], sizeof use[0], "%lld of %lld bytes", (long long)o->smem_per_block,
             (long long)o->smem_config);
    snprintf(use[GCAST_RES_BARRIERS], sizeof use[0], "%d", q->shape.barriers ? q->shape.barriers : 1);
    for (int r = 0; r < GCAST_RESOURCES; r++)
        print_limit(t, o, (gcast_resource)r, use[r]);
}

#define CLUSTER_FIELDS(FIELD, LINE)                                                                                    \
    FIELD(int, cluster, q->cluster, q->cluster, "blocks of a cluster, with --cluster")                                 \
    FIELD(int, clusters, q->cluster, q->clusters, "clusters that fit on the GPU")

const record occupancy_schema[] = {{"", occupancy_fields}, RECORD("with --cluster", CLUSTER_FIELDS), {NULL, NULL}};

static gcast_status print_or_json(const args *a, const occupancy_query *q, const gcast_occupancy *o)
{
    output out;
    text *t = &out.words;
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    if (args_has(a, "json")) {
        json_out *j = &(json_out){.out = t, .indent = 1};
        json_begin(j, NULL, '{');
        json_put_text(j, "schema", "gridcast.occupancy/1");
        json_put_text(j, "gpu", q->gpu->title);
        occupancy_json(j, &q->shape, o);
        PUT_FIELDS(CLUSTER_FIELDS);
        json_end(j, '}');
        text_char(t, '\n');
    } else {
        print_answer(t, q, o);
    }
    return output_finish(&out, GCAST_OK, NULL);
}

static gcast_status write_curve(const args *a, const occupancy_query *q, const char *path)
{
    gcast_format format;
    gcast_error err;
    output out;
    gcast_status status = output_open(&out, path, args_has(a, "force"));
    if (status != GCAST_OK)
        return status;
    gcast_format_from_name(path, &format);
    status = gcast_occupancy_report_curve(&q->gpu->limits, q->gpu->title, &q->shape, q->carveout, format, output_write,
                                          &out, &err);
    return output_finish(&out, status, &err);
}

/* All files are checked before one is written. */
static gcast_status check_curves(const args *a)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; status == GCAST_OK && i < a->given_count; i++)
        if (args_is(a, i, "output"))
            status = output_check_format(a->given[i].value, FORMATS_PLOT,
                                         "a curve needs a name that ends in .svg .png .pdf .csv .json or .txt");
    return status;
}

static gcast_status run(const args *a)
{
    occupancy_query q = {.carveout = GCAST_CARVEOUT_DEFAULT};
    gcast_occupancy o;
    gcast_error err;
    bool stdout_is_used = false;
    gcast_status status = outputs_check(a, args_has(a, "json") ? "--json" : NULL);
    if (status == GCAST_OK)
        status = check_curves(a);
    if (status == GCAST_OK)
        status = read_question(a, &q);
    if (!q.gpu)
        return status;
    if (status == GCAST_OK && gcast_occupancy_compute(&q.gpu->limits, &q.shape, q.carveout, &o, &err) != GCAST_OK)
        status = say_error(&err);
    if (status == GCAST_OK && q.cluster &&
        gcast_occupancy_clusters(q.gpu, &q.shape, q.carveout, q.cluster, &q.clusters, &err) != GCAST_OK)
        status = say_error(&err);
    for (size_t i = 0; status == GCAST_OK && i < a->given_count; i++) {
        const char *path = a->given[i].value;
        if (!args_is(a, i, "output"))
            continue;
        stdout_is_used = stdout_is_used || output_is_standard(path);
        status = write_curve(a, &q, path);
    }
    if (status == GCAST_OK && !stdout_is_used)
        status = print_or_json(a, &q, &o);
    if (status == GCAST_OK && o.blocks_per_sm == 0)
        status = GCAST_NO;
    gcast_gpu_free(q.gpu);
    return status;
}

const command cmd_occupancy = {
    .name = "occupancy",
    .operands = "",
    .summary = "blocks per SM and what limits them",
    .options = options,
    .examples = {"gridcast occupancy --gpu h200 --block 256 --registers 40",
                 "gridcast occupancy --cc 8.6 --block 128 --dynamic-smem 20KiB -o -.svg"},
    .run = run,
};
