/* Kernels, copies, memsets, blocks of an export, and graphs that were recorded as a whole. */
#include "profile/nsys/nsys_tables.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

bool nsys_need(const table_rows *rows, const char *const *columns, size_t count, const char *file, gcast_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!rows->has[i]) {
            prof_file_error(file, GCAST_INPUT, err, "the table %s has no column %s", rows->table, columns[i]);
            return false;
        }
    return true;
}

int64_t nsys_device_of(const nsys_export *x, int64_t pid, int64_t context)
{
    for (size_t i = 0; i < x->contexts.count; i++)
        if (x->contexts.at[i].pid == pid && x->contexts.at[i].context == context)
            return x->contexts.at[i].device;
    return PROF_UNKNOWN;
}

bool nsys_stream(nsys_export *x, const prof_stream *key, uint32_t *stream)
{
    const nsys_context *last = x->contexts.count ? &x->contexts.at[x->last_context] : NULL;
    bool is_last = last && last->pid == key->pid && last->context == key->context;
    if (!is_last && x->contexts.count < 4096) { /* further ones have no priorities: more than any program makes */
        size_t i = 0;
        while (i < x->contexts.count &&
               (x->contexts.at[i].pid != key->pid || x->contexts.at[i].context != key->context))
            i++;
        nsys_context c = {.pid = key->pid, .context = key->context, .device = key->device};
        if (i == x->contexts.count && !vec_push(&x->contexts, c))
            return nsys_db_no_memory(x->db);
        x->last_context = (int64_t)i;
    }
    return prof_get_stream(x->trace, key, stream) || nsys_db_no_memory(x->db);
}

/* An operation with what all tables of operations have, in the columns 0 to 6. */
#define OP_COLUMNS "start", "end", "deviceId", "streamId", "contextId", "correlationId", "globalPid"
enum { START, END, DEVICE, STREAM, CONTEXT, CORRELATION, PID, OWN };

static bool read_op(nsys_export *x, const table_rows *r, gcast_kind kind, prof_op *op)
{
    *op = prof_op_untold(kind);
    op->start_ns = table_int(r, START);
    op->end_ns = table_int(r, END);
    op->correlation = table_int(r, CORRELATION);
    prof_stream key = {.device = table_int(r, DEVICE),
                       .pid = nsys_pid(table_int(r, PID)),
                       .context = table_int(r, CONTEXT),
                       .number = table_int(r, STREAM)};
    return nsys_stream(x, &key, &op->stream);
}

static bool is_in_time(const prof_op *op)
{
    return op->start_ns > -INT64_MAX / 4 && op->end_ns < INT64_MAX / 4;
}

static bool add_op(nsys_export *x, const prof_op *op)
{
    if (op->start_ns == PROF_UNKNOWN || op->end_ns == PROF_UNKNOWN)
        return prof_find(x->trace, "{record} without a time, left out", op->name, 1) || nsys_db_no_memory(x->db);
    if (!is_in_time(op))
        return prof_find(x->trace, "{record} with times beyond 73 years, left out", op->name, 1) ||
               nsys_db_no_memory(x->db);
    return prof_add_op(x->trace, op) || nsys_db_no_memory(x->db);
}

/* X, Y and Z in columns from `first` on. */
static bool read_dims(const table_rows *r, size_t first, uint32_t dims[3])
{
    for (size_t i = 0; i < 3; i++) {
        int64_t n = table_int(r, first + i);
        if (n < 0 || n > INT32_MAX)
            return false;
        dims[i] = (uint32_t)n;
    }
    return true;
}

static int small_or_unknown(int64_t n)
{
    return n >= 0 && n <= INT32_MAX ? (int)n : PROF_UNKNOWN;
}

static const char *const kernel_columns[] = {OP_COLUMNS,
                                             "gridX",
                                             "gridY",
                                             "gridZ",
                                             "blockX",
                                             "blockY",
                                             "blockZ",
                                             "demangledName",
                                             "shortName",
                                             "registersPerThread",
                                             "staticSharedMemory",
                                             "dynamicSharedMemory",
                                             "sharedMemoryExecuted",
                                             "launchType",
                                             "graphNodeId",
                                             "graphId",
                                             "clusterX",
                                             "clusterY",
                                             "clusterZ",
                                             "greenContextId"};
enum {
    GRID = OWN,
    BLOCK = GRID + 3,
    NAME = BLOCK + 3,
    SHORT_NAME,
    REGISTERS,
    STATIC,
    DYNAMIC,
    EXECUTED,
    LAUNCH,
    NODE,
    GRAPH,
    CLUSTER,
    GREEN = CLUSTER + 3
};

