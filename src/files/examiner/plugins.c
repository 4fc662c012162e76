#include "files/examiner/plugins.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "files/examiner/benchmark.h"
#include "files/examiner/read_config.h"

static void note_custom(exam_bench *b, const char *text)
{
    static const char between[] = ".so is not one of the examiner's own benchmarks: ";
    size_t size = strlen(b->plugin) + sizeof between + strlen(text);
    char *note = arena_alloc(&b->memory, size);
    if (!note) {
        node_fail_memory(b->at);
        return;
    }
    snprintf(note, size, "%s%s%s", b->plugin, between, text);
    examiner_note(b->x, note);
}

static void custom_kernel(exam_bench *b)
{
    note_custom(b, "it is replaced by one kernel with its blocks and threads; copies, shared memory and "
                   "additional_info are left out");
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    memcpy(op.grid, b->grid, sizeof op.grid);
    memcpy(op.block, b->block, sizeof op.block);
    op.stream = b->end_stream = bench_stream(b);
    op.mask = b->mask;
    bench_add(b, op, b->label, "");
}

static void custom_cpu(exam_bench *b)
{
    note_custom(b, "it is left out, because its name says that it does not use the GPU");
}

const exam_plugin *examiner_plugin(exam_bench *b)
{
    static const exam_plugin kernel = {"", true, true, custom_kernel}, cpu = {"", false, false, custom_cpu};
    node filename = node_key(b->at, "filename");
    const char *text = node_text(&filename), *base = strrchr(text, '/');
    base = base ? base + 1 : text;
    size_t length = strlen(base);
    if (length <= 3 || strcmp(base + length - 3, ".so") != 0) {
        node_fail(&filename, "must be a plugin such as ./bin/timer_spin.so");
        return NULL;
    }
    char *stem = arena_alloc(&b->memory, length - 2);
    if (!stem) {
        node_fail_memory(b->at);
        return NULL;
    }
    memcpy(stem, base, length - 3);
    stem[length - 3] = '\0';
    b->plugin = stem;
    for (const exam_plugin *p = b->x->plugins; p->name; p++)
        if (strcmp(stem, p->name) == 0)
            return p;
    return strncmp(stem, "cpu_", 4) == 0 ? &cpu : &kernel;
}

#define DEFAULT_SPIN_NS 10000000
#define MAX_DEPTH 8 /* limit of the nesting of task_hosts */

/* An action of the plugin stream_action: a list of calls, each after a delay. Calls with "async": false go to the NULL
 * stream and return when they are complete. */
typedef struct action {
    exam_bench *b;
    const node *at;  /* its object */
    node parameters; /* may be missing */
    bool null;       /* the benchmark uses the NULL stream */
    gcast_op op;     /* the op that it becomes */
} action;

static int action_stream(action *a)
{
    bool async =
        a->op.kind == GCAST_KIND_KERNEL || a->op.kind == GCAST_KIND_SYNC || get_bool_or(&a->parameters, "async", true);
    a->op.host_waits = !async;
    return async && !a->null ? bench_stream(a->b) : bench_null_stream(a->b, a->at);
}

/* The block_count or thread_count of a kernel: its own, or that of the benchmark. */
static uint32_t dimension(const action *a, const char *key, const uint32_t fallback[3])
{
    node n = node_key(&a->parameters, key);
    if (n.value)
        return (uint32_t)node_int(&n, 1, INT_MAX);
    uint32_t d = examiner_one_dimension(a->b->at, key, fallback);
    if (d == 0)
        node_fail(&a->parameters, "%s is missing, and the benchmark's is 0", key);
    return d;
}

static void read_kernel(action *a)
{
    static const char *const keys[] = {"duration", "type", "shared_memory_size", "block_count", "thread_count", NULL};
    const node *p = &a->parameters;
    node_known(p, keys);
    node type = node_key(p, "type"), duration = node_key(p, "duration");
    const char *name = get_text_or(p, "type", "timer_spin");
    bool counter = strcmp(name, "counter_spin") == 0;
    if (!counter && strcmp(name, "timer_spin") != 0)
        node_fail(&type, "must be timer_spin or counter_spin");
    int64_t ns = counter ? node_int(&duration, 0, INT64_MAX) : examiner_spin_ns(&duration);
    a->op.min_ns = a->op.max_ns = counter ? GCAST_UNKNOWN_NS : ns;
    a->op.shape.static_smem = examiner_shared_memory(p, false);
    a->op.grid[0] = dimension(a, "block_count", a->b->grid);
    a->op.block[0] = dimension(a, "thread_count", a->b->block);
    a->op.body = GCAST_BODY_TIMER_SPIN;
    a->op.stream = action_stream(a);
}

