/* The sweep: resident blocks first, then kernels in front, switches and sizes. */
#include "simulate/explain/resident_blocks.h"

#include <stdlib.h>

#include "simulate/run_ops.h"

static int by_index(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t block_count(const explain_residents *r, const resident_kernel *k)
{
    return r->run->ops[k->run_op].block_count;
}

/* When the next block of a kernel starts, or a worker takes the next job. */
static int64_t next_start(const explain_residents *r, const resident_kernel *k)
{
    return indexed_kernel_start(r->run, k->of, k->next);
}

/* No block of the kernel is resident any more. */
static void forget(resident_kernel *k)
{
    free(k->by_rank);
    free(k->demand);
    k->by_rank = NULL;
    k->demand = NULL;
}

void explain_residents_free(explain_residents *r)
{
    for (size_t k = 0; k < r->count; k++)
        forget(&r->kernels[k]);
    free(r->kernels);
    vec_free(&r->starts.items);
    vec_free(&r->releases.items);
    vec_free(&r->starting);
    vec_free(&r->resident);
    vec_free(&r->incomplete);
    vec_free(&r->changed);
}

static void mark_changed(explain_residents *r, int rank)
{
    if (!vec_push(&r->changed, rank))
        r->failed = true;
}

/* A kernel without resident blocks dispatches one; false without memory. */
static bool become_resident(explain_residents *r, uint32_t number)
{
    resident_kernel *k = &r->kernels[number];
    const gcast_op *op = &r->run->workload->ops[r->run->ops[k->run_op].op];
    k->by_rank = calloc((size_t)r->sms->count, sizeof *k->by_rank);
    k->demand = aligned_alloc(_Alignof(sm_demand), sizeof *k->demand);
    if (!k->by_rank || !k->demand)
        return false;
    *k->demand = sm_demand_of(r->run->gpu, op);
    return vec_push(&r->resident, number);
}

/* The block of a kernel that starts after `next` others is on its SM from now on. */
static void place_block(explain_residents *r, uint32_t number, uint64_t next)
{
    resident_kernel *k = &r->kernels[number];
    uint64_t block = indexed_kernel_block(r->run, k->of, next);
    const gcast_block *b = &r->run->ops[k->run_op].blocks[block];
    if (!k->by_rank && !become_resident(r, number)) {
        r->failed = true;
        return;
    }
    int rank = r->sms->rank[b->sm];
    r->sms->at[rank].next_quarter = (int32_t)b->quarter;
    sm_take_one(&r->sms->at[rank], k->demand);
    k->blocks++;
    k->sms += k->by_rank[rank]++ == 0;
    mark_changed(r, rank);
    heap_item release = {indexed_kernel_release(r->run, k->of, next), number, (uint32_t)block};
    r->failed = !heap_push(&r->releases, release) || r->failed;
}

/* A kernel dispatches all blocks that start at this time. */
static void start_blocks(explain_residents *r, uint32_t number, int64_t time)
{
    resident_kernel *k = &r->kernels[number];
    bool is_grid = !k->next && !run_is_rest(r->run, k->run_op); /* a rest does not count as a resident grid */
    if (is_grid && !vec_push(&r->incomplete, number))
        r->failed = true;
    for (; k->next < block_count(r, k) && next_start(r, k) <= time && !r->failed; k->next++)
        place_block(r, number, k->next);
    if (k->next < block_count(r, k))
        r->failed = !heap_push(&r->starts, (heap_item){next_start(r, k), 0, number}) || r->failed;
}

/* Places the blocks of a kernel that are resident at this time. */
static void place_kernel(explain_residents *r, const block_history *history, uint32_t number, int64_t time)
{
    resident_kernel *k = &r->kernels[number];
    k->next = block_history_started(history, r->run, k->of, time);
    if (k->next && !run_is_rest(r->run, k->run_op) && !vec_push(&r->incomplete, number))
        r->failed = true;
    for (uint64_t b = 0; b < k->next && !r->failed; b++) {
        if (b % HISTORY_PART == 0 && history->part_until_ns[k->of->first_part + b / HISTORY_PART] <= time)
            b += HISTORY_PART - 1; /* all of these are gone */
        else if (indexed_kernel_release(r->run, k->of, b) > time)
            place_block(r, number, b);
    }
    if (k->next < block_count(r, k))
        r->failed = !heap_push(&r->starts, (heap_item){next_start(r, k), 0, number}) || r->failed;
}

bool explain_residents_init(explain_residents *r, const gcast_run *run, const kernel_windows *w,
                            const kernel_numbers *window, const block_history *history, int64_t start_ns, sm_set *sms)
{
    *r = (explain_residents){.run = run, .sms = sms, .kernels = calloc(window->count + 1, sizeof *r->kernels)};
    if (!r->kernels)
        return false;
    for (; r->count < window->count; r->count++) {
        const indexed_kernel *k = &w->kernels[window->at[r->count]];
        r->kernels[r->count] =
            (resident_kernel){.of = k, .run_op = k->run_op, .grid_end_ns = run_grid_end_ns(run, k->run_op)};
    }
    for (uint32_t k = 0; k < r->count && !r->failed; k++)
        place_kernel(r, history, k, start_ns);
    for (int rank = 0; rank < sms->count; rank++) {
        const sm_start *last = block_history_last(history, rank, start_ns);
        if (last)
            sms->at[rank].next_quarter = last->next_quarter;
        if (last && history->has_sizes)
            sms->at[rank].size = last->size;
    }
    return !r->failed;
}

/* Handles the next release of a block. */
static void release_block(explain_residents *r)
{
    heap_item release = heap_pop(&r->releases);
    resident_kernel *k = &r->kernels[release.kind];
    const gcast_block *b = &r->run->ops[k->run_op].blocks[release.id];
    int rank = r->sms->rank[b->sm];
    sm_release_one(&r->sms->at[rank], k->demand, (int32_t)b->quarter);
    k->sms -= --k->by_rank[rank] == 0; /* NOLINT(clang-analyzer-core.NullDereference): it is there, as k has blocks */
    mark_changed(r, rank);
    if (--k->blocks)
        return;
    size_t i = 0;
    while (r->resident.at[i] != release.kind)
        i++;
    r->resident.at[i] = r->resident.at[--r->resident.count];
    forget(k);
}

int64_t explain_residents_next(explain_residents *r)
{
    const heap_item *start = heap_top(&r->starts), *release = heap_top(&r->releases);
    int64_t t = start ? start->time : INT64_MAX;
    return release && release->time < t ? release->time : t;
}

/* At one time first blocks are released; then kernels dispatch blocks, by level and entry. */
void explain_residents_advance(explain_residents *r, int64_t time)
{
    for (int64_t now; !r->failed && (now = explain_residents_next(r)) <= time && now != INT64_MAX;) {
        while (heap_count(&r->releases) && heap_top(&r->releases)->time == now)
            release_block(r);
        r->starting.count = 0;
        while (heap_count(&r->starts) && heap_top(&r->starts)->time == now && !r->failed)
            r->failed = !vec_push(&r->starting, heap_pop(&r->starts).id);
        if (r->starting.count > 1)
            qsort(r->starting.at, r->starting.count, sizeof *r->starting.at, by_index);
        for (size_t i = 0; i < r->starting.count && !r->failed; i++)
            start_blocks(r, r->starting.at[i], now);
    }
}

size_t explain_residents_grids(explain_residents *r, int64_t time)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->incomplete.count; i++)
        if (r->kernels[r->incomplete.at[i]].grid_end_ns > time)
            r->incomplete.at[kept++] = r->incomplete.at[i];
    r->incomplete.count = kept;
    return kept;
}