static bool read_kernel(nsys_export *x, const table_rows *r)
{
    prof_op op;
    int64_t id = table_int(r, NAME), launch = table_int(r, LAUNCH);
    if (!read_op(x, r, GCAST_KIND_KERNEL, &op))
        return false;
    op.name = nsys_string(x->db, id == PROF_UNKNOWN ? table_int(r, SHORT_NAME) : id, x->trace);
    if (!op.name)
        return false;
    if (!read_dims(r, GRID, op.grid) || !read_dims(r, BLOCK, op.block) || !op.grid[0] || !op.grid[1] || !op.grid[2] ||
        !op.block[0] || !op.block[1] || !op.block[2])
        return prof_find(x->trace, "{kernel} without a valid grid and block, left out", op.name, 1) ||
               nsys_db_no_memory(x->db);
    if (!read_dims(r, CLUSTER, op.cluster))
        op.cluster[0] = op.cluster[1] = op.cluster[2] = 0;
    op.registers = small_or_unknown(table_int(r, REGISTERS));
    op.static_smem = table_int(r, STATIC);
    op.dynamic_smem = table_int(r, DYNAMIC);
    op.smem_executed = table_int(r, EXECUTED);
    op.is_cooperative = launch == 2 || launch == 3;
    op.node = table_int(r, NODE);
    op.graph = table_int(r, GRAPH);
    if (table_int(r, GREEN) > 0 &&
        !prof_find(x->trace, "{kernel} in green contexts, whose SMs are not told", op.name, 1))
        return nsys_db_no_memory(x->db);
    x->kernels++;
    return add_op(x, &op);
}

bool nsys_read_kernels(nsys_export *x, const char *file, gcast_error *err)
{
    table_rows r;
    bool ok = table_open(x->db, "CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns, COUNT(kernel_columns), &r);
    if (ok && r.statement &&
        (!nsys_need(&r, kernel_columns, 4, file, err) ||
         !nsys_need(&(table_rows){.table = r.table, .has = {r.has[GRID], r.has[BLOCK]}},
                    (const char *const[]){"gridX", "blockX"}, 2, file, err))) {
        table_close(&r);
        return false;
    }
    if (ok && r.statement && !r.has[PID])
        prof_trace_set_one_process(x->trace);
    while (ok && table_next(&r))
        ok = read_kernel(x, &r);
    return table_close(&r) && ok;
}

static const char *const copy_columns[] = {OP_COLUMNS, "bytes", "copyKind", "srcKind", "dstKind", "graphNodeId"};
enum { BYTES = OWN, COPY_KIND, SOURCE, DESTINATION, COPY_NODE };

static bool read_copy(nsys_export *x, const table_rows *r, gcast_kind kind)
{
    static const char *const names[GCAST_DIRECTIONS + 1] = {"copy to the device", "copy to the host",
                                                            "copy on the device", "copy"};
    prof_op op;
    int64_t copy_kind = table_int(r, COPY_KIND);
    if (!read_op(x, r, kind, &op))
        return false;
    if (copy_kind >= 11 && copy_kind <= 13)
        return prof_find(x->trace, "{migration} of managed memory, left out", NULL, 1) || nsys_db_no_memory(x->db);
    op.bytes = table_int(r, BYTES);
    if (kind == GCAST_KIND_COPY)
        prof_set_copy(&op, copy_kind);
    op.is_pageable = table_int(r, SOURCE) == 0 || table_int(r, DESTINATION) == 0;
    op.node = table_int(r, COPY_NODE);
    op.name = kind == GCAST_KIND_MEMSET ? "memset" : names[op.direction];
    return add_op(x, &op);
}

bool nsys_read_copies(nsys_export *x)
{
    static const struct {
        const char *table;
        gcast_kind kind;
    } tables[] = {{"CUPTI_ACTIVITY_KIND_MEMCPY", GCAST_KIND_COPY}, {"CUPTI_ACTIVITY_KIND_MEMSET", GCAST_KIND_MEMSET}};
    for (size_t i = 0; i < COUNT(tables); i++) {
        table_rows r;
        bool ok = table_open(x->db, tables[i].table, copy_columns, COUNT(copy_columns), &r);
        while (ok && table_next(&r))
            ok = read_copy(x, &r, tables[i].kind);
        if (!table_close(&r) || !ok)
            return false;
    }
    return true;
}

bool nsys_read_blocks(nsys_export *x)
{
    static const char *const columns[] = {"start", "end", "correlationId", "globalPid", "BlockID", "SMId"};
    table_rows r;
    bool ok = table_open(x->db, "CUPTI_ACTIVITY_KIND_BLOCK_TRACE", columns, COUNT(columns), &r);
    while (ok && table_next(&r)) {
        int64_t block = table_int(&r, 4), sm = table_int(&r, 5);
        prof_block b = {.correlation = table_int(&r, 2),
                        .pid = nsys_pid(table_int(&r, 3)),
                        .op = PROF_NONE,
                        .start_ns = table_int(&r, 0),
                        .end_ns = table_int(&r, 1)};
        if (block < 0 || block > INT32_MAX || sm < 0 || sm > INT32_MAX)
            continue;
        b.block = (uint32_t)block;
        b.sm = (uint32_t)sm;
        ok = prof_add_block(x->trace, &b) || nsys_db_no_memory(x->db);
    }
    return table_close(&r) && ok;
}

bool nsys_read_graphs(nsys_export *x)
{
    static const char *const columns[] = {"start"};
    table_rows r;
    uint64_t count = 0;
    bool ok = table_open(x->db, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", columns, COUNT(columns), &r);
    while (ok && table_next(&r))
        count++;
    if (ok && count &&
        !prof_find(x->trace,
                   "{graph launch} recorded as a whole, left out; nsys profile "
                   "--cuda-graph-trace=node records their kernels",
                   NULL, count))
        ok = nsys_db_no_memory(x->db);
    return table_close(&r) && ok;
}
