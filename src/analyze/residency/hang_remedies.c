/* Applies each candidate change to a copy of the workload and proves it again. */
#include "analyze/residency/hang_remedies.h"

#include "model/workload/workload.h"

typedef struct finder {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    const residency *r;
    residency_remedy *found;
    size_t count;
    gcast_error *err;
} finder;

static bool is_waiter(const gcast_workload *w, size_t op)
{
    return w->ops[op].waits_for_count > 0;
}

static bool waits_for_itself_only(const gcast_workload *w, size_t op)
{
    return w->ops[op].waits_for_count == 1 && w->ops[op].waits_for[0] == op;
}

static bool is_at_risk(const finder *f, size_t op)
{
    for (size_t i = 0; i < f->r->risk_count; i++)
        if (f->r->risks[i].kernel == op || f->r->risks[i].waiter == op)
            return true;
    return false;
}

/* Gives all kernels that appear in a risk the lowest of their priorities; false: they all have it already. */
static bool one_priority(const finder *f, gcast_workload *w)
{
    int lowest = INT32_MIN; /* priority: the largest number */
    bool changed = false;
    for (size_t i = 0; i < w->op_count; i++)
        if (is_at_risk(f, i) && w->streams[w->ops[i].stream].priority > lowest)
            lowest = w->streams[w->ops[i].stream].priority;
    for (size_t i = 0; i < w->op_count; i++)
        if (is_at_risk(f, i) && w->streams[w->ops[i].stream].priority != lowest) {
            workload_set_priority(w, (size_t)w->ops[i].stream, lowest);
            changed = true;
        }
    return changed;
}

static bool all_cooperative(gcast_workload *w)
{
    bool changed = false;
    for (size_t i = 0; i < w->op_count; i++) {
        gcast_op op = w->ops[i];
        if (!waits_for_itself_only(w, i) || op.cooperative)
            continue;
        op.cooperative = changed = true;
        workload_put_op(w, i, &op);
    }
    return changed;
}

static void set_blocks(gcast_workload *w, uint32_t at, int64_t blocks)
{
    gcast_op op = w->ops[at];
    op.grid[0] = (uint32_t)blocks;
    op.grid[1] = op.grid[2] = 1;
    op.blocks = (uint64_t)blocks;
    op.block_ns = NULL; /* durations do not matter here */
    workload_put_op(w, at, &op);
}

/* Reserves the last `reserved` SMs for waiters. */
static gcast_status reserve(gcast_workload *w, int sms, int64_t reserved, gcast_error *err)
{
    gcast_mask inside = {{0}}, outside = {{0}};
    int in, out;
    for (int sm = 0; sm < sms; sm++)
        (sm >= sms - reserved ? &inside : &outside)->word[sm / 64] |= UINT64_C(1) << sm % 64;
    gcast_status status = gcast_workload_add_mask(w, &inside, &in, err);
    if (status == GCAST_OK)
        status = gcast_workload_add_mask(w, &outside, &out, err);
    for (size_t i = 0; i < w->op_count && status == GCAST_OK; i++) {
        gcast_op op = w->ops[i];
        if (op.kind != GCAST_KIND_KERNEL)
            continue;
        op.mask = is_waiter(w, i) ? in : out;
        workload_put_op(w, i, &op);
    }
    return status;
}

/* Can `op` be called after `other`? A host calls its ops in the order of the file. */
static bool may_be_after(const gcast_workload *w, uint32_t op, uint32_t other)
{
    return w->ops[op].host == GCAST_NO_HOST || w->ops[op].host != w->ops[other].host || other < op;
}

/* Applies a change to a copy and proves it again. */
static gcast_status is_safe(const finder *f, const residency_remedy *change, bool *safe)
{
    gcast_workload *copy;
    bool changed = true;
    *safe = false;
    gcast_status status = gcast_workload_copy(f->w, &copy, f->err);
    if (status != GCAST_OK)
        return status;
    if (change->kind == REMEDY_PRIORITY)
        changed = one_priority(f, copy);
    else if (change->kind == REMEDY_COOPERATIVE)
        changed = all_cooperative(copy);
    else if (change->kind == REMEDY_BLOCKS)
        set_blocks(copy, change->op, change->value);
    else if (change->kind == REMEDY_SMS)
        status = reserve(copy, f->gpu->sms, change->value, f->err);
    if (status == GCAST_OK && changed) {
        residency r;
        needs_order order = {change->op, change->other};
        needs_assumed assumed = {.order = change->kind == REMEDY_ORDER ? &order : NULL};
        status = residency_prove(copy, f->gpu, &assumed, &r, f->err);
        *safe = status == GCAST_OK && !r.risk_count;
        residency_free(&r);
    }
    gcast_workload_free(copy);
    return status;
}

