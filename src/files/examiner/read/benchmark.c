#include "files/examiner/read/benchmark.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "files/examiner/plugins/plugin.h"
#include "files/examiner/read/config_notes.h"
#include "files/examiner/read/unroll.h"
#include "files/examiner/read/values.h"
#include "model/workload/edit.h"

/* A number or an array of one to three. 0 is allowed here: not every plugin needs it. (The examiner itself reads [8,
 * 16] as 8 x 8.) */
static void read_dimensions(const node *object, const char *key, uint32_t d[3])
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

/* A priority in the GPU's range makes a non-blocking stream. Otherwise, and without one, the examiner calls
 * cudaStreamCreate, which makes a blocking stream. */
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
    read_dimensions(n, "thread_count", b->block);
    read_dimensions(n, "block_count", b->grid);
    b->data_size = get_int(n, "data_size", 0, INT64_MAX);
    b->max_iterations = get_int_or(n, "max_iterations", 0, INT64_MAX, b->config->max_iterations);
    b->max_ns = get_seconds_or(n, "max_time", b->config->max_ns);
    b->release_ns = get_seconds_or(n, "release_time", 0) + b->config->start_ns;
    if (b->release_ns > WORKLOAD_MAX_NS)
        node_fail(n, "released after 2^61 nanoseconds");
    b->traits = stream_traits(b->x, n);
    b->traits.process = b->process;
    b->mask = examiner_mask(b->x, n);
    b->log_name = get_text_or(n, "log_name", NULL);
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

/* Its own label, or one made of the plugin and its place. */
static const char *label_of(exam_bench *b)
{
    if (node_key(b->at, "label").value)
        return get_name(b->at, "label");
    size_t size = strlen(b->plugin) + 24;
    char *label = arena_alloc(&b->memory, size);
    if (!label) {
        node_fail_as(b->at, gcast_error_set_memory(b->x->doc.err));
        return "";
    }
    snprintf(label, size, "%s_%zu", b->plugin, b->place);
    return label;
}

static void read_benchmark(exam_bench *b)
{
    const exam_plugin *p = examiner_plugin(b);
    if (!p)
        return;
    b->label = label_of(b);
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
    exam_bench b = {.x = c->x,
                    .config = c,
                    .at = n,
                    .info = node_key(n, "additional_info"),
                    .place = index,
                    .stream = -1,
                    .end_stream = -1};
    read_benchmark(&b);
    vec_free(&b.ops);
    arena_free(&b.memory);
}
