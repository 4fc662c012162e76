/* Which changes to a workload make two operations run at one time. Nothing is named that a
 * simulation has not shown. Where one change is not enough, the best of them is kept, or where none
 * helps yet the first, and further ones are tried on top of it. */
#include "analyze/advice/remedy.h"

#include <stdlib.h>

#include "base/vec.h"

#define MOST_TRIED 24 /* changes at a time */
#define WHOLE 1000000
#define LEAST_GAIN (WHOLE / 100) /* of the shorter's time; less is no remedy */

typedef struct owned_remedies {
    gcast_remedies r; /* first, so that remedies are their handle */
    VEC(gcast_remedy) found;
} owned_remedies;

typedef struct search {
    const gcast_run *run;
    const gcast_gpu *gpu;
    const gcast_simulate_options *options;
    const gcast_pair *pair;
    owned_remedies *o;
    int64_t now;       /* the part of the shorter's time that they overlap */
    double done, step; /* of all work, and what one simulation is of it */
} search;

static const char *const names[] = {
#define X(id, name, text) name,
    GCAST_CHANGE_TABLE(X)
#undef X
};

const char *gcast_change_name(gcast_change_kind kind)
{
    return (unsigned)kind < GCAST_CHANGES ? names[kind] : "?";
}

static bool show(void *data, double fraction)
{
    const search *s = data;
    return s->options->progress(s->options->progress_data, s->done + s->step * fraction);
}

/* A workload with changes, and what it does; without a workload the run is the caller's. */
typedef struct outcome {
    gcast_remedy remedy;
    gcast_workload *w;
    gcast_run *run;
    gcast_pair *pair;
} outcome;

static void outcome_free(outcome *x)
{
    if (x->w) {
        gcast_pair_free(x->pair);
        gcast_run_free(x->run);
        gcast_workload_free(x->w);
    }
    *x = (outcome){0};
}

static void judge(const search *s, outcome *x)
{
    gcast_remedy *r = &x->remedy;
    int64_t a = x->pair->earlier_ran_ns, b = x->pair->later_ran_ns;
    r->overlap_ns = x->pair->overlap_ns;
    r->shorter_ns = a < b ? a : b;
    r->earlier_end_ns = x->run->ops[s->pair->earlier].end_ns;
    r->later_end_ns = x->run->ops[s->pair->later].end_ns;
    r->end_ns = x->run->end_ns;
}

static bool never_called(const search *s, const gcast_run *run)
{
    return run->ops[s->pair->earlier].skipped || run->ops[s->pair->later].skipped;
}

/* The changes of a remedy. x->run is NULL where such a workload cannot run. */
static gcast_status try_one(search *s, const gcast_remedy *changes, outcome *x, gcast_error *err)
{
    gcast_simulate_options options = *s->options;
    *x = (outcome){.remedy = *changes};
    x->w = gcast_workload_copy(s->run->workload, err);
    gcast_status status = x->w ? GCAST_OK : err->code;
    for (size_t i = 0; i < x->remedy.change_count && status == GCAST_OK; i++)
        status = remedy_apply(x->w, &x->remedy.changes[i], err);
    options.record_blocks = true;
    options.progress = s->options->progress ? show : NULL;
    options.progress_data = s;
    if (status == GCAST_OK) {
        s->o->r.runs++;
        status = gcast_workload_simulate(x->w, s->gpu, &options, &x->run, err);
    }
    bool cannot = status == GCAST_INPUT || (status == GCAST_OK && never_called(s, x->run));
    if (status == GCAST_OK && !cannot)
        status = gcast_run_explain_pair(x->run, s->pair->earlier, s->pair->later, &x->pair, err);
    if (status == GCAST_OK && !cannot)
        judge(s, x);
    else
        outcome_free(x);
    return cannot ? GCAST_OK : status;
}

/* How much of the shorter's time both run, in millionths. */
static int64_t part(const gcast_remedy *r)
{
    return r->shorter_ns ? (int64_t)((unsigned __int128)(uint64_t)r->overlap_ns * WHOLE / (uint64_t)r->shorter_ns)
                         : WHOLE;
}

/* Of one series only the best is kept, the smallest change of several. */
static bool keep(search *s, const gcast_remedy *r, bool same_series)
{
    if (same_series && s->o->found.count) {
        gcast_remedy *last = &s->o->found.at[s->o->found.count - 1];
        if (part(r) > part(last))
            *last = *r;
        return true;
    }
    return vec_push(&s->o->found, *r);
}

