/* Ways to spoil the children of a run. */
#include "property/mutate.h"

static bool is_child(const specimen *s, size_t i)
{
    return mutate_kind(s, i) == MUTATE_CHILD;
}

static gcast_child *child_at(specimen *s, size_t i)
{
    return &s->children[i - s->run.op_count];
}

static const gcast_launches *launches_of(const specimen *s, size_t i)
{
    return s->run.workload->ops[s->ops[i].op].launches;
}

/* Its launch overhead is over 1 ns too early, or too late. */
bool mutate_early_in_stream(specimen *s, size_t i)
{
    return is_child(s, i) && s->ops[i].arrive_ns-- > s->ops[i].call_ns;
}

bool mutate_late_in_stream(specimen *s, size_t i)
{
    return is_child(s, i) && s->ops[i].arrive_ns < s->ops[i].head_ns && s->ops[i].arrive_ns++ >= 0;
}

/* It is the head before the child in front of it in its stream is gone, or later. */
bool mutate_early_head(specimen *s, size_t i)
{
    if (!is_child(s, i) || s->ops[i].head_ns == s->ops[i].arrive_ns)
        return false;
    s->ops[i].head_ns--;
    return true;
}

bool mutate_late_head(specimen *s, size_t i)
{
    return is_child(s, i) && s->ops[i].head_ns < child_at(s, i)->pool_ns && s->ops[i].head_ns++ >= 0;
}

/* It is taken from the line although the pool is full, or not although it has a place. */
bool mutate_early_from_line(specimen *s, size_t i)
{
    return is_child(s, i) && child_at(s, i)->pool_ns > s->ops[i].head_ns && child_at(s, i)->pool_ns-- >= 0;
}

bool mutate_late_from_line(specimen *s, size_t i)
{
    return is_child(s, i) && child_at(s, i)->pool_ns < s->ops[i].enter_ns && child_at(s, i)->pool_ns++ >= 0;
}

/* It enters while another is the first of its hardware queue. */
bool mutate_early_child(specimen *s, size_t i)
{
    return is_child(s, i) && s->ops[i].enter_ns > child_at(s, i)->pool_ns && s->ops[i].enter_ns-- >= 0;
}

bool mutate_other_queue(specimen *s, size_t i)
{
    if (!is_child(s, i))
        return false;
    child_at(s, i)->queue = child_at(s, i)->queue < 0 ? 0 : child_at(s, i)->queue ? 0 : -1;
    return true;
}

bool mutate_more_items(specimen *s, size_t i)
{
    return is_child(s, i) && child_at(s, i)->items++ > 0;
}

/* Its launcher is another one that has not as many items. With as many, a controller might have chosen that one. */
bool mutate_other_launcher(specimen *s, size_t i)
{
    if (!is_child(s, i))
        return false;
    gcast_child *child = child_at(s, i);
    const gcast_launches *l = launches_of(s, child->parent);
    uint64_t next = child->launcher + 1;
    uint32_t items = !l->items ? l->items_each : next < l->item_count ? l->items[next] : 0;
    child->launcher = items == child->items ? UINT64_MAX : next;
    return true;
}

bool mutate_other_place(specimen *s, size_t i)
{
    return is_child(s, i) && child_at(s, i)->place++ > 0;
}

bool mutate_other_parent(specimen *s, size_t i)
{
    if (!is_child(s, i) || s->ops[child_at(s, i)->parent].block_count < 2)
        return false;
    child_at(s, i)->parent_block = child_at(s, i)->parent_block ? 0 : 1;
    return true;
}

/* It is called before its launcher decides. */
bool mutate_early_call(specimen *s, size_t i)
{
    if (!is_child(s, i))
        return false;
    s->ops[i].release_ns--;
    s->ops[i].call_ns--;
    return true;
}

/* A kernel is complete before its last child. */
bool mutate_impatient_parent(specimen *s, size_t i)
{
    int64_t last = 0;
    if (mutate_kind(s, i) == MUTATE_REST || !launches_of(s, i) || s->ops[i].skipped)
        return false;
    for (uint64_t b = 0; b < s->ops[i].block_count; b++)
        last = s->blocks[i][b].end_ns > last ? s->blocks[i][b].end_ns : last;
    if (last == s->ops[i].end_ns)
        return false;
    s->ops[i].end_ns = last;
    return true;
}

/* The rest of a block comes 1 ns late. */
bool mutate_late_rest(specimen *s, size_t i)
{
    gcast_run_op *r = &s->ops[i];
    if (mutate_kind(s, i) != MUTATE_REST || r->start_ns == r->enter_ns)
        return false;
    r->release_ns++, r->call_ns++, r->arrive_ns++, r->head_ns++, r->enter_ns++;
    child_at(s, i)->pool_ns++;
    return true;
}

