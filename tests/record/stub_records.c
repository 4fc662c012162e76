/* Records of every kind, and callbacks, as CUPTI hands them out: stub_cupti.c says more. */
#define _GNU_SOURCE /* syscall */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/stub_cupti.h"

#define FIRST_NS INT64_C(1000000000) /* the first call */

static uint8_t *buffer;
static size_t used, room;
static int failures; /* of the check of what was asked for */

/* Also called by the program, as CUPTI hands out records once in a while. */
EXPORT void stub_deliver(void)
{
    if (buffer)
        stub_state.on_completed(NULL, 0, buffer, room, used);
    buffer = NULL;
}

/* A new record of this size: zero, and 0xEE behind its end. NULL: its kind is not asked for. */
static uint8_t *new_record(int kind, size_t size)
{
    if (!stub_state.enabled[kind])
        return NULL;
    if (buffer && used + MAX_RECORD > room)
        stub_deliver();
    if (!buffer) {
        size_t max;
        stub_state.on_requested(&buffer, &room, &max);
        used = 0;
        if (!buffer)
            return NULL;
    }
    uint8_t *r = buffer + used;
    used += MAX_RECORD;
    memset(r, 0, size);
    memset(r + size, 0xEE, MAX_RECORD - size);
    memcpy(r, &kind, 4);
    return r;
}

