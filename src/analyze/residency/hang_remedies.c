/* Applies each candidate change to a copy of the workload and proves it again. */
#include "analyze/residency/hang_remedies.h"

#include "change/variant.h"
#include "model/workload/workload.h"

typedef struct finder {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    const residency *r;
    residency_remedy *found;
    size_t count;
    gcast_error *err;
} finder;

/* A copy to which a remedy is made. */
typedef struct trial {
    const finder *f;
    variant v;
    bool changed;
    gcast_status status;
} trial;

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

/* Makes a change, unless an earlier one failed. */
static void make(trial *t, const change *c)
{
    if (t->status == GCAST_OK)
        t->status = variant_change(&t->v, c, t->f->err);
    t->changed = true;
}

/* Gives all kernels that appear in a risk the lowest of their priorities. */
static void one_priority(trial *t)
{
    const gcast_workload *w = t->f->w;
    int lowest = INT32_MIN; /* priority: the largest number */
    for (size_t i = 0; i < w->op_count; i++)
        if (is_at_risk(t->f, i) && w->streams[w->ops[i].stream].priority > lowest)
            lowest = w->streams[w->ops[i].stream].priority;
    for (size_t i = 0; i < w->op_count; i++)
        if (is_at_risk(t->f, i) && w->streams[w->ops[i].stream].priority != lowest)
            make(t, &(change){.kind = CHANGE_LEVEL, .at = i, .value = lowest});
}

static void all_cooperative(trial *t)
{
    for (size_t i = 0; i < t->f->w->op_count; i++)
        if (waits_for_itself_only(t->f->w, i) && !t->f->w->ops[i].cooperative)
            make(t, &(change){.kind = CHANGE_COOPERATIVE, .at = i});
}

/* Reserves the last `reserved` SMs for waiters. */
static void reserve(trial *t, int64_t reserved)
{
    int64_t sms = t->f->gpu->sms;
    for (size_t i = 0; i < t->f->w->op_count; i++) {
        bool waits = is_waiter(t->f->w, i);
        if (t->f->w->ops[i].kind == GCAST_KIND_KERNEL)
            make(t, &(change){.kind = CHANGE_ON_SMS,
                              .at = i,
                              .value = waits ? sms - reserved : 0,
                              .other = waits ? sms : sms - reserved});
    }
}

/* Can `op` be called after `other`? A host calls its ops in the order of the file. */
static bool may_be_after(const gcast_workload *w, uint32_t op, uint32_t other)
{
    return w->ops[op].host == GCAST_NO_HOST || w->ops[op].host != w->ops[other].host || other < op;
}

/* Makes the changes of a remedy; t->changed stays false where it changes nothing. */
static void make_remedy(trial *t, const residency_remedy *x)
{
    switch (x->kind) {
    case REMEDY_PRIORITY:
        one_priority(t);
        break;
    case REMEDY_COOPERATIVE:
        all_cooperative(t);
        break;
    case REMEDY_BLOCKS:
        make(t, &(change){.kind = CHANGE_AT_MOST, .at = x->op, .value = x->value});
        break;
    case REMEDY_SMS:
        reserve(t, x->value);
        break;
    case REMEDY_ORDER: /* the proof assumes it */
        t->changed = true;
    }
}

/* Makes the changes to a copy and proves it again. What the workload cannot have is not safe. */
static gcast_status is_safe(const finder *f, const residency_remedy *x, bool *safe)
{
    variant_base base = {.w = f->w};
    trial t = {.f = f};
    t.status = variant_open(&base, &t.v, f->err);
    *safe = false;
    if (t.status == GCAST_OK) {
        make_remedy(&t, x);
        if (t.status == GCAST_INPUT) {
            t.status = GCAST_OK;
            t.changed = false;
        }
    }
    if (t.status == GCAST_OK && t.changed) {
        residency r;
        needs_order order = {x->op, x->other};
        needs_assumed assumed = {.order = x->kind == REMEDY_ORDER ? &order : NULL};
        t.status = residency_prove(t.v.w, f->gpu, &assumed, &r, f->err);
        *safe = t.status == GCAST_OK && !r.risk_count;
        residency_free(&r);
    }
    variant_free(&t.v);
    return t.status;
}

static gcast_status try_remedy(finder *f, residency_remedy remedy)
{
    bool safe;
    if (f->count == REMEDIES_MAX)
        return GCAST_OK;
    gcast_status status = is_safe(f, &remedy, &safe);
    if (status == GCAST_OK && safe)
        f->found[f->count++] = remedy;
    return status;
}

/* Finds the most blocks that are safe, by bisection: fewer blocks take less room. */
static gcast_status try_fewer_blocks(finder *f, uint32_t op)
{
    residency_remedy remedy = {.kind = REMEDY_BLOCKS, .op = op, .value = 1};
    int64_t low = 1, high = (int64_t)f->w->ops[op].blocks; /* `low` is safe, `high` is not */
    bool safe = false;
    gcast_status status = f->count < REMEDIES_MAX ? is_safe(f, &remedy, &safe) : GCAST_OK;
    if (status != GCAST_OK || !safe)
        return status;
    while (high - low > 1) {
        remedy.value = low + (high - low) / 2;
        status = is_safe(f, &remedy, &safe);
        if (status != GCAST_OK)
            return status;
        *(safe ? &low : &high) = remedy.value;
    }
    remedy.value = low;
    f->found[f->count++] = remedy;
    return GCAST_OK;
}

/* Finds the fewest SMs that are enough. */
static gcast_status try_reserved_sms(finder *f)
{
    residency_remedy remedy = {.kind = REMEDY_SMS};
    gcast_status status = GCAST_OK;
    bool safe = false;
    for (remedy.value = 1; remedy.value < f->gpu->sms && f->count < REMEDIES_MAX && status == GCAST_OK && !safe;) {
        status = is_safe(f, &remedy, &safe);
        if (!safe)
            remedy.value++;
    }
    if (status == GCAST_OK && safe)
        f->found[f->count++] = remedy;
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
