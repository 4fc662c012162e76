#include "profile/trace.h"

#include <stdlib.h>
#include <string.h>

#include "profile/trace_finish.h"

gcast_status prof_trace_create(const char *source, prof_trace **t, gcast_error *err)
{
    owned_trace *o = calloc(1, sizeof *o);
    *t = NULL;
    if (!o)
        return gcast_error_set_memory(err);
    o->trace.memory = o;
    o->trace.writer = "";
    o->trace.source = arena_strdup(&o->memory, source);
    if (!o->trace.source) {
        prof_trace_free(&o->trace);
        return gcast_error_set_memory(err);
    }
    *t = &o->trace;
    return GCAST_OK;
}

void prof_trace_free(prof_trace *t)
{
    if (!t)
        return;
    owned_trace *o = trace_owned(t);
    index_free(&o->texts);
    index_free(&o->thread_index);
    index_free(&o->stream_index);
    vec_free(&o->text_list);
    vec_free(&o->gpus);
    vec_free(&o->threads);
    vec_free(&o->streams);
    vec_free(&o->calls);
    vec_free(&o->ops);
    vec_free(&o->blocks);
    vec_free(&o->ranges);
    vec_free(&o->tolds);
    vec_free(&o->nodes);
    vec_free(&o->edges);
    findings_free(&o->findings);
    arena_free(&o->memory);
    free(o);
}

/* Is there no index left for one more entry? */
static bool is_full(size_t count)
{
    return count >= PROF_NONE - 1;
}

const char *prof_trace_text(prof_trace *t, const char *text, size_t size)
{
    owned_trace *o = trace_owned(t);
    uint64_t hash = index_hash(text, size);
    for (index_probe p = index_start(&o->texts, hash); index_next(&o->texts, &p);) {
        const char *known = o->text_list.at[p.value];
        if (strncmp(known, text, size) == 0 && known[size] == '\0')
            return known;
    }
    char *copy = is_full(o->text_list.count) ? NULL : arena_alloc(&o->memory, size + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, size);
    for (char *c = copy; (c = memchr(c, '\0', (size_t)(copy + size - c))) != NULL;)
        *c = '?'; /* a NUL from \u0000 would cut the text */
    if (!vec_push(&o->text_list, copy) || !index_add(&o->texts, hash, (uint32_t)(o->text_list.count - 1)))
        return NULL;
    return copy;
}

void prof_trace_set_writer(prof_trace *t, const char *writer)
{
    t->writer = writer;
}

void prof_trace_set_zero(prof_trace *t, int64_t zero_ns)
{
    t->zero_ns = zero_ns;
}

void prof_trace_set_one_process(prof_trace *t)
{
    trace_owned(t)->one_process = true;
}

bool prof_add_gpu(prof_trace *t, const prof_gpu *gpu)
{
    owned_trace *o = trace_owned(t);
    return vec_push(&o->gpus, *gpu);
}

bool prof_get_thread(prof_trace *t, int64_t pid, int64_t tid, uint32_t *index)
{
    owned_trace *o = trace_owned(t);
    const int64_t key[2] = {pid, tid};
    uint64_t hash = index_hash(key, sizeof key);
    for (index_probe p = index_start(&o->thread_index, hash); index_next(&o->thread_index, &p);) {
        *index = p.value;
        if (o->threads.at[p.value].pid == pid && o->threads.at[p.value].tid == tid)
            return true;
    }
    *index = (uint32_t)o->threads.count;
    prof_thread thread = {.pid = pid, .tid = tid};
    return !is_full(o->threads.count) && vec_push(&o->threads, thread) && index_add(&o->thread_index, hash, *index);
}

bool prof_name_thread(prof_trace *t, uint32_t thread, const char *name)
{
    owned_trace *o = trace_owned(t);
    o->threads.at[thread].name = name;
    return name != NULL;
}

bool prof_get_stream(prof_trace *t, const prof_stream *key, uint32_t *index)
{
    owned_trace *o = trace_owned(t);
    const int64_t numbers[4] = {key->device, key->pid, key->context, key->number};
    uint64_t hash = index_hash(numbers, sizeof numbers);
    for (index_probe p = index_start(&o->stream_index, hash); index_next(&o->stream_index, &p);) {
        const prof_stream *s = &o->streams.at[p.value];
        *index = p.value;
        if (s->device == key->device && s->pid == key->pid && s->context == key->context && s->number == key->number)
            return true;
    }
    *index = (uint32_t)o->streams.count;
    return !is_full(o->streams.count) && vec_push(&o->streams, *key) && index_add(&o->stream_index, hash, *index);
}

void prof_tell_stream(prof_trace *t, uint32_t stream, const prof_stream *told)
{
    prof_stream *s = &trace_owned(t)->streams.at[stream];
    if (told->kind != PROF_STREAM_UNKNOWN)
        s->kind = told->kind;
    if (told->priority_known) {
        s->priority_known = true;
        s->priority = told->priority;
    }
}

