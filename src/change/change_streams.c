/* Changes of streams: merging, splitting, moving ops to new streams, priority, and blocking. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/integers.h"
#include "change/change_parts.h"
#include "model/gpu.h"
#include "model/workload/workload.h"

static gcast_status find_stream(const gcast_workload *w, int64_t id, int *stream, gcast_error *err)
{
    *stream = id <= INT_MAX ? workload_find_stream(w, (int)id) : -1;
    return *stream >= 0 ? GCAST_OK : gcast_error_set(err, GCAST_USAGE, NULL, "there is no stream %lld", (long long)id);
}

/* The stream of the first op on the GPU; -1: there is none. */
static int first_stream(const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (gcast_kind_on_gpu(w->ops[i].kind))
            return w->ops[i].stream;
    return -1;
}

/* The host saves the time that it takes to handle events. */
static void save_event_pause(gcast_workload *w, size_t i)
{
    gcast_op op = w->ops[i];
    op.delay_ns -= op.event_pause_ns;
    op.event_pause_ns = 0;
    workload_put_op(w, i, &op);
}

/* Moves the ops and waits of stream `from`, or of all streams (-1), to stream `to`, where hosts handle no events. */
static gcast_status merge(gcast_workload *w, int to, int from, gcast_error *err)
{
    for (size_t i = 0; i < w->op_count; i++) {
        int stream = w->ops[i].stream;
        if (stream >= 0 && (from < 0 || stream == from))
            save_event_pause(w, i);
        if (stream < 0 || stream == to || (from >= 0 && stream != from))
            continue;
        if (w->streams[stream].process != w->streams[to].process)
            return gcast_error_set(err, GCAST_INPUT, NULL, "streams of several processes cannot be one");
        workload_move_op(w, i, to);
    }
    return GCAST_OK;
}

static gcast_status merge_streams(gcast_workload *w, const change *c, gcast_error *err)
{
    int to = first_stream(w), from = -1;
    gcast_status status = GCAST_OK;
    if (c->value != CHANGE_ALL)
        status = find_stream(w, c->value, &to, err);
    if (status == GCAST_OK && c->value != CHANGE_ALL)
        status = find_stream(w, c->other, &from, err);
    if (status != GCAST_OK || to < 0)
        return status;
    if (from == to)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a stream cannot be merged with itself");
    return merge(w, to, from, err);
}

/* The stream of a group of ops. */
typedef struct placed {
    size_t op;    /* first of the group */
    int from, to; /* the stream that its ops were in, and the one that they are in now */
} placed;

typedef struct split_state {
    gcast_workload *w;
    const change *c;
    int *old_stream;    /* by op: the stream that it was in */
    size_t *turn;       /* by op: 0 or 1, for split=N */
    bool *is_split;     /* by old stream: ops have left it */
    bool *has_group;    /* by old stream: it has a group */
    int last_id;        /* the largest id of all streams */
    VEC(placed) groups; /* so far; where each op is a group, only the first of each stream */
    hash_index by_key;  /* indices of groups */
} split_state;

static gcast_status add_stream_like(split_state *s, int like, int *stream, gcast_error *err)
{
    if (s->last_id == INT_MAX)
        return gcast_error_set(err, GCAST_INPUT, NULL, "there is no further stream");
    gcast_stream added = workload_stream_like(s->w, like, ++s->last_id);
    return gcast_workload_add_stream(s->w, &added, stream, err);
}

/* Do two ops of one stream stay together? Ops of a task do. */
static bool same_group(const split_state *s, size_t a, size_t b)
{
    const gcast_op *x = &s->w->ops[a], *y = &s->w->ops[b];
    if (x->task != GCAST_ONCE || y->task != GCAST_ONCE)
        return x->task == y->task;
    size_t length = workload_label_stem(x->label);
    switch (s->c->value) {
    case CHANGE_LABELS:
        return length == workload_label_stem(y->label) && strncmp(x->label, y->label, length) == 0;
    case CHANGE_HOSTS:
        return x->host == y->host;
    case CHANGE_ALL:
        return false;
    default:
        return s->turn[a] == s->turn[b];
    }
}