static gcast_status try_remedy(finder *f, residency_remedy change)
{
    bool safe;
    if (f->count == REMEDIES_MAX)
        return GCAST_OK;
    gcast_status status = is_safe(f, &change, &safe);
    if (status == GCAST_OK && safe)
        f->found[f->count++] = change;
    return status;
}

/* Finds the most blocks that are safe, by bisection: fewer blocks take less room. */
static gcast_status try_fewer_blocks(finder *f, uint32_t op)
{
    residency_remedy change = {.kind = REMEDY_BLOCKS, .op = op, .value = 1};
    int64_t low = 1, high = (int64_t)f->w->ops[op].blocks; /* `low` is safe, `high` is not */
    bool safe = false;
    gcast_status status = f->count < REMEDIES_MAX ? is_safe(f, &change, &safe) : GCAST_OK;
    if (status != GCAST_OK || !safe)
        return status;
    while (high - low > 1) {
        change.value = low + (high - low) / 2;
        status = is_safe(f, &change, &safe);
        if (status != GCAST_OK)
            return status;
        *(safe ? &low : &high) = change.value;
    }
    change.value = low;
    f->found[f->count++] = change;
    return GCAST_OK;
}

/* Finds the fewest SMs that are enough. */
static gcast_status try_reserved_sms(finder *f)
{
    residency_remedy change = {.kind = REMEDY_SMS};
    gcast_status status = GCAST_OK;
    bool safe = false;
    for (change.value = 1; change.value < f->gpu->sms && f->count < REMEDIES_MAX && status == GCAST_OK && !safe;) {
        status = is_safe(f, &change, &safe);
        if (!safe)
            change.value++;
    }
    if (status == GCAST_OK && safe)
        f->found[f->count++] = change;
    return status;
}

/* Has a remedy with fewer blocks of the op been found? */
static bool has_fewer_blocks(const finder *f, uint32_t op)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->found[i].kind == REMEDY_BLOCKS && f->found[i].op == op)
            return true;
    return false;
}

gcast_status remedies_find(const gcast_workload *w, const gcast_gpu *gpu, const residency *r,
                           residency_remedy found[REMEDIES_MAX], size_t *count, gcast_error *err)
{
    finder f = {w, gpu, r, found, 0, err};
    *count = 0;
    if (w->op_count > REMEDIES_MAX_OPS)
        return GCAST_OK;
    gcast_status status = try_remedy(&f, (residency_remedy){.kind = REMEDY_PRIORITY});
    if (status == GCAST_OK)
        status = try_remedy(&f, (residency_remedy){.kind = REMEDY_COOPERATIVE});
    for (size_t i = 0; i < r->risk_count && status == GCAST_OK; i++) {
        uint32_t a = r->risks[i].kernel, b = r->risks[i].waiter;
        if (r->risks[i].reason == RESIDENCY_ROOM && a != b && may_be_after(w, a, b))
            status = try_remedy(&f, (residency_remedy){REMEDY_ORDER, a, b, 0});
        if (r->risks[i].reason == RESIDENCY_ROOM && a != b && may_be_after(w, b, a) && status == GCAST_OK)
            status = try_remedy(&f, (residency_remedy){REMEDY_ORDER, b, a, 0});
    }
    for (size_t i = 0; i < r->risk_count && status == GCAST_OK; i++) {
        uint32_t ops[] = {r->risks[i].waiter, r->risks[i].kernel};
        for (int k = 0; k < 2 && status == GCAST_OK; k++)
            if (!has_fewer_blocks(&f, ops[k]) && w->ops[ops[k]].blocks > 1 && w->ops[ops[k]].blocks <= INT32_MAX)
                status = try_fewer_blocks(&f, ops[k]);
    }
    if (status == GCAST_OK)
        status = try_reserved_sms(&f);
    *count = f.count;
    return status;
}
