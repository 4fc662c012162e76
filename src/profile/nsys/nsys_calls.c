/* Calls of an export, what is told about those that synchronize, and ranges. */
#include "base/index.h"
#include "profile/call_names.h"
#include "profile/nsys/nsys_tables.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

int64_t nsys_pid(int64_t global)
{
    return global == PROF_UNKNOWN ? PROF_UNKNOWN : global >> 24 & 0xffffff;
}

int64_t nsys_tid(int64_t global)
{
    return global == PROF_UNKNOWN ? PROF_UNKNOWN : global & 0xffffff;
}

static bool is_in_time(int64_t start_ns, int64_t end_ns)
{
    return start_ns > -INT64_MAX / 4 && end_ns < INT64_MAX / 4;
}

bool nsys_read_calls(nsys_export *x)
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

/* A record of an event, by process and the number of this record. */
typedef struct event_record {
    int64_t pid, id;     /* eventSyncId */
    int64_t correlation; /* of the call */
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
        ok = nsys_stream(x, &key, &told.stream);
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

static int64_t id_or_unknown(int64_t id)
{
    return id < 0 || id == UINT32_MAX ? PROF_UNKNOWN : id;
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
            ok = nsys_stream(x, &key, &told.stream);
        ok = ok && (prof_tell_call(x->trace, &told) || nsys_db_no_memory(x->db));
    }
    return table_close(&r) && ok;
}

bool nsys_read_waits(nsys_export *x)
{
    event_records records = {0};
    bool ok = read_records(x, &records) && read_syncs(x, &records);
    vec_free(&records.list);
    index_free(&records.index);
    return ok;
}

enum { NVTX_PUSH_POP = 59, NVTX_START_END = 60 };

bool nsys_read_ranges(nsys_export *x)
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
    ok = ok && (prof_find(x->trace, "{range} without an end, left out", NULL, open) || nsys_db_no_memory(x->db));
    return table_close(&r) && ok;
}
