#include "profile/nsys/nsys_read.h"

#include <stdio.h>
#include <string.h>

#include "base/index.h"
#include "base/vec.h"
#include "profile/nsys/table_rows.h"
#include "profile/reading.h"

/* Reads an export table by table: kernels, copies, calls, waits, ranges, blocks, graphs, GPUs and streams. Tables with
 * the environment, the host and the output of the program are ignored. The functions for tables return false if the
 * error of the database is set. */

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define MAX_CONTEXTS 4096 /* more than any program makes; streams of further contexts get no priorities */

/* A CUDA context and its GPU, from operations that ran in it. */
typedef struct nsys_context {
    int64_t pid, context, device;
} nsys_context;

typedef struct nsys_export {
    nsys_db *db;
    prof_trace *trace;
    VEC(nsys_context) contexts; /* usually few */
    int64_t last_context;       /* index of the last one that was looked up */
} nsys_export;

/* The GPU of a context; PROF_UNKNOWN: nothing ran in it. */
static int64_t device_of(const nsys_export *x, int64_t pid, int64_t context)
{
    for (size_t i = 0; i < x->contexts.count; i++)
        if (x->contexts.at[i].pid == pid && x->contexts.at[i].context == context)
            return x->contexts.at[i].device;
    return PROF_UNKNOWN;
}

