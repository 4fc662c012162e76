/* Priorities of streams by Audsley's scheme ("On priority assignment in fixed priority scheduling", 2001), which fills
 * the levels from the lowest up. A stream may have a level if its tasks meet their deadlines there while all streams
 * without a level are above. If there are more streams than levels some share one, and the rest shares the highest. The
 * final assignment is judged again, so it is right even where the conditions of the scheme do not hold; these only
 * ensure that it finds an assignment whenever there is one. */
#include <stdlib.h>

#include "analyze/advice/advise.h"
#include "analyze/time_limit.h"
#include "base/api.h"
#include "base/integers.h"
#include "change/variant.h"
#include "model/gpu.h"
#include "model/workload/workload.h"

typedef struct placing {
    gcast_levels *l;
    int *priorities; /* l->priorities */
    bool *assigned;  /* l->assigned */
    arena *memory;   /* of all that `l` points to */
    judge judge;     /* uses `options` */
    gcast_analyze_options options;
    time_limit limit; /* of all analyses together */
    const gcast_gpu *gpu;
    variant_base base; /* the workload */
    variant copy;      /* gets the priorities */
    size_t *kernels;   /* by stream: a kernel of it */
    size_t *streams;   /* streams with kernels; those without a level come first */
    size_t count;      /* of `streams` */
    size_t left;       /* streams without a level */
    int64_t *ends;     /* by task: the latest end in the last analysis */
    judgement verdict; /* of the last analysis */
    bool is_late;      /* the limit has passed */
    gcast_status status;
    gcast_error *err;
} placing;

static void set_priority(placing *p, size_t stream, int priority)
{
    p->priorities[stream] = priority;
    if (p->status == GCAST_OK) {
        change c = {.kind = CHANGE_LEVEL, .at = p->kernels[stream], .value = priority};
        p->status = variant_change(&p->copy, &c, p->err);
    }
}

static bool check_limit(placing *p)
{
    p->is_late = p->is_late || limit_passed(&p->limit);
    return p->is_late;
}

/* False if the judge has no answer. */
static bool judge_now(placing *p)
{
    if (p->status != GCAST_OK || check_limit(p))
        return false;
    p->options.max_ms = limit_left_ms(&p->limit);
    p->status = judge_ends(&p->judge, p->copy.w, p->gpu, &p->verdict, p->ends, p->err);
    p->l->analyses++;
    return p->status == GCAST_OK && p->verdict.known;
}

/* Do all tasks of this priority meet their deadlines? */
static bool priority_meets(placing *p, int priority)
{
    if (!judge_now(p))
        return false;
    for (size_t k = 0; k < p->base.w->task_count; k++) {
        const gcast_task *t = &p->base.w->tasks[k];
        if (p->assigned[t->stream] && p->priorities[t->stream] == priority && !judge_in_time(t, p->ends[k]))
            return false;
    }
    return true;
}

/* Gives the priority to one more stream; false: none can have it. */
static bool assign_one_stream(placing *p, int priority, int highest)
{
    for (size_t i = 0; i < p->left && p->status == GCAST_OK && !p->is_late; i++) {
        size_t stream = p->streams[i];
        set_priority(p, stream, priority);
        if (priority_meets(p, priority)) {
            p->left--;
            for (; i < p->left; i++) /* the others stay in order */
                p->streams[i] = p->streams[i + 1];
            return true;
        }
        set_priority(p, stream, highest);
    }
    return false;
}

static void place_all(placing *p)
{
    gcast_levels *l = p->l;
    int highest = highest_priority(p->gpu);
    bool stuck = false;
    for (size_t i = 0; i < p->count; i++)
        set_priority(p, p->streams[i], highest);
    for (int priority = 0; priority > highest && p->left && !stuck && !p->is_late; priority--) {
        stuck = !assign_one_stream(p, priority, highest);
        while (!stuck && p->left > (size_t)(priority - highest) && assign_one_stream(p, priority, highest))
            ;
    }
    bool known = judge_now(p);
    l->found = known && p->verdict.meets;
    l->none = !l->found && known && stuck && p->judge.opa_compatible && p->count <= (size_t)p->gpu->priority_levels;
    if (p->status == GCAST_OK && (!known || !p->verdict.deadlines)) {
        const char *why = known ? "no task has a deadline" : p->is_late ? "it reached its time limit" : p->verdict.why;
        l->why_not = arena_strdup(p->memory, why);
        p->status = l->why_not ? GCAST_OK : gcast_error_set_memory(p->err);
    }
}

