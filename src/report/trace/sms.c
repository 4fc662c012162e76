#include "report/trace/sms.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/vec.h"
#include "model/run_op.h"
#include "report/run/packing.h"
#include "report/run/sm_index.h"
#include "report/trace/op_slice.h"

/* When threads in use become more or less. */
typedef struct change {
    int64_t ns;      /* when */
    int64_t threads; /* by how many; below 0: less */
} change;

typedef VEC(change) change_list;

static int by_time(const void *a, const void *b)
{
    const change *x = a, *y = b;
    return x->ns < y->ns ? -1 : x->ns > y->ns;
}

static bool count_threads(chrome *c, int pid, const span_list *spans, change_list *changes)
{
    changes->count = 0;
    if (!vec_reserve(changes, 2 * spans->count))
        return false;
    for (size_t i = 0; i < spans->count; i++) {
        int64_t threads = run_op(c->run, spans->at[i].op)->shape.threads;
        changes->at[changes->count++] = (change){spans->at[i].start, threads};
        changes->at[changes->count++] = (change){spans->at[i].end, -threads};
    }
    if (changes->count)
        qsort(changes->at, changes->count, sizeof *changes->at, by_time);
    int64_t in_use = 0;
    for (size_t i = 0; i < changes->count; i++) {
        in_use += changes->at[i].threads;
        if (i + 1 == changes->count || changes->at[i + 1].ns != changes->at[i].ns)
            chrome_counter(&c->events, pid, "threads", changes->at[i].ns, in_use);
    }
    return true;
}

static void write_block(chrome *c, int pid, const span *s)
{
    const gcast_run_op *o = &c->run->ops[s->op];
    const gcast_op *op = run_op(c->run, s->op);
    chrome_track at = {pid, s->place + 1};
    text *out = c->events.out;
    chrome_slice(&c->events, c->head[o->op], at, s->start, s->end);
    text_str(out, "\"block\": ");
    text_uint(out, s->block);
    if (op->task >= 0) {
        text_str(out, ", \"job\": ");
        text_uint(out, o->job);
    }
    if (op->stream >= 0) {
        text_str(out, ", \"stream\": ");
        text_int(out, c->run->workload->streams[op->stream].id);
    }
    text_str(out, ", \"threads\": ");
    text_int(out, op->shape.threads);
    text_str(out, ", \"registers\": ");
    text_int(out, op->shape.registers);
    text_str(out, ", \"smem\": ");
    text_int(out, op->shape.static_smem + op->shape.dynamic_smem);
    chrome_slice_end(&c->events);
    if (c->first_block[s->op] == s->block)
        chrome_arrow(c, s->op, false, at, s->start);
}

/* The earliest block shown of each operation; of several, the one with the lowest number. */
static void find_first_blocks(chrome *c, const sm_index *index)
{
    size_t count = index->first[c->shown.last_sm - c->shown.first_sm + 1];
    for (size_t i = 0; i < count; i++) {
        sm_entry e = index->entries[i];
        shown_blocks blocks = shown_blocks_of(&c->run->ops[e.op]);
        int64_t start = blocks.at[e.at].start_ns, *earliest = &c->first_start[e.op];
        uint64_t block = shown_block_index(&blocks, e.at), *first = &c->first_block[e.op];
        if (*first != CHROME_NO_BLOCK && (start > *earliest || (start == *earliest && block > *first)))
            continue;
        *first = block;
        *earliest = start;
    }
}

gcast_status chrome_sms(chrome *c, gcast_error *err)
{
    sm_index index;
    span_list spans = {0};
    change_list changes = {0};
    gcast_status status = sm_index_create(&index, c->run, &c->shown, err);
    if (status)
        return status;
    int digits = snprintf(NULL, 0, "%d", c->run->gpu->sms - 1);
    find_first_blocks(c, &index);
    for (int sm = c->shown.first_sm; !status && sm <= c->shown.last_sm; sm++) {
        char name[32];
        uint32_t lanes;
        int pid = sm + 1;
        if (!sm_index_spans(&index, sm, &spans) || !lanes_colour(spans.at, spans.count, &lanes)) {
            status = gcast_error_set_memory(err);
            break;
        }
        snprintf(name, sizeof name, "SM %0*d", digits, sm);
        chrome_process(&c->events, pid, name, CHROME_ENGINES + 1 + sm);
        for (uint32_t lane = 0; lane < lanes; lane++) {
            snprintf(name, sizeof name, "lane %u", lane + 1);
            chrome_thread(&c->events, (chrome_track){pid, lane + 1}, name);
        }
        for (size_t i = 0; i < spans.count; i++)
            write_block(c, pid, &spans.at[i]);
        if (!count_threads(c, pid, &spans, &changes))
            status = gcast_error_set_memory(err);
    }
    vec_free(&spans);
    vec_free(&changes);
    sm_index_free(&index);
    return status;
}
