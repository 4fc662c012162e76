#include "report/run/hung_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "model/run_op.h"
#include "model/workload/attributes.h"
#include "model/workload/dependencies.h"
#include "model/workload/workload.h"

#define MAX_LINES 20 /* for terminals */

static void put_name(const gcast_run *run, size_t i, text *out)
{
    text_str(out, run_op(run, i)->label);
    if (run_op(run, i)->task != GCAST_ONCE)
        text_printf(out, "#%u", run->ops[i].job);
}

static void put_blocks(uint64_t count, text *out)
{
    text_printf(out, "%llu block%s", (unsigned long long)count, count == 1 ? "" : "s");
}

bool same_launch(const gcast_run *run, size_t a, size_t b)
{
    return run_op(run, a)->graph != GCAST_NO_GRAPH && run_op(run, a)->graph == run_op(run, b)->graph &&
           run->ops[a].job == run->ops[b].job;
}

/* A node that is never complete, of the graph launch of i; i itself where there is none. */
static size_t incomplete_node(const gcast_run *run, size_t i)
{
    for (size_t k = 0; k < run->hang->op_count; k++)
        if (same_launch(run, i, run->hang->ops[k].run_op))
            return run->hang->ops[k].run_op;
    return i;
}

/* The operation called before i, or before its graph launch, in its stream; SIZE_MAX: none. */
static size_t before_in_stream(const gcast_run *run, size_t i)
{
    size_t last = SIZE_MAX;
    while (i > 0 && same_launch(run, i, i - 1))
        i--;
    for (size_t k = 0; k < run->op_count; k++)
        if (!run->ops[k].skipped && gcast_kind_on_gpu(run_op(run, k)->kind) &&
            run_op(run, k)->stream == run_op(run, i)->stream && run->ops[k].launch < run->ops[i].launch &&
            (last == SIZE_MAX || run->ops[k].launch > run->ops[last].launch))
            last = k;
    return last == SIZE_MAX ? last : incomplete_node(run, last);
}

/* Names the dependencies of node i in its graph that are never complete: over any edge (any_port), or only over edges
 * that its blocks wait for. Returns how many were named. */
static size_t put_nodes(const gcast_run *run, size_t i, bool any_port, text *out)
{
    const gcast_op *op = run_op(run, i);
    size_t count = 0;
    for (size_t k = 0; k < op->after_count; k++) {
        size_t named = dependencies_operation(i, run->ops[i].op, op->after[k]);
        bool waits = any_port || (op->ports && op->ports[k] != GCAST_PORT_FULL);
        if (!waits || !same_launch(run, i, named) || run->ops[named].end_ns >= 0)
            continue;
        text_str(out, count++ ? " and " : "");
        put_name(run, named, out);
    }
    return count;
}

/* Do blocks of i that have started wait for nodes of its graph? They do if a direct or indirect dependency over edges
 * with ports is never complete. Edges with full ports do not matter: their nodes were complete before i started. */
static bool waits_for_nodes(const gcast_run *run, size_t i, text *out)
{
    size_t first = i;
    while (first > 0 && same_launch(run, first, first - 1))
        first--;
    bool *open = calloc(i - first + 1, sizeof *open);
    for (size_t x = first; x <= i && open; x++) {
        const gcast_op *op = run_op(run, x);
        open[x - first] = x < i && run->ops[x].end_ns < 0;
        for (size_t k = 0; k < op->after_count && op->ports; k++)
            if (op->ports[k] != GCAST_PORT_FULL)
                open[x - first] |= open[dependencies_operation(x, run->ops[x].op, op->after[k]) - first];
    }
    bool waits = open && open[i - first];
    if (!open)
        text_no_memory(out);
    free(open);
    return waits;
}

/* In a measured run nobody knows when an operation enters its engine's queue, nor who is in front of it. */
static bool is_measured(const gcast_run *run)
{
    return strcmp(run->source, "measured") == 0;
}

