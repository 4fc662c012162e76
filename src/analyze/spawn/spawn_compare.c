/* gcast_spawn_compare simulates a workload with each policy; gcast_spawn_run, with one. */
#include <stdlib.h>
#include <string.h>

#include "analyze/spawn/spawn_compare.h"
#include "analyze/spawn/threshold_search.h"
#include "base/api.h"
#include "base/arena.h"

/* A comparison under construction. */
typedef struct comparing {
    const gcast_workload *w;
    const gcast_gpu *gpu; /* NULL: the workload's */
    gcast_compare_options options;
    gcast_spawn_row best; /* of the search of thresholds, so far; end_ns 0: none */
    size_t simulations;   /* how many have ended */
    size_t expected;      /* how many there will be at most */
    gcast_error *err;
} comparing;

/* A comparison with its memory. */
typedef struct owned_comparison {
    gcast_spawn_comparison shown; /* for the caller */
    arena memory;                 /* of rows and texts */
} owned_comparison;

const char *gcast_spawn_contender_name(gcast_spawn_contender c)
{
    static const char *const names[] = {
#define X(id, name, text) name,
        GCAST_SPAWN_CONTENDER_TABLE(X)
#undef X
    };
    return (unsigned)c < GCAST_CONTENDERS ? names[c] : "?";
}

static bool show_progress(void *data, double fraction)
{
    comparing *c = data;
    double done = ((double)c->simulations + (fraction > 0 ? fraction : 0)) / (double)(c->expected ? c->expected : 1);
    return !c->options.progress || c->options.progress(c->options.progress_data, done < 1 ? done : 1);
}

/* The policy to simulate for a row. */
static gcast_spawn_policy policy_of(const gcast_spawn_row *row)
{
    switch (row->contender) {
    case GCAST_CONTENDER_ALWAYS:
        return GCAST_SPAWN_ALWAYS;
    case GCAST_CONTENDER_THRESHOLD:
    case GCAST_CONTENDER_OFFLINE:
        return row->threshold == GCAST_NO_THRESHOLD ? GCAST_SPAWN_FLAT : GCAST_SPAWN_THRESHOLD;
    case GCAST_CONTENDER_SPAWN:
        return GCAST_SPAWN_SPAWN;
    case GCAST_CONTENDER_PREDICT:
        return GCAST_SPAWN_PREDICT;
    default:
        return GCAST_SPAWN_FLAT;
    }
}

static gcast_status simulate_row(comparing *c, const gcast_spawn_row *row, gcast_run **run)
{
    gcast_simulate_options o = gcast_simulate_options_default();
    o.override_spawn = true;
    o.spawn_policy = policy_of(row);
    o.spawn_threshold = row->threshold;
    o.spawn = &c->options.spawn;
    o.progress = show_progress;
    o.progress_data = c;
    gcast_status status = gcast_workload_simulate(c->w, c->gpu, &o, run, c->err);
    c->simulations++;
    return status;
}

static gcast_status fill_row(comparing *c, gcast_spawn_row *row)
{
    gcast_run *run = NULL;
    gcast_status status = simulate_row(c, row, &run);
    if (status != GCAST_OK)
        return status;
    const gcast_gpu *gpu = run->gpu;
    row->simulations = 1;
    row->end_ns = run->end_ns;
    if (run->launches)
        row->stats = *run->launches;
    double held = (double)run->end_ns * gpu->sms * gpu->limits.warps_per_sm;
    row->occupancy = held > 0 ? row->stats.warp_ns / held : 0;
    gcast_run_free(run);
    return GCAST_OK;
}

/* The callback of the search: a run with this threshold. */
static gcast_status try_threshold(void *data, uint32_t items, int64_t *end_ns, gcast_error *err)
{
    comparing *c = data;
    gcast_spawn_row row = {.contender = GCAST_CONTENDER_OFFLINE, .threshold = items};
    gcast_status status = fill_row(c, &row);
    (void)err; /* the same as c->err */
    *end_ns = row.end_ns;
    if (status == GCAST_OK &&
        (!c->best.end_ns || row.end_ns < c->best.end_ns || (row.end_ns == c->best.end_ns && items > c->best.threshold)))
        c->best = row;
    return status;
}

static gcast_status search(comparing *c, const threshold_list *thresholds, const gcast_spawn_row *flat,
                           gcast_spawn_row *row)
{
    threshold_search s = {.thresholds = thresholds,
                          .exhaustive = c->options.exhaustive,
                          .none_ns = flat->end_ns,
                          .run = try_threshold,
                          .data = c,
                          .err = c->err};
    memset(&c->best, 0, sizeof c->best);
    gcast_status status = threshold_search_run(&s);
    bool is_none = s.best == thresholds->list.count;
    *row = is_none ? *flat : c->best;
    row->contender = GCAST_CONTENDER_OFFLINE;
    row->threshold = is_none ? GCAST_NO_THRESHOLD : c->best.threshold;
    row->simulations = s.tried + 1; /* with flat */
    return status;
}

static gcast_status check_choices(const gcast_compare_options *o, gcast_error *err)
{
    for (size_t i = 0; i < o->choice_count; i++) {
        if ((unsigned)o->choices[i].contender >= GCAST_CONTENDERS)
            return gcast_error_set(err, GCAST_USAGE, NULL, "there is no policy number %d",
                                   (int)o->choices[i].contender);
        if (o->choices[i].contender == GCAST_CONTENDER_THRESHOLD && o->choices[i].threshold < 1)
            return gcast_error_set(err, GCAST_USAGE, NULL, "a threshold is at least 1");
    }
    return GCAST_OK;
}

