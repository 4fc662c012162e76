/* Which changes to a workload make two operations run at one time? A simulation has shown every remedy to help. Where
 * one change is not enough, further ones are tried on top of the best change or, where none helps yet, of the first
 * one. */
#include <stdlib.h>

#include "analyze/advice/remedy_apply.h"
#include "analyze/advice/remedy_candidates.h"
#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "base/minmax.h"
#include "base/vec.h"

#define MAX_TRIED 24             /* changes that are tried on top of one workload */
#define MILLION 1000000          /* overlaps count in millionths of the shorter operation's time */
#define MIN_GAIN (MILLION / 100) /* a change that gains less is no remedy */

typedef struct owned_remedies {
    gcast_remedies r;        /* first, so that remedies are their handle */
    VEC(gcast_remedy) found; /* r.list */
} owned_remedies;

typedef struct search {
    const gcast_run *run;                  /* the run as it is */
    const gcast_gpu *gpu;                  /* what is simulated; NULL: the GPU of the workload */
    const gcast_simulate_options *options; /* as the caller gave them */
    const gcast_pair *pair;                /* the two operations that are to overlap */
    owned_remedies *o;                     /* the remedies found */
    int64_t given_overlap;                 /* of the pair in the run, in millionths */
    double done;                           /* of all work */
    double step; /* the share of all work that one simulation, or all candidates of one base, have */
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

/* A workload with changes, and its run; or the workload as it is, with the caller's run and pair. */
typedef struct outcome {
    gcast_remedy remedy;    /* the changes, and how far the pair overlaps */
    const gcast_run *run;   /* its simulation; NULL: it cannot run */
    const gcast_pair *pair; /* the two operations in that run */
    gcast_workload *own_w;  /* with the changes made; NULL: the workload as it is */
    gcast_run *own_run;     /* run, if it is not the caller's; NULL */
    gcast_pair *own_pair;   /* pair, if it is not the caller's; NULL */
} outcome;

static void outcome_free(outcome *x)
{
    gcast_pair_free(x->own_pair);
    gcast_run_free(x->own_run);
    gcast_workload_free(x->own_w);
    *x = (outcome){0};
}

static void measure_overlap(const search *s, outcome *x)
{
    gcast_remedy *r = &x->remedy;
    int64_t a = x->pair->earlier_ran_ns, b = x->pair->later_ran_ns;
    r->overlap_ns = x->pair->overlap_ns;
    r->shorter_ns = min_i64(a, b);
    r->earlier_end_ns = x->run->ops[s->pair->earlier].end_ns;
    r->later_end_ns = x->run->ops[s->pair->later].end_ns;
    r->end_ns = x->run->end_ns;
}

/* Does one of the two never run? A run that hangs is no remedy either. */
static bool never_runs(const search *s, const gcast_run *run)
{
    return run->hang || run->ops[s->pair->earlier].skipped || run->ops[s->pair->later].skipped;
}

/* Simulates the workload with the changes of a remedy. x->run is NULL where it cannot run so. */
static gcast_status try_changes(search *s, const gcast_remedy *changes, outcome *x, gcast_error *err)
{
    gcast_simulate_options options = *s->options;
    *x = (outcome){.remedy = *changes};
    gcast_status status = gcast_workload_copy(s->run->workload, &x->own_w, err);
    for (size_t i = 0; i < x->remedy.change_count && status == GCAST_OK; i++)
        status = remedy_apply(x->own_w, &x->remedy.changes[i], err);
    options.record_blocks = true;
    options.progress = s->options->progress ? show : NULL;
    options.progress_data = s;
    if (status == GCAST_OK) {
        s->o->r.runs++;
        status = gcast_workload_simulate(x->own_w, s->gpu, &options, &x->own_run, err);
        x->run = x->own_run;
    }
    bool cannot_run = status == GCAST_INPUT || (status == GCAST_OK && never_runs(s, x->run));
    if (status == GCAST_OK && !cannot_run)
        status = gcast_run_explain_pair(x->run, s->pair->earlier, s->pair->later, &x->own_pair, err);
    if (status == GCAST_OK && !cannot_run) {
        x->pair = x->own_pair;
        measure_overlap(s, x);
    } else {
        outcome_free(x);
    }
    return cannot_run ? GCAST_OK : status;
}

/* How much of the shorter operation's time both run, in millionths. */
static int64_t overlap_of(const gcast_remedy *r)
{
    return r->shorter_ns ? (int64_t)((unsigned __int128)(uint64_t)r->overlap_ns * MILLION / (uint64_t)r->shorter_ns)
                         : MILLION;
}

/* Of one series only the best is kept; of equal ones, the smallest change. */
static bool keep_best(search *s, const gcast_remedy *r, bool same_series)
{
    if (same_series && s->o->found.count) {
        gcast_remedy *last = &s->o->found.at[s->o->found.count - 1];
        if (overlap_of(r) > overlap_of(last))
            *last = *r;
        return true;
    }
    return vec_push(&s->o->found, *r);
}

/* Tries all candidates on top of *base; *base becomes the best of them, with its run and pair. */
static gcast_status try_candidates(search *s, outcome *base, gcast_error *err)
{
    remedy_candidates all = {0};
    gcast_status status = remedy_collect(base->run, base->pair, &all) ? GCAST_OK : gcast_error_set_memory(err);
    size_t count = min_size(all.count, MAX_TRIED);
    outcome best = {0};
    int series = -1; /* of the remedy that was kept last */
    double all_steps = s->step;
    int64_t base_overlap = max_i64(overlap_of(&base->remedy), s->given_overlap);
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        outcome x;
        gcast_remedy next = base->remedy;
        next.changes[next.change_count++] = all.at[i].change;
        s->step = all_steps / (double)count;
        status = try_changes(s, &next, &x, err);
        s->done += s->step;
        if (status != GCAST_OK || !x.run)
            continue;
        if (overlap_of(&x.remedy) >= base_overlap + MIN_GAIN) {
            if (!keep_best(s, &x.remedy, series == all.at[i].series))
                status = gcast_error_set_memory(err);
            series = all.at[i].series;
        }
        bool better = !best.run || overlap_of(&x.remedy) > overlap_of(&best.remedy);
        outcome_free(better ? &best : &x);
        if (better)
            best = x;
    }
    s->step = all_steps;
    vec_free(&all);
    outcome_free(base);
    *base = best;
    return status;
}