static void read_malloc(action *a)
{
    static const char *const keys[] = {"size", "host", NULL};
    node_known(&a->parameters, keys);
    a->op.host_memory = get_bool_or(&a->parameters, "host", false);
    a->op.bytes = get_int(&a->parameters, "size", 0, INT64_MAX);
}

static void read_free(action *a)
{
    static const char *const keys[] = {"host", NULL};
    if (a->parameters.value)
        node_known(&a->parameters, keys);
    a->op.host_memory = get_bool_or(&a->parameters, "host", false);
}

static void read_memset(action *a)
{
    static const char *const keys[] = {"size", "async", NULL};
    node_known(&a->parameters, keys);
    a->op.bytes = get_int(&a->parameters, "size", 0, INT64_MAX);
    a->op.stream = action_stream(a);
}

static void read_memcpy(action *a)
{
    static const char *const keys[] = {"size", "direction", "async", NULL};
    static const char *const directions[] = {"hostToDevice", "deviceToHost", "deviceToDevice", NULL};
    static const gcast_direction values[] = {GCAST_H2D, GCAST_D2H, GCAST_D2D};
    node_known(&a->parameters, keys);
    a->op.bytes = get_int(&a->parameters, "size", 0, INT64_MAX);
    node n = node_key(&a->parameters, "direction");
    a->op.direction = values[node_choice(&n, directions)];
    a->op.stream = action_stream(a);
}

static void read_synchronize(action *a)
{
    static const char *const keys[] = {"device", NULL};
    if (a->parameters.value)
        node_known(&a->parameters, keys);
    if (!get_bool_or(&a->parameters, "device", false))
        a->op.stream = action_stream(a);
}

static const struct {
    const char *type;
    gcast_kind kind;
    void (*read)(action *a);
} actions[] = {
    {"kernel", GCAST_KIND_KERNEL, read_kernel}, {"malloc", GCAST_KIND_MALLOC, read_malloc},
    {"free", GCAST_KIND_FREE, read_free},       {"memset", GCAST_KIND_MEMSET, read_memset},
    {"memcpy", GCAST_KIND_COPY, read_memcpy},   {"synchronize", GCAST_KIND_SYNC, read_synchronize},
};

static void read_action(exam_bench *b, const node *n, bool null)
{
    static const char *const keys[] = {"type", "label", "delay", "parameters", NULL};
    node_known(n, keys);
    node type = node_key(n, "type");
    const char *name = node_text(&type), *label = get_name(n, "label");
    size_t i = 0, count = sizeof actions / sizeof actions[0];
    while (i < count && strcmp(actions[i].type, name) != 0)
        i++;
    if (i == count) {
        node_fail(&type, "must be kernel, malloc, free, memset, memcpy or synchronize");
        return;
    }
    action a = {.b = b, .at = n, .parameters = node_key(n, "parameters"), .null = null};
    a.op = gcast_op_default(actions[i].kind);
    a.op.delay_ns = get_seconds_or(n, "delay", 0);
    actions[i].read(&a);
    bench_add(b, a.op, label, "");
}

static void stream_action(exam_bench *b)
{
    static const char *const keys[] = {"use_null_stream", "actions", NULL};
    node_known(&b->info, keys);
    bool null = get_bool_or(&b->info, "use_null_stream", false);
    node list = node_key(&b->info, "actions");
    size_t count = node_count(&list);
    if (count == 0)
        node_fail(&list, "must have at least one action");
    if (b->mask != GCAST_ALL_SMS)
        examiner_note_once(b->x, EXAMINER_NOTE_MASK);
    if (b->x->doc.status == GCAST_OK)
        b->end_stream = null ? bench_null_stream(b, b->at) : bench_stream(b);
    for (size_t i = 0; i < count && b->x->doc.status == GCAST_OK; i++) {
        node n = node_item(&list, i);
        read_action(b, &n, null);
    }
}

/* Reads a kernel of the plugin multikernel: a list of kernels for one stream, each with copies around it. A delay first
 * waits for the stream, then sleeps. */
