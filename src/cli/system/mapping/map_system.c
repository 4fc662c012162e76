#include "cli/system/mapping/map_system.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/mapping/mapping_changes.h"
#include "base/clock.h"
#include "base/index.h"
#include "cli/crew/launched.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "cli/system/mapping/map_args.h"
#include "cli/system/mapping/map_found.h"
#include "cli/system/opened_system.h"
#include "experiment/crew/crew.h"
#include "experiment/crew/map_work.h"

/* The line that shows how far the search is, and its time. */
typedef struct map_progress {
    progress shown;
    int64_t start_ns, time_ns;
} map_progress;

static bool show(void *data, double fraction)
{
    map_progress *p = data;
    int64_t spent_ns = clock_now_ns() - p->start_ns;
    double by_time = (double)spent_ns / (double)p->time_ns;
    progress_show(&p->shown, by_time > fraction ? by_time : fraction);
    return spent_ns < p->time_ns;
}

/* Of all that decides what the search finds. */
static gcast_status hash_all(const args *a, const opened_system *o, const map_search *s, uint64_t *hash)
{
    static const char *const names[] = {"method", "limit", "launch-latency", "quantile", "ignore-offsets"};
    gcast_error err;
    char *gpu = NULL;
    size_t size = 0;
    if (o->s->gpu && gcast_gpu_write_json(o->s->gpu, &gpu, &size, &err) != GCAST_OK)
        return say_error(&err);
    uint64_t parts[3 + sizeof names / sizeof names[0]] = {map_search_hash(s), index_hash(gpu ? gpu : "", size),
                                                          index_hash_text(gcast_version())};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (args_has(a, names[i]))
            parts[3 + i] = index_hash_text(args_value(a, names[i]) ? args_value(a, names[i]) : "given");
    *hash = index_hash(parts, sizeof parts);
    free(gpu);
    return GCAST_OK;
}

/* On rank 0: the crew, with a line that shows how far it is. */
static gcast_status search(crew_task *t, const map_args *m, const opened_system *o, uint64_t *done)
{
    gcast_error err;
    map_progress p = {.start_ns = clock_now_ns(), .time_ns = m->time_ns};
    progress_start(&p.shown, "searching mappings");
    t->progress = show;
    t->progress_data = &p;
    gcast_status status = crew_run(t, done, &err);
    progress_end(&p.shown);
    if (status == GCAST_OK)
        return GCAST_OK;
    say_system_error(o->s, &err);
    if (t->ranks.count > 1)
        launched_end_all(&t->ranks, status);
    return status;
}

/* Where the search was stopped by --stop-after, its answer is no answer yet. */
static gcast_status tell(const args *a, const opened_system *o, const sys_analyze_options *options, const map_args *m,
                         const map_work *work, const part_file *part, uint64_t known)
{
    map_search *s = work->search;
    bool is_complete = known == s->items;
    if (!is_complete && args_has(a, "stop-after"))
        return say(GCAST_NO, "%s has %llu of %llu parts; the same command goes on", part->path,
                   (unsigned long long)known, (unsigned long long)s->items);
    if (!is_complete && m->file)
        say(GCAST_OK, "note: %s has %llu of %llu parts; the same command with --force goes on", part->path,
            (unsigned long long)known, (unsigned long long)s->items);
    map_found_options found = {
        .options = options, .quick = &work->options, .model = m->model, .is_complete = is_complete};
    return map_found_tell(a, o, s, &found);
}

/* On rank 0: searches what is not yet known, and tells what was found. */
static gcast_status lead(const args *a, const opened_system *o, const sys_analyze_options *options, const map_args *m,
                         map_work *work, crew_task *t, uint64_t hash)
{
    part_file part = {.fd = -1};
    gcast_error err;
    uint64_t found = 0, done = 0, items = work->search->items;
    gcast_status status = GCAST_OK;
    t->part = &part;
    if (m->file && map_work_open(work, &part, m->file, hash, &found, &err) != GCAST_OK)
        status = say_error(&err);
    uint64_t ready = status;
    ranks_share(&t->ranks, &ready);
    if (status == GCAST_OK && found)
        say(GCAST_OK, "note: %s has %llu of %llu parts already", part.path, (unsigned long long)found,
            (unsigned long long)items);
    uint64_t before = map_search_counts(work->search).tried;
    int64_t start_ns = clock_now_ns();
    if (status == GCAST_OK)
        status = search(t, m, o, &done);
    double seconds = (double)(clock_now_ns() - start_ns) / 1e9;
    uint64_t tried = map_search_counts(work->search).tried - before;
    if (status == GCAST_OK && seconds > 0)
        say(GCAST_OK, "note: %llu mappings tried in %.2f s: %.0f a second", (unsigned long long)tried, seconds,
            (double)tried / seconds);
    if (status == GCAST_OK)
        status = tell(a, o, options, m, work, &part, found + done);
    bool is_told = status == GCAST_OK || status == GCAST_NO || status == GCAST_CONDITION;
    part_close(&part, is_told && found + done == items);
    return status;
}

