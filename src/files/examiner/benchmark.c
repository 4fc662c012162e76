/* One benchmark of an examiner configuration: the keys that all have, then what
 * its plugin makes of them, then its iterations. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/examiner/examiner.h"
#include "model/workload/edit.h"

/* A number or an array of one to three; 0 is left to the plugin. (The examiner
 * itself reads [8, 16] as 8 x 8.) */
static void dimensions(const node *object, const char *key, uint32_t d[3])
{
    node n = node_key(object, key);
    bool array = json_is_array(n.value);
    size_t count = array ? json_array_size(n.value) : 1;
    d[0] = d[1] = d[2] = 1;
    if (count < 1 || count > 3)
        node_fail(&n, "must be a number or an array of one to three");
    for (size_t i = 0; i < count && i < 3; i++) {
        node item = array ? node_item(&n, i) : n;
        d[i] = (uint32_t)node_int(&item, 0, INT_MAX);
    }
}

/* In the GPU's range a priority makes a non-blocking stream; otherwise, and
 * without one, it is a plain cudaStreamCreate: blocking. */
static gcast_stream stream_traits(const examiner *x, const node *n)
{
    const int64_t none = -100;
    int64_t p = get_int_or(n, "stream_priority", INT_MIN, INT_MAX, none);
    bool in_range = p <= 0 && p > -x->priority_levels;
    return (gcast_stream){.priority = in_range ? (int)p : 0, .blocking = !in_range};
}

static void read_common(exam_bench *b)
{
    static const char *const keys[] = {"filename",
                                       "thread_count",
                                       "block_count",
                                       "data_size",
                                       "log_name",
                                       "label",
                                       "mps_thread_percentage",
                                       "additional_info",
                                       "max_iterations",
                                       "max_time",
                                       "release_time",
                                       "cpu_core",
                                       "stream_priority",
                                       "sm_mask",
                                       "terminator",
                                       NULL};
    const node *n = b->at;
    node_known(n, keys);
    dimensions(n, "thread_count", b->block);
    dimensions(n, "block_count", b->grid);
    b->data_size = get_int(n, "data_size", 0, INT64_MAX);
    b->max_iterations = get_int_or(n, "max_iterations", 0, INT64_MAX, b->config->max_iterations);
    b->max_ns = get_seconds_or(n, "max_time", b->config->max_ns);
    b->release_ns = get_seconds_or(n, "release_time", 0) + b->config->start_ns;
    if (b->release_ns > WORKLOAD_MAX_NS)
        node_fail(n, "released after 2^61 nanoseconds");
    b->traits = stream_traits(b->x, n);
    b->traits.process = b->process;
    b->mask = examiner_mask(b->x, n);
    get_text_or(n, "log_name", "");
    get_int_or(n, "cpu_core", -1, INT_MAX, -1);
    if (b->config->sync_every_iteration && node_key(n, "max_iterations").value)
        node_fail(n, "max_iterations cannot differ where sync_every_iteration is true");
    if (get_bool_or(n, "terminator", false))
        node_fail(n, "terminator is not supported");
    node mps = node_key(n, "mps_thread_percentage");
    double percent = json_number_value(mps.value);
    if (mps.value && !(percent > 0 && percent <= 100))
        node_fail(&mps, "must be more than 0 and at most 100");
    else if (mps.value)
        examiner_note_once(b->x, EXAMINER_NOTE_MPS);
}

static void check_dimensions(const exam_bench *b, const exam_plugin *p)
{
    node threads = node_key(b->at, "thread_count"), blocks = node_key(b->at, "block_count");
    const char *why = *p->name ? "" : ": nothing else says what it launches";
    if (p->threads && !(b->block[0] && b->block[1] && b->block[2]))
        node_fail(&threads, "%.100s needs threads%s", b->plugin, why);
    if (p->blocks && !(b->grid[0] && b->grid[1] && b->grid[2]))
        node_fail(&blocks, "%.100s needs blocks%s", b->plugin, why);
}

/* Its own, or one of the plugin and its place. */
static const char *label_of(exam_bench *b, size_t index)
{
    if (node_key(b->at, "label").value)
        return get_name(b->at, "label");
    size_t size = strlen(b->plugin) + 24;
    char *label = arena_alloc(&b->memory, size);
    if (!label) {
        node_fail_as(b->at, gcast_error_set_memory(b->x->doc.err));
        return "";
    }
    snprintf(label, size, "%s_%zu", b->plugin, index);
    return label;
}