/* Writes what the blocks of i wait for. */
static void put_waits(const gcast_run *run, size_t i, text *out)
{
    const gcast_op *op = run_op(run, i);
    size_t before = op->programmatic ? before_in_stream(run, i) : SIZE_MAX;
    bool any = false;
    if (before != SIZE_MAX && run->ops[before].end_ns < 0) {
        text_str(out, "until ");
        put_name(run, before, out);
        text_str(out, " is complete");
        any = true;
    } else if (waits_for_nodes(run, i, out)) {
        text_str(out, "until ");
        if (!put_nodes(run, i, false, out))
            text_str(out, "what comes before it in its graph");
        text_str(out, " is complete");
        any = true;
    }
    for (size_t k = 0; k < op->waits_for_count; k++) {
        size_t named = dependencies_operation(i, run->ops[i].op, op->waits_for[k]);
        if (run->ops[named].dispatched_ns >= 0)
            continue;
        text_str(out, any ? " and all blocks of " : "until all blocks of ");
        put_name(run, named, out);
        text_str(out, " have started");
        any = true;
    }
}

/* The first kernel in front of i, of its level or a higher one, that has blocks left to start; SIZE_MAX: none. */
static size_t front_of(const gcast_run *run, size_t i)
{
    size_t front = SIZE_MAX;
    for (size_t k = 0; k < run->hang->op_count; k++) {
        size_t x = run->hang->ops[k].run_op;
        if (x == i || run->ops[x].enter_ns < 0 || !run->hang->ops[k].not_started)
            continue;
        int own = run_level(run, i), other = run_level(run, x);
        if ((other < own || (other == own && run->ops[x].entry < run->ops[i].entry)) &&
            (front == SIZE_MAX || other < run_level(run, front) ||
             (other == run_level(run, front) && run->ops[x].entry < run->ops[front].entry)))
            front = x;
    }
    return front;
}

/* Writes why the next block of i does not start. */
static void put_room(const gcast_run *run, size_t i, text *out)
{
    size_t front = front_of(run, i);
    bool any = false;
    if (front != SIZE_MAX) {
        text_str(out, "behind ");
        put_name(run, front, out);
        text_str(out, run_level(run, front) < run_level(run, i) ? ", which has a higher priority (rule A2)"
                                                                : ", which is first in the queue (rule X1)");
        return;
    }
    text_str(out, run_op(run, i)->cooperative              ? "they do not all fit at once"
                  : attributes_cluster(run_op(run, i)) > 1 ? "no GPC has room for a cluster"
                                                           : "no SM has room");
    for (size_t k = 0; k < run->hang->op_count; k++) {
        if (!run->hang->ops[k].resident)
            continue;
        text_str(out, any ? " and " : ", beside ");
        put_blocks(run->hang->ops[k].resident, out);
        text_str(out, " of ");
        put_name(run, run->hang->ops[k].run_op, out);
        any = true;
    }
}

/* Does i depend on nodes of its own graph launch? The first node depends only on operations outside. */
static bool waits_for_edges(const gcast_run *run, size_t i)
{
    return i > 0 && same_launch(run, i, i - 1) && run_op(run, i)->after_count;
}

/* Writes why i has not entered its engine's queue. */
static void put_queue(const gcast_run *run, size_t i, text *out)
{
    size_t before = before_in_stream(run, i);
    if (run->ops[i].head_ns < 0 && before != SIZE_MAX) {
        text_str(out, "behind ");
        put_name(run, before, out);
        text_str(out, " in its stream");
        return;
    }
    if (waits_for_edges(run, i)) {
        text_str(out, "after ");
        if (!put_nodes(run, i, true, out))
            text_str(out, "others");
        text_str(out, " in its graph");
        return;
    }
    text_str(out, "held up by the NULL stream, by an event or in its connection");
}

void hang_reason(const gcast_run *run, size_t place, text *out)
{
    const gcast_hung_op *hung = &run->hang->ops[place];
    size_t i = hung->run_op, before = before_in_stream(run, i);
    const gcast_run_op *r = &run->ops[i];
    bool is_behind = before != SIZE_MAX && run->ops[before].end_ns < 0;
    if (is_measured(run) ? is_behind && r->start_ns < 0 : r->enter_ns < 0) {
        put_queue(run, i, out);
        return;
    }
    if (hung->resident) {
        put_blocks(hung->resident, out);
        text_str(out, hung->resident == 1 ? " waits on its SM " : " wait on their SMs ");
        put_waits(run, i, out);
    }
    if (hung->not_started) {
        text_str(out, hung->resident ? "; " : "");
        put_blocks(hung->not_started, out);
        text_str(out, hung->not_started == 1 ? " has not started" : " have not started");
        if (!is_measured(run)) {
            text_str(out, ": ");
            put_room(run, i, out);
        }
    }
    if (!hung->resident && !hung->not_started && before != SIZE_MAX) {
        text_str(out, "its blocks have ended, but it is complete only after ");
        put_name(run, before, out);
    }
}