static gcast_status make_rows(comparing *c, const threshold_list *thresholds, gcast_spawn_comparison *shown,
                              gcast_spawn_row *rows)
{
    gcast_spawn_row flat = {.contender = GCAST_CONTENDER_FLAT};
    c->expected = 1;
    for (size_t i = 0; i < c->options.choice_count; i++)
        c->expected += c->options.choices[i].contender == GCAST_CONTENDER_OFFLINE
                           ? threshold_search_calls(thresholds, c->options.exhaustive)
                           : c->options.choices[i].contender != GCAST_CONTENDER_FLAT;
    gcast_status status = fill_row(c, &flat);
    shown->flat_ns = flat.end_ns;
    for (size_t i = 0; i < c->options.choice_count && status == GCAST_OK; i++) {
        const gcast_spawn_choice *choice = &c->options.choices[i];
        rows[i] = (gcast_spawn_row){.contender = choice->contender};
        if (choice->contender == GCAST_CONTENDER_THRESHOLD)
            rows[i].threshold = choice->threshold;
        if (choice->contender == GCAST_CONTENDER_OFFLINE)
            status = search(c, thresholds, &flat, &rows[i]);
        else if (choice->contender == GCAST_CONTENDER_FLAT)
            rows[i] = flat;
        else
            status = fill_row(c, &rows[i]);
        rows[i].speedup = rows[i].end_ns > 0 ? (double)flat.end_ns / (double)rows[i].end_ns : 1;
    }
    return status;
}

static gcast_status compare(comparing *c, const threshold_list *thresholds, owned_comparison *o)
{
    gcast_spawn_comparison *shown = &o->shown;
    const gcast_gpu *gpu = c->gpu ? c->gpu : c->w->gpu;
    gcast_spawn_row *rows = arena_alloc_array(&o->memory, c->options.choice_count, sizeof *rows);
    shown->name = arena_strdup(&o->memory, c->options.name ? c->options.name : c->w->name ? c->w->name : "");
    shown->gpu = arena_strdup(&o->memory, gpu ? gpu->name : "");
    shown->gpu_title = arena_strdup(&o->memory, gpu ? gpu->title : "");
    shown->spawn = c->options.spawn;
    if (!shown->spawn.window_ns && gpu)
        shown->spawn.window_ns = gpu->spawn_window_ns;
    if (!rows || !shown->name || !shown->gpu || !shown->gpu_title)
        return gcast_error_set_memory(c->err);
    shown->rows = rows;
    shown->row_count = c->options.choice_count;
    shown->kernels = thresholds->kernels;
    shown->thresholds = (uint32_t)thresholds->list.count;
    if (thresholds->list.count) {
        shown->launchers = thresholds->list.at[0].launchers;
        shown->items = thresholds->list.at[0].offloaded;
    }
    return make_rows(c, thresholds, shown, rows);
}

static gcast_status start(comparing *c, const gcast_workload *w, const gcast_gpu *gpu,
                          const gcast_compare_options *options, gcast_error *err)
{
    static const gcast_spawn_choice usual[] = {{GCAST_CONTENDER_FLAT, 0},
                                               {GCAST_CONTENDER_ALWAYS, 0},
                                               {GCAST_CONTENDER_OFFLINE, 0},
                                               {GCAST_CONTENDER_SPAWN, 0},
                                               {GCAST_CONTENDER_PREDICT, 0}};
    *c = (comparing){.w = w, .gpu = gpu, .options = gcast_compare_options_default(), .err = err};
    gcast_status status = options_copy(&c->options, sizeof c->options, options, "gcast_compare_options", err);
    if (status == GCAST_OK && !c->options.choices) {
        c->options.choices = usual;
        c->options.choice_count = sizeof usual / sizeof *usual;
    }
    return status == GCAST_OK ? check_choices(&c->options, err) : status;
}

gcast_status gcast_spawn_compare(const gcast_workload *workload, const gcast_gpu *gpu,
                                 const gcast_compare_options *options, gcast_spawn_comparison **comparison,
                                 gcast_error *err)
{
    if (comparison)
        *comparison = NULL;
    if (!workload || !comparison)
        return argument_missing(err);
    comparing c;
    threshold_list thresholds;
    gcast_status status = start(&c, workload, gpu, options, err);
    if (status != GCAST_OK)
        return status;
    owned_comparison *o = calloc(1, sizeof *o);
    if (!o)
        return gcast_error_set_memory(err);
    if (!thresholds_find(workload, &thresholds))
        status = gcast_error_set_memory(err);
    else if (!thresholds.kernels)
        status = gcast_error_set(err, GCAST_INPUT, NULL, "no kernel launches kernels: there is nothing to compare");
    else
        status = compare(&c, &thresholds, o);
    thresholds_free(&thresholds);
    if (status == GCAST_OK) {
        o->shown.memory = o;
        *comparison = &o->shown;
    } else {
        arena_free(&o->memory);
        free(o);
    }
    return status;
}

void gcast_spawn_comparison_free(gcast_spawn_comparison *comparison)
{
    if (!comparison)
        return;
    owned_comparison *o = comparison->memory;
    arena_free(&o->memory);
    free(o);
}

gcast_status gcast_spawn_run(const gcast_workload *workload, const gcast_gpu *gpu, const gcast_compare_options *options,
                             const gcast_spawn_row *row, gcast_run **run, gcast_error *err)
{
    if (run)
        *run = NULL;
    if (!workload || !row || !run)
        return argument_missing(err);
    comparing c;
    if ((unsigned)row->contender >= GCAST_CONTENDERS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no policy number %d", (int)row->contender);
    gcast_status status = start(&c, workload, gpu, options, err);
    c.expected = 1;
    return status == GCAST_OK ? simulate_row(&c, row, run) : status;
}