/* The last rest is missing; entries behind it move up. */
bool mutate_no_rest(specimen *s, size_t i)
{
    if (mutate_kind(s, i) != MUTATE_REST || i + 1 != specimen_total(s))
        return false;
    for (size_t k = 0; k < specimen_total(s); k++)
        s->ops[k].entry -= s->ops[k].entry > s->ops[i].entry && s->ops[k].enter_ns >= 0;
    s->run.child_count--;
    return true;
}

/* A block of a kernel that launches is shorter than its launchers need. */
bool mutate_shorter_parent_block(specimen *s, size_t i)
{
    const gcast_op *op = &s->run.workload->ops[s->ops[i].op];
    if (mutate_kind(s, i) == MUTATE_REST || !op->launches || s->ops[i].skipped || op->block_ns ||
        op->min_ns != op->max_ns || s->run.noise_ns || s->run.gpu->child_refused_ns)
        return false;
    s->blocks[i][s->ops[i].block_count - 1].end_ns--;
    return true;
}

bool mutate_wrong_blocks_end(specimen *s, size_t i)
{
    return mutate_kind(s, i) != MUTATE_HOST && child_at(s, i)->blocks_end_ns-- > 0;
}

/* One launcher has two children. */
bool mutate_launcher_of_two(specimen *s, size_t i, size_t j)
{
    if (!is_child(s, i) || !is_child(s, j) || child_at(s, i)->parent != child_at(s, j)->parent ||
        child_at(s, i)->parent_block != child_at(s, j)->parent_block)
        return false;
    child_at(s, j)->launcher = child_at(s, i)->launcher;
    return true;
}

/* One that was in the line behind another is taken before it. */
bool mutate_swapped_in_line(specimen *s, size_t i, size_t j)
{
    if (!is_child(s, i) || !is_child(s, j))
        return false;
    int64_t *x = &child_at(s, i)->pool_ns, *y = &child_at(s, j)->pool_ns, swapped = *x;
    if (*x >= *y || s->ops[j].head_ns > *x || *y > s->ops[i].enter_ns || *x == s->ops[i].head_ns)
        return false;
    *x = *y;
    *y = swapped;
    return true;
}

/* Two that enter at one time do so in the other order. */
bool mutate_swapped_at_one_time(specimen *s, size_t i, size_t j)
{
    if (mutate_kind(s, j) == MUTATE_HOST || s->ops[i].enter_ns != s->ops[j].enter_ns || s->ops[i].skipped)
        return false;
    uint64_t entry = s->ops[i].entry;
    s->ops[i].entry = s->ops[j].entry;
    s->ops[j].entry = entry;
    return true;
}

bool mutate_flat_with_children(specimen *s)
{
    if (!s->run.child_count)
        return false;
    s->run.spawn_overridden = true;
    s->run.spawn_policy = GCAST_SPAWN_FLAT;
    return true;
}

/* A launcher keeps its items although its policy is to launch, and the pool does not refuse it. */
bool mutate_always_without_child(specimen *s)
{
    if (!s->run.child_count || s->sums.kept == 0 || (s->run.gpu->child_pool && !s->run.gpu->child_pool_grows))
        return false;
    for (size_t i = 0; i < s->run.workload->op_count + s->run.workload->child_count; i++)
        if (s->run.workload->ops[i].launches && s->run.workload->ops[i].launches->min_items > 1)
            return false;
    s->run.spawn_overridden = true;
    s->run.spawn_policy = GCAST_SPAWN_ALWAYS;
    return true;
}

bool mutate_wrong_sums(specimen *s)
{
    return s->sums.children++ > 0;
}

/* Was the pool full at some time, so that a child waited in line or a launch was refused? */
static bool pool_was_full(const specimen *s)
{
    const gcast_gpu *gpu = s->run.gpu;
    bool waited = false;
    for (size_t i = s->run.op_count; i < specimen_total(s); i++)
        waited = waited || s->children[i - s->run.op_count].pool_ns > s->ops[i].head_ns;
    return gpu->child_pool && (gpu->child_pool_grows ? waited : s->sums.refused > 0);
}

static void change_pool(specimen *s, int by)
{
    gcast_gpu *gpu = arena_copy(&s->memory, s->run.gpu, sizeof *gpu);
    assert_non_null(gpu);
    gpu->child_pool += by;
    s->run.gpu = gpu;
}

/* The GPU has another pool than the run, which shows where it was full. That a controller was refused does not show. */
bool mutate_larger_pool(specimen *s)
{
    const gcast_workload *w = s->run.workload;
    bool decides = s->run.spawn_overridden;
    for (size_t i = 0; i < w->op_count + w->child_count; i++)
        decides = decides || (w->ops[i].launches && w->ops[i].launches->policy >= GCAST_SPAWN_SPAWN);
    if (!pool_was_full(s) || (!s->run.gpu->child_pool_grows && decides))
        return false;
    change_pool(s, 1);
    return true;
}

bool mutate_smaller_pool(specimen *s)
{
    if (!pool_was_full(s) || s->run.gpu->child_pool < 2)
        return false;
    change_pool(s, -1);
    return true;
}