/* Try all candidates on top of *base; *base becomes the one to go on from, with its run and pair. */
static gcast_status try_all(search *s, outcome *base, gcast_error *err)
{
    remedy_candidates all = {0};
    gcast_status status = remedy_collect(base->run, base->pair, &all) ? GCAST_OK : gcast_error_set_memory(err);
    size_t count = all.count < MOST_TRIED ? all.count : MOST_TRIED;
    outcome best = {0};
    int series = -1; /* of what was kept last */
    double whole = s->step;
    int64_t now = part(&base->remedy) > s->now ? part(&base->remedy) : s->now;
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        outcome x;
        gcast_remedy next = base->remedy;
        next.changes[next.change_count++] = all.at[i].change;
        s->step = whole / (double)count;
        status = try_one(s, &next, &x, err);
        s->done += s->step;
        if (status != GCAST_OK || !x.run)
            continue;
        if (part(&x.remedy) >= now + LEAST_GAIN) {
            if (!keep(s, &x.remedy, series == all.at[i].series))
                status = gcast_error_set_memory(err);
            series = all.at[i].series;
        }
        bool better = !best.run || part(&x.remedy) > part(&best.remedy);
        outcome_free(better ? &best : &x);
        if (better)
            best = x;
    }
    s->step = whole;
    vec_free(&all);
    outcome_free(base);
    *base = best;
    return status;
}

/* Leave out what it does as well without. */
static gcast_status prune(search *s, gcast_remedy *r, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < r->change_count && r->change_count > 1 && status == GCAST_OK;) {
        outcome x;
        gcast_remedy less = *r;
        less.change_count--;
        for (size_t k = i; k < less.change_count; k++)
            less.changes[k] = r->changes[k + 1];
        status = try_one(s, &less, &x, err);
        bool enough = status == GCAST_OK && x.run && part(&x.remedy) >= part(r);
        if (enough)
            *r = x.remedy;
        else
            i++;
        outcome_free(&x);
    }
    return status;
}

static int by_part(const void *a, const void *b)
{
    const gcast_remedy *x = a, *y = b;
    if (part(x) != part(y))
        return part(x) > part(y) ? -1 : 1;
    if (x->change_count != y->change_count)
        return x->change_count < y->change_count ? -1 : 1;
    for (size_t i = 0; i < x->change_count; i++) {
        const gcast_change *c = &x->changes[i], *d = &y->changes[i];
        if (c->kind != d->kind)
            return c->kind < d->kind ? -1 : 1;
        if (c->op != d->op)
            return c->op < d->op ? -1 : 1;
        if (c->value != d->value)
            return c->value < d->value ? -1 : 1;
    }
    return 0;
}

/* Sorted, with what is there twice left out. */
static void settle(owned_remedies *o)
{
    size_t kept = 0;
    if (o->found.count)
        qsort(o->found.at, o->found.count, sizeof *o->found.at, by_part);
    for (size_t i = 0; i < o->found.count; i++)
        if (!kept || by_part(&o->found.at[kept - 1], &o->found.at[i]) != 0)
            o->found.at[kept++] = o->found.at[i];
    o->r.list = o->found.at;
    o->r.count = kept;
}

/* Up to three changes, as long as they run together for less than the shorter takes. */
static gcast_status search_all(search *s, gcast_error *err)
{
    outcome base = {.run = (gcast_run *)s->run, .pair = (gcast_pair *)s->pair};
    gcast_status status = GCAST_OK;
    judge(s, &base);
    s->now = part(&base.remedy);
    s->step = 1.0 / GCAST_MOST_CHANGES;
    for (int level = 0; level < GCAST_MOST_CHANGES && status == GCAST_OK; level++) {
        if (!base.run || base.remedy.overlap_ns >= base.remedy.shorter_ns)
            break;
        status = try_all(s, &base, err);
    }
    outcome_free(&base);
    s->step = 0;
    for (size_t i = 0; i < s->o->found.count && status == GCAST_OK; i++)
        status = prune(s, &s->o->found.at[i], err);
    return status;
}

gcast_status gcast_run_find_remedies(const gcast_run *run, const gcast_gpu *gpu, const gcast_simulate_options *options,
                                     const gcast_pair *pair, gcast_remedies **out, gcast_error *err)
{
    owned_remedies *o = calloc(1, sizeof *o);
    if (!o)
        return gcast_error_set_memory(err);
    o->r.memory = o;
    search s = {.run = run, .gpu = gpu, .options = options, .pair = pair, .o = o};
    gcast_status status = search_all(&s, err);
    if (status != GCAST_OK) {
        gcast_remedies_free(&o->r);
        return status;
    }
    settle(o);
    *out = &o->r;
    return GCAST_OK;
}

void gcast_remedies_free(gcast_remedies *r)
{
    if (!r)
        return;
    owned_remedies *o = r->memory;
    vec_free(&o->found);
    free(o);
}
