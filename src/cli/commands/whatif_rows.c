#include "cli/commands/whatif_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/integers.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "cli/suggest.h"

#define MAX_THREADS 1024
#define MAX_PAIRS 3              /* pairs of changes that are tried */
#define EXPLAINED_ROWS 4         /* rows of large workloads that say why they win */
#define PAIRS_MAX_BLOCKS 2000000 /* with more blocks pairs of changes are not tried */

/* Without --other-gpu a workload is tried on the first of these presets that are not its own. */
static const char *const usual_gpus[] = {"h200", "b200", "a100", "l4"};
#define USUAL_GPUS 3 /* other GPUs tried */

static gcast_status load_gpu(whatif_rows *r, const char *name)
{
    gcast_error err;
    gcast_gpu *gpu;
    for (size_t i = 0; i < r->gpu_names.count; i++)
        if (strcmp(r->gpu_names.at[i], name) == 0)
            return GCAST_OK;
    if (gcast_gpu_load(name, &gpu, &err) != GCAST_OK)
        return say_error(&err);
    if (!vec_push(&r->gpus, gpu)) {
        gcast_gpu_free(gpu);
        return say_no_memory();
    }
    return vec_push(&r->gpu_names, name) ? GCAST_OK : say_no_memory();
}

static gcast_status load_gpus(const args *a, whatif_rows *r)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "other-gpu") && strcmp(a->given[i].value, "none") != 0)
            status = load_gpu(r, a->given[i].value);
    if (args_has(a, "other-gpu") || r->with_given)
        return status;
    for (size_t i = 0; i < sizeof usual_gpus / sizeof *usual_gpus && status == GCAST_OK; i++)
        if (r->gpus.count < USUAL_GPUS && strcmp(usual_gpus[i], r->given.gpu->name) != 0)
            status = load_gpu(r, usual_gpus[i]);
    return status;
}

/* --with names no change: suggests one. */
static gcast_status say_no_change(const char *words, const gcast_error *err)
{
    char kind[32];
    snprintf(kind, sizeof kind, "%.*s", (int)strcspn(words, "="), words);
    suggestion suggested = suggest_for(kind);
    for (int k = 0; k < CHANGE_KINDS; k++) {
        if (strcmp(change_kind_name((change_kind)k), kind) == 0)
            return say(err->code, "--with: %s", err->message);
        suggest_consider(&suggested, change_kind_name((change_kind)k));
    }
    if (suggested.nearest && err->code == GCAST_USAGE)
        return say(err->code, "--with: %s; did you mean %s?", err->message, suggested.nearest);
    return say(err->code, "--with: %s", err->message);
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

/* All changes of --with make one row. */
static gcast_status read_given(const args *a, whatif_rows *r)
{
    whatif_row row = {0};
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        gcast_error err;
        if (!args_is(a, i, "with"))
            continue;
        if (row.change_count == WHATIF_MAX_CHANGES)
            return say(GCAST_USAGE, "--with may be given %d times", WHATIF_MAX_CHANGES);
        change *c = &row.changes[row.change_count++];
        if (change_parse(a->given[i].value, &r->memory, c, &err) != GCAST_OK)
            return say_no_change(a->given[i].value, &err);
        if (is_second(&row))
            return say(GCAST_USAGE, "--with %s: there is one %s already", a->given[i].value, change_kind_name(c->kind));
        if (c->kind == CHANGE_GPU)
            status = load_gpu(r, c->name);
    }
    r->with_given = row.change_count > 0;
    if (status == GCAST_OK && r->with_given && !vec_push(&r->rows, row))
        status = say_no_memory();
    return status;
}