/* Finds or adds the stream of a row, and its context. */
static bool find_stream(nsys_export *x, const prof_stream *key, uint32_t *stream)
{
    const nsys_context *last = x->contexts.count ? &x->contexts.at[x->last_context] : NULL;
    bool is_last = last && last->pid == key->pid && last->context == key->context;
    if (!is_last && x->contexts.count < MAX_CONTEXTS) {
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

/* Reads META_DATA_EXPORT, which was once called EXPORT_META_DATA. */
static bool read_metadata(nsys_export *x, const char *table, const char **product, const char **schema)
{
    static const char *const columns[] = {"name", "value"};
    table_rows r;
    bool ok = table_open(x->db, table, columns, COUNT(columns), &r);
    while (ok && table_next(&r)) {
        const char *name = table_text(&r, 0, x->trace);
        const char *value = table_text(&r, 1, x->trace);
        if (name && value && strcmp(name, "EXPORT_PRODUCT_VERSION") == 0)
            *product = value;
        if (name && value && strcmp(name, "EXPORT_SCHEMA_VERSION") == 0)
            *schema = value;
    }
    return table_close(&r) && ok;
}

static bool read_version(nsys_export *x)
{
    const char *product = NULL, *schema = NULL;
    char text[128];
    if (!read_metadata(x, "META_DATA_EXPORT", &product, &schema) ||
        !read_metadata(x, "EXPORT_META_DATA", &product, &schema))
        return false;
    snprintf(text, sizeof text, "Nsight Systems%s%.40s%s%.20s", product ? " " : "", product ? product : "",
             schema ? ", schema " : "", schema ? schema : "");
    const char *kept = prof_trace_text(x->trace, text, strlen(text));
    if (!kept)
        return nsys_db_no_memory(x->db);
    prof_trace_set_writer(x->trace, kept);
    return true;
}

static int small(int64_t n)
{
    return n > 0 && n <= INT32_MAX ? (int)n : 0;
}

static int64_t known_or_0(int64_t n)
{
    return n > 0 ? n : 0;
}

/* Finds CUDA's number of a GPU of Nsight Systems; PROF_UNKNOWN: it is not in the table. */
static bool cuda_number(nsys_export *x, int64_t gpu, int64_t *device)
{
    static const char *const columns[] = {"gpuId", "cudaId"};
    table_rows r;
    bool ok = table_open(x->db, "TARGET_INFO_CUDA_DEVICE", columns, COUNT(columns), &r);
    *device = PROF_UNKNOWN;
    while (ok && *device == PROF_UNKNOWN && table_next(&r))
        if (table_int(&r, 0) == gpu)
            *device = table_int(&r, 1);
    return table_close(&r) && ok;
}

static bool read_gpu(nsys_export *x, const table_rows *r)
{
    int64_t id = table_int(r, 0), cu_device = table_int(r, 2), device;
    prof_gpu gpu = {.name = table_text(r, 1, x->trace),
                    .sms = small(table_int(r, 3)),
                    .cc_major = small(table_int(r, 4)),
                    .cc_minor = small(table_int(r, 5)),
                    .threads_per_sm = 32 * small(table_int(r, 6) < 1000 ? table_int(r, 6) : 0),
                    .blocks_per_sm = small(table_int(r, 7)),
                    .registers_per_sm = known_or_0(table_int(r, 8)),
                    .smem_per_sm = known_or_0(table_int(r, 9)),
                    .smem_per_block = known_or_0(table_int(r, 10)),
                    .memory_bytes = known_or_0(table_int(r, 11))};
    if (nsys_db_status(x->db) != GCAST_OK || !cuda_number(x, id, &device))
        return false;
    gpu.device = device != PROF_UNKNOWN ? device : cu_device != PROF_UNKNOWN ? cu_device : id;
    return prof_add_gpu(x->trace, &gpu) || nsys_db_no_memory(x->db);
}

static bool read_gpus(nsys_export *x)
{
    static const char *const columns[] = {"id",
                                          "name",
                                          "cuDevice",
                                          "smCount",
                                          "computeMajor",
                                          "computeMinor",
                                          "maxWarpsPerSm",
                                          "maxBlocksPerSm",
                                          "maxRegistersPerSm",
                                          "maxShmemPerSm",
                                          "maxShmemPerBlockOptin",
                                          "totalMemory"};
    table_rows r;
    bool ok = table_open(x->db, "TARGET_INFO_GPU", columns, COUNT(columns), &r);
    while (ok && table_next(&r))
        ok = read_gpu(x, &r);
    return table_close(&r) && ok;
}

/* Sets the kind and priority of a stream in whose context something ran. */
static bool tell_stream(nsys_export *x, int64_t pid, int64_t context, int64_t number, const prof_stream *told)
{
    uint32_t stream;
    prof_stream key = {.device = device_of(x, pid, context), .pid = pid, .context = context, .number = number};
    if (key.device == PROF_UNKNOWN)
        return true;
    if (!prof_get_stream(x->trace, &key, &stream))
        return nsys_db_no_memory(x->db);
    prof_tell_stream(x->trace, stream, told);
    return true;
}

static bool read_priorities(nsys_export *x)
{
    static const char *const columns[] = {"processId", "contextId", "streamId", "priority", "flag"};
    static const prof_stream_kind kinds[] = {PROF_STREAM_UNKNOWN, PROF_STREAM_BLOCKING, PROF_STREAM_NON_BLOCKING,
                                             PROF_STREAM_NULL};
    table_rows r;
    bool ok = table_open(x->db, "TARGET_INFO_CUDA_STREAM", columns, COUNT(columns), &r);
    while (ok && table_next(&r)) {
        int64_t priority = table_int(&r, 3), flag = table_int(&r, 4);
        prof_stream told = {.kind = flag >= 0 && flag < 4 ? kinds[flag] : PROF_STREAM_UNKNOWN};
        priority = priority > INT32_MAX ? priority - ((int64_t)1 << 32) : priority; /* stored without a sign */
        told.priority_known = r.has[3] && priority >= -64 && priority <= 0;
        told.priority = told.priority_known ? (int)priority : 0;
        ok = tell_stream(x, table_int(&r, 0), table_int(&r, 1), table_int(&r, 2), &told);
    }
    return table_close(&r) && ok;
}

static bool read_null_streams(nsys_export *x, const char *table, const char *column)
{
    const char *const columns[] = {"processId", "contextId", column};
    const prof_stream told = {.kind = PROF_STREAM_NULL};
    table_rows r;
    bool ok = table_open(x->db, table, columns, COUNT(columns), &r);
    while (ok && table_next(&r))
        ok = tell_stream(x, table_int(&r, 0), table_int(&r, 1), table_int(&r, 2), &told);
    return table_close(&r) && ok;
}

static bool read_streams(nsys_export *x)
{
    return read_priorities(x) && read_null_streams(x, "TARGET_INFO_CUDA_CONTEXT_INFO", "nullStreamId") &&
           read_null_streams(x, "TARGET_INFO_CUDA_NULL_STREAM", "streamId");
}

/* Nsight Systems packs process and thread into one number. */
static int64_t nsys_pid(int64_t global)
{
    return global == PROF_UNKNOWN ? PROF_UNKNOWN : global >> 24 & 0xffffff;
}

static int64_t nsys_tid(int64_t global)
{
    return global == PROF_UNKNOWN ? PROF_UNKNOWN : global & 0xffffff;
}

static bool is_in_time(int64_t start_ns, int64_t end_ns)
{
    return start_ns > -INT64_MAX / 4 && end_ns < INT64_MAX / 4;
}

static bool read_calls(nsys_export *x)
{
    static const char *const columns[] = {"start", "end", "globalTid", "correlationId", "nameId"};
    table_rows r;
    bool ok = table_open(x->db, "CUPTI_ACTIVITY_KIND_RUNTIME", columns, COUNT(columns), &r);
    while (ok && table_next(&r)) {
        int64_t global = table_int(&r, 2);
        prof_call c = {.stream = PROF_NONE,
                       .start_ns = table_int(&r, 0),
                       .end_ns = table_int(&r, 1),
                       .correlation = table_int(&r, 3),
                       .event = PROF_UNKNOWN,
                       .name = nsys_string(x->db, table_int(&r, 4), x->trace)};
        if (!c.name || !prof_get_thread(x->trace, nsys_pid(global), nsys_tid(global), &c.thread)) {
            ok = nsys_db_no_memory(x->db);
            break;
        }
        c.kind = call_kind_of(c.name);
        if (is_in_time(c.start_ns, c.end_ns))
            ok = prof_add_call(x->trace, &c) || nsys_db_no_memory(x->db);
    }
    return table_close(&r) && ok;
}

/* A record of an event. Process and number identify it. */
typedef struct event_record {
    int64_t pid, id;     /* its process, its eventSyncId */
    int64_t correlation; /* correlation of the call */
    uint32_t stream;
} event_record;

typedef struct event_records {
    VEC(event_record) list;
    hash_index index;
} event_records;

static uint64_t record_hash(int64_t pid, int64_t id)
{
    const int64_t key[2] = {pid, id};
    return index_hash(key, sizeof key);
}

static bool read_records(nsys_export *x, event_records *records)
{
    static const char *const columns[] = {"deviceId",  "contextId", "streamId",   "correlationId",
                                          "globalPid", "eventId",   "eventSyncId"};
    table_rows r;
    bool ok = table_open(x->db, "CUPTI_ACTIVITY_KIND_CUDA_EVENT", columns, COUNT(columns), &r);
    while (ok && table_next(&r)) {
        prof_stream key = {.device = table_int(&r, 0),
                           .context = table_int(&r, 1),
                           .number = table_int(&r, 2),
                           .pid = nsys_pid(table_int(&r, 4))};
        event_record e = {.pid = key.pid, .id = table_int(&r, 6), .correlation = table_int(&r, 3)};
        prof_call_told told = {.pid = e.pid,
                               .correlation = e.correlation,
                               .event = table_int(&r, 5),
                               .record_correlation = PROF_UNKNOWN,
                               .record_stream = PROF_NONE};
        ok = find_stream(x, &key, &told.stream);
        e.stream = told.stream;
        ok = ok && (prof_tell_call(x->trace, &told) || nsys_db_no_memory(x->db));
        if (ok && e.id != PROF_UNKNOWN)
            ok = (vec_push(&records->list, e) &&
                  index_add(&records->index, record_hash(e.pid, e.id), (uint32_t)(records->list.count - 1))) ||
                 nsys_db_no_memory(x->db);
    }
    return table_close(&r) && ok;
}

static const event_record *find_record(const event_records *records, int64_t pid, int64_t id)
{
    for (index_probe p = index_start(&records->index, record_hash(pid, id)); index_next(&records->index, &p);) {
        const event_record *e = &records->list.at[p.value];
        if (e->pid == pid && e->id == id)
            return e;
    }
    return NULL;
}

static bool read_syncs(nsys_export *x, const event_records *records)
{
    static const char *const columns[] = {"deviceId",  "contextId", "streamId",   "correlationId",
                                          "globalPid", "eventId",   "eventSyncId"};
    table_rows r;
    bool ok = table_open(x->db, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", columns, COUNT(columns), &r);
    while (ok && table_next(&r)) {
        prof_stream key = {.device = table_int(&r, 0),
                           .context = table_int(&r, 1),
                           .number = id_or_unknown(table_int(&r, 2)),
                           .pid = nsys_pid(table_int(&r, 4))};
        prof_call_told told = {.pid = key.pid,
                               .correlation = table_int(&r, 3),
                               .stream = PROF_NONE,
                               .event = id_or_unknown(table_int(&r, 5)),
                               .record_correlation = PROF_UNKNOWN,
                               .record_stream = PROF_NONE};
        const event_record *record = find_record(records, key.pid, id_or_unknown(table_int(&r, 6)));
        if (record) {
            told.record_correlation = record->correlation;
            told.record_stream = record->stream;
        }
        if (key.number != PROF_UNKNOWN)
            ok = find_stream(x, &key, &told.stream);
        ok = ok && (prof_tell_call(x->trace, &told) || nsys_db_no_memory(x->db));
    }
    return table_close(&r) && ok;
}

static bool read_waits(nsys_export *x)
{
    event_records records = {0};
    bool ok = read_records(x, &records) && read_syncs(x, &records);
    vec_free(&records.list);
    index_free(&records.index);
    return ok;
}

enum { NVTX_PUSH_POP = 59, NVTX_START_END = 60 };

static bool read_ranges(nsys_export *x)
{
    static const char *const columns[] = {"start", "end", "eventType", "globalTid", "textId", "text"};
    table_rows r;
    uint64_t open = 0;
    bool ok = table_open(x->db, "NVTX_EVENTS", columns, COUNT(columns), &r);
    while (ok && table_next(&r)) {
        int64_t type = table_int(&r, 2), global = table_int(&r, 3), id = table_int(&r, 4);
        prof_range range = {
            .kind = PROF_RANGE_NVTX, .thread = PROF_NONE, .start_ns = table_int(&r, 0), .end_ns = table_int(&r, 1)};
        if (type != NVTX_PUSH_POP && type != NVTX_START_END)
            continue;
        if (range.end_ns == PROF_UNKNOWN) {
            open++;
            continue;
        }
        range.name = id == PROF_UNKNOWN ? table_text(&r, 5, x->trace) : nsys_string(x->db, id, x->trace);
        if (nsys_db_status(x->db) != GCAST_OK)
            break;
        if (type == NVTX_PUSH_POP && !prof_get_thread(x->trace, nsys_pid(global), nsys_tid(global), &range.thread))
            ok = nsys_db_no_memory(x->db);
        if (ok && range.name && is_in_time(range.start_ns, range.end_ns))
            ok = prof_add_range(x->trace, &range) || nsys_db_no_memory(x->db);
    }
    ok = ok && (prof_find(x->trace, "{range} without an end: left out", NULL, open) || nsys_db_no_memory(x->db));
    return table_close(&r) && ok;
}

/* Does the table have all of these columns? The first missing one is the error. */
static bool need_columns(const table_rows *rows, const char *const *columns, size_t count, const char *file,
                         gcast_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!rows->has[i]) {
            prof_file_error(file, GCAST_INPUT, err, "the table %s has no column %s", rows->table, columns[i]);
            return false;
        }
    return true;
}

/* Columns 0 to 6 are the same in all tables of operations. */
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
    return find_stream(x, &key, &op->stream);
}

static bool add_op(nsys_export *x, const prof_op *op)
{
    if (op->start_ns == PROF_UNKNOWN || op->end_ns == PROF_UNKNOWN)
        return prof_find(x->trace, "{record} without a time: left out", op->name, 1) || nsys_db_no_memory(x->db);
    if (!is_in_time(op->start_ns, op->end_ns))
        return prof_find(x->trace, "{record} with times beyond 73 years: left out", op->name, 1) ||
               nsys_db_no_memory(x->db);
    return prof_add_op(x->trace, op) || nsys_db_no_memory(x->db);
}

/* Reads X, Y and Z from columns `first` to `first` + 2. */
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
        return prof_find(x->trace, "{kernel} without a valid grid and block: left out", op.name, 1) ||
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
        !prof_find(x->trace, "{kernel} in green contexts: the profile does not say on which SMs", op.name, 1))
        return nsys_db_no_memory(x->db);
    return add_op(x, &op);
}

