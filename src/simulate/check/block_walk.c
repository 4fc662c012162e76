/* gcast_run_check, block by block: C-blocks, C-room, C-mask, C-priority, C-idle, C-grids, C-switch, C-size. One walk
 * goes through the run in the order of time. In a level only one kernel can dispatch blocks at a time, so that the
 * blocks of a level are in order already, and the walk needs memory only for resident blocks. */
#include "simulate/check/block_walk.h"

#include <stdlib.h>

#include "base/integers.h"
#include "simulate/blocks/delays.h"
#include "simulate/check/plan_jobs.h"
#include "simulate/check/run_order.h"
#include "simulate/check/wait_times.h"
#include "simulate/run_ops.h"

/* How much a block that sleeps may exceed its duration, if it does not starve: it may start as late as the releases on
 * its SM are seen, and it wakes on a tick. */
static int64_t max_oversleep_ns(const gcast_run *run, uint32_t sm)
{
    int64_t reach = run->gpu->reach_ns ? run->gpu->reach_ns[sm] : 0;
    return run->wake_ns - 1 + reach + (run->gpu->limits.blocks_per_sm - 1) * run->gpu->look_step_ns;
}

/* Did a block that waits end when it should? It neither sleeps nor starves, and runs for at least 1 ns after its
 * wait. */
static bool wait_is_right(const block_walk *k, uint32_t i, const gcast_block *b, uint64_t n)
{
    const gcast_op *op = walk_spec(k, i);
    int64_t min = op->block_ns ? op->block_ns[n] : op->min_ns, max = op->block_ns ? op->block_ns[n] : op->max_ns;
    int64_t resume = check_resume_ns(k->run, k->orders, i, b->start_ns), rest = b->end_ns - resume;
    if (resume >= CHECK_NEVER)
        return k->run->hang && b->end_ns == k->run->hang->time_ns;
    return rest >= max_i64(min - op->wait_ns, 1) && rest <= max_i64(max + k->run->noise_ns - op->wait_ns, 1);
}

/* Did the block take as long as it should? The blocks that started before it on its SM are known, so that it is known
 * whether it starves. */
static bool duration_is_right(const block_walk *k, uint32_t i, const gcast_block *b, uint64_t n)
{
    const gcast_op *op = walk_spec(k, i);
    if (walk_launches(k, i)) /* C-launches */
        return true;
    if (op->wait_ns != GCAST_NEVER)
        return wait_is_right(k, i, b, n);
    bool sleeps = k->run->wake_ns && op->body == GCAST_BODY_SPIN;
    int64_t duration_ns = b->end_ns - b->start_ns,
            extra = k->run->noise_ns + (sleeps ? max_oversleep_ns(k->run, b->sm) : 0);
    int64_t min = op->block_ns ? op->block_ns[n] : op->min_ns, max = op->block_ns ? op->block_ns[n] : op->max_ns;
    uint32_t rank = (uint32_t)k->sms.rank[b->sm];
    if (min == max && !extra && !k->run->scatter)
        return duration_ns == min + starve_delay_ns(&k->starve, rank, b->start_ns + min, k->starve.max_delay_ns);
    if (sleeps && !k->starve.sms && b->end_ns % k->run->wake_ns)
        return false;
    if (duration_ns - extra <= max)
        return duration_ns >= min - (sleeps ? k->run->wake_ns / TICK_STEPS - 1 : 0);
    return duration_ns - extra - k->starve.max_delay_ns <= max && starve_at(&k->starve, rank, b->end_ns - 1);
}

bool block_is_right(block_walk *k, uint32_t i, const gcast_block *b, uint64_t n)
{
    const gcast_op *op = walk_spec(k, i);
    if (b->sm >= (uint32_t)k->sms.count)
        walk_broken(k, i, "C-blocks", "a block ran on an SM that is not there");
    else if (!duration_is_right(k, i, b, n))
        walk_broken(k, i, "C-blocks", "a block took longer or shorter than it should");
    else if (!walk_may_use(k, op, (int)b->sm))
        walk_broken(k, i, "C-mask", "a block ran on an SM that it may not use");
    else if (b->start_ns < k->run->ops[i].enter_ns || b->end_ns > check_end_ns(k->run, &k->run->ops[i]))
        walk_broken(k, i, "C-blocks", "a block ran outside of its kernel's time");
    return k->status == GCAST_OK;
}

/* A block of i starts on the SM of this rank: is the SM's shared memory large enough? Updates the SM's range of
 * sizes. */
