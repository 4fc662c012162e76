#include "whatif/whatif_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "change/change_text.h"
#include "gridcast/read.h"
#include "model/run.h"

#define MAX_THREADS 1024
#define MAX_PAIRS 3              /* pairs of changes that are tried */
#define EXPLAINED_ROWS 4         /* rows of large workloads that say why they win */
#define PAIRS_MAX_BLOCKS 2000000 /* with more blocks pairs of changes are not tried */

/* Where the caller names no GPUs, a workload is tried on the first of these presets that are not its own. */
static const char *const usual_gpus[] = {"h200", "b200", "a100", "l4"};
#define USUAL_GPUS 3 /* other GPUs tried */

static gcast_status load_gpu(gcast_whatif *r, const char *name, gcast_error *err)
{
    gcast_gpu *gpu;
    for (size_t i = 0; i < r->gpu_names.count; i++)
        if (strcmp(r->gpu_names.at[i], name) == 0)
            return GCAST_OK;
    const char *kept = arena_strdup(&r->memory, name);
    if (!kept)
        return gcast_error_set_memory(err);
    gcast_status status = gcast_gpu_load(name, &gpu, err);
    if (status != GCAST_OK)
        return status;
    if (!vec_push(&r->gpus, gpu)) {
        gcast_gpu_free(gpu);
        return gcast_error_set_memory(err);
    }
    return vec_push(&r->gpu_names, kept) ? GCAST_OK : gcast_error_set_memory(err);
}

static gcast_status load_gpus(gcast_whatif *r, const gcast_whatif_options *o, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < o->gpu_count && status == GCAST_OK; i++)
        status = load_gpu(r, o->gpus[i], err);
    if (o->gpus || r->with_given)
        return status;
    for (size_t i = 0; i < sizeof usual_gpus / sizeof *usual_gpus && status == GCAST_OK; i++)
        if (r->gpus.count < USUAL_GPUS && strcmp(usual_gpus[i], r->run->gpu->name) != 0)
            status = load_gpu(r, usual_gpus[i], err);
    return status;
}

void whatif_put_changes(const whatif_row *row, text *t)
{
    for (size_t i = 0; i < row->change_count; i++) {
        text_str(t, i ? " and " : "");
        change_write(&row->changes[i], t);
    }
}

void whatif_put_words(const gcast_whatif *r, const whatif_row *row, text *t)
{
    size_t lost = whatif_lost(&r->before, row);
    for (size_t i = 0; i < row->change_count; i++) {
        text_str(t, i ? "; and " : "");
        change_say(&row->changes[i], t);
    }
    for (size_t i = 0; i < row->change_count; i++)
        if (change_condition(&row->changes[i]))
            text_printf(t, " (%s)", change_condition(&row->changes[i]));
    if (lost)
        text_printf(t, " (%zu dependenc%s lost: calls come in another order)", lost, lost == 1 ? "y is" : "ies are");
}

/* Is the last change a second one of a kind that can be given once? It alone would count, but the row would name
 * both. */
static bool is_second(const whatif_row *row)
{
    const change *last = &row->changes[row->change_count - 1];
    bool single = last->kind == CHANGE_CONNECTIONS || last->kind == CHANGE_GPU || last->kind == CHANGE_SMS;
    for (const change *c = row->changes; single && c < last; c++)
        if (c->kind == last->kind)
            return true;
    return false;
}

/* All changes that the caller names make one row. */
static gcast_status read_given(gcast_whatif *r, const gcast_whatif_options *o, gcast_error *err)
{
    whatif_row row = {0};
    for (size_t i = 0; i < o->change_count; i++) {
        if (row.change_count == WHATIF_MAX_CHANGES)
            return gcast_error_set(err, GCAST_USAGE, NULL, "at most %d changes can be made together",
                                   WHATIF_MAX_CHANGES);
        change *c = &row.changes[row.change_count++];
        gcast_status status = change_parse(o->changes[i], &r->memory, c, err);
        if (status == GCAST_OK && is_second(&row))
            status = gcast_error_set(err, GCAST_USAGE, NULL, "%s: there is one %s already", o->changes[i],
                                     change_kind_name(c->kind));
        if (status == GCAST_OK && c->kind == CHANGE_GPU)
            status = load_gpu(r, c->name, err);
        if (status != GCAST_OK)
            return status;
    }
    r->with_given = row.change_count > 0;
    return !r->with_given || vec_push(&r->rows, row) ? GCAST_OK : gcast_error_set_memory(err);
}