static bool read_kernels(nsys_export *x, const char *file, gcast_error *err)
{
    table_rows r;
    bool ok = table_open(x->db, "CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns, COUNT(kernel_columns), &r);
    if (ok && r.statement &&
        (!need_columns(&r, kernel_columns, 4, file, err) ||
         !need_columns(&(table_rows){.table = r.table, .has = {r.has[GRID], r.has[BLOCK]}},
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
        return prof_find(x->trace, "{migration} of managed memory: left out", NULL, 1) || nsys_db_no_memory(x->db);
    op.bytes = table_int(r, BYTES);
    if (kind == GCAST_KIND_COPY)
        prof_set_copy(&op, copy_kind);
    op.is_pageable = table_int(r, SOURCE) == 0 || table_int(r, DESTINATION) == 0;
    op.node = table_int(r, COPY_NODE);
    op.name = kind == GCAST_KIND_MEMSET ? "memset" : names[op.direction];
    return add_op(x, &op);
}

static bool read_copies(nsys_export *x)
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

static bool read_blocks(nsys_export *x)
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

static bool read_graphs(nsys_export *x)
{
    static const char *const columns[] = {"start"};
    table_rows r;
    uint64_t count = 0;
    bool ok = table_open(x->db, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", columns, COUNT(columns), &r);
    while (ok && table_next(&r))
        count++;
    if (ok && count &&
        !prof_find(
            x->trace,
            "{graph launch} recorded as a whole: left out; nsys profile --cuda-graph-trace=node records their kernels",
            NULL, count))
        ok = nsys_db_no_memory(x->db);
    return table_close(&r) && ok;
}

/* False: the user stops the reading. */
static bool show(const prof_read_options *options, double fraction)
{
    return !options || !options->progress || options->progress(options->progress_data, fraction);
}

static gcast_status read_tables(nsys_export *x, const char *file, const prof_read_options *options, gcast_error *err)
{
    bool ok = show(options, 0) && read_version(x) && read_kernels(x, file, err) && show(options, 0.4) &&
              read_copies(x) && show(options, 0.5) && read_calls(x) && show(options, 0.9) && read_waits(x) &&
              read_ranges(x) && read_blocks(x) && read_graphs(x) && read_gpus(x) && read_streams(x) && show(options, 1);
    if (nsys_db_status(x->db) != GCAST_OK)
        return nsys_db_status(x->db);
    if (!ok)
        return err && err->code != GCAST_OK ? err->code
                                            : prof_file_error(file, GCAST_RESOURCE, err, "was not read to its end");
    return prof_trace_finish(x->trace, err);
}

static gcast_status read_database(const char *file, const void *bytes, size_t size, const prof_read_options *options,
                                  prof_trace **t, gcast_error *err)
{
    gcast_error own;
    nsys_export x = {0};
    err = err ? err : &own;
    err->code = GCAST_OK;
    *t = NULL;
    x.db = nsys_db_open(file, bytes, size, err);
    if (!x.db)
        return err->code;
    gcast_status status = prof_trace_create(file, &x.trace, err);
    if (status == GCAST_OK)
        status = read_tables(&x, file, options, err);
    vec_free(&x.contexts);
    nsys_db_close(x.db);
    if (status != GCAST_OK) {
        prof_trace_free(x.trace);
        return status;
    }
    *t = x.trace;
    return GCAST_OK;
}

gcast_status nsys_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err)
{
    return read_database(path, NULL, 0, options, t, err);
}

gcast_status nsys_read_memory(const char *name, const void *bytes, size_t size, prof_trace **t, gcast_error *err)
{
    return read_database(name, bytes, size, NULL, t, err);
}