static bool block_size_is_right(block_walk *k, uint32_t i, uint32_t rank)
{
    size_range *range = &k->sizes[rank];
    sm_state *sm = &k->sms.at[rank];
    smem_sizes size = walk_demand(k, i)->size;
    bool before_or_after = k->run->gpu->look_step_ns && range->released_ns == k->now && range->max >= size.min_bytes;
    if (!sm->resident) {
        range->min = before_or_after && range->min < size.chosen_bytes ? range->min : size.chosen_bytes;
        range->max = before_or_after && range->max > size.chosen_bytes ? range->max : size.chosen_bytes;
    }
    sm->size = range->max;
    return sm_fit_count_by_carveout(&k->sms, sm, walk_demand(k, i)) > 0;
}

/* Does a block with this demand fit with its first warp in the next quarter? In a run with plans that quarter is
 * unknown, so it must fit with any. */
static bool fits_on(const block_walk *k, const sm_state *sm, const sm_demand *d)
{
    bool fits = sm_fits(sm, d);
    for (int32_t q = 0; q < GCAST_QUARTERS && k->jobs.count; q++) {
        sm_state other = *sm;
        other.next_quarter = q;
        fits = fits && sm_fits(&other, d);
    }
    return fits;
}

bool walk_fits_on(block_walk *k, uint32_t i, int rank)
{
    sm_state *sm = &k->sms.at[rank];
    if (!walk_may_use(k, walk_spec(k, i), k->sms.order[rank]))
        return false;
    if (k->sizes)
        sm->size = k->sizes[rank].min;
    return fits_on(k, sm, walk_demand(k, i)) && sm_fit_count_by_carveout(&k->sms, sm, walk_demand(k, i)) > 0;
}

uint32_t block_count_fitting(block_walk *k, uint32_t i, int rank)
{
    sm_state *sm = &k->sms.at[rank];
    if (k->sizes)
        sm->size = k->sizes[rank].min;
    if (!walk_may_use(k, walk_spec(k, i), k->sms.order[rank]) || !sm_fits(sm, walk_demand(k, i)))
        return 0;
    return min_u32(sm_fit_count(sm, walk_demand(k, i)), sm_fit_count_by_carveout(&k->sms, sm, walk_demand(k, i)));
}

/* How many blocks of i fit on all SMs that it may use. */
static uint64_t count_fitting(block_walk *k, uint32_t i)
{
    uint64_t count = 0;
    for (int rank = 0; rank < k->sms.count; rank++)
        count += block_count_fitting(k, i, rank);
    return count;
}

/* Does a block of i fit on an SM that it may use? Of a cooperative kernel: do all? */
static bool block_fits_somewhere(block_walk *k, uint32_t i)
{
    const gcast_op *op = walk_spec(k, i);
    bool found = false;
    if (op->cooperative)
        return count_fitting(k, i) >= k->run->ops[i].block_count;
    for (int word = 0; word * 64 < k->sms.count; word++) {
        uint64_t bits = k->blocked == i ? k->sms.dirty[word] : UINT64_MAX;
        k->sms.dirty[word] = 0;
        for (; bits; bits &= bits - 1) {
            int rank = word * 64 + __builtin_ctzll(bits);
            if (rank >= k->sms.count)
                break;
            found = walk_fits_on(k, i, rank) || found;
        }
    }
    return found;
}

/* When the operation's last block ended. */
static int64_t last_block_end_ns(const gcast_run_op *r)
{
    int64_t last = -1;
    for (uint64_t b = 0; b < r->block_count; b++)
        last = max_i64(last, r->blocks[b].end_ns);
    return last;
}

/* A programmatic kernel is complete no sooner than the operation before it: raises *last, the end of its last block, to
 * that time. In a run that hangs, a kernel must be incomplete if the operation before it is, or if its blocks wait or
 * never started. */
static bool complete_in_order(const gcast_run *run, const check_orders *orders, uint32_t i, int64_t *last)
{
    const gcast_run_op *r = &run->ops[i];
    const gcast_op *op = run_spec(run, i);
    uint32_t before = check_before(run, orders, i);
    if (before != UINT32_MAX)
        *last = max_i64(*last, check_end_ns(run, &run->ops[before]));
    if (!run->hang)
        return true;
    bool waits = op->wait_ns != GCAST_NEVER && r->start_ns >= 0 && check_open_ns(run, orders, i) == CHECK_NEVER;
    bool left = waits || r->dispatched_ns < 0 || *last == CHECK_NEVER;
    return left == (r->end_ns < 0);
}

