/* The two workloads of a profile. In the one with host threads, each host makes the calls of a thread of the program,
 * with its pauses. The one without hosts comes with the recorded run: gridcast verify compares with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/run.h"
#include "model/workload/workload.h"
#include "profile/make/draft.h"
#include "profile/make/making.h"
#include "profile/make/prof_make.h"

typedef struct hosts {
    draft d;
    int *host;            /* by thread of the trace; -1: not added yet */
    int64_t *returned_ns; /* by thread of the trace: return of its last call */
} hosts;

static gcast_status host_of(hosts *h, uint32_t thread, int *host)
{
    making *m = h->d.m;
    const prof_thread *t = &m->t->threads[thread];
    bool several = false;
    char name[64];
    if (h->host[thread] < 0) {
        for (size_t i = 0; i < m->t->thread_count; i++)
            several = several || (i != thread && m->t->threads[i].tid == t->tid);
        if (several)
            snprintf(name, sizeof name, "thread %lld/%lld", (long long)t->pid, (long long)t->tid);
        else
            snprintf(name, sizeof name, "thread %lld", (long long)t->tid);
        gcast_status status = gcast_workload_add_host(h->d.w, name, &h->host[thread], m->err);
        if (status != GCAST_OK)
            return status;
        h->returned_ns[thread] = INT64_MIN;
    }
    *host = h->host[thread];
    return GCAST_OK;
}

/* Sets when the call is due: after a pause; the first call of a host at a point in time. */
static gcast_status set_call(hosts *h, const made_item *item, gcast_op *op)
{
    if (item->thread == PROF_NONE) {
        op->release_ns = item->call_ns - h->d.zero_ns;
        return GCAST_OK;
    }
    gcast_status status = host_of(h, item->thread, &op->host);
    int64_t *returned_ns = &h->returned_ns[item->thread];
    if (status != GCAST_OK)
        return status;
    if (*returned_ns == INT64_MIN)
        op->release_ns = item->call_ns - h->d.zero_ns;
    else
        op->delay_ns = item->call_ns - *returned_ns;
    op->event_pause_ns = op->delay_ns < item->event_pause_ns ? op->delay_ns : item->event_pause_ns;
    *returned_ns = item->return_ns;
    return GCAST_OK;
}

static gcast_status add_item(hosts *h, const made_item *item)
{
    making *m = h->d.m;
    gcast_op op = {0};
    gcast_status status = GCAST_OK;
    if (item->kind != ITEM_OPS) {
        op = gcast_op_default(item->kind == ITEM_FREE     ? GCAST_KIND_FREE
                              : item->kind == ITEM_MALLOC ? GCAST_KIND_MALLOC
                                                          : GCAST_KIND_SYNC);
        op.label = item->label;
        op.stream = item->kind == ITEM_STREAM_SYNC ? h->d.streams[item->stream] : -1;
        status = set_call(h, item, &op);
        return status == GCAST_OK ? gcast_workload_add_op(h->d.w, &op, NULL, m->err) : status;
    }
    int64_t release_ns = 0; /* all nodes of a graph have that of the first */
    status = draft_begin(&h->d, item);
    for (uint32_t k = 0; k < item->op_count && status == GCAST_OK; k++) {
        op = draft_op(&h->d, item->first_op + k);
        if (k == 0)
            status = set_call(h, item, &op);
        else if (item->thread != PROF_NONE)
            op.host = h->host[item->thread];
        if (k == 0)
            release_ns = op.release_ns;
        else if (item->graph)
            op.release_ns = release_ns;
        op.host_waits = m->ops.at[item->first_op + k].host_waits;
        if (status == GCAST_OK)
            status = draft_add(&h->d, item->first_op + k, &op);
    }
    return status;
}

/* Waits are ops of this workload, too: operations behind them move by one place each. */
static void count_waits(draft *d)
{
    uint32_t next = 0;
    for (size_t i = 0; i < d->m->items.count; i++) {
        const made_item *item = &d->m->items.at[d->items[i]];
        next += item->kind != ITEM_OPS;
        for (uint32_t k = 0; k < item->op_count; k++)
            d->place[item->first_op + k] = next++;
    }
}

static gcast_status add_note(draft *d, const prof_finding *f)
{
    char note[1024];
    finding_print(f, note, sizeof note);
    return gcast_workload_add_note(d->w, note, d->m->err);
}