/* Equal for ops of one group. */
static uint64_t group_hash(const split_state *s, size_t op)
{
    const gcast_op *o = &s->w->ops[op];
    uint64_t key[3] = {(uint64_t)s->old_stream[op], o->task, 0};
    if (o->task == GCAST_ONCE && s->c->value == CHANGE_LABELS)
        key[2] = index_hash(o->label, workload_label_stem(o->label));
    else if (o->task == GCAST_ONCE)
        key[2] = s->c->value == CHANGE_HOSTS ? (uint64_t)o->host : s->c->value == CHANGE_ALL ? op : s->turn[op];
    return index_hash(key, sizeof key);
}

/* The stream of the op's group: the first group of a stream stays, each other one gets a new stream. */
static gcast_status stream_of_group(split_state *s, size_t op, int *to, gcast_error *err)
{
    int from = s->old_stream[op];
    bool is_first = !s->has_group[from];
    uint64_t hash = group_hash(s, op);
    for (index_probe p = index_start(&s->by_key, hash); index_next(&s->by_key, &p);)
        if (s->groups.at[p.value].from == from && same_group(s, s->groups.at[p.value].op, op)) {
            *to = s->groups.at[p.value].to;
            return GCAST_OK;
        }
    *to = from;
    s->has_group[from] = true;
    gcast_status status = is_first ? GCAST_OK : add_stream_like(s, from, to, err);
    bool keep = is_first || s->c->value != CHANGE_ALL || s->w->ops[op].task != GCAST_ONCE;
    if (status == GCAST_OK && keep &&
        (!index_add(&s->by_key, hash, (uint32_t)s->groups.count) || !vec_push(&s->groups, ((placed){op, from, *to}))))
        status = gcast_error_set_memory(err);
    return status;
}

static bool is_next_node(const gcast_workload *w, size_t i)
{
    return i > 0 && w->ops[i].graph != GCAST_NO_GRAPH && w->ops[i - 1].graph == w->ops[i].graph;
}

/* Waits for a stream that was split become waits for the device. */
static void widen_waits(split_state *s)
{
    for (size_t i = 0; i < s->w->op_count; i++)
        if (gcast_kind_on_gpu(s->w->ops[i].kind) && s->w->ops[i].stream != s->old_stream[i])
            s->is_split[s->old_stream[i]] = true;
    for (size_t i = 0; i < s->w->op_count; i++) {
        gcast_op op = s->w->ops[i];
        if (op.kind == GCAST_KIND_SYNC && op.stream >= 0 && s->is_split[op.stream])
            op.stream = -1;
        workload_put_op(s->w, i, &op);
    }
}

static gcast_status split_ops(split_state *s, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < s->w->op_count && status == GCAST_OK; i++) {
        gcast_op op = s->w->ops[i];
        if (!gcast_kind_on_gpu(op.kind))
            continue;
        if (is_next_node(s->w, i))
            op.stream = s->w->ops[i - 1].stream;
        else
            status = stream_of_group(s, i, &op.stream, err);
        workload_put_op(s->w, i, &op);
    }
    if (status == GCAST_OK)
        widen_waits(s);
    return status;
}

/* For split=N: which of two streams each op is for. */
static void count_turns(split_state *s, size_t *count)
{
    for (size_t i = 0; i < s->w->op_count; i++) {
        if (!gcast_kind_on_gpu(s->w->ops[i].kind))
            continue;
        if (!is_next_node(s->w, i))
            count[s->old_stream[i]]++;
        s->turn[i] = s->c->value > 0 ? (count[s->old_stream[i]] - 1) / (size_t)s->c->value % 2 : 0;
    }
}