/* `complete`: by operation, when the last of its children and rests is complete. */
static gcast_status check_ends(const gcast_run *run, const check_orders *orders, const int64_t *complete,
                               gcast_error *err)
{
    for (size_t e = 0; e < orders->entry_count; e++) {
        uint32_t i = orders->entry[e];
        const gcast_run_op *r = &run->ops[i];
        if (run_spec(run, i)->kind != GCAST_KIND_KERNEL)
            continue;
        int64_t last = last_block_end_ns(r);
        if (i < run->op_count && !complete_in_order(run, orders, i, &last))
            return check_broken(run, i, "C-blocks", "it was complete before the kernel before it, or its blocks", err);
        if (r->end_ns < 0 && run->hang)
            continue;
        if (i >= run->op_count && last != run_child(run, i)->blocks_end_ns)
            return check_broken(run, i, "C-launches", "its last block did not end when it says", err);
        if (complete[i] > last && complete[i] != r->end_ns)
            return check_broken(run, i, "C-launches", "it was not complete with its last child", err);
        if (complete[i] <= last && last != r->end_ns && !check_has_plan(run, i)) /* the last worker may retreat */
            return check_broken(run, i, "C-blocks", "its last block did not end when it says", err);
    }
    return GCAST_OK;
}

/* C-blocks: a kernel is complete when its last block has ended and all its children and rests are complete. */
static gcast_status check_kernel_ends(const gcast_run *run, const check_orders *orders, gcast_error *err)
{
    int64_t *complete = malloc((run_total(run) + 1) * sizeof *complete);
    if (!complete)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < run_total(run); i++)
        complete[i] = -1;
    for (size_t c = 0; c < run->child_count; c++) {
        uint32_t parent = run->children[c].parent;
        complete[parent] = max_i64(complete[parent], child_complete_ns(run, c));
    }
    gcast_status status = check_ends(run, orders, complete, err);
    free(complete);
    return status;
}

/* A run does not say when the workers of a plan started and ended, only when their jobs did. In the walk, jobs hold
 * resources only while they run, which is less than workers hold. So C-idle is not checked while a kernel with a plan
 * is resident, and in such a run neither the quarters of warps nor the sizes of shared memory are checked. */

/* The first kernel of a level that is not fully dispatched; NOBODY. */
static uint32_t current(const block_walk *k, int level)
{
    return k->level_next[level] < k->level_count[level] ? k->level_ops[level][k->level_next[level]] : NOBODY;
}

/* When the next block starts, and its level; INT64_MAX: none is left. */
static int64_t next_start(const block_walk *k, int *level)
{
    int64_t best = INT64_MAX;
    for (int l = 0; l < k->run->gpu->priority_levels; l++) {
        uint32_t i = current(k, l);
        if (i == NOBODY)
            continue;
        const gcast_run_op *r = &k->run->ops[i];
        int64_t t;
        if (k->jobs.count && check_has_plan(k->run, i))
            t = k->block_next[l] ? r->dispatched_ns : r->start_ns;
        else
            t = r->blocks[k->block_next[l]].start_ns;
        if (t < 0 && k->run->hang) /* it never starts */
            continue;
        if (t < best) {
            best = t;
            *level = l;
        }
    }
    return best;
}

void walk_release_ended(block_walk *k)
{
    for (const heap_item *top; (top = heap_top(&k->releases)) && top->time <= k->now;) {
        uint32_t id = heap_pop(&k->releases).id;
        resident *r = &k->residents.at[id];
        sm_release_one(&k->sms.at[r->rank], walk_demand(k, r->op), r->quarter);
        k->sms.dirty[r->rank / 64] |= UINT64_C(1) << (r->rank % 64);
        if (k->sizes)
            k->sizes[r->rank].released_ns = k->now;
        r->next_free = k->free_resident;
        k->free_resident = id;
    }
    for (const heap_item *top; (top = heap_top(&k->ends)) && top->time <= k->now;) {
        heap_pop(&k->ends);
        k->resident_grids--;
        k->blocked = NOBODY;
    }
    for (const heap_item *top; (top = heap_top(&k->plan_ends)) && top->time <= k->now;) {
        uint32_t i = heap_pop(&k->plan_ends).id;
        k->plans_resident--;
        k->plans_repaired -= k->run->ops[i].repaired > 0;
        k->blocked = NOBODY;
    }
}

