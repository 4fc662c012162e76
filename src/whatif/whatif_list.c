/* Lists the changes worth trying: those that can make a difference to this workload. */
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "model/workload/workload.h"
#include "whatif/whatif.h"

#define MAX_LABELS 3  /* how many kernels with the most work are changed; 1 where few changes are tried */
#define MAX_PAIRED 4  /* with more streams, pairs are not merged, and no stream gets SMs of its own */
#define MAX_STREAMS 8 /* with more, no stream gets the highest priority */

/* A label, with all its iterations. */
typedef struct label_work {
    const char *name;
    double work; /* of all its blocks; for sorting only */
    bool is_kernel;
    bool has_waves; /* it has more blocks than the GPU holds at a time */
} label_work;

typedef struct listing {
    const whatif_base *base;
    const gcast_run *run;
    arena *memory;
    change_list *out;
    VEC(label_work) labels;  /* by work, the most first */
    VEC(int) streams;        /* ids of streams with ops on the GPU */
    VEC(int) kernel_streams; /* ids of streams with kernels */
    size_t max_labels;       /* how many labels get changes of blocks, streams and SMs */
    size_t shares;           /* shares of the SMs that are tried: a half, then a quarter */
    bool few;                /* one or two changes of each kind */
    bool failed;             /* there was no memory */
} listing;

static void add(listing *l, change c)
{
    if (!vec_push(l->out, c))
        l->failed = true;
}

static bool has_waves(const gcast_gpu *gpu, const gcast_op *op)
{
    gcast_occupancy o;
    return gcast_occupancy_compute(&gpu->limits, &op->shape, GCAST_CARVEOUT_DEFAULT, &o, NULL) == GCAST_OK &&
           op->blocks > (uint64_t)o.blocks_per_sm * (uint64_t)gpu->sms;
}

/* Adds the op as a label of its own; merge_labels merges equal ones. */
static void note_label(listing *l, const gcast_op *op)
{
    bool is_kernel = op->kind == GCAST_KIND_KERNEL;
    double blocks = is_kernel ? (double)op->blocks : 1;
    size_t length = workload_label_stem(op->label);
    char *name = arena_alloc(l->memory, length + 1);
    if (!name) {
        l->failed = true;
        return;
    }
    memcpy(name, op->label, length);
    label_work entry = {.name = name,
                        .work = blocks * (double)max_i64(workload_longest_block(op), 0) * max_int(op->shape.threads, 1),
                        .is_kernel = is_kernel,
                        .has_waves = is_kernel && has_waves(l->base->from.gpu, op)};
    if (!vec_push(&l->labels, entry))
        l->failed = true;
}