/* Lists the changes to try. For workloads with many operations these are one or two of each kind, unless `all`. */
static gcast_status list_rows(whatif_rows *r, bool all)
{
    gcast_error err;
    change_list list = {0}, full = {0};
    bool few = !all && r->given.w->op_count > WHATIF_MANY_OPS;
    gcast_status status = whatif_list(&r->base, r->given.run, few, &r->memory, &list, &err);
    if (status == GCAST_OK && few)
        status = whatif_list(&r->base, r->given.run, false, &r->memory, &full, &err);
    r->not_tried = few ? full.count - list.count : 0;
    vec_free(&full);
    for (size_t i = 0; i < list.count && status == GCAST_OK; i++) {
        whatif_row row = {.changes = {list.at[i]}, .change_count = 1, .ends_only = true};
        if (!vec_push(&r->rows, row))
            status = gcast_error_set_memory(&err);
    }
    vec_free(&list);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

static void show(void *data, double fraction)
{
    progress_show(data, fraction);
}

static gcast_status try_rows(whatif_rows *r, whatif_row *rows, size_t count, int threads, const char *activity)
{
    progress shown;
    gcast_error err;
    progress_start(&shown, activity);
    gcast_status status = whatif_try_all(&r->base, rows, count, threads, show, &shown, &err);
    progress_end(&shown);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

static bool is_better(const whatif_rows *r, const whatif_row *a, const whatif_row *b)
{
    bool by_misses = r->by_misses || a->end_ns == b->end_ns;
    return by_misses && a->misses != b->misses ? a->misses < b->misses : a->end_ns < b->end_ns;
}

static bool is_same(const change *a, const change *b)
{
    return a->kind == b->kind && a->value == b->value && a->other == b->other && a->name == b->name;
}

/* Is a pair better than each of its changes alone? */
static bool pair_helps(const whatif_rows *r, size_t singles, const whatif_row *pair)
{
    for (size_t i = 0; i < singles && pair->state == WHATIF_DONE; i++)
        for (size_t k = 0; k < pair->change_count; k++)
            if (is_same(&r->rows.at[i].changes[0], &pair->changes[k]) && !is_better(r, pair, &r->rows.at[i]))
                return false;
    return pair->state == WHATIF_DONE;
}

/* Tries pairs of the best changes, and keeps the best pair if it is better than either change alone. */
static gcast_status try_pairs(whatif_rows *r, int threads)
{
    whatif_row pairs[MAX_PAIRS], best = {0};
    size_t singles = r->rows.count, count = whatif_pairs(&r->before, r->rows.at, singles, pairs, MAX_PAIRS);
    for (size_t i = 0; i < count; i++)
        pairs[i].ends_only = true;
    for (size_t i = 0; i < count; i++)
        if (!vec_push(&r->rows, pairs[i]))
            return say_no_memory();
    gcast_status status =
        count ? try_rows(r, r->rows.at + singles, count, threads, "trying pairs of changes") : GCAST_OK;
    for (size_t i = singles; i < r->rows.count && status == GCAST_OK; i++)
        if (pair_helps(r, singles, &r->rows.at[i]) && (!best.change_count || is_better(r, &r->rows.at[i], &best)))
            best = r->rows.at[i];
    r->rows.count = singles;
    if (best.change_count)
        r->rows.at[r->rows.count++] = best;
    return status;
}

/* Of several numbers of connections with the same result only the first stays. */
static void drop_same_connections(whatif_rows *r)
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
static bool is_doubtful(const whatif_rows *r, const whatif_row *row)
{
    if (whatif_lost(&r->before, row))
        return true;
    for (size_t i = 0; i < row->change_count; i++)
        if (change_needs_independence(&row->changes[i]))
            return true;
    return false;
}

static bool goes_before(const whatif_rows *r, const whatif_row *a, const whatif_row *b)
{
    bool doubtful = is_doubtful(r, b);
    return is_doubtful(r, a) != doubtful ? doubtful : is_better(r, a, b);
}

/* Sorts by insertion: there are few rows, and equal ones keep their order. */
static void sort_rows(whatif_rows *r)
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

bool whatif_rows_brings(const whatif_rows *r, const whatif_row *row)
{
    bool sooner = row->end_ns < r->before.end_ns && (row->misses == r->before.misses || !r->by_misses);
    return row->state == WHATIF_DONE && (sooner || row->misses < r->before.misses);
}

/* Finds why rows win or cost time. Only for rows that are shown: a critical path costs more than an end. */
static gcast_status explain_rows(whatif_rows *r, bool all, int threads)
{
    VEC(whatif_row) wanted = {0}; /* in the order of the rows */
    size_t max_wanted = all || r->given.w->op_count <= WHATIF_MANY_OPS ? SIZE_MAX : EXPLAINED_ROWS;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < r->rows.count && status == GCAST_OK; i++) {
        whatif_row row = r->rows.at[i];
        row.ends_only = false;
        if (wanted.count < max_wanted && ((all && row.state == WHATIF_DONE) || whatif_rows_brings(r, &row)))
            status = vec_push(&wanted, row) ? GCAST_OK : say_no_memory();
    }
    if (status == GCAST_OK && wanted.count)
        status = try_rows(r, wanted.at, wanted.count, threads, "explaining what changes bring");
    for (size_t i = 0, next = 0; i < r->rows.count && next < wanted.count && status == GCAST_OK; i++)
        if ((all && r->rows.at[i].state == WHATIF_DONE) || whatif_rows_brings(r, &r->rows.at[i]))
            r->rows.at[i] = wanted.at[next++];
    vec_free(&wanted);
    return status;
}

/* Tries the unchanged workload; a run that hangs cannot be compared. */
static gcast_status try_given(whatif_rows *r)
{
    gcast_error err;
    r->before.path = &r->path;
    gcast_status status = whatif_try(&r->base, &r->before, &err);
    if (status != GCAST_OK)
        return say_error(&err);
    if (r->before.state == WHATIF_REFUSED)
        return say(r->base.of ? GCAST_USAGE : GCAST_INPUT, "%s: %s", r->given.w->source, r->before.refusal);
    if (r->before.state == WHATIF_HANGS)
        return say(GCAST_INPUT, "%s: the run hangs; gridcast explain says why", r->given.w->source);
    if (r->by_misses && !r->before.deadlines)
        return say(GCAST_USAGE, "--deadlines: %s has no task with a deadline", r->given.w->source);
    return GCAST_OK;
}

gcast_status whatif_rows_make(const args *a, whatif_rows *r)
{
    *r = (whatif_rows){0};
    int64_t threads = max_i64(sysconf(_SC_NPROCESSORS_ONLN), 1);
    gcast_status status = args_int(a, "threads", 1, MAX_THREADS, &threads);
    if (status == GCAST_OK)
        status = read_given(a, r);
    if (status == GCAST_OK)
        status = simulated_from_args(a, BLOCKS_NONE, false, &r->given);
    if (status == GCAST_OK)
        status = load_gpus(a, r);
    if (status != GCAST_OK)
        return status;
    r->by_misses = args_has(a, "deadlines");
    r->base = (whatif_base){.w = r->given.w,
                            .gpu = r->given.gpu,
                            .options = r->given.options,
                            .of = args_value(a, "of"),
                            .gpus = (const gcast_gpu *const *)r->gpus.at,
                            .gpu_names = r->gpu_names.at,
                            .gpu_count = r->gpu_names.count};
    status = try_given(r);
    if (status == GCAST_OK && !r->with_given)
        status = list_rows(r, args_has(a, "all"));
    if (status == GCAST_OK)
        status = try_rows(r, r->rows.at, r->rows.count, (int)threads, "trying changes");
    if (status == GCAST_OK && !r->with_given && run_blocks_at_most(r->given.run, PAIRS_MAX_BLOCKS))
        status = try_pairs(r, (int)threads);
    if (status == GCAST_OK) {
        drop_same_connections(r);
        sort_rows(r);
    }
    if (status == GCAST_OK && !r->with_given)
        status = explain_rows(r, args_has(a, "all") || args_has(a, "json"), (int)threads);
    return status;
}

void whatif_rows_free(whatif_rows *r)
{
    simulated_free(&r->given);
    critical_path_free(&r->path);
    vec_free(&r->rows);
    arena_free(&r->memory);
    for (size_t i = 0; i < r->gpus.count; i++)
        gcast_gpu_free(r->gpus.at[i]);
    vec_free(&r->gpus);
    vec_free(&r->gpu_names);
}