typedef struct stream_deadline {
    int64_t shortest_ns; /* the shortest deadline of its tasks; INT64_MAX: none has one */
    size_t stream;
} stream_deadline;

static int latest_first(const void *a, const void *b)
{
    const stream_deadline *x = a, *y = b;
    if (x->shortest_ns != y->shortest_ns)
        return x->shortest_ns > y->shortest_ns ? -1 : 1;
    return x->stream < y->stream ? -1 : x->stream > y->stream;
}

/* Collects the streams with kernels, the longest deadline first. False without memory. */
static bool collect_streams(placing *p)
{
    const gcast_workload *w = p->base.w;
    stream_deadline *all = arena_alloc_array(p->memory, w->stream_count + 1, sizeof *all);
    if (!all)
        return false;
    for (size_t s = 0; s < w->stream_count; s++) {
        p->priorities[s] = w->streams[s].priority;
        all[s] = (stream_deadline){INT64_MAX, s};
    }
    for (size_t k = 0; k < w->task_count; k++) {
        int64_t *shortest_ns = &all[w->tasks[k].stream].shortest_ns;
        if (w->tasks[k].deadline_ns)
            *shortest_ns = min_i64(w->tasks[k].deadline_ns, *shortest_ns);
    }
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL) {
            p->assigned[w->ops[i].stream] = true;
            p->kernels[w->ops[i].stream] = i;
        }
    qsort(all, w->stream_count, sizeof *all, latest_first);
    for (size_t s = 0; s < w->stream_count; s++)
        if (p->assigned[all[s].stream])
            p->streams[p->count++] = all[s].stream;
    p->left = p->count;
    return true;
}

gcast_status levels_assign(const judge *j, const gcast_workload *w, const gcast_gpu *gpu, int64_t max_ms, arena *memory,
                           gcast_levels *l, gcast_error *err)
{
    *l = (gcast_levels){.stream_count = w->stream_count};
    placing p = {.l = l,
                 .priorities = arena_alloc_array(memory, w->stream_count + 1, sizeof *p.priorities),
                 .assigned = arena_alloc_array(memory, w->stream_count + 1, sizeof *p.assigned),
                 .memory = memory,
                 .judge = *j,
                 .options = gcast_analyze_options_default(),
                 .limit = limit_from_now(max_ms),
                 .gpu = gpu,
                 .base = {.w = w},
                 .kernels = arena_alloc_array(memory, w->stream_count + 1, sizeof *p.kernels),
                 .streams = arena_alloc_array(memory, w->stream_count + 1, sizeof *p.streams),
                 .ends = arena_alloc_array(memory, w->task_count + 1, sizeof *p.ends),
                 .err = err};
    p.status = options_copy(&p.options, sizeof p.options, j->options, "gcast_analyze_options", err);
    p.judge.options = &p.options;
    l->priorities = p.priorities;
    l->assigned = p.assigned;
    if (p.status == GCAST_OK && (!p.priorities || !p.assigned || !p.kernels || !p.streams || !p.ends))
        p.status = gcast_error_set_memory(err);
    if (p.status == GCAST_OK)
        p.status = variant_open(&p.base, &p.copy, err);
    if (p.status == GCAST_OK && !collect_streams(&p))
        p.status = gcast_error_set_memory(err);
    if (p.status == GCAST_OK)
        place_all(&p);
    if (p.status == GCAST_OK && l->found)
        p.status = judge_assumed(&p.judge, p.copy.w, gpu, &p.verdict, err);
    l->conditional = l->found && p.verdict.conditional;
    variant_free(&p.copy);
    return p.status;
}