/* An unused entry of residents[]; NOBODY without memory. */
static uint32_t new_resident(block_walk *k)
{
    if (k->free_resident != NOBODY) {
        uint32_t id = k->free_resident;
        k->free_resident = k->residents.at[id].next_free;
        return id;
    }
    if (!vec_push(&k->residents, (resident){0})) {
        k->status = gcast_error_set_memory(k->err);
        return NOBODY;
    }
    return (uint32_t)(k->residents.count - 1);
}

/* The head of a level, if it has entered and does not wait for the limit of resident grids; else NOBODY. */
static uint32_t head_of(const block_walk *k, int level)
{
    uint32_t i = current(k, level);
    int limit = k->run->gpu->limits.resident_grids;
    bool limited = limit && (k->resident_grids >= (uint32_t)limit || k->plans_repaired);
    bool waits = i != NOBODY && k->block_next[level] == 0 && limited && !run_is_rest(k->run, i);
    return i == NOBODY || waits || k->run->ops[i].enter_ns > k->now ? NOBODY : i;
}

/* Does a higher level have a kernel that may dispatch blocks? */
static bool outranked(const block_walk *k, int level)
{
    for (int l = 0; l < level; l++)
        if (head_of(k, l) != NOBODY)
            return true;
    return false;
}

/* Is it the turn of the kernel i of this level to start a block now? */
static bool has_turn(block_walk *k, int level, uint32_t i)
{
    if (outranked(k, level))
        walk_broken(k, i, "C-priority",
                    "a block started although a kernel of higher priority had blocks to start (A2)");
    if (k->now < k->switch_end_ns)
        walk_broken(k, i, "C-switch", "a block started before the GPU had switched to its kernel");
    return k->status == GCAST_OK;
}

bool walk_has_room(block_walk *k, uint32_t i, const gcast_block *b, uint32_t rank)
{
    sm_state *sm = &k->sms.at[rank];
    if (k->jobs.count)
        sm->next_quarter = (int32_t)b->quarter % GCAST_QUARTERS;
    else if (k->run->gpu->register_quarters && b->quarter != (uint32_t)sm->next_quarter)
        walk_broken(k, i, "C-room", "a block's warps did not start at the SM's next quarter");
    if (!sm_fits(sm, walk_demand(k, i)))
        walk_broken(k, i, "C-room", "a block started on an SM without room for it (R1)");
    else if (k->sizes && !block_size_is_right(k, i, rank))
        walk_broken(k, i, "C-size", "a block started on an SM whose shared memory is too small for it");
    return k->status == GCAST_OK;
}

bool walk_take(block_walk *k, uint32_t i, const gcast_block *b, uint32_t rank, int64_t release)
{
    sm_state *sm = &k->sms.at[rank];
    uint32_t id = new_resident(k);
    if (id == NOBODY)
        return false;
    k->residents.at[id].op = i;
    k->residents.at[id].rank = rank;
    k->residents.at[id].quarter = sm->next_quarter;
    sm_take_one(sm, walk_demand(k, i));
    bool spins = k->starve.sms && walk_spec(k, i)->body == GCAST_BODY_TIMER_SPIN && !check_has_plan(k->run, i) &&
                 !walk_launches(k, i) && walk_spec(k, i)->wait_ns == GCAST_NEVER;
    if (spins && !starve_add(&k->starve, rank, k->now, b->end_ns, walk_demand(k, i)->warps))
        k->status = gcast_error_set_memory(k->err);
    if (!heap_push(&k->releases, (heap_item){release, 0, id}))
        k->status = gcast_error_set_memory(k->err);
    return k->status == GCAST_OK;
}

void walk_count_grid(block_walk *k, uint32_t i)
{
    const gcast_run_op *r = &k->run->ops[i];
    int limit = k->run->gpu->limits.resident_grids;
    if (r->repaired ||
        run_is_rest(k->run, i)) /* a kernel is not resident between its two launches, and a rest never is */
        return;
    if (limit && ++k->resident_grids > (uint32_t)limit)
        walk_broken(k, i, "C-grids", "more kernels are resident than the GPU allows");
    int64_t end = r->end_ns;
    if (walk_spec(k, i)->programmatic && r->dispatched_ns >= 0) /* it may be complete after its last block */
        end = last_block_end_ns(r);
    if (check_stays(k->run, k->orders, i) || (r->dispatched_ns < 0 && k->run->hang))
        end = CHECK_NEVER;
    if (walk_launches(k, i)) /* it may wait for children after its last block */
        end = last_block_end_ns(r) + (i >= k->run->op_count ? k->run->gpu->child_end_ns : 0);
    if (limit && !heap_push(&k->ends, (heap_item){end, 0, i}))
        k->status = gcast_error_set_memory(k->err);
}