static gcast_status with_split(gcast_workload *w, const change *c, gcast_status (*apply)(split_state *, gcast_error *),
                               gcast_error *err)
{
    split_state s = {.w = w, .c = c};
    size_t *count = calloc(w->stream_count + 1, sizeof *count);
    s.old_stream = malloc((w->op_count + 1) * sizeof *s.old_stream);
    s.turn = calloc(w->op_count + 1, sizeof *s.turn);
    s.is_split = calloc(w->stream_count + 1, sizeof *s.is_split);
    s.has_group = calloc(w->stream_count + 1, sizeof *s.has_group);
    for (size_t i = 0; i < w->stream_count; i++)
        s.last_id = max_int(w->streams[i].id, s.last_id);
    gcast_status status = GCAST_OK;
    if (!count || !s.old_stream || !s.turn || !s.is_split || !s.has_group) {
        status = gcast_error_set_memory(err);
    } else {
        for (size_t i = 0; i < w->op_count; i++)
            s.old_stream[i] = w->ops[i].stream;
        count_turns(&s, count);
        status = apply(&s, err);
    }
    free(count);
    free(s.old_stream);
    free(s.turn);
    free(s.is_split);
    free(s.has_group);
    index_free(&s.by_key);
    vec_free(&s.groups);
    return status;
}

/* Moves all ops with a label: from each of their streams to a new one. */
static gcast_status move_ops(split_state *s, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    bool found = false;
    for (size_t i = 0; i < s->w->op_count && status == GCAST_OK; i++) {
        gcast_op op = s->w->ops[i];
        if (!gcast_kind_on_gpu(op.kind) || !change_names(s->c, &op))
            continue;
        if (op.graph != GCAST_NO_GRAPH)
            return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s is a node of a graph, whose stream it has",
                                   op.label);
        found = true;
        size_t k = 0;
        while (k < s->groups.count && s->groups.at[k].from != s->old_stream[i])
            k++;
        if (k < s->groups.count) {
            op.stream = s->groups.at[k].to;
        } else {
            status = add_stream_like(s, s->old_stream[i], &op.stream, err);
            if (status == GCAST_OK && !vec_push(&s->groups, ((placed){i, s->old_stream[i], op.stream})))
                status = gcast_error_set_memory(err);
        }
        workload_put_op(s->w, i, &op);
    }
    if (status == GCAST_OK && !found)
        return gcast_error_set(err, GCAST_USAGE, NULL, "no kernel, copy or memset has the label %.100s", s->c->name);
    if (status == GCAST_OK)
        widen_waits(s);
    return status;
}

/* Moves an op, or the ops of its task in its stream, to a new one. */
static gcast_status move_op(split_state *s, gcast_error *err)
{
    size_t op = s->c->at;
    int stream;
    if (s->w->ops[op].launches) /* its children have the stream that it had */
        return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s launches kernels", s->w->ops[op].label);
    gcast_status status = add_stream_like(s, s->old_stream[op], &stream, err);
    if (status != GCAST_OK)
        return status;
    workload_move_op(s->w, op, stream);
    widen_waits(s);
    return GCAST_OK;
}

/* Changes of the stream that an op is in. */
static gcast_status change_stream_of(gcast_workload *w, const change *c, gcast_error *err)
{
    size_t stream = (size_t)w->ops[c->at].stream;
    if (c->kind == CHANGE_OWN_STREAM)
        return with_split(w, c, move_op, err);
    if (c->kind == CHANGE_LEVEL)
        workload_set_priority(w, stream, (int)c->value);
    else
        workload_set_blocking(w, stream, false);
    return GCAST_OK;
}

gcast_status change_streams(variant *v, const change *c, gcast_error *err)
{
    int stream;
    if (c->kind >= CHANGE_WRITTEN_KINDS)
        return change_stream_of(v->w, c, err);
    if (c->kind == CHANGE_MERGE)
        return merge_streams(v->w, c, err);
    if (c->kind == CHANGE_SPLIT && c->value == 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a stream is split every 1 or more operations");
    if (c->kind == CHANGE_SPLIT)
        return with_split(v->w, c, split_ops, err);
    if (c->kind == CHANGE_MOVE)
        return with_split(v->w, c, move_ops, err);
    gcast_status status = find_stream(v->w, c->value, &stream, err);
    if (status == GCAST_OK && v->gpu->priority_levels < 2)
        return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s has no priorities", v->gpu->name);
    if (status == GCAST_OK)
        workload_set_priority(v->w, (size_t)stream, highest_priority(v->gpu));
    return status;
}
