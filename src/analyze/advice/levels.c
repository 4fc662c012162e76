/* Priorities of streams by Audsley's scheme ("On priority assignment in fixed priority
 * scheduling", 2001): fill the levels from the lowest up; a stream may have a level if its
 * tasks meet their deadlines there while all streams without one are above. Where there are
 * more streams than levels some share one, and those left at the end share the highest.
 * What comes out is judged as a whole, so it is right also where the scheme's conditions do
 * not hold; they only make sure that it finds something whenever there is something. */
#include <stdlib.h>

#include "analyze/advice/judge.h"
#include "analyze/time_limit.h"
#include "base/arena.h"
#include "model/workload/edit.h"

typedef struct owned_levels {
    gcast_levels l; /* first, so that a gcast_levels is its handle */
    arena memory;
    int *priorities;
    bool *assigned;
} owned_levels;

typedef struct placing {
    owned_levels *o;
    gcast_judge judge;
    gcast_analyze_options options; /* the judge's */
    time_limit limit;              /* of all analyses together */
    const gcast_gpu *gpu;
    gcast_workload *copy;
    size_t *streams; /* that are to have levels: those still without one first, `left` of them */
    size_t count, left;
    int64_t *ends; /* by task */
    gcast_judgement verdict;
    bool late;
    gcast_status status;
    gcast_error *err;
} placing;

static void set(placing *p, size_t stream, int priority)
{
    p->o->priorities[stream] = priority;
    workload_set_priority(p->copy, stream, priority);
}

static bool is_late(placing *p)
{
    p->late = p->late || limit_passed(&p->limit);
    return p->late;
}

static bool judge_now(placing *p)
{
    if (p->status != GCAST_OK || is_late(p))
        return false;
    p->options.max_ms = limit_left_ms(&p->limit);
    p->status = judge_ends(&p->judge, p->copy, p->gpu, &p->verdict, p->ends, p->err);
    p->o->l.analyses++;
    return p->status == GCAST_OK && p->verdict.known;
}

/* Do all tasks at this level meet their deadlines? */
static bool level_does(placing *p, int level)
{
    if (!judge_now(p))
        return false;
    for (size_t k = 0; k < p->copy->task_count; k++) {
        const gcast_task *t = &p->copy->tasks[k];
        if (p->o->assigned[t->stream] && p->o->priorities[t->stream] == level && !judge_in_time(t, p->ends[k]))
            return false;
    }
    return true;
}

/* Give the level to one more stream; false where none can have it. */
static bool place_one(placing *p, int level, int top)
{
    for (size_t i = 0; i < p->left && p->status == GCAST_OK && !p->late; i++) {
        size_t stream = p->streams[i];
        set(p, stream, level);
        if (level_does(p, level)) {
            p->left--;
            for (; i < p->left; i++) /* the others stay in order */
                p->streams[i] = p->streams[i + 1];
            return true;
        }
        set(p, stream, top);
    }
    return false;
}

static void place_all(placing *p)
{
    gcast_levels *l = &p->o->l;
    int top = 1 - p->gpu->priority_levels;
    bool stuck = false;
    for (size_t i = 0; i < p->count; i++)
        set(p, p->streams[i], top);
    for (int level = 0; level > top && p->left && !stuck && !p->late; level--) {
        stuck = !place_one(p, level, top);
        while (!stuck && p->left > (size_t)(level - top) && place_one(p, level, top))
            ;
    }
    bool known = judge_now(p);
    l->found = known && p->verdict.meets;
    l->none =
        !l->found && known && stuck && p->judge.any_order_of_levels && p->count <= (size_t)p->gpu->priority_levels;
    if (p->status == GCAST_OK && (!known || !p->verdict.deadlines)) {
        const char *why = known     ? "no task has a deadline"
                          : p->late ? "it has taken as long as it may"
                                    : p->verdict.why;
        l->why_not = arena_strdup(&p->o->memory, why);
        p->status = l->why_not ? GCAST_OK : gcast_error_set_memory(p->err);
    }
}

typedef struct urgent {
    int64_t tightest; /* deadline of its tasks; INT64_MAX: none, which may be last of all */
    size_t stream;
} urgent;

static int latest_first(const void *a, const void *b)
{
    const urgent *x = a, *y = b;
    if (x->tightest != y->tightest)
        return x->tightest > y->tightest ? -1 : 1;
    return x->stream < y->stream ? -1 : x->stream > y->stream;
}

/* Streams with kernels, the latest deadline first. False without memory. */
static bool collect_streams(placing *p)
{
    const gcast_workload *w = p->copy;
    urgent *all = arena_alloc_array(&p->o->memory, w->stream_count + 1, sizeof *all);
    if (!all)
        return false;
    for (size_t s = 0; s < w->stream_count; s++) {
        p->o->priorities[s] = w->streams[s].priority;
        all[s] = (urgent){INT64_MAX, s};
    }
    for (size_t k = 0; k < w->task_count; k++) {
        int64_t *tightest = &all[w->tasks[k].stream].tightest;
        if (w->tasks[k].deadline_ns && w->tasks[k].deadline_ns < *tightest)
            *tightest = w->tasks[k].deadline_ns;
    }
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL)
            p->o->assigned[w->ops[i].stream] = true;
    qsort(all, w->stream_count, sizeof *all, latest_first);
    for (size_t s = 0; s < w->stream_count; s++)
        if (p->o->assigned[all[s].stream])
            p->streams[p->count++] = all[s].stream;
    p->left = p->count;
    return true;
}

gcast_status gcast_judge_assign_levels(const gcast_judge *judge, const gcast_workload *w, const gcast_gpu *gpu,
                                       gcast_levels **out, gcast_error *err)
{
    if (!gpu)
        gpu = w->gpu;
    if (!gpu)
        return gcast_error_set(err, GCAST_INPUT, "/gpu", "no GPU is named; --gpu NAME gives one");
    owned_levels *o = calloc(1, sizeof *o);
    if (!o)
        return gcast_error_set_memory(err);
    placing p = {.o = o,
                 .judge = *judge,
                 .options = judge->options ? *judge->options : gcast_analyze_options_default(),
                 .gpu = gpu,
                 .status = GCAST_OK,
                 .err = err};
    p.judge.options = &p.options;
    p.limit = limit_from_now(p.options.max_ms);
    o->l.memory = o;
    o->l.stream_count = w->stream_count;
    o->l.priorities = o->priorities = arena_alloc_array(&o->memory, w->stream_count + 1, sizeof *o->priorities);
    o->l.assigned = o->assigned = arena_alloc_array(&o->memory, w->stream_count + 1, sizeof *o->assigned);
    p.streams = arena_alloc_array(&o->memory, w->stream_count + 1, sizeof *p.streams);
    p.ends = arena_alloc_array(&o->memory, w->task_count + 1, sizeof *p.ends);
    p.copy = gcast_workload_copy(w, err);
    if (!o->priorities || !o->assigned || !p.streams || !p.ends || !p.copy)
        p.status = gcast_error_set_memory(err);
    else if ((p.status = gcast_workload_check(w, err)) == GCAST_OK) {
        if (collect_streams(&p))
            place_all(&p);
        else
            p.status = gcast_error_set_memory(err);
    }
    gcast_workload_free(p.copy);
    if (p.status == GCAST_OK)
        *out = &o->l;
    else
        gcast_levels_free(&o->l);
    return p.status;
}

void gcast_levels_free(gcast_levels *l)
{
    if (!l)
        return;
    owned_levels *o = l->memory;
    arena_free(&o->memory);
    free(o);
}
