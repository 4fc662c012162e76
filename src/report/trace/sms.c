#include "report/trace/sms.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/vec.h"
#include "model/run_children.h"
#include "model/run_op.h"
#include "report/hang/never_ends.h"
#include "report/run/packing.h"
#include "report/run/sm_index.h"
#include "report/trace/op_slice.h"

#define MAX_LAUNCH_ARROWS 20000 /* children, of which more would be too many arrows */

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

/* Which child it is and who launched it, or that it is the rest of a block. */
static void write_origin(chrome *c, size_t i)
{
    const gcast_child *child = run_child(c->run, i);
    size_t parent = child->parent;
    text *out = c->events.out;
    if (child->is_rest) {
        text_str(out, ", \"rest\": true");
        i = parent;
    }
    if (i < c->run->op_count)
        return;
    child = run_child(c->run, i);
    text_str(out, ", \"child\": ");
    text_uint(out, c->run->ops[i].job);
    text_str(out, ", \"items\": ");
    text_uint(out, child->items);
    text_str(out, ", \"parent\": ");
    chrome_label(&c->events, run_op(c->run, child->parent)->label);
    if (child->parent >= c->run->op_count) {
        text_str(out, ", \"parent_child\": ");
        text_uint(out, c->run->ops[child->parent].job);
    }
    text_str(out, ", \"parent_block\": ");
    text_uint(out, child->parent_block);
}

static int by_parent_block(const void *a, const void *b)
{
    const chrome_launch *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* The launches of which both ends are shown: the block that launches, and the first block of the child. */
static bool collect_launches(chrome *c)
{
    const gcast_run *run = c->run;
    const view *v = &c->shown;
    if (!run->blocks_recorded || run->child_count > MAX_LAUNCH_ARROWS)
        return true;
    for (size_t i = run->op_count; i < run_total(run); i++) {
        const gcast_child *child = run_child(run, i);
        if (child->is_rest || c->first_block[i] == CHROME_NO_BLOCK)
            continue;
        const gcast_block *b = &run->ops[child->parent].blocks[child->parent_block];
        bool is_shown = (int)b->sm >= v->first_sm && (int)b->sm <= v->last_sm && view_holds(v, b->start_ns, b->end_ns);
        if (is_shown && !vec_push(&c->launches, ((chrome_launch){child->parent, child->parent_block, (uint32_t)i})))
            return false;
    }
    if (c->launches.count)
        qsort(c->launches.at, c->launches.count, sizeof *c->launches.at, by_parent_block);
    return true;
}

/* The first launch that is not before that of operation `op` by this block. */
static size_t find_launch(const chrome *c, chrome_launch wanted)
{
    size_t lo = 0, hi = c->launches.count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (by_parent_block(&c->launches.at[mid], &wanted) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Arrows from a block to the children that it launched, and to it where it is the first of a child. */
static void write_launch_arrows(chrome *c, const span *s, chrome_track at)
{
    const gcast_child *child = run_child(c->run, s->op);
    if (c->launches.count == 0 || run_is_rest(c->run, s->op))
        return;
    for (size_t k = find_launch(c, (chrome_launch){s->op, (uint32_t)s->block, 0});
         k < c->launches.count && c->launches.at[k].parent == s->op && c->launches.at[k].block == s->block; k++) {
        uint32_t launched = c->launches.at[k].op;
        chrome_flow(&c->events, true, (uint64_t)launched + 1, at, c->run->ops[launched].call_ns);
    }
    if (!child || c->first_block[s->op] != s->block)
        return;
    size_t own = find_launch(c, (chrome_launch){child->parent, child->parent_block, s->op});
    if (own < c->launches.count && c->launches.at[own].op == s->op)
        chrome_flow(&c->events, false, (uint64_t)s->op + 1, at, s->start);
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
    if (s->op >= c->run->op_count)
        write_origin(c, s->op);
    else if (op->task >= 0) {
        text_str(out, ", \"job\": ");
        text_uint(out, o->job);
    }
    if (op->stream >= 0 && s->op < c->run->op_count) {
        text_str(out, ", \"stream\": ");
        text_int(out, c->run->workload->streams[op->stream].id);
    }
    text_str(out, ", \"threads\": ");
    text_int(out, op->shape.threads);
    text_str(out, ", \"registers\": ");
    text_int(out, op->shape.registers);
    text_str(out, ", \"smem\": ");
    text_int(out, op->shape.static_smem + op->shape.dynamic_smem);
    if (never_ends(c->run, s->op) && s->end == c->run->hang->time_ns)
        text_str(out, ", \"never_ends\": true");
    chrome_slice_end(&c->events);
    if (s->op < c->run->op_count && c->first_block[s->op] == s->block)
        chrome_arrow(c, s->op, false, at, s->start);
    write_launch_arrows(c, s, at);
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
    if (!collect_launches(c))
        status = gcast_error_set_memory(err);
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
