/* The launch path of children, step by step. The times of a step follow from the step before: children are sorted into
 * the order of the step, and each is compared with the child before it. */
#include "simulate/check/child_path.h"

#include <stdlib.h>

#include "base/integers.h"
#include "simulate/check/run_order.h"
#include "simulate/run_ops.h"

#define NO_STREAM UINT32_MAX

/* A child on its path. Sorted by keys, then times, then call. */
typedef struct traveller {
    uint64_t key[2]; /* its stream or hardware queue */
    int64_t time[2]; /* when it came to this step, and to the step before */
    uint32_t child;  /* its index among the run's children, which are by call */
} traveller;

typedef struct path_check {
    const gcast_run *run;
    const int64_t *overhead_ns; /* by child: its launch overhead without the service time */
    traveller *all;             /* children, without rests */
    size_t count;               /* of all */
    uint32_t *stream_first;     /* by child: the first child of its stream; NO_STREAM: the stream has no number */
    int64_t *times;             /* memory for three lists of times */
    int64_t *overhead_end;      /* by child: when its launch overhead is over */
    int64_t *parent_end;        /* by operation: when its last block ended; -1: not computed yet */
    gcast_error *err;
} path_check;

static const gcast_run_op *op_at(const path_check *p, size_t n)
{
    return &p->run->ops[p->run->op_count + p->all[n].child];
}

static const gcast_child *child_at(const path_check *p, size_t n)
{
    return &p->run->children[p->all[n].child];
}

static const gcast_launches *launches_at(const path_check *p, size_t n)
{
    return run_spec(p->run, child_at(p, n)->parent)->launches;
}

static gcast_status broken(const path_check *p, size_t n, const char *problem)
{
    return check_broken(p->run, p->run->op_count + p->all[n].child, "C-launches", problem, p->err);
}

static int by_order(const void *a, const void *b)
{
    const traveller *x = a, *y = b;
    for (int k = 0; k < 2; k++)
        if (x->key[k] != y->key[k])
            return x->key[k] < y->key[k] ? -1 : 1;
    for (int k = 0; k < 2; k++)
        if (x->time[k] != y->time[k])
            return x->time[k] < y->time[k] ? -1 : 1;
    return x->child < y->child ? -1 : x->child > y->child;
}

static void sort(const path_check *p)
{
    if (p->count)
        qsort(p->all, p->count, sizeof *p->all, by_order);
}

static bool same_key(const traveller *a, const traveller *b)
{
    return a->key[0] == b->key[0] && a->key[1] == b->key[1];
}

/* Step 1: launch overheads end, with the service time between two ends. */
static void end_overheads(const path_check *p)
{
    const gcast_gpu *gpu = p->run->gpu;
    for (size_t n = 0; n < p->count; n++) {
        uint32_t c = p->all[n].child;
        p->all[n] = (traveller){.time = {op_at(p, n)->call_ns + p->overhead_ns[c]}, .child = c};
    }
    sort(p);
    int64_t end = 0;
    for (size_t n = 0; n < p->count; n++) {
        int64_t served = n && gpu->child_service_ns ? end + gpu->child_service_ns : 0;
        end = max_i64(p->all[n].time[0], served);
        p->overhead_end[p->all[n].child] = end;
    }
}

/* When the last block of the parent of a child has ended. */
static int64_t parent_end_ns(const path_check *p, size_t n)
{
    uint32_t i = child_at(p, n)->parent;
    const gcast_run_op *parent = &p->run->ops[i];
    int64_t end = p->parent_end[i];
    for (uint64_t b = 0; p->parent_end[i] < 0 && b < parent->block_count; b++)
        end = max_i64(end, parent->blocks[b].end_ns);
    return p->parent_end[i] = end;
}

/* The stream of a child among those of its parent. */
static uint64_t stream_of(const path_check *p, size_t n)
{
    const gcast_launches *l = launches_at(p, n);
    if (l->wait == GCAST_CHILD_WAIT_TAIL)
        return 0;
    switch (l->stream) {
    case GCAST_CHILD_STREAM_BLOCK:
        return child_at(p, n)->parent_block;
    case GCAST_CHILD_STREAM_NAMED:
        return l->named;
    case GCAST_CHILD_STREAM_IN_TURN:
        return l->streams ? child_at(p, n)->launcher % l->streams : 0;
    default:
        return child_at(p, n)->launcher;
    }
}

/* Does the stream of a child have a number, which gives it a hardware queue? */
static bool is_numbered(const path_check *p, size_t n)
{
    const gcast_launches *l = launches_at(p, n);
    bool forget = l->stream == GCAST_CHILD_STREAM_OWN && l->wait != GCAST_CHILD_WAIT_TAIL;
    return !(forget && p->run->gpu->child_forget);
}