size_t explain_residents_list_grids(const explain_residents *r, gcast_holder *out)
{
    size_t count = explain_residents_list(r, NULL, out), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!run_is_rest(r->run, out[i].run_op))
            out[kept++] = out[i];
    return kept;
}

size_t explain_residents_list(const explain_residents *r, const bool *on_rank, gcast_holder *out)
{
    size_t count = 0;
    for (size_t i = 0; i < r->resident.count; i++) {
        const resident_kernel *k = &r->kernels[r->resident.at[i]];
        gcast_holder h = {.run_op = k->run_op, .blocks = on_rank ? 0 : k->blocks, .sms = on_rank ? 0 : k->sms};
        for (int rank = 0; on_rank && rank < r->sms->count; rank++)
            if (on_rank[rank]) {
                h.blocks += k->by_rank[rank];
                h.sms += k->by_rank[rank] > 0;
            }
        if (h.blocks)
            out[count++] = h;
    }
    return count;
}

/* Kernels of a window are sorted by level and entry. */
bool explain_front_init(explain_front *f, const gcast_run *run, size_t run_op, const kernel_windows *w,
                        const kernel_numbers *window)
{
    int own_level = run_level(run, run_op);
    bool ok = true;
    *f = (explain_front){.level_count = own_level + 1};
    for (size_t i = 0; i < window->count && ok; i++) {
        const indexed_kernel *k = &w->kernels[window->at[i]];
        front_kernel x = {k->level, k->entry, k->run_op};
        if (k->level < own_level || (k->level == own_level && k->entry < run->ops[run_op].entry))
            ok = vec_push(&f->kernels, x);
    }
    f->next = calloc((size_t)f->level_count, sizeof *f->next);
    f->end = calloc((size_t)f->level_count, sizeof *f->end);
    if (!ok || !f->next || !f->end)
        return false;
    size_t index = 0;
    for (int level = 0; level < f->level_count; level++) {
        f->next[level] = index;
        while (index < f->kernels.count && f->kernels.at[index].level == level)
            index++;
        f->end[level] = index;
    }
    return true;
}