static void read_multikernel_entry(exam_bench *b, const node *n)
{
    static const char *const keys[] = {
        "kernel_label",  "duration",       "block_count", "thread_count", "shared_memory_size",
        "copy_in_count", "copy_out_count", "delay",       "sm_mask",      NULL};
    node_known(n, keys);
    const char *label = get_name(n, "kernel_label");
    node duration = node_key(n, "duration");
    int64_t ns = examiner_spin_ns(&duration);
    uint32_t grid[3] = {(uint32_t)get_int(n, "block_count", 1, INT_MAX), 1, 1};
    uint32_t block[3] = {(uint32_t)get_int(n, "thread_count", 1, INT_MAX), 1, 1};
    int64_t shared_memory = examiner_shared_memory(n, false);
    int64_t in = get_int_or(n, "copy_in_count", 0, INT64_MAX / 4, 0);
    int64_t out = get_int_or(n, "copy_out_count", 0, INT64_MAX / 4, 0);
    int64_t delay = get_seconds_or(n, "delay", 0);
    int mask = examiner_mask(b->x, n);
    if (delay)
        bench_add_sync(b, b->stream);
    size_t first = b->ops.count;
    if (in)
        bench_add_copy(b, label, ": copy in", GCAST_H2D, 4 * in);
    bench_add_kernel(b, label, grid, block, ns, shared_memory, b->stream, mask);
    if (out)
        bench_add_copy(b, label, ": copy out", GCAST_D2H, 4 * out);
    if (b->ops.count > first)
        b->ops.at[first].delay_ns = delay;
}

static void multikernel(exam_bench *b)
{
    size_t count = node_count(&b->info);
    if (count == 0)
        node_fail(&b->info, "must have at least one kernel");
    /* Each kernel sets a mask, which replaces that of the stream. */
    if (b->mask != GCAST_ALL_SMS)
        examiner_note_once(b->x, EXAMINER_NOTE_MASK);
    b->end_stream = bench_stream(b);
    for (size_t i = 0; i < count && b->x->doc.status == GCAST_OK; i++) {
        node n = node_item(&b->info, i);
        read_multikernel_entry(b, &n);
    }
}

/* Adds one kernel with the benchmark's own dimensions. */
static void one_kernel(exam_bench *b, int64_t ns, int64_t shared_memory)
{
    examiner_one_dimension(b->at, "thread_count", b->block);
    examiner_one_dimension(b->at, "block_count", b->grid);
    b->end_stream = bench_stream(b);
    bench_add_kernel(b, b->label, b->grid, b->block, ns, shared_memory, b->stream, b->mask);
}

static void timer_spin(exam_bench *b)
{
    one_kernel(b, b->info.value ? examiner_spin_ns(&b->info) : DEFAULT_SPIN_NS, 0);
}

/* The kernel goes to the NULL stream. The copy of its times goes to the benchmark's own stream, which waits for the
 * NULL stream only if it is blocking. */
static void timer_spin_default_stream(exam_bench *b)
{
    int64_t ns = b->info.value ? examiner_spin_ns(&b->info) : DEFAULT_SPIN_NS;
    int stream = bench_null_stream(b, b->at);
    examiner_one_dimension(b->at, "thread_count", b->block);
    examiner_one_dimension(b->at, "block_count", b->grid);
    if (b->mask != GCAST_ALL_SMS)
        examiner_note_once(b->x, EXAMINER_NOTE_MASK);
    if (b->traits.blocking)
        b->end_stream = stream;
    else
        examiner_note_once(b->x, EXAMINER_NOTE_RACE);
    bench_add_kernel(b, b->label, b->grid, b->block, ns, 0, stream, GCAST_ALL_SMS);
}

static void sharedmem_timer_spin(exam_bench *b)
{
    static const char *const keys[] = {"duration", "shared_memory_size", NULL};
    node_known(&b->info, keys);
    node duration = node_key(&b->info, "duration");
    int64_t ns = examiner_spin_ns(&duration);
    one_kernel(b, ns, examiner_shared_memory(&b->info, true));
}

/* counter_spin, inorder_walk, random_walk: a number of steps, whose time is unknown. */
static void counted_steps(exam_bench *b)
{
    if (b->info.value)
        node_int(&b->info, 0, INT64_MAX);
    one_kernel(b, GCAST_UNKNOWN_NS, 0);
}