/* The first or the last worker of i, which has a plan, starts now. */
static void start_worker(block_walk *k, int level, uint32_t i)
{
    const gcast_run_op *r = &k->run->ops[i];
    const gcast_gpu *gpu = k->run->gpu;
    if (!has_turn(k, level, i))
        return;
    if (k->block_next[level]++) {
        k->level_next[level]++;
        k->block_next[level] = 0;
        k->switch_end_ns = r->dispatched_ns + gpu->switch_ns;
        return;
    }
    int64_t gone = r->end_ns + gpu->handover_ns;
    if (r->repaired && gpu->switch_ns > gpu->handover_ns) /* it is not known when the second launch was dispatched */
        gone = r->end_ns + gpu->switch_ns;
    walk_count_grid(k, i);
    k->plans_resident++;
    k->plans_repaired += r->repaired > 0;
    if (!heap_push(&k->plan_ends, (heap_item){gone, 0, i}))
        k->status = gcast_error_set_memory(k->err);
}

/* The next job starts now. */
static void start_job(block_walk *k)
{
    const plan_job *job = &k->jobs.at[k->job_next++];
    const gcast_block *b = &k->run->ops[job->op].blocks[job->job];
    uint32_t rank = (uint32_t)k->sms.rank[b->sm];
    k->sms.at[rank].next_quarter = (int32_t)b->quarter % GCAST_QUARTERS;
    if (!sm_fits(&k->sms.at[rank], walk_demand(k, job->op)))
        walk_broken(k, job->op, "C-room", "a job started on an SM without room for its worker (R1)");
    else
        walk_take(k, job->op, b, rank, b->end_ns);
}

/* The next block of this level starts now. */
static void start_block(block_walk *k, int level)
{
    uint32_t i = current(k, level);
    if (k->jobs.count && check_has_plan(k->run, i)) {
        start_worker(k, level, i);
        return;
    }
    const gcast_run_op *r = &k->run->ops[i];
    uint64_t n = k->block_next[level]++;
    const gcast_block *b = &r->blocks[n];
    if (!block_is_right(k, i, b, n))
        return;
    uint32_t rank = (uint32_t)k->sms.rank[b->sm];
    int64_t release = check_stays(k->run, k->orders, i) ? CHECK_NEVER : b->end_ns + k->run->gpu->handover_ns;
    if (!has_turn(k, level, i) || !walk_has_room(k, i, b, rank) || !walk_take(k, i, b, rank, release))
        return;
    if (walk_spec(k, i)->cooperative && b->start_ns != r->blocks[0].start_ns)
        walk_broken(k, i, "C-whole", "blocks of a cooperative kernel did not start at once");
    if (n == 0 && b->start_ns != r->start_ns)
        walk_broken(k, i, "C-blocks", "its first block did not start when it says");
    if (n == 0)
        walk_count_grid(k, i);
    if (n + 1 == r->block_count) {
        if (b->start_ns != r->dispatched_ns)
            walk_broken(k, i, "C-blocks", "its last block did not start when it says");
        k->level_next[level]++;
        k->block_next[level] = 0;
        k->switch_end_ns = b->start_ns + k->run->gpu->switch_ns;
    } else if (r->blocks[n + 1].start_ns < b->start_ns && !(r->blocks[n + 1].start_ns < 0 && k->run->hang)) {
        walk_broken(k, i, "C-blocks", "blocks did not start in the order of their index");
    }
}

/* All blocks that start now have started: no further block of the head may fit. */
static void check_idle(block_walk *k)
{
    if (k->now < k->switch_end_ns || k->plans_resident)
        return;
    for (int l = 0; l < k->run->gpu->priority_levels; l++) {
        uint32_t i = head_of(k, l);
        if (i == NOBODY)
            continue;
        if (block_fits_somewhere(k, i))
            walk_broken(k, i, "C-idle", "a block waits although it is its turn and it fits");
        k->blocked = i;
        return;
    }
}

