#include "files/examiner/plugins/plugins.h"

#include <limits.h>

#include "base/checked.h"
#include "base/minmax.h"
#include "files/examiner/plugins/actions.h"
#include "files/examiner/plugins/multikernel.h"
#include "files/examiner/read/bench_ops.h"
#include "files/examiner/read/config.h"
#include "files/examiner/read/config_notes.h"
#include "files/examiner/read/values.h"

#define DEFAULT_SPIN_NS 10000000
#define MAX_DEPTH 8 /* of nested task_hosts */

/* One kernel with the benchmark's own dimensions. */
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

/* counter_spin, inorder_walk, random_walk: a number of steps, whose time is not known. */
static void counted_steps(exam_bench *b)
{
    if (b->info.value)
        node_int(&b->info, 0, INT64_MAX);
    one_kernel(b, GCAST_UNKNOWN_NS, 0);
}

/* Rounded down. */
static int64_t square_root(int64_t n)
{
    int64_t lo = 0, hi = 3037000499; /* the largest whose square fits */
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
    {"multikernel", false, false, examiner_read_multikernel},
    {"stream_action", false, false, examiner_read_stream_action},
    {"mandelbrot", true, false, mandelbrot},
    {"inorder_walk", true, true, counted_steps},
    {"random_walk", true, true, counted_steps},
    {"matrix_multiply", true, false, matrix_multiply},
    {"cpu_inorder_walk", false, false, cpu_walk},
    {"cpu_random_walk", false, false, cpu_walk},
    {"task_host", false, false, task_host},
    {NULL, false, false, NULL},
};