/* Adds the complete names of kernels whose labels are shorter. */
static gcast_status add_names(draft *d)
{
    const making *m = d->m;
    for (size_t i = 0; i < m->ops.count; i++) {
        const char *name = trace_op(m, i)->name, *label = m->ops.at[i].label;
        size_t size = strlen(name) + strlen(label) + 8;
        if (trace_op(m, i)->kind != GCAST_KIND_KERNEL || strchr(label, '#') || strcmp(name, label) == 0)
            continue; /* a later launch, or nothing to add */
        char *note = malloc(size);
        if (!note)
            return gcast_error_set_memory(m->err);
        snprintf(note, size, "%s: %s", label, name);
        gcast_status status = workload_add_remark(d->w, note, m->err);
        free(note);
        if (status != GCAST_OK)
            return status;
    }
    return GCAST_OK;
}

static gcast_status add_notes(draft *d)
{
    const prof_trace *t = d->m->t;
    const prof_findings *f = d->m->findings;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < t->finding_count && status == GCAST_OK; i++)
        status = add_note(d, &t->findings[i]);
    for (size_t i = 0; i < f->list.count && status == GCAST_OK; i++)
        status = add_note(d, &f->list.at[i]);
    return status == GCAST_OK ? add_names(d) : status;
}

/* Finding: the profile's GPU has fewer SMs than the preset (MPS, a MIG instance, or another product of that name). */
static gcast_status find_partition(draft *d)
{
    const prof_make_options *o = d->m->options;
    char words[200];
    if (!o->partition_sms)
        return GCAST_OK;
    snprintf(words, sizeof words, "the GPU of the profile has %d SMs, but %s has %d: its first %d SMs are used",
             o->partition_sms, o->gpu->name, o->gpu->sms, o->partition_sms);
    return findings_add(d->m->findings, words, NULL, 1) ? GCAST_OK : gcast_error_set_memory(d->m->err);
}

/* Finding: the number of connections is not given, and it matters, as several streams have kernels. */
static gcast_status find_connections(draft *d)
{
    const making *m = d->m;
    char words[240];
    size_t streams = 0;
    bool *used = calloc(d->w->stream_count + 1, sizeof *used);
    if (!used)
        return gcast_error_set_memory(m->err);
    for (size_t i = 0; i < d->w->op_count; i++)
        if (d->w->ops[i].kind == GCAST_KIND_KERNEL && !used[d->w->ops[i].stream]) {
            used[d->w->ops[i].stream] = true;
            streams++;
        }
    free(used);
    if (m->options->connections || (streams < 2 && !d->w->graph_count))
        return GCAST_OK;
    if (d->w->connections > 0)
        snprintf(words, sizeof words,
                 "%d connections, guessed from the hardware queues that streams shared; --connections N changes this",
                 d->w->connections);
    else
        snprintf(words, sizeof words,
                 "%d connections assumed (CUDA's default): the profile does not show CUDA_DEVICE_MAX_CONNECTIONS; "
                 "--connections N changes this",
                 m->options->gpu->connections);
    return findings_add(m->findings, words, NULL, 1) ? GCAST_OK : gcast_error_set_memory(m->err);
}

/* Findings about streams, threads and processes. */
static gcast_status find_streams(draft *d)
{
    const making *m = d->m;
    uint64_t unknown = 0, unordered = 0;
    int processes = 0;
    for (size_t i = 0; i < d->w->stream_count; i++) {
        unknown += !d->w->streams[i].blocking_given;
        processes = d->w->streams[i].process > processes ? d->w->streams[i].process : processes;
    }
    for (size_t i = 0; i < m->t->stream_count; i++)
        unordered += d->streams[i] >= 0 && !m->t->streams[i].priority_known;
    bool ok =
        findings_add(m->findings, "{stream} without a known priority: 0 is assumed", NULL, unordered) &&
        findings_add(m->findings, "{stream} that may be blocking or not: non-blocking is assumed", NULL, unknown) &&
        findings_add(
            m->findings,
            "{host thread}: the profile does not say whether they wait for each other; their recorded times are used",
            NULL, d->w->host_count > 1 ? d->w->host_count : 0) &&
        findings_add(m->findings, "{process} on the GPU, which switches between them", NULL,
                     processes ? (uint64_t)processes + 1 : 0);
    return ok ? GCAST_OK : gcast_error_set_memory(m->err);
}

gcast_status make_workload(making *m, gcast_workload **w)
{
    hosts h = {.host = malloc((m->t->thread_count + 1) * sizeof *h.host),
               .returned_ns = malloc((m->t->thread_count + 1) * sizeof *h.returned_ns)};
    gcast_status status = draft_open(m, &h.d);
    if (status == GCAST_OK && (!h.host || !h.returned_ns))
        status = gcast_error_set_memory(m->err);
    if (status == GCAST_OK) {
        for (size_t i = 0; i < m->t->thread_count; i++)
            h.host[i] = -1;
        count_waits(&h.d);
        status = event_pauses(&h.d);
    }
    for (size_t i = 0; i < m->items.count && status == GCAST_OK; i++)
        status = add_item(&h, &m->items.at[h.d.items[i]]);
    if (status == GCAST_OK)
        status = find_partition(&h.d);
    if (status == GCAST_OK)
        status = find_streams(&h.d);
    if (status == GCAST_OK)
        status = find_connections(&h.d);
    if (status == GCAST_OK)
        status = add_notes(&h.d);
    free(h.host);
    free(h.returned_ns);
    return draft_close(&h.d, status, w);
}