void hang_lines(const gcast_run *run, text *out)
{
    char time[40];
    units_format_time(run->hang->time_ns, time, sizeof time);
    text_printf(out, "the run hangs at %s: nothing happens after that\n", time);
    for (size_t k = 0; k < run->hang->op_count && k < MAX_LINES; k++) {
        text line;
        text_open(&line, NULL, NULL);
        put_name(run, run->hang->ops[k].run_op, &line);
        text_str(&line, ": ");
        hang_reason(run, k, &line);
        text_made(out, &line, text_terminal);
        text_char(out, '\n');
    }
    if (run->hang->op_count > MAX_LINES)
        text_printf(out, "%zu more operations are not complete; .json has all\n", run->hang->op_count - MAX_LINES);
}

#define HUNG_OP_FIELDS(FIELD, LINE)                                                                                    \
    FIELD(count, op, true, hung->run_op, "index in ops of the run")                                                    \
    FIELD(text, label, true, run_op(run, hung->run_op)->label, "name of the operation")                                \
    FIELD(count, job, true, run->ops[hung->run_op].job, "job of its task")                                             \
    FIELD(count, resident, true, hung->resident, "blocks that wait on SMs")                                            \
    FIELD(count, not_started, true, hung->not_started, "blocks that have not started")                                 \
    FIELD(made, why, true, &why, "what it waits for")

static void put_hung_op(json_out *j, const gcast_run *run, size_t place)
{
    const gcast_hung_op *hung = &run->hang->ops[place];
    text why;
    text_open(&why, NULL, NULL);
    hang_reason(run, place, &why);
    PUT_FIELDS(HUNG_OP_FIELDS);
}

static void put_hung_ops(json_out *j, const gcast_run *run)
{
    for (size_t k = 0; k < run->hang->op_count; k++) {
        json_line_at(j, 2);
        json_put_record(j, NULL, put_hung_op(j, run, k));
    }
}

#define HANG_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(ns, time_ns, true, run->hang->time_ns, "from then on nothing happens")                                       \
    FIELD(list, ops, true, put_hung_ops(j, run), "operations that never end; those never called are skipped in ops")

void hang_json(json_out *j, const gcast_run *run)
{
    PUT_FIELDS(HANG_FIELDS);
}

const field hang_fields[] = FIELDS(HANG_FIELDS), hung_op_fields[] = FIELDS(HUNG_OP_FIELDS);

void hang_html(const gcast_run *run, text *out)
{
    char time[40];
    units_format_time(run->hang->time_ns, time, sizeof time);
    text_printf(out, "<p>The run hangs at %s: nothing happens after that.</p>\n<ul>\n", time);
    for (size_t k = 0; k < run->hang->op_count && k < MAX_LINES; k++) {
        text why;
        text_str(out, "<li>");
        text_xml(out, run_op(run, run->hang->ops[k].run_op)->label);
        text_str(out, ": ");
        text_open(&why, NULL, NULL);
        hang_reason(run, k, &why);
        text_made(out, &why, text_xml);
        text_str(out, "</li>\n");
    }
    text_str(out, "</ul>\n");
}

/* The hung operations are listed by index. */
bool never_ends(const gcast_run *run, size_t i)
{
    size_t low = 0, high = run->hang ? run->hang->op_count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (run->hang->ops[middle].run_op < i)
            low = middle + 1;
        else
            high = middle;
    }
    return run->hang && low < run->hang->op_count && run->hang->ops[low].run_op == i;
}

bool shown_run_make(const gcast_run *run, bool drawn, gcast_run *copy)
{
    size_t count = run_total(run);
    gcast_run_op *ops = malloc((count + 1) * sizeof *ops);
    if (!ops)
        return false;
    memcpy(ops, run->ops, count * sizeof *ops);
    *copy = *run;
    copy->ops = ops;
    for (size_t k = 0; k < run->hang->op_count; k++) {
        const gcast_hung_op *hung = &run->hang->ops[k];
        gcast_run_op *r = &ops[hung->run_op];
        r->block_count -= hung->not_started;
        if (drawn && r->start_ns < 0)
            r->skipped = true;
        else if (drawn)
            r->end_ns = run->hang->time_ns;
        if (drawn && r->dispatched_ns < 0)
            r->dispatched_ns = r->end_ns;
    }
    return true;
}

void shown_run_free(gcast_run *copy)
{
    free((gcast_run_op *)copy->ops);
}