/* False: the entry is left out, with a finding, as it ends before it starts. *ok is false without memory. */
static bool is_forward(prof_trace *t, int64_t start_ns, int64_t end_ns, const char *name, bool *ok)
{
    *ok = end_ns >= start_ns || prof_find(t, "{record} with an end before the start: left out", name, 1);
    return end_ns >= start_ns;
}

bool prof_add_call(prof_trace *t, const prof_call *call)
{
    owned_trace *o = trace_owned(t);
    bool ok;
    prof_call c = *call;
    c.record = c.first_op = PROF_NONE;
    c.op_count = 0;
    if (!is_forward(t, c.start_ns, c.end_ns, c.name, &ok))
        return ok;
    return !is_full(o->calls.count) && vec_push(&o->calls, c);
}

bool prof_add_op(prof_trace *t, const prof_op *op)
{
    owned_trace *o = trace_owned(t);
    bool ok;
    prof_op x = *op;
    x.call = x.next_of_call = PROF_NONE;
    if (!is_forward(t, x.start_ns, x.end_ns, x.name, &ok))
        return ok;
    return !is_full(o->ops.count) && vec_push(&o->ops, x);
}

bool prof_add_block(prof_trace *t, const prof_block *block)
{
    owned_trace *o = trace_owned(t);
    bool ok;
    if (!is_forward(t, block->start_ns, block->end_ns, "a block", &ok))
        return ok;
    return !is_full(o->blocks.count) && vec_push(&o->blocks, *block);
}

bool prof_add_range(prof_trace *t, const prof_range *range)
{
    owned_trace *o = trace_owned(t);
    bool ok;
    if (!is_forward(t, range->start_ns, range->end_ns, range->name, &ok))
        return ok;
    return !is_full(o->ranges.count) && vec_push(&o->ranges, *range);
}

bool prof_add_node(prof_trace *t, const prof_node *node)
{
    owned_trace *o = trace_owned(t);
    return !is_full(o->nodes.count) && vec_push(&o->nodes, *node);
}

bool prof_add_edge(prof_trace *t, const prof_edge *edge)
{
    owned_trace *o = trace_owned(t);
    return !is_full(o->edges.count) && vec_push(&o->edges, *edge);
}

bool prof_tell_call(prof_trace *t, const prof_call_told *told)
{
    owned_trace *o = trace_owned(t);
    return vec_push(&o->tolds, *told);
}

bool prof_find(prof_trace *t, const char *text, const char *place, uint64_t count)
{
    prof_findings *f = &trace_owned(t)->findings;
    bool ok = findings_add(f, text, place, count);
    t->findings = f->list.at;
    t->finding_count = f->list.count;
    return ok;
}

prof_op prof_op_untold(gcast_kind kind)
{
    return (prof_op){.kind = kind,
                     .correlation = PROF_UNKNOWN,
                     .registers = PROF_UNKNOWN,
                     .static_smem = PROF_UNKNOWN,
                     .dynamic_smem = PROF_UNKNOWN,
                     .smem_executed = PROF_UNKNOWN,
                     .channel = PROF_UNKNOWN,
                     .graph = PROF_UNKNOWN,
                     .node = PROF_UNKNOWN,
                     .origin = PROF_UNKNOWN,
                     .bytes = PROF_UNKNOWN,
                     .direction = GCAST_DIRECTIONS};
}

static gcast_direction direction_of(int64_t cupti_kind)
{
    switch (cupti_kind) { /* CUpti_ActivityMemcpyKind: arrays are on the device */
    case 1:
    case 3:
        return GCAST_H2D;
    case 2:
    case 4:
        return GCAST_D2H;
    case 5:
    case 6:
    case 7:
    case 8:
    case 10:
        return GCAST_D2D;
    default:
        return GCAST_DIRECTIONS;
    }
}

void prof_set_copy(prof_op *op, int64_t cupti_kind)
{
    op->direction = direction_of(cupti_kind);
    op->is_between_hosts = cupti_kind == 9;
    op->is_peer = cupti_kind == 10;
}

size_t prof_devices(const prof_trace *t, int64_t *devices, size_t max)
{
    size_t count = 0;
    for (size_t i = 0; i < t->op_count; i++) {
        int64_t device = t->streams[t->ops[i].stream].device;
        size_t k = 0;
        while (k < count && k < max && devices[k] < device)
            k++;
        if ((k < count && k < max && devices[k] == device) || k == max)
            continue;
        for (size_t n = count < max ? count : max - 1; n > k; n--)
            devices[n] = devices[n - 1];
        devices[k] = device;
        count += count < max;
    }
    return count;
}

const prof_gpu *prof_gpu_of(const prof_trace *t, int64_t device)
{
    for (size_t i = 0; i < t->gpu_count; i++)
        if (t->gpus[i].device == device)
            return &t->gpus[i];
    return NULL;
}