static int by_name(const void *a, const void *b)
{
    const label_work *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int by_work(const void *a, const void *b)
{
    const label_work *x = a, *y = b;
    if (x->work != y->work)
        return x->work > y->work ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Merges the entries of each label, and sorts them by work. */
static void merge_labels(listing *l)
{
    size_t kept = 0;
    if (!l->labels.count)
        return;
    qsort(l->labels.at, l->labels.count, sizeof *l->labels.at, by_name);
    for (size_t i = 1; i < l->labels.count; i++) {
        label_work *last = &l->labels.at[kept], *next = &l->labels.at[i];
        if (strcmp(last->name, next->name) != 0) {
            l->labels.at[++kept] = *next;
            continue;
        }
        last->work += next->work;
        last->is_kernel = last->is_kernel || next->is_kernel;
        last->has_waves = last->has_waves || next->has_waves;
    }
    l->labels.count = kept + 1;
    qsort(l->labels.at, l->labels.count, sizeof *l->labels.at, by_work);
}

static void look(listing *l)
{
    const gcast_workload *w = l->base->from.w;
    bool *used = calloc(2 * w->stream_count + 1, sizeof *used); /* by stream: it has ops; it has kernels */
    l->failed = !used;
    for (size_t i = 0; i < w->op_count && !l->failed; i++) {
        const gcast_op *op = &w->ops[i];
        if (!gcast_kind_on_gpu(op->kind))
            continue;
        note_label(l, op);
        used[2 * op->stream] = true;
        used[2 * op->stream + 1] = used[2 * op->stream + 1] || op->kind == GCAST_KIND_KERNEL;
    }
    for (size_t i = 0; i < w->stream_count && !l->failed; i++)
        l->failed = (used[2 * i] && !vec_push(&l->streams, w->streams[i].id)) ||
                    (used[2 * i + 1] && !vec_push(&l->kernel_streams, w->streams[i].id));
    free(used);
    if (!l->failed)
        merge_labels(l);
}

static void list_connections(listing *l)
{
    static const int counts[] = {1, 2, 4, 8, 16, 32};
    for (size_t i = 0; i < sizeof counts / sizeof *counts && l->kernel_streams.count > 1; i += l->few ? 5 : 1)
        if (counts[i] != l->run->connections)
            add(l, (change){.kind = CHANGE_CONNECTIONS, .value = counts[i]});
}

/* Does some stream have ops with different hosts, or else different labels? It is enough to compare neighbours. False
 * without memory. */
static bool stream_has_two(listing *l, bool by_host)
{
    const gcast_workload *w = l->base->from.w;
    size_t *last = malloc((w->stream_count + 1) * sizeof *last);
    bool two = false;
    l->failed = l->failed || !last;
    for (size_t i = 0; i < w->stream_count && last; i++)
        last[i] = SIZE_MAX;
    for (size_t i = 0; i < w->once_count && last && !two; i++) {
        const gcast_op *a = &w->ops[i];
        if (!gcast_kind_on_gpu(a->kind))
            continue;
        const gcast_op *b = last[a->stream] == SIZE_MAX ? a : &w->ops[last[a->stream]];
        size_t n = workload_label_stem(a->label);
        two = by_host ? a->host != b->host : workload_label_stem(b->label) != n || strncmp(a->label, b->label, n) != 0;
        last[a->stream] = i;
    }
    free(last);
    return two;
}

static void list_streams(listing *l)
{
    const gcast_workload *w = l->base->from.w;
    size_t n = l->streams.count;
    if (n > 1)
        add(l, (change){.kind = CHANGE_MERGE, .value = CHANGE_ALL});
    for (size_t a = 0; a < n && n > 2 && n <= MAX_PAIRED && !l->few; a++)
        for (size_t b = a + 1; b < n; b++)
            add(l, (change){.kind = CHANGE_MERGE, .value = l->streams.at[a], .other = l->streams.at[b]});
    if (w->once_count > n)
        add(l, (change){.kind = CHANGE_SPLIT, .value = CHANGE_ALL});
    if (stream_has_two(l, true))
        add(l, (change){.kind = CHANGE_SPLIT, .value = CHANGE_HOSTS});
    if (!stream_has_two(l, false))
        return;
    add(l, (change){.kind = CHANGE_SPLIT, .value = CHANGE_LABELS});
    for (size_t i = 0; i < l->labels.count && i < l->max_labels; i++)
        add(l, (change){.kind = CHANGE_MOVE, .name = l->labels.at[i].name});
}

/* The number of SMs in this part of the GPU, in whole TPCs; 0: the GPU has too few. */
static int sms_share(const gcast_gpu *gpu, int part)
{
    int unit = max_int(gpu->sms_per_tpc, 1), sms = gpu->sms / part / unit * unit;
    return sms < gpu->sms ? sms : 0;
}

static void list_sms(listing *l)
{
    static const int parts[] = {2, 4};
    const gcast_gpu *gpu = l->base->from.gpu;
    size_t streams = l->kernel_streams.count;
    if (gpu->priority_levels > 1 && streams > 1 && streams <= MAX_STREAMS)
        for (size_t i = 0; i < streams; i++)
            add(l, (change){.kind = CHANGE_PRIORITY, .value = l->kernel_streams.at[i]});
    for (size_t p = 0; p < l->shares; p++) {
        int sms = sms_share(gpu, parts[p]);
        if (sms && streams)
            add(l, (change){.kind = CHANGE_SMS, .value = sms});
        for (size_t i = 0; i < streams && sms && streams > 1 && streams <= MAX_PAIRED; i++)
            add(l, (change){.kind = CHANGE_RESERVE, .value = l->kernel_streams.at[i], .other = sms});
        for (size_t i = 0; i < l->labels.count && i < l->max_labels && sms && streams > 1; i++)
            if (l->labels.at[i].is_kernel)
                add(l, (change){.kind = CHANGE_CONFINE, .name = l->labels.at[i].name, .value = sms});
    }
}

static void list_kernels(listing *l)
{
    static const int64_t counts[] = {CHANGE_HALF, CHANGE_QUARTER, CHANGE_WAVE};
    const gcast_workload *w = l->base->from.w;
    bool has[GCAST_OP_CARVEOUTS] = {false};
    for (size_t i = 0; i < l->labels.count && i < l->max_labels; i++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            if (l->labels.at[i].is_kernel && (counts[k] != CHANGE_QUARTER || !l->few) &&
                (counts[k] != CHANGE_WAVE || l->labels.at[i].has_waves))
                add(l, (change){.kind = CHANGE_BLOCKS, .name = l->labels.at[i].name, .value = counts[k]});
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL)
            has[w->ops[i].carveout] = true;
    for (int k = 0; k < GCAST_OP_CARVEOUTS && l->base->from.gpu->limits.carveouts > 1; k++)
        for (int other = 0; other < GCAST_OP_CARVEOUTS; other++)
            if (other != k && has[other]) {
                add(l, (change){.kind = CHANGE_CARVEOUT, .value = k});
                break;
            }
}

static void list_hosts(listing *l)
{
    const gcast_workload *w = l->base->from.w;
    bool pauses = false, calls = false;
    for (size_t i = 0; i < w->op_count; i++) {
        pauses = pauses || w->ops[i].delay_ns > 0;
        calls = calls || (w->ops[i].host != GCAST_NO_HOST && w->ops[i].graph == GCAST_NO_GRAPH);
    }
    if (calls)
        add(l, (change){.kind = CHANGE_GRAPHS});
    if (w->graph_count)
        add(l, (change){.kind = CHANGE_LAUNCHES, .value = CHANGE_DEFAULT});
    if (pauses)
        add(l, (change){.kind = CHANGE_PAUSES});
    add(l, (change){.kind = CHANGE_LATENCY});
}

gcast_status whatif_list(const whatif_base *base, const gcast_run *run, bool few, arena *memory, change_list *out,
                         gcast_error *err)
{
    listing l = {.base = base,
                 .run = run,
                 .memory = memory,
                 .out = out,
                 .max_labels = few ? 1 : MAX_LABELS,
                 .shares = few ? 1 : 2,
                 .few = few};
    look(&l);
    list_connections(&l);
    list_streams(&l);
    list_sms(&l);
    list_kernels(&l);
    list_hosts(&l);
    for (size_t i = 0; i < base->from.gpu_count; i++)
        add(&l, (change){.kind = CHANGE_GPU, .name = base->from.gpu_names[i]});
    vec_free(&l.labels);
    vec_free(&l.streams);
    vec_free(&l.kernel_streams);
    return l.failed ? gcast_error_set_memory(err) : GCAST_OK;
}