static void read_benchmark(exam_bench *b, size_t index)
{
    const exam_plugin *p = examiner_plugin(b);
    if (!p)
        return;
    b->label = label_of(b, index);
    b->process = b->config->use_processes ? ++b->x->next_process : b->config->process;
    read_common(b);
    check_dimensions(b, p);
    if (b->x->doc.status == GCAST_OK)
        p->read(b);
    if (b->x->doc.status == GCAST_OK && b->ops.count)
        examiner_unroll(b);
}

void examiner_benchmark(const exam_config *c, const node *n, size_t index)
{
    if (!node_is_object(n))
        return;
    exam_bench b = {
        .x = c->x, .config = c, .at = n, .info = node_key(n, "additional_info"), .stream = -1, .end_stream = -1};
    read_benchmark(&b, index);
    vec_free(&b.ops);
    arena_free(&b.memory);
}

int examiner_mask(examiner *x, const node *object)
{
    node n = node_key(object, "sm_mask");
    if (!n.value)
        return GCAST_ALL_SMS;
    const char *text = node_text(&n), *digits = text + (*text == '~');
    char *end;
    errno = 0;
    uint64_t off = strtoull(digits, &end, 16);
    if (end == digits || *end || errno || strspn(digits, "0123456789abcdefABCDEFxX") != strlen(digits)) {
        node_fail(&n, "must be a hexadecimal number of 64 bits such as \"0xf0\" or \"~0xf\"");
        return GCAST_ALL_SMS;
    }
    if (*text == '~')
        off = ~off;
    if (off == 0)
        return GCAST_ALL_SMS;
    if (off == UINT64_MAX) {
        node_fail(&n, "leaves no TPC");
        return GCAST_ALL_SMS;
    }
    /* A set bit takes a TPC away, and libsmctrl takes away those from the 65th on. */
    gcast_mask mask = {{0}};
    for (int sm = 0; sm < 64 * x->sms_per_tpc && sm < GCAST_MAX_SMS; sm++)
        if (!(off >> sm / x->sms_per_tpc & 1))
            mask.word[sm / 64] |= (uint64_t)1 << sm % 64;
    int index = -1;
    node_fail_as(&n, gcast_workload_add_mask(x->w, &mask, &index, x->doc.err));
    return index;
}

int bench_stream(exam_bench *b)
{
    if (b->stream < 0) {
        b->traits.id = ++b->x->next_stream;
        b->traits.blocking_said = true;
        node_fail_as(b->at, gcast_workload_add_stream(b->x->w, &b->traits, &b->stream, b->x->doc.err));
    }
    return b->stream;
}

int bench_null_stream(exam_bench *b, const node *n)
{
    if (b->process != 0) {
        node_fail(n, "the NULL stream of a process among several is not supported");
        return -1;
    }
    int index = -1;
    node_fail_as(n, gcast_workload_get_stream(b->x->w, 0, &index, b->x->doc.err));
    return index;
}

uint32_t bench_one_dimension(const node *n, const char *key, const uint32_t d[3])
{
    node at = node_key(n, key);
    if (d[1] != 1 || d[2] != 1)
        node_fail(&at, "must be one-dimensional here");
    return d[0];
}

void bench_add(exam_bench *b, gcast_op op, const char *name, const char *suffix)
{
    size_t size = strlen(name) + strlen(suffix) + 1;
    char *label = arena_alloc(&b->memory, size);
    if (label)
        snprintf(label, size, "%s%s", name, suffix);
    op.label = label;
    if (b->x->doc.status == GCAST_OK && (!label || !vec_push(&b->ops, op)))
        node_fail_as(b->at, gcast_error_set_memory(b->x->doc.err));
}

void bench_add_kernel(exam_bench *b, const char *name, const uint32_t grid[3], const uint32_t block[3], int64_t ns,
                      int64_t shared_memory, int stream, int mask)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    memcpy(op.grid, grid, sizeof op.grid);
    memcpy(op.block, block, sizeof op.block);
    op.min_ns = op.max_ns = ns;
    op.shape.static_smem = shared_memory;
    op.body = GCAST_BODY_TIMER_SPIN;
    op.stream = stream;
    op.mask = mask;
    bench_add(b, op, name, "");
}

void bench_add_copy(exam_bench *b, const char *name, const char *suffix, gcast_direction direction, int64_t bytes)
{
    gcast_op op = gcast_op_default(GCAST_KIND_COPY);
    op.direction = direction;
    op.bytes = bytes;
    op.stream = bench_stream(b);
    bench_add(b, op, name, suffix);
}

void bench_add_sync(exam_bench *b, int stream)
{
    if (b->ops.count == 0 || b->ops.at[b->ops.count - 1].kind == GCAST_KIND_SYNC)
        return;
    gcast_op op = gcast_op_default(GCAST_KIND_SYNC);
    op.stream = stream;
    bench_add(b, op, b->label, ": sync");
}