/* Kernels of a level are fully dispatched in the order in which they entered. */
size_t explain_front_at(explain_front *f, const gcast_run *run, int64_t time, int *level)
{
    for (*level = 0; *level < f->level_count; ++*level) {
        size_t *next = &f->next[*level];
        while (*next < f->end[*level] && run->ops[f->kernels.at[*next].run_op].dispatched_ns <= time)
            ++*next;
        if (*next < f->end[*level] && run->ops[f->kernels.at[*next].run_op].enter_ns <= time)
            return f->kernels.at[*next].run_op;
    }
    return SIZE_MAX;
}

void explain_front_free(explain_front *f)
{
    vec_free(&f->kernels);
    free(f->next);
    free(f->end);
}

static int by_time(const void *a, const void *b)
{
    const kernel_switch *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->run_op < y->run_op ? -1 : x->run_op > y->run_op;
}

bool explain_switches_init(explain_switches *s, const gcast_run *run, const kernel_windows *w,
                           const kernel_numbers *window)
{
    bool ok = true;
    *s = (explain_switches){.switch_ns = run->gpu->switch_ns};
    for (size_t i = 0; i < window->count && s->switch_ns && ok; i++) {
        size_t run_op = w->kernels[window->at[i]].run_op;
        ok = vec_push(&s->all, ((kernel_switch){run->ops[run_op].dispatched_ns, run_op}));
    }
    if (s->all.count)
        qsort(s->all.at, s->all.count, sizeof *s->all.at, by_time);
    return ok;
}

void explain_switches_free(explain_switches *s)
{
    vec_free(&s->all);
}

size_t explain_switched_from(explain_switches *s, int64_t time)
{
    while (s->next < s->all.count && s->all.at[s->next].time + s->switch_ns <= time)
        s->next++;
    return s->next < s->all.count && s->all.at[s->next].time <= time ? s->all.at[s->next].run_op : SIZE_MAX;
}

explain_sizes explain_sizes_from(const block_history *history, int64_t time)
{
    return (explain_sizes){.history = history, .next = block_history_change(history, time)};
}

void explain_sizes_set(explain_sizes *z, int64_t time, explain_residents *r)
{
    for (; z->next < z->history->changes.count && z->history->changes.at[z->next].time <= time; z->next++) {
        const size_change *change = &z->history->changes.at[z->next];
        r->sms->at[change->rank].size = change->size;
        r->failed = !vec_push(&r->changed, change->rank) || r->failed;
    }
}
