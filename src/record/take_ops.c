/* Operations on the GPU: kernels, copies and memsets. */
#include "record/recorder.h"
#include "record/records.h"

/* CUPTI says 0 where an operation is of no graph. */
static int64_t of_graph(int64_t number)
{
    return number ? number : RECORDED_UNKNOWN;
}

static int64_t text_or_unknown(uint32_t number)
{
    return number ? (int64_t)number : RECORDED_UNKNOWN;
}

/* What all kinds of records have by the same names. */
#define PUT_OP(fields, s, r)                                                                                           \
    do {                                                                                                               \
        (fields)[OP_START] = (int64_t)(r)->start;                                                                      \
        (fields)[OP_END] = (int64_t)(r)->end;                                                                          \
        (fields)[OP_DEVICE] = (r)->device;                                                                             \
        (fields)[OP_CONTEXT] = (r)->context;                                                                           \
        (fields)[OP_STREAM] = (r)->stream;                                                                             \
        (fields)[OP_CORRELATION] = (r)->correlation;                                                                   \
        (fields)[OP_GRAPH] = (s)->cupti.version >= CUPTI_OF_11_1 ? of_graph((r)->graph) : RECORDED_UNKNOWN;            \
        (fields)[OP_NODE] = of_graph((int64_t)(r)->graph_node);                                                        \
        (fields)[OP_CHANNEL] = (s)->cupti.version >= CUPTI_OF_11_6 ? (int64_t)(r)->channel : RECORDED_UNKNOWN;         \
    } while (0)

void take_kernel(recorder *s, const void *record)
{
    const cupti_kernel *r = record;
    uint32_t symbol = text_number(&s->texts, &s->file, r->name);
    bool clusters = s->cupti.version >= CUPTI_OF_11_8;
    int64_t f[KERNEL_COUNT] = {
        [KERNEL_NAME] = text_or_unknown(text_readable(&s->texts, &s->file, symbol)),
        [KERNEL_SYMBOL] = text_or_unknown(symbol),
        [KERNEL_GRID_X] = r->grid[0],
        [KERNEL_GRID_Y] = r->grid[1],
        [KERNEL_GRID_Z] = r->grid[2],
        [KERNEL_BLOCK_X] = r->block[0],
        [KERNEL_BLOCK_Y] = r->block[1],
        [KERNEL_BLOCK_Z] = r->block[2],
        [KERNEL_REGISTERS] = r->registers,
        [KERNEL_STATIC_SMEM] = r->static_smem,
        [KERNEL_DYNAMIC_SMEM] = r->dynamic_smem,
        [KERNEL_SMEM_EXECUTED] = r->smem_executed,
        [KERNEL_LAUNCH_TYPE] = r->launch_type,
        [KERNEL_CLUSTER_X] = clusters ? (int64_t)r->cluster[0] : RECORDED_UNKNOWN,
        [KERNEL_CLUSTER_Y] = clusters ? (int64_t)r->cluster[1] : RECORDED_UNKNOWN,
        [KERNEL_CLUSTER_Z] = clusters ? (int64_t)r->cluster[2] : RECORDED_UNKNOWN,
    };
    PUT_OP(f, s, r);
    raw_put(&s->file, RECORDED_KERNEL, f, KERNEL_COUNT, "", 0);
}

void take_copy(recorder *s, const void *record)
{
    const cupti_memcpy *r = record;
    int64_t f[COPY_COUNT] = {[COPY_BYTES] = (int64_t)r->bytes,
                             [COPY_COPY_KIND] = r->copy_kind,
                             [COPY_SOURCE] = r->source,
                             [COPY_TARGET] = r->target,
                             [COPY_SOURCE_DEVICE] = RECORDED_UNKNOWN,
                             [COPY_TARGET_DEVICE] = RECORDED_UNKNOWN};
    PUT_OP(f, s, r);
    raw_put(&s->file, RECORDED_COPY, f, COPY_COUNT, "", 0);
}

void take_peer_copy(recorder *s, const void *record)
{
    const cupti_peer_copy *r = record;
    int64_t f[COPY_COUNT] = {[COPY_BYTES] = (int64_t)r->bytes,
                             [COPY_COPY_KIND] = r->copy_kind,
                             [COPY_SOURCE] = r->source,
                             [COPY_TARGET] = r->target,
                             [COPY_SOURCE_DEVICE] = r->source_device,
                             [COPY_TARGET_DEVICE] = r->target_device};
    PUT_OP(f, s, r);
    raw_put(&s->file, RECORDED_COPY, f, COPY_COUNT, "", 0);
}

void take_memset(recorder *s, const void *record)
{
    const cupti_memset *r = record;
    int64_t f[MEMSET_COUNT] = {[MEMSET_BYTES] = (int64_t)r->bytes, [MEMSET_MEMORY] = r->memory};
    PUT_OP(f, s, r);
    raw_put(&s->file, RECORDED_MEMSET, f, MEMSET_COUNT, "", 0);
}
