/* GPUs, streams, and the version of an export. */
#include <stdio.h>
#include <string.h>

#include "profile/nsys/nsys_tables.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Values of META_DATA_EXPORT, which was once called EXPORT_META_DATA. */
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

bool nsys_read_version(nsys_export *x)
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

/* The number that CUDA gave a GPU of Nsight Systems; PROF_UNKNOWN: the table does not say it. */
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

bool nsys_read_gpus(nsys_export *x)
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

/* What a row says of a stream in which something ran. */
static bool tell(nsys_export *x, int64_t pid, int64_t context, int64_t number, const prof_stream *told)
{
    uint32_t stream;
    prof_stream key = {.device = nsys_device_of(x, pid, context), .pid = pid, .context = context, .number = number};
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
        ok = tell(x, table_int(&r, 0), table_int(&r, 1), table_int(&r, 2), &told);
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
        ok = tell(x, table_int(&r, 0), table_int(&r, 1), table_int(&r, 2), &told);
    return table_close(&r) && ok;
}

bool nsys_read_streams(nsys_export *x)
{
    return read_priorities(x) && read_null_streams(x, "TARGET_INFO_CUDA_CONTEXT_INFO", "nullStreamId") &&
           read_null_streams(x, "TARGET_INFO_CUDA_NULL_STREAM", "streamId");
}