/* On the other ranks: does what rank 0 hands out. */
static gcast_status follow(crew_task *t, const opened_system *o)
{
    gcast_error err;
    uint64_t ready, done;
    ranks_share(&t->ranks, &ready);
    if (ready != GCAST_OK)
        return GCAST_OK;
    gcast_status status = crew_run(t, &done, &err);
    if (status != GCAST_OK)
        launched_end_all(&t->ranks, say_system_error(o->s, &err));
    return status;
}

/* The search judges by method bound unless another one is given: that is quick. */
static sys_analyze_options quick_options(const args *a, const sys_analyze_options *options)
{
    sys_analyze_options quick = *options;
    if (!args_has(a, "method"))
        quick.gpu_method = GCAST_METHOD_BOUND;
    return quick;
}

static gcast_status map_opened(const args *a, const opened_system *o, const sys_analyze_options *options,
                               const map_args *m, const ranks *r)
{
    gcast_error err;
    map_search s;
    map_work work;
    uint64_t hash = 0;
    sys_analyze_options quick = quick_options(a, options);
    if (map_search_make(&s, o->s, &m->options, &err) != GCAST_OK)
        return say_system_error(o->s, &err);
    gcast_status status = hash_all(a, o, &s, &hash);
    if (!ranks_agree(r, hash) && status == GCAST_OK)
        status = r->rank ? GCAST_INPUT : say(GCAST_INPUT, "the ranks have different models or versions of gridcast");
    if (status == GCAST_OK && map_work_init(&work, &s, &quick, &err) != GCAST_OK)
        launched_end_all(r, say_system_error(o->s, &err));
    if (status == GCAST_OK) {
        crew_task t = {.work = map_work_items(&work),
                       .ranks = *r,
                       .threads = m->threads ? (int)m->threads : crew_cores(r),
                       .max_items = (uint64_t)m->max_items,
                       .cannot_start = launched_cannot_start};
        status = r->rank ? follow(&t, o) : lead(a, o, options, m, &work, &t, hash);
        map_work_free(&work);
    }
    map_search_free(&s);
    return status;
}

/* All ranks read the model; rank 0 first, so that an error is told once. */
static gcast_status open_on_all(const args *a, const ranks *r, map_args *m, opened_system *o)
{
    gcast_status status = GCAST_OK;
    if (r->rank == 0) {
        status = opened_system_from_args(a, o);
        if (status == GCAST_OK && (status = map_args_chain(m, o->s)) != GCAST_OK)
            opened_system_free(o);
    }
    uint64_t word = status;
    ranks_share(r, &word);
    if (word != GCAST_OK || r->rank == 0)
        return (gcast_status)word;
    status = opened_system_from_args(a, o);
    if (status == GCAST_OK)
        status = map_args_chain(m, o->s);
    if (status != GCAST_OK)
        launched_end_all(r, status);
    return status;
}

gcast_status map_system(const args *a, const sys_analyze_options *options)
{
    ranks r;
    gcast_error err;
    map_args m;
    opened_system o;
    gcast_status status = map_args_read(a, &m);
    if (status != GCAST_OK)
        return status;
    if (ranks_start(&r, launched_by(), &err) != GCAST_OK)
        return say_error(&err);
    status = open_on_all(a, &r, &m, &o);
    if (status == GCAST_OK) {
        status = map_opened(a, &o, options, &m, &r);
        opened_system_free(&o);
    }
    ranks_end(&r);
    return status;
}
