#include "files/examiner/plugins/actions.h"

#include <limits.h>
#include <string.h>

#include "files/examiner/read/bench_ops.h"
#include "files/examiner/read/config_notes.h"
#include "files/examiner/read/values.h"

/* An action while it is read. */
typedef struct action {
    exam_bench *b;   /* its benchmark */
    const node *at;  /* its object */
    node parameters; /* may be missing */
    bool null;       /* the benchmark uses the NULL stream */
    gcast_op op;     /* what it becomes */
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

void examiner_read_stream_action(exam_bench *b)
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