static void walk_time(block_walk *k)
{
    const gcast_run *run = k->run;
    while (k->status == GCAST_OK) {
        int level = 0;
        int64_t start = next_start(k, &level), t = start;
        const heap_item *release = heap_top(&k->releases), *end = heap_top(&k->ends), *gone = heap_top(&k->plan_ends);
        if (k->job_next < k->jobs.count && k->jobs.at[k->job_next].start_ns < t)
            t = k->jobs.at[k->job_next].start_ns;
        if (t == INT64_MAX && !run->hang) /* else the head must not fit at the end */
            return;
        if (release && release->time < t)
            t = release->time;
        if (end && end->time < t)
            t = end->time;
        if (gone && gone->time < t)
            t = gone->time;
        if (k->entered_count < k->orders->entry_count && run->ops[k->orders->entry[k->entered_count]].enter_ns < t)
            t = run->ops[k->orders->entry[k->entered_count]].enter_ns;
        if (k->switch_end_ns > k->now && k->switch_end_ns < t)
            t = k->switch_end_ns;
        if (t >= CHECK_NEVER)
            return;
        if (t < k->now) { /* only a start can be before now */
            walk_broken(k, current(k, level), "C-blocks", "a block started before its kernel could");
            return;
        }
        k->now = t;
        walk_release_ended(k);
        while (k->entered_count < k->orders->entry_count && run->ops[k->orders->entry[k->entered_count]].enter_ns <= t)
            k->entered_count++;
        while (k->status == GCAST_OK && next_start(k, &level) == t)
            start_block(k, level);
        while (k->status == GCAST_OK && k->job_next < k->jobs.count && k->jobs.at[k->job_next].start_ns == t)
            start_job(k);
        if (k->status == GCAST_OK)
            check_idle(k);
    }
}

/* Lists the kernels of each level; false without memory. */
static bool collect_levels(block_walk *k)
{
    size_t *count = k->level_count;
    for (size_t e = 0; e < k->orders->entry_count; e++)
        if (walk_spec(k, k->orders->entry[e])->kind == GCAST_KIND_KERNEL)
            count[run_level(k->run, k->orders->entry[e])]++;
    for (int l = 0; l < LEVELS; l++) {
        if (count[l] && !(k->level_ops[l] = malloc(count[l] * sizeof **k->level_ops)))
            return false;
        count[l] = 0;
    }
    for (size_t e = 0; e < k->orders->entry_count; e++) {
        uint32_t i = k->orders->entry[e];
        if (walk_spec(k, i)->kind != GCAST_KIND_KERNEL)
            continue;
        int l = run_level(k->run, i);
        k->level_ops[l][count[l]++] = i;
        bool by_host = i < k->run->op_count; /* the blocks of children follow from their items (C-launches) */
        if (!k->run->ops[i].blocks || (by_host && k->run->ops[i].block_count != walk_spec(k, i)->blocks))
            walk_broken(k, i, "C-blocks", "it has not as many blocks as its grid");
    }
    return true;
}

gcast_status check_blocks(const gcast_run *run, const check_orders *orders, void (*other_walk)(block_walk *),
                          gcast_error *err)
{
    block_walk k = {
        .run = run, .orders = orders, .err = err, .demand_op = NOBODY, .blocked = NOBODY, .free_resident = NOBODY};
    if (!sm_set_init(&k.sms, run->gpu, run->workload) ||
        !starve_init(&k.starve, run->gpu, run->workload, run->scatter) || !collect_levels(&k))
        k.status = gcast_error_set_memory(err);
    for (size_t i = 0; i < run->op_count && k.status == GCAST_OK; i++)
        if (check_has_plan(run, i))
            k.status = check_plan_jobs(run, i, err);
    if (k.status == GCAST_OK && !check_list_jobs(run, &k.jobs))
        k.status = gcast_error_set_memory(err);
    if (k.status == GCAST_OK && !k.jobs.count && k.sms.largest &&
        !(k.sizes = calloc((size_t)k.sms.count, sizeof *k.sizes)))
        k.status = gcast_error_set_memory(err);
    if (k.status == GCAST_OK)
        (other_walk ? other_walk : walk_time)(&k);
    if (k.status == GCAST_OK)
        k.status = check_kernel_ends(run, orders, err);
    for (int l = 0; l < LEVELS; l++)
        free(k.level_ops[l]);
    sm_set_free(&k.sms);
    free(k.sizes);
    starve_free(&k.starve);
    vec_free(&k.releases.items);
    vec_free(&k.ends.items);
    vec_free(&k.plan_ends.items);
    vec_free(&k.jobs);
    vec_free(&k.residents);
    return k.status;
}