/* Lists the changes to try. For workloads with many operations these are one or two of each kind, unless `all`. */
static gcast_status list_rows(gcast_whatif *r, bool all, gcast_error *err)
{
    change_list list = {0}, full = {0};
    bool few = !all && r->base.from.w->op_count > WHATIF_MANY_OPS;
    gcast_status status = whatif_list(&r->base, r->run, few, &r->memory, &list, err);
    if (status == GCAST_OK && few)
        status = whatif_list(&r->base, r->run, false, &r->memory, &full, err);
    r->not_tried = few ? full.count - list.count : 0;
    vec_free(&full);
    for (size_t i = 0; i < list.count && status == GCAST_OK; i++) {
        whatif_row row = {.changes = {list.at[i]}, .change_count = 1, .ends_only = true};
        if (!vec_push(&r->rows, row))
            status = gcast_error_set_memory(err);
    }
    vec_free(&list);
    return status;
}

static void show(void *data, double fraction)
{
    const gcast_whatif *r = data;
    r->progress(r->progress_data, r->activity, fraction);
}

static gcast_status try_rows(gcast_whatif *r, whatif_row *rows, size_t count, const char *activity, gcast_error *err)
{
    r->activity = activity;
    return whatif_try_all(&r->base, rows, count, r->threads, r->progress ? show : NULL, r, err);
}

static bool is_better(const gcast_whatif *r, const whatif_row *a, const whatif_row *b)
{
    bool by_misses = r->by_misses || a->end_ns == b->end_ns;
    return by_misses && a->misses != b->misses ? a->misses < b->misses : a->end_ns < b->end_ns;
}

static bool is_same(const change *a, const change *b)
{
    return a->kind == b->kind && a->value == b->value && a->other == b->other && a->name == b->name;
}

/* Is a pair better than each of its changes alone? */
static bool pair_helps(const gcast_whatif *r, size_t singles, const whatif_row *pair)
{
    for (size_t i = 0; i < singles && pair->state == WHATIF_DONE; i++)
        for (size_t k = 0; k < pair->change_count; k++)
            if (is_same(&r->rows.at[i].changes[0], &pair->changes[k]) && !is_better(r, pair, &r->rows.at[i]))
                return false;
    return pair->state == WHATIF_DONE;
}

/* Tries pairs of the best changes, and keeps the best pair if it is better than either change alone. */
static gcast_status try_pairs(gcast_whatif *r, gcast_error *err)
{
    whatif_row pairs[MAX_PAIRS], best = {0};
    size_t singles = r->rows.count, count = whatif_pairs(&r->before, r->rows.at, singles, pairs, MAX_PAIRS);
    for (size_t i = 0; i < count; i++)
        pairs[i].ends_only = true;
    for (size_t i = 0; i < count; i++)
        if (!vec_push(&r->rows, pairs[i]))
            return gcast_error_set_memory(err);
    gcast_status status = count ? try_rows(r, r->rows.at + singles, count, "trying pairs of changes", err) : GCAST_OK;
    for (size_t i = singles; i < r->rows.count && status == GCAST_OK; i++)
        if (pair_helps(r, singles, &r->rows.at[i]) && (!best.change_count || is_better(r, &r->rows.at[i], &best)))
            best = r->rows.at[i];
    r->rows.count = singles;
    if (best.change_count)
        r->rows.at[r->rows.count++] = best;
    return status;
}

/* Of several numbers of connections with the same result only the first stays. */
static void drop_same_connections(gcast_whatif *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->rows.count; i++) {
        const whatif_row *row = &r->rows.at[i];
        bool is_new = true;
        for (size_t k = 0; k < kept && is_new && row->change_count == 1; k++) {
            const whatif_row *other = &r->rows.at[k];
            is_new = row->changes[0].kind != CHANGE_CONNECTIONS || other->change_count != 1 ||
                     other->changes[0].kind != CHANGE_CONNECTIONS || row->state != WHATIF_DONE ||
                     other->state != WHATIF_DONE || row->end_ns != other->end_ns || row->misses != other->misses;
        }
        if (is_new)
            r->rows.at[kept++] = *row;
    }
    r->rows.count = kept;
}

/* Does it assume independent operations, or lose dependencies? Such rows come last: a higher place would be a
 * promise. */
static bool is_doubtful(const gcast_whatif *r, const whatif_row *row)
{
    if (whatif_lost(&r->before, row))
        return true;
    for (size_t i = 0; i < row->change_count; i++)
        if (change_needs_independence(&row->changes[i]))
            return true;
    return false;
}

static bool goes_before(const gcast_whatif *r, const whatif_row *a, const whatif_row *b)
{
    bool doubtful = is_doubtful(r, b);
    return is_doubtful(r, a) != doubtful ? doubtful : is_better(r, a, b);
}

