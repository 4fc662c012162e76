/* What holds of every trace, and of every workload that is made of one. */
#ifndef FUZZ_PROFILE_CHECK_H
#define FUZZ_PROFILE_CHECK_H

#include <stdlib.h>
#include <string.h>

#include "gridcast/gridcast.h"
#include "profile/make/prof_make.h"
#include "profile/replay.h"
#include "profile/trace.h"

static void check(bool good)
{
    if (!good)
        abort();
}

static void check_error(gcast_status status, const gcast_error *err)
{
    check((status == GCAST_INPUT || status == GCAST_RESOURCE) && err->message[0] && !strchr(err->message, '\n'));
}

/* Nodes and edges are sorted, each is there once, and operations lead to what their nodes are clones of. */
static void check_graphs(const prof_trace *t)
{
    for (size_t i = 1; i < t->node_count; i++) {
        const prof_node *a = &t->nodes[i - 1], *b = &t->nodes[i];
        check(a->pid < b->pid || (a->pid == b->pid && a->number < b->number));
    }
    for (size_t i = 1; i < t->edge_count; i++) {
        const prof_edge *a = &t->edges[i - 1], *b = &t->edges[i];
        bool later = a->node != b->node ? a->node < b->node : a->before < b->before;
        check(a->pid < b->pid || (a->pid == b->pid && later));
        check(b->port < GCAST_PORTS);
    }
}

static void check_trace(const prof_trace *t)
{
    for (size_t i = 0; i < t->op_count; i++) {
        const prof_op *op = &t->ops[i];
        check(op->stream < t->stream_count && op->end_ns >= op->start_ns && op->name);
        check(op->call == PROF_NONE || op->call < t->call_count);
        check(op->next_of_call == PROF_NONE || op->next_of_call < t->op_count);
        check(!i || t->ops[i - 1].start_ns <= op->start_ns);
    }
    check_graphs(t);
    for (size_t i = 0; i < t->call_count; i++) {
        const prof_call *c = &t->calls[i];
        check(c->thread < t->thread_count && c->name && c->kind < PROF_CALL_KINDS);
        check(c->first_op == PROF_NONE || (c->first_op < t->op_count && t->ops[c->first_op].call == i));
        check(c->record == PROF_NONE || c->record < t->call_count);
        check(c->stream == PROF_NONE || c->stream < t->stream_count);
    }
}

/* A recording that is compared with itself has no errors. */
static void check_replay(const prof_trace *t, const prof_made *made)
{
    gcast_error err;
    prof_replay r;
    check(prof_replay_compare(t, made, made->run, &r, &err) == GCAST_OK);
    check(r.recorded_ns == r.replayed_ns && r.op_count == made->run->op_count && !r.slowed);
    uint64_t launches = 0;
    for (size_t i = 0; i < r.name_count; i++) {
        launches += r.names[i].launches;
        check(!r.names[i].start.largest_ns && !r.names[i].end.largest_ns && !r.names[i].duration.median_ns);
    }
    for (size_t i = 0; i < r.late_count; i++)
        check(r.late[i].cause == REPLAY_HELD && r.late[i].error_ns < 0);
    check(launches == r.op_count);
    prof_replay_free(&r);
}

/* Makes workloads of it: they are valid, and the recorded one has every operation in its time. */
static void check_made(const prof_trace *t)
{
    gcast_gpu *gpu;
    gcast_error err;
    int64_t devices[4];
    prof_made made;
    prof_make_options options = prof_make_options_default();
    check(gcast_gpu_preset("h200", &gpu, &err) == GCAST_OK);
    options.gpu = gpu;
    options.durations = t->op_count % 2 ? PROF_DURATIONS_KERNEL : PROF_DURATIONS_LAUNCH;
    if (prof_devices(t, devices, 4))
        options.device = devices[0];
    gcast_status status = prof_make(t, &options, &made, &err);
    if (status != GCAST_OK) {
        check_error(status, &err);
    } else {
        check(gcast_workload_check(made.workload, &err) == GCAST_OK);
        check(gcast_workload_check(made.recorded, &err) == GCAST_OK);
        check(made.run->op_count == made.recorded->op_count);
        for (size_t i = 0; i < made.run->op_count; i++)
            check(made.run->ops[i].end_ns >= made.run->ops[i].start_ns && made.run->ops[i].call_ns >= 0 &&
                  made.run->ops[i].start_ns >= 0);
        check_replay(t, &made);
        prof_made_free(&made);
    }
    gcast_gpu_free(gpu);
}

#endif