static void put(uint8_t *r, size_t at, int size, uint64_t value)
{
    for (int i = 0; r && i < size; i++)
        r[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}

static void put_text(uint8_t *r, size_t at, const char *text)
{
    put(r, at, 8, (uint64_t)(uintptr_t)text);
}

static uint32_t thread_id(void)
{
    return stub_state.thread_type == 1 ? (uint32_t)syscall(SYS_gettid) : 77;
}

static void call(int kind, uint32_t id, int64_t start, int64_t end, uint32_t correlation, uint32_t result)
{
    uint8_t *r = new_record(kind, 40);
    put(r, 4, 4, id);
    put(r, 8, 8, (uint64_t)(FIRST_NS + start));
    put(r, 16, 8, (uint64_t)(FIRST_NS + end));
    put(r, 24, 4, (uint32_t)getpid());
    put(r, 28, 4, thread_id());
    put(r, 32, 4, correlation);
    put(r, 36, 4, result);
}

/* Kernel5 to Kernel10, and beyond: fields are added at the end. */
static void kernel(uint32_t correlation, int64_t start, uint32_t stream, const char *name, uint32_t grid, uint64_t node)
{
    uint32_t v = stub_version();
    size_t size = v >= 130000 ? 216 : v >= 19 ? 208 : v >= 18 ? 200 : v >= 17 ? 176 : v >= 15 ? 168 : 160;
    uint8_t *r = new_record(10, size);
    put(r, 6, 2, 40);
    put(r, 16, 8, (uint64_t)(FIRST_NS + start));
    put(r, 24, 8, (uint64_t)(FIRST_NS + start + 5000));
    put(r, 40, 4, 0);
    put(r, 44, 4, 1);
    put(r, 48, 4, stream);
    put(r, 52, 4, grid);
    put(r, 56, 4, 2);
    put(r, 60, 4, 1);
    put(r, 64, 4, 128);
    put(r, 68, 4, 2);
    put(r, 72, 4, 1);
    put(r, 76, 4, 1024);
    put(r, 80, 4, 2048);
    put(r, 92, 4, correlation);
    put_text(r, 104, name);
    put(r, 136, 1, strcmp(name, "together") == 0);
    put(r, 140, 4, 102400);
    put(r, 144, 8, node);
    if (v >= 14)
        put(r, 156, 4, node ? 9 : 0);
    if (v >= 17)
        put(r, 168, 4, 12);
    if (v >= 18) {
        put(r, 176, 4, node ? 2 : 1);
        put(r, 180, 4, 1);
        put(r, 184, 4, 1);
    }
}

static void copy(uint32_t correlation, int64_t start, uint32_t stream, uint64_t bytes, uint8_t kind)
{
    uint32_t v = stub_version();
    uint8_t *r = new_record(1, v >= 26 ? 96 : v >= 17 ? 88 : v >= 14 ? 80 : 72);
    put(r, 4, 1, kind);
    put(r, 5, 1, 1);
    put(r, 6, 1, 3);
    put(r, 8, 8, bytes);
    put(r, 16, 8, (uint64_t)(FIRST_NS + start));
    put(r, 24, 8, (uint64_t)(FIRST_NS + start + 700));
    put(r, 36, 4, 1);
    put(r, 40, 4, stream);
    put(r, 44, 4, correlation);
    if (v >= 17)
        put(r, 76, 4, 5);
}

static void peer_copy(uint32_t correlation, int64_t start, uint64_t bytes)
{
    uint32_t v = stub_version();
    uint8_t *r = new_record(22, v >= 17 ? 96 : v >= 14 ? 88 : 80);
    put(r, 4, 1, 10);
    put(r, 5, 1, 3);
    put(r, 6, 1, 3);
    put(r, 8, 8, bytes);
    put(r, 16, 8, (uint64_t)(FIRST_NS + start));
    put(r, 24, 8, (uint64_t)(FIRST_NS + start + 300));
    put(r, 36, 4, 1);
    put(r, 40, 4, 13);
    put(r, 52, 4, 1);
    put(r, 60, 4, correlation);
}

static void set(uint32_t correlation, int64_t start, uint64_t bytes)
{
    uint32_t v = stub_version();
    uint8_t *r = new_record(2, v >= 17 ? 88 : v >= 14 ? 80 : 72);
    put(r, 8, 8, bytes);
    put(r, 16, 8, (uint64_t)(FIRST_NS + start));
    put(r, 24, 8, (uint64_t)(FIRST_NS + start + 100));
    put(r, 36, 4, 1);
    put(r, 40, 4, 13);
    put(r, 44, 4, correlation);
    put(r, 50, 2, 3);
}

static void event(uint32_t correlation, uint32_t stream, uint32_t number, uint64_t sync_id)
{
    uint8_t *r = new_record(36, stub_version() >= 26 ? 56 : 24);
    put(r, 4, 4, correlation);
    put(r, 8, 4, 1);
    put(r, 12, 4, stream);
    put(r, 16, 4, number);
    if (stub_version() >= 26)
        put(r, 48, 8, sync_id);
}

static void sync_record(uint32_t correlation, uint32_t type, uint32_t stream, uint32_t number, uint64_t sync_id)
{
    uint8_t *r = new_record(38, stub_version() >= 26 ? 56 : 40);
    put(r, 4, 4, type);
    put(r, 24, 4, correlation);
    put(r, 28, 4, 1);
    put(r, 32, 4, stream);
    put(r, 36, 4, number);
    if (stub_version() >= 26)
        put(r, 40, 8, sync_id);
}

static void device(void)
{
    uint8_t *r = new_record(8, stub_version() >= 26 ? 184 : stub_version() >= 17 ? 176 : 152);
    put(r, 16, 8, 8u << 20);
    put(r, 32, 4, 32);
    put(r, 44, 4, 132);
    put(r, 52, 4, 64);
    put(r, 56, 4, 32);
    put(r, 60, 4, 233472);
    put(r, 64, 4, 65536);
    put(r, 104, 4, 9);
    put(r, 112, 4, 0);
    put_text(r, 136, "Stub GPU");
}

static void context(void)
{
    uint8_t *r = new_record(9, stub_version() >= 26 ? 32 : stub_version() >= 23 ? 24 : 16);
    put(r, 4, 4, 1);
    put(r, 14, 2, 7);
}

static void stream(uint32_t number, int32_t priority, uint32_t flag)
{
    uint8_t *r = new_record(37, 24);
    put(r, 4, 4, 1);
    put(r, 8, 4, number);
    put(r, 12, 4, (uint32_t)priority);
    put(r, 16, 4, flag);
}

static void marker(uint32_t flags, int64_t time, uint32_t id, const char *name)
{
    uint8_t *r = new_record(12, 56);
    put(r, 4, 4, flags);
    put(r, 8, 8, (uint64_t)(FIRST_NS + time));
    put(r, 16, 4, id);
    put(r, 20, 4, 2);
    put(r, 28, 4, thread_id());
    put_text(r, 40, name);
}

static void overhead(void)
{
    uint8_t *r = new_record(17, stub_version() >= 26 ? 56 : 40);
    put(r, 24, 8, (uint64_t)FIRST_NS);
    put(r, 32, 8, (uint64_t)FIRST_NS + 10);
}

/* cuLaunchKernelEx with attributes, as CUPTI's callback has it. */
static void launch_callback(uint32_t correlation)
{
    struct attribute {
        int id;
        char pad[4];
        union {
            char pad[64];
            int number;
            unsigned dims[3];
        } value;
    } attributes[] = {{.id = 6, .value.number = 1}, {.id = 8, .value.number = -3}, {.id = 4, .value.dims = {2, 1, 1}}};
    struct {
        unsigned grid[3], block[3], smem;
        void *stream;
        struct attribute *attributes;
        unsigned count;
    } config = {.attributes = attributes, .count = 3};
    struct {
        void *config, *function;
        void **params, **extra;
    } params = {.config = &config};
    struct {
        int site;
        const char *function;
        const void *params;
        void *result;
        const char *symbol;
        void *context;
        uint32_t context_id;
        uint64_t *data;
        uint32_t correlation;
    } data = {.function = "cuLaunchKernelEx", .params = &params, .correlation = correlation};
    if (stub_state.on_callback)
        stub_state.on_callback(stub_state.callback_data, 1, 652, &data);
}

static void graph_callback(uint32_t id, uintptr_t graph, uintptr_t node, uintptr_t original, uintptr_t dependency,
                           uintptr_t exec)
{
    struct {
        void *graph, *original_graph, *node, *original_node;
        int type;
        void *dependency, *exec;
    } g = {.graph = (void *)graph,
           .node = (void *)node,
           .original_node = (void *)original,
           .dependency = (void *)dependency,
           .exec = (void *)exec};
    struct {
        void *context, *stream, *descriptor;
    } resource = {.descriptor = &g};
    if (stub_state.on_callback)
        stub_state.on_callback(stub_state.callback_data, 3, id, &resource);
}

static void graph(void)
{
    graph_callback(13, 8, 101, 0, 0, 0); /* two nodes are created, and an edge */
    graph_callback(13, 8, 102, 0, 0, 0);
    graph_callback(13, 8, 103, 0, 0, 0);
    graph_callback(15, 8, 102, 0, 101, 0);
    graph_callback(15, 8, 103, 0, 101, 0);
    graph_callback(16, 8, 103, 0, 101, 0); /* an edge is removed before */
    graph_callback(20, 9, 201, 101, 0, 0); /* the executable graph has clones */
    graph_callback(20, 9, 202, 102, 0, 0);
    graph_callback(18, 8, 0, 0, 0, 9);
    graph_callback(16, 8, 102, 0, 101, 0); /* the graph is destroyed: its executable one goes on */
}

static void check(int ok, const char *what)
{
    if (!ok)
        fprintf(stderr, "stub_cupti: %s\n", what);
    failures += !ok;
}

/* All that a program does, `rounds` times over. 0: what was asked for is as it should be. */
EXPORT int stub_play(int rounds)
{
    static const int asked[] = {1, 2, 4, 5, 8, 9, 10, 12, 17, 22, 36, 37, 38};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        check(stub_state.enabled[asked[i]] || stub_fails("cuptiActivityEnable"), "a kind of record is not asked for");
    check(!stub_state.enabled[3], "kernels are asked for one after the other");
    check(!stub_state.enabled[51], "graphs are asked for as a whole");
    check(stub_state.enabled_callbacks == 7 || stub_fails("cuptiSubscribe"), "callbacks are missing");
    device();
    context();
    stream(13, 0, 1);
    stream(14, -5, 2);
    marker(2, 0, 1, "all of it");
    overhead();
    graph();
    for (int i = 0; i < rounds; i++) {
        int64_t t = 100000 * (int64_t)i;
        uint32_t c = 100 * (uint32_t)i;
        call(5, 211, t + 1000, t + 3000, c + 10, 0); /* the driver's call inside has the same number */
        call(4, 307, t + 1500, t + 2500, c + 10, 0);
        kernel(c + 10, t + 4000, 13, "_Z4swapPfi", 66, 0);
        call(5, 41, t + 3100, t + 3300, c + 11, 0);
        copy(c + 11, t + 9000, 13, 4096, 1);
        call(5, 51, t + 3400, t + 3500, c + 12, 0);
        set(c + 12, t + 9800, 512);
        call(5, 135, t + 3600, t + 3700, c + 13, 0);
        event(c + 13, 13, 4, c + 1);
        call(5, 147, t + 3800, t + 3900, c + 14, 0);
        sync_record(c + 14, 2, 14, 4, c + 1);
        call(5, 430, t + 4000, t + 6000, c + 15, 0); /* here it has one of its own, which its kernel names */
        call(4, 652, t + 4500, t + 5500, c + 16, 0);
        launch_callback(c + 16);
        kernel(c + 16, t + 10000, 14, "together", 132, 0);
        call(5, 311, t + 6000, t + 7000, c + 20, 0);
        kernel(c + 20, t + 16000, 13, "_Z4swapPfi", 10, 201);
        kernel(c + 20, t + 22000, 13, "_Z4swapPfi", 20, 202);
        peer_copy(c + 21, t + 28000, 77);
        call(5, 211, t + 7100, t + 7200, c + 22, 9); /* fails */
        call(5, 165, t + 7300, t + 30000, c + 23, 0);
        sync_record(c + 23, 4, UINT32_MAX, UINT32_MAX, UINT32_MAX);
    }
    marker(4, 100000 * (int64_t)rounds, 1, NULL);
    return failures;
}