/* Sorts by insertion: there are few rows, and equal ones keep their order. */
static void sort_rows(gcast_whatif *r)
{
    for (size_t i = 1; i < r->rows.count; i++) {
        whatif_row row = r->rows.at[i];
        size_t k = i;
        while (k > 0 && row.state == WHATIF_DONE &&
               (r->rows.at[k - 1].state != WHATIF_DONE || goes_before(r, &row, &r->rows.at[k - 1]))) {
            r->rows.at[k] = r->rows.at[k - 1];
            k--;
        }
        r->rows.at[k] = row;
    }
}

bool whatif_rows_brings(const gcast_whatif *r, const whatif_row *row)
{
    bool sooner = row->end_ns < r->before.end_ns && (row->misses == r->before.misses || !r->by_misses);
    return row->state == WHATIF_DONE && (sooner || row->misses < r->before.misses);
}

/* Finds why rows win or cost time. Only for rows that are shown: a critical path costs more than an end. */
static gcast_status explain_rows(gcast_whatif *r, bool all, gcast_error *err)
{
    VEC(whatif_row) wanted = {0}; /* in the order of the rows */
    size_t max_wanted = all || r->base.from.w->op_count <= WHATIF_MANY_OPS ? SIZE_MAX : EXPLAINED_ROWS;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < r->rows.count && status == GCAST_OK; i++) {
        whatif_row row = r->rows.at[i];
        row.ends_only = false;
        if (wanted.count < max_wanted && ((all && row.state == WHATIF_DONE) || whatif_rows_brings(r, &row)))
            status = vec_push(&wanted, row) ? GCAST_OK : gcast_error_set_memory(err);
    }
    if (status == GCAST_OK && wanted.count)
        status = try_rows(r, wanted.at, wanted.count, "explaining what changes bring", err);
    for (size_t i = 0, next = 0; i < r->rows.count && next < wanted.count && status == GCAST_OK; i++)
        if ((all && r->rows.at[i].state == WHATIF_DONE) || whatif_rows_brings(r, &r->rows.at[i]))
            r->rows.at[i] = wanted.at[next++];
    vec_free(&wanted);
    return status;
}

/* An error about the workload. */
static gcast_status refuse(const gcast_whatif *r, gcast_status code, const char *words, gcast_error *err)
{
    gcast_error_set(err, code, NULL, "%s", words);
    snprintf(err->file, sizeof err->file, "%s", r->base.from.w->source);
    return code;
}

/* Tries the unchanged workload; a run that hangs cannot be compared. */
static gcast_status try_given(gcast_whatif *r, gcast_error *err)
{
    r->before.path = &r->path;
    gcast_status status = whatif_try(&r->base, &r->before, err);
    if (status != GCAST_OK)
        return status;
    if (r->before.state == WHATIF_REFUSED)
        return refuse(r, r->base.of ? GCAST_USAGE : GCAST_INPUT, r->before.refusal, err);
    if (r->before.state == WHATIF_HANGS)
        return refuse(r, GCAST_INPUT, "the run hangs; gridcast explain says why", err);
    if (r->by_misses && !r->before.deadlines)
        return refuse(r, GCAST_USAGE, "no task has a deadline to be missed", err);
    return GCAST_OK;
}

static gcast_status try_all(gcast_whatif *r, const gcast_whatif_options *o, gcast_error *err)
{
    gcast_status status = read_given(r, o, err);
    if (status == GCAST_OK)
        status = load_gpus(r, o, err);
    r->base.from.gpus = (const gcast_gpu *const *)r->gpus.at;
    r->base.from.gpu_names = r->gpu_names.at;
    r->base.from.gpu_count = r->gpu_names.count;
    if (status == GCAST_OK)
        status = try_given(r, err);
    if (status == GCAST_OK && !r->with_given)
        status = list_rows(r, o->all, err);
    if (status == GCAST_OK)
        status = try_rows(r, r->rows.at, r->rows.count, "trying changes", err);
    if (status == GCAST_OK && !r->with_given && run_blocks_at_most(r->run, PAIRS_MAX_BLOCKS))
        status = try_pairs(r, err);
    if (status != GCAST_OK)
        return status;
    drop_same_connections(r);
    sort_rows(r);
    return r->with_given ? GCAST_OK : explain_rows(r, o->explain_all, err);
}

/* Writes the texts of a row, for programs. */
static bool keep_words(gcast_whatif *r, const whatif_row *row)
{
    row_words words = {NULL, NULL};
    text changes, said;
    text_open(&changes, NULL, NULL);
    text_open(&said, NULL, NULL);
    whatif_put_changes(row, &changes);
    whatif_put_words(r, row, &said);
    char *all_changes = text_take(&changes, NULL), *all_said = text_take(&said, NULL);
    if (all_changes && all_said) {
        words.changes = arena_strdup(&r->memory, all_changes);
        words.said = arena_strdup(&r->memory, all_said);
    }
    free(all_changes);
    free(all_said);
    return words.changes && words.said && vec_push(&r->words, words);
}

