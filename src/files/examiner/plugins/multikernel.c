#include "files/examiner/plugins/multikernel.h"

#include <limits.h>

#include "files/examiner/read/bench_ops.h"
#include "files/examiner/read/config_notes.h"
#include "files/examiner/read/values.h"

static void read_kernel(exam_bench *b, const node *n)
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

void examiner_read_multikernel(exam_bench *b)
{
    size_t count = node_count(&b->info);
    if (count == 0)
        node_fail(&b->info, "must have at least one kernel");
    /* each kernel sets a mask, which replaces that of the stream */
    if (b->mask != GCAST_ALL_SMS)
        examiner_note_once(b->x, EXAMINER_NOTE_MASK);
    b->end_stream = bench_stream(b);
    for (size_t i = 0; i < count && b->x->doc.status == GCAST_OK; i++) {
        node n = node_item(&b->info, i);
        read_kernel(b, &n);
    }
}