/* Checks the children of a stream, from `first` on. Returns the index after the last. */
static size_t walk_stream(const path_check *p, size_t first, gcast_status *status)
{
    uint32_t first_child = p->all[first].child;
    size_t n = first;
    for (; n < p->count && same_key(&p->all[n], &p->all[first]); n++) {
        int64_t head = p->all[n].time[0];
        if (n > first)
            head = max_i64(head, op_at(p, n - 1)->end_ns + p->run->gpu->stream_gap_ns);
        if (op_at(p, n)->head_ns != head && *status == GCAST_OK)
            *status = broken(p, n, "it was not the head of its stream when it should be");
        first_child = p->all[n].child < first_child ? p->all[n].child : first_child;
    }
    for (size_t k = first; k < n; k++)
        p->stream_first[p->all[k].child] = is_numbered(p, k) ? first_child : NO_STREAM;
    return n;
}

/* Step 2: streams. Children of a tail launch join theirs after the parent's last block. */
static gcast_status check_streams(const path_check *p)
{
    gcast_status status = GCAST_OK;
    for (size_t n = 0; n < p->count; n++) {
        int64_t join = p->overhead_end[p->all[n].child];
        if (launches_at(p, n)->wait == GCAST_CHILD_WAIT_TAIL)
            join = max_i64(join, parent_end_ns(p, n) + p->run->gpu->stream_gap_ns);
        if (op_at(p, n)->arrive_ns != join)
            return broken(p, n, "it did not join its stream when its launch overhead was over");
        p->all[n] =
            (traveller){.key = {child_at(p, n)->parent, stream_of(p, n)}, .time = {join}, .child = p->all[n].child};
    }
    sort(p);
    for (size_t n = 0; n < p->count && status == GCAST_OK;)
        n = walk_stream(p, n, &status);
    return status;
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Checks a pool that grows at all times of changes: it never has more than `limit` children, and none is in line while
 * it has a place. The three times of children, as head, in the pool and in the EE queue, are sorted separately: a child
 * passes them in this order. */
static gcast_status check_places(const path_check *p, size_t limit)
{
    int64_t *heads = p->times, *taken = heads + p->count, *left = taken + p->count;
    for (size_t n = 0; n < p->count; n++) {
        heads[n] = op_at(p, n)->head_ns;
        taken[n] = child_at(p, n)->pool_ns;
        left[n] = op_at(p, n)->enter_ns;
    }
    qsort(heads, p->count, sizeof *heads, by_time);
    qsort(taken, p->count, sizeof *taken, by_time);
    qsort(left, p->count, sizeof *left, by_time);
    for (size_t h = 0, k = 0, e = 0; e < p->count;) {
        int64_t t = left[e];
        t = h < p->count ? min_i64(t, heads[h]) : t;
        t = k < p->count ? min_i64(t, taken[k]) : t;
        while (h < p->count && heads[h] <= t)
            h++;
        while (k < p->count && taken[k] <= t)
            k++;
        while (e < p->count && left[e] <= t)
            e++;
        size_t last = k ? k - 1 : 0;
        if (k - e > limit)
            return broken(p, last, "it is one too many in the pool");
        if (h > k && k - e < limit)
            return broken(p, k, "it waits in line although the pool has a place");
    }
    return GCAST_OK;
}

/* Step 3: the line for the pool, in the order of heads. */
static gcast_status check_pool(const path_check *p)
{
    const gcast_gpu *gpu = p->run->gpu;
    bool limited = gpu->child_pool && gpu->child_pool_grows;
    for (size_t n = 0; n < p->count; n++)
        p->all[n] = (traveller){.time = {op_at(p, n)->head_ns}, .child = p->all[n].child};
    sort(p);
    for (size_t n = 0; n < p->count; n++) {
        int64_t taken = child_at(p, n)->pool_ns;
        if (!limited && taken != op_at(p, n)->head_ns)
            return broken(p, n, "it waited in line although the line is not held up");
        if (n && taken < child_at(p, n - 1)->pool_ns)
            return broken(p, n, "it was taken from the line before one in front of it");
    }
    return limited && p->count ? check_places(p, (size_t)gpu->child_pool) : GCAST_OK;
}

/* Checks that children are in the hardware queues that the numbers of their streams give. */
static gcast_status check_queue_numbers(const path_check *p)
{
    const gcast_gpu *gpu = p->run->gpu;
    uint32_t *number = malloc((p->run->child_count + 1) * sizeof *number), streams = 0; /* by first child of a stream */
    gcast_status status = number ? GCAST_OK : gcast_error_set_memory(p->err);
    for (size_t c = 0; c < p->run->child_count && number; c++)
        if (!p->run->children[c].is_rest && p->stream_first[c] == c)
            number[c] = streams++;
    for (size_t n = 0; n < p->count && status == GCAST_OK; n++) {
        uint32_t first = p->stream_first[p->all[n].child];
        int queue = first == NO_STREAM || !gpu->child_queues ? -1 : (int)(number[first] % (uint32_t)gpu->child_queues);
        if (child_at(p, n)->queue != queue)
            status = broken(p, n, "it was in another hardware queue than it should");
    }
    free(number);
    return status;
}

/* Step 4: hardware queues. The first child of a queue stays the first until its last block has ended. */
static gcast_status check_queues(const path_check *p)
{
    gcast_status status = check_queue_numbers(p);
    if (status != GCAST_OK)
        return status;
    for (size_t n = 0; n < p->count; n++)
        p->all[n] = (traveller){.key = {(uint64_t)(child_at(p, n)->queue + 1)},
                                .time = {child_at(p, n)->pool_ns, op_at(p, n)->head_ns},
                                .child = p->all[n].child};
    sort(p);
    for (size_t n = 0; n < p->count; n++) {
        int64_t enter = child_at(p, n)->pool_ns;
        if (n && p->all[n].key[0] && same_key(&p->all[n], &p->all[n - 1]))
            enter = max_i64(enter, child_at(p, n - 1)->blocks_end_ns);
        if (op_at(p, n)->enter_ns != enter)
            return broken(p, n, "it did not enter when it was the first of its hardware queue");
    }
    return GCAST_OK;
}

/* The turn of an operation among those that enter the EE queue at one time: operations of hosts; children whose
 * hardware queue moves on, by call number; children from the line; rests, by the entry of their parent and by block. */
static traveller turn_of(const gcast_run *run, uint32_t i)
{
    const gcast_child *child = run_child(run, i);
    if (!child)
        return (traveller){0};
    uint32_t c = i - (uint32_t)run->op_count;
    if (child->is_rest)
        return (traveller){.key = {3, run->ops[child->parent].entry}, .child = child->parent_block};
    if (child->pool_ns < run->ops[i].enter_ns)
        return (traveller){.key = {1}, .child = c};
    return (traveller){.key = {2}, .time = {run->ops[i].head_ns}, .child = c};
}

static gcast_status check_entries(const gcast_run *run, const check_orders *orders, gcast_error *err)
{
    for (size_t e = 1; e < orders->entry_count; e++) {
        uint32_t i = orders->entry[e], before = orders->entry[e - 1];
        traveller own = turn_of(run, i), other = turn_of(run, before);
        if (run->ops[i].enter_ns == run->ops[before].enter_ns && by_order(&other, &own) > 0)
            return check_broken(run, i, "C-launches", "it entered the EE queue out of turn", err);
    }
    return GCAST_OK;
}

gcast_status check_child_paths(const gcast_run *run, const check_orders *orders, const int64_t *overhead_ns,
                               gcast_error *err)
{
    size_t count = run->child_count;
    path_check p = {.run = run, .overhead_ns = overhead_ns, .err = err};
    p.all = malloc((count + 1) * sizeof *p.all);
    p.stream_first = malloc((count + 1) * sizeof *p.stream_first);
    p.times = malloc((3 * count + 1) * sizeof *p.times);
    p.parent_end = malloc((run_total(run) + 1) * sizeof *p.parent_end);
    p.overhead_end = malloc((count + 1) * sizeof *p.overhead_end);
    bool ok = p.all && p.stream_first && p.times && p.parent_end && p.overhead_end;
    gcast_status status = ok ? GCAST_OK : gcast_error_set_memory(err);
    for (size_t i = 0; i < run_total(run) && ok; i++)
        p.parent_end[i] = -1;
    for (size_t c = 0; c < count && status == GCAST_OK; c++)
        if (!run->children[c].is_rest)
            p.all[p.count++].child = (uint32_t)c;
    if (status == GCAST_OK) {
        end_overheads(&p);
        status = check_streams(&p);
    }
    if (status == GCAST_OK)
        status = check_pool(&p);
    if (status == GCAST_OK)
        status = check_queues(&p);
    if (status == GCAST_OK)
        status = check_entries(run, orders, err);
    free(p.all);
    free(p.stream_first);
    free(p.times);
    free(p.parent_end);
    free(p.overhead_end);
    return status;
}