static gcast_status check_options(const gcast_run *run, const gcast_whatif_options *o, gcast_error *err)
{
    if ((o->change_count && !o->changes) || (o->gpu_count && !o->gpus))
        return argument_missing(err);
    for (size_t i = 0; i < o->change_count; i++)
        if (!o->changes[i])
            return argument_missing(err);
    for (size_t i = 0; i < o->gpu_count; i++)
        if (!o->gpus[i])
            return argument_missing(err);
    if (o->threads < 0 || o->threads > MAX_THREADS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "threads are 0 to %d", MAX_THREADS);
    if (strcmp(run->source, "simulated") != 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the run was not simulated");
    return GCAST_OK;
}

/* What a simulation of a changed workload cannot have: it has other operations, and nobody watches it. */
static gcast_status simulate_options(const gcast_simulate_options *given, gcast_simulate_options *own, gcast_error *err)
{
    *own = gcast_simulate_options_default();
    gcast_status status = options_copy(own, sizeof *own, given, "gcast_simulate_options", err);
    if (status == GCAST_OK && (own->releases || own->latencies || own->each_block))
        status = gcast_error_set(err, GCAST_USAGE, NULL,
                                 "releases and latencies by operation, and each_block, do not go with changes");
    own->record_blocks = false;
    own->progress = NULL;
    return status;
}

gcast_status gcast_run_try_changes(const gcast_run *run, const gcast_whatif_options *given, gcast_whatif **x,
                                   gcast_error *err)
{
    if (x)
        *x = NULL;
    if (!run || !x)
        return argument_missing(err);
    gcast_error unwanted;
    err = err ? err : &unwanted; /* refusals of rows are made of it */
    gcast_whatif_options own = gcast_whatif_options_default();
    gcast_simulate_options simulate;
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_whatif_options", err);
    if (status == GCAST_OK)
        status = check_options(run, &own, err);
    if (status == GCAST_OK)
        status = simulate_options(own.simulate, &simulate, err);
    if (status != GCAST_OK)
        return status;
    gcast_whatif *r = calloc(1, sizeof *r);
    if (!r)
        return gcast_error_set_memory(err);
    r->run = run;
    r->by_misses = own.deadlines;
    r->threads = own.threads ? own.threads : 1;
    r->progress = own.progress;
    r->progress_data = own.progress_data;
    r->base = (whatif_base){.from = {.w = run->workload, .gpu = run->gpu}, .options = simulate};
    if (own.of && !(r->base.of = arena_strdup(&r->memory, own.of)))
        status = gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = try_all(r, &own, err);
    for (size_t i = 0; i < r->rows.count && status == GCAST_OK; i++)
        if (!keep_words(r, &r->rows.at[i]))
            status = gcast_error_set_memory(err);
    r->progress = NULL;
    if (status == GCAST_OK)
        *x = r;
    else
        gcast_whatif_free(r);
    return status;
}

bool gcast_whatif_get_row(const gcast_whatif *x, size_t row, gcast_whatif_row *out)
{
    if (!x || !out || row >= x->rows.count)
        return false;
    const whatif_row *from = &x->rows.at[row];
    bool done = from->state == WHATIF_DONE;
    *out = (gcast_whatif_row){.changes = x->words.at[row].changes,
                              .words = x->words.at[row].said,
                              .refusal = from->state == WHATIF_REFUSED ? from->refusal : NULL,
                              .hangs = from->state == WHATIF_HANGS,
                              .better = whatif_rows_brings(x, from),
                              .end_ns = done ? from->end_ns : 0,
                              .won_ns = whatif_won_ns(&x->before, from),
                              .missed = done ? from->misses : 0};
    return true;
}

gcast_status gcast_whatif_workload(const gcast_whatif *x, size_t row, gcast_workload **w, gcast_error *err)
{
    if (w)
        *w = NULL;
    if (!x || !w)
        return argument_missing(err);
    if (row >= x->rows.count)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no row %zu", row);
    variant v;
    gcast_status status = variant_make(&x->base.from, x->rows.at[row].changes, x->rows.at[row].change_count, &v, err);
    if (status == GCAST_OK) {
        gcast_workload_set_gpu(v.w, v.gpu);
        gcast_workload_set_partition(v.w, 0);
        *w = v.w;
        v.gpu = NULL; /* it belongs to the workload now */
        v.w = NULL;
    }
    variant_free(&v);
    return status;
}

void gcast_whatif_free(gcast_whatif *x)
{
    if (!x)
        return;
    critical_path_free(&x->path);
    vec_free(&x->rows);
    vec_free(&x->words);
    arena_free(&x->memory);
    for (size_t i = 0; i < x->gpus.count; i++)
        gcast_gpu_free(x->gpus.at[i]);
    vec_free(&x->gpus);
    vec_free(&x->gpu_names);
    free(x);
}