/* The square root, rounded down. */
static int64_t square_root(int64_t n)
{
    int64_t lo = 0, hi = 3037000499; /* the largest number whose square fits */
    while (lo < hi) {
        int64_t mid = lo + (hi - lo + 1) / 2;
        if (mid * mid <= n)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

/* A square image of at most data_size bytes, with a byte and a thread per pixel. */
static void mandelbrot(exam_bench *b)
{
    if (b->info.value)
        node_int(&b->info, 0, INT64_MAX);
    node size = node_key(b->at, "data_size");
    int64_t width = square_root(b->data_size), pixels = width * width;
    int64_t threads = examiner_one_dimension(b->at, "thread_count", b->block);
    int64_t blocks = div_up(pixels, threads);
    if (blocks < 1 || blocks > INT_MAX) {
        node_fail(&size, "must give an image of 1 to 2147483647 blocks");
        return;
    }
    uint32_t grid[3] = {(uint32_t)blocks, 1, 1};
    b->end_stream = bench_stream(b);
    bench_add_kernel(b, b->label, grid, b->block, GCAST_UNKNOWN_NS, 0, b->stream, b->mask);
    bench_add_sync(b, b->stream);
    bench_add_copy(b, b->label, ": copy out", GCAST_D2H, pixels);
}

/* Copies two matrices in and one out, with a thread per element. */
static void matrix_multiply(exam_bench *b)
{
    static const char *const keys[] = {"matrix_width", "skip_copy", NULL};
    node_known(&b->info, keys);
    int64_t width = get_int(&b->info, "matrix_width", 1, INT_MAX), bytes;
    bool copies = !get_bool_or(&b->info, "skip_copy", false);
    uint32_t block[3] = {b->block[0], b->block[1], 1}, grid[3] = {1, 1, 1};
    if (block[1] == 1) {
        block[0] = 32;
        examiner_note_once(b->x, EXAMINER_NOTE_MATRIX);
    }
    if (!checked_mul(4 * width, width, &bytes)) {
        node_fail(&b->info, "the matrices are larger than 2^63 bytes");
        return;
    }
    grid[0] = (uint32_t)div_up(width, block[0]);
    grid[1] = (uint32_t)div_up(width, block[1]);
    b->end_stream = bench_stream(b);
    if (copies) {
        bench_add_copy(b, b->label, ": copy A", GCAST_H2D, bytes);
        bench_add_copy(b, b->label, ": copy B", GCAST_H2D, bytes);
        bench_add_sync(b, b->stream);
    }
    bench_add_kernel(b, b->label, grid, block, GCAST_UNKNOWN_NS, 0, b->stream, b->mask);
    if (copies) {
        bench_add_sync(b, b->stream);
        bench_add_copy(b, b->label, ": copy out", GCAST_D2H, bytes);
    }
}

static void cpu_walk(exam_bench *b)
{
    examiner_note_once(b->x, EXAMINER_NOTE_CPU);
}

static void task_host(exam_bench *b)
{
    const exam_config *c = b->config;
    if (b->max_iterations != 1 && b->x->max_iterations != 1)
        node_fail(b->at, "a task_host can be simulated once only: max_iterations must be 1");
    if (c->sync_every_iteration)
        node_fail(b->at, "a task_host cannot take part in sync_every_iteration");
    if (c->depth == MAX_DEPTH)
        node_fail(b->at, "task_hosts nested more than %d deep", MAX_DEPTH);
    exam_config inner = {.x = b->x, .start_ns = b->release_ns, .process = b->process, .depth = c->depth + 1};
    if (b->x->doc.status == GCAST_OK)
        examiner_config(&inner, &b->info);
}

const exam_plugin examiner_plugins[] = {
    {"timer_spin", true, true, timer_spin},
    {"timer_spin_default_stream", true, true, timer_spin_default_stream},
    {"sharedmem_timer_spin", true, true, sharedmem_timer_spin},
    {"counter_spin", true, true, counted_steps},
    {"multikernel", false, false, multikernel},
    {"stream_action", false, false, stream_action},
    {"mandelbrot", true, false, mandelbrot},
    {"inorder_walk", true, true, counted_steps},
    {"random_walk", true, true, counted_steps},
    {"matrix_multiply", true, false, matrix_multiply},
    {"cpu_inorder_walk", false, false, cpu_walk},
    {"cpu_random_walk", false, false, cpu_walk},
    {"task_host", false, false, task_host},
    {NULL, false, false, NULL},
};