/* Leaves out changes without which the remedy helps as much. */
static gcast_status prune(search *s, gcast_remedy *r, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < r->change_count && r->change_count > 1 && status == GCAST_OK;) {
        outcome x;
        gcast_remedy less = *r;
        less.change_count--;
        for (size_t k = i; k < less.change_count; k++)
            less.changes[k] = r->changes[k + 1];
        status = try_changes(s, &less, &x, err);
        bool as_good = status == GCAST_OK && x.run && overlap_of(&x.remedy) >= overlap_of(r);
        if (as_good)
            *r = x.remedy;
        else
            i++;
        outcome_free(&x);
    }
    return status;
}

static int by_overlap(const void *a, const void *b)
{
    const gcast_remedy *x = a, *y = b;
    if (overlap_of(x) != overlap_of(y))
        return overlap_of(x) > overlap_of(y) ? -1 : 1;
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

/* Sorts the remedies and leaves out duplicates. */
static void sort_remedies(owned_remedies *o)
{
    size_t kept = 0;
    if (o->found.count)
        qsort(o->found.at, o->found.count, sizeof *o->found.at, by_overlap);
    for (size_t i = 0; i < o->found.count; i++)
        if (!kept || by_overlap(&o->found.at[kept - 1], &o->found.at[i]) != 0)
            o->found.at[kept++] = o->found.at[i];
    o->r.list = o->found.at;
    o->r.count = kept;
}

/* Adds one change after the other, as long as the pair overlaps for less than the shorter operation takes. */
static gcast_status search_remedies(search *s, gcast_error *err)
{
    outcome base = {.run = s->run, .pair = s->pair};
    gcast_status status = GCAST_OK;
    measure_overlap(s, &base);
    s->given_overlap = overlap_of(&base.remedy);
    s->step = 1.0 / GCAST_MAX_CHANGES;
    bool has_child = max_size(s->pair->earlier, s->pair->later) >= s->run->op_count; /* another run may not have it */
    for (int change = 0; change < GCAST_MAX_CHANGES && status == GCAST_OK && !has_child; change++) {
        if (!base.run || base.remedy.overlap_ns >= base.remedy.shorter_ns)
            break;
        status = try_candidates(s, &base, err);
    }
    outcome_free(&base);
    s->step = 0;
    for (size_t i = 0; i < s->o->found.count && status == GCAST_OK; i++)
        status = prune(s, &s->o->found.at[i], err);
    return status;
}

gcast_status gcast_run_find_remedies(const gcast_run *run, const gcast_gpu *gpu, const gcast_simulate_options *given,
                                     const gcast_pair *pair, gcast_remedies **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!run || !pair || !out)
        return argument_missing(err);
    gcast_simulate_options own = gcast_simulate_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_simulate_options", err);
    if (status != GCAST_OK)
        return status;
    owned_remedies *o = calloc(1, sizeof *o);
    if (!o)
        return gcast_error_set_memory(err);
    o->r.memory = o;
    search s = {.run = run, .gpu = gpu, .options = &own, .pair = pair, .o = o};
    status = search_remedies(&s, err);
    if (status != GCAST_OK) {
        gcast_remedies_free(&o->r);
        return status;
    }
    sort_remedies(o);
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