static gcast_status add_recorded_item(draft *d, const made_item *item)
{
    gcast_status status = draft_begin(d, item);
    for (uint32_t k = 0; k < item->op_count && status == GCAST_OK; k++) {
        gcast_op op = draft_op(d, item->first_op + k);
        op.release_ns = item->call_ns - d->zero_ns;
        status = draft_add(d, item->first_op + k, &op);
    }
    return status;
}

static gcast_run_op run_op(const draft *d, size_t i)
{
    const making *m = d->m;
    const prof_op *op = trace_op(m, i);
    int64_t call_ns = m->items.at[m->ops.at[i].item].call_ns - d->zero_ns;
    gcast_run_op r = {.op = d->place[i],
                      .engine = -1,
                      .connection = -1,
                      .channel = -1,
                      .release_ns = call_ns,
                      .call_ns = call_ns,
                      .return_ns = call_ns,
                      .arrive_ns = -1,
                      .head_ns = -1,
                      .enter_ns = -1,
                      .start_ns = op->start_ns - d->zero_ns,
                      .dispatched_ns = op->start_ns - d->zero_ns,
                      .end_ns = op->end_ns - d->zero_ns,
                      .launch = d->place[i],
                      .entry = d->place[i]};
    r.block_count = op->kind == GCAST_KIND_KERNEL ? d->w->ops[d->place[i]].blocks : 0;
    return r;
}

static gcast_status add_run(const draft *d, gcast_run **run)
{
    const making *m = d->m;
    gcast_gpu *gpu;
    gcast_status status = gcast_gpu_copy(m->options->gpu, &gpu, m->err);
    if (status == GCAST_OK && m->options->partition_sms)
        status = gcast_gpu_partition(gpu, m->options->partition_sms, m->err);
    if (status != GCAST_OK) {
        gcast_gpu_free(gpu);
        return status;
    }
    gcast_run_op *ops = calloc(m->ops.count + 1, sizeof *ops);
    *run = ops ? run_create("recorded", d->w, gpu) : NULL;
    if (!*run) {
        free(ops);
        gcast_gpu_free(gpu);
        return gcast_error_set_memory(m->err);
    }
    for (size_t i = 0; i < m->ops.count; i++) {
        ops[d->place[i]] = run_op(d, i);
        int64_t end_ns = ops[d->place[i]].end_ns;
        (*run)->end_ns = end_ns > (*run)->end_ns ? end_ns : (*run)->end_ns;
    }
    (*run)->connections = d->w->connections;
    run_set_ops(*run, ops, m->ops.count);
    return GCAST_OK;
}

static gcast_status keep_ops(const draft *d, prof_made_op **ops)
{
    const making *m = d->m;
    *ops = calloc(m->ops.count + 1, sizeof **ops);
    for (size_t i = 0; *ops && i < m->ops.count; i++) {
        const made_op *x = &m->ops.at[i];
        int64_t held_ns = x->span_ns - (trace_op(m, i)->end_ns - trace_op(m, i)->start_ns);
        (*ops)[d->place[i]] = (prof_made_op){.op = x->op,
                                             .beside = x->beside,
                                             .alone_ns = x->alone_ns ? x->alone_ns : INT64_MAX,
                                             .held_ns = held_ns > 0 ? held_ns : 0};
    }
    return *ops ? GCAST_OK : gcast_error_set_memory(m->err);
}

gcast_status make_recorded(making *m, prof_made *made)
{
    draft d;
    gcast_status status = draft_open(m, &d);
    for (size_t i = 0; i < m->items.count && status == GCAST_OK; i++)
        status = add_recorded_item(&d, &m->items.at[d.items[i]]);
    if (status == GCAST_OK) {
        if (d.w->connections < 0)
            gcast_workload_set_connections(d.w, m->options->gpu->connections);
        status = add_run(&d, &made->run);
    }
    if (status == GCAST_OK)
        status = keep_ops(&d, &made->ops);
    status = draft_close(&d, status, &made->recorded);
    if (status != GCAST_OK) {
        gcast_run_free(made->run);
        made->run = NULL;
    }
    return status;
}
