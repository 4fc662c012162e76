#include "cli/system/map_system.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/mapping/mapping_changes.h"
#include "analyze/mapping/mapping_evaluate.h"
#include "analyze/mapping/mapping_search.h"
#include "analyze/system/system_analysis.h"
#include "base/clock.h"
#include "base/index.h"
#include "base/text.h"
#include "cli/args.h"
#include "cli/launcher.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "cli/system/map_work.h"
#include "cli/system/model_args.h"
#include "cli/system/system_outputs.h"
#include "crew/crew.h"
#include "system/system_handle.h"

#define UNLIMITED_TRIES INT64_C(1000000000) /* with --search-time alone */

/* The options are read and checked. */

typedef struct map_args {
    map_options options; /* without the chain of the objective */
    const char *chain;   /* the chain that the objective names; NULL: all */
    int64_t time_ns;     /* of --search-time; INT64_MAX: no limit */
    int64_t threads;     /* 0: all cores */
    int64_t max_items;   /* of --stop-after */
    const char *file;    /* the first -o that is a file: a stopped search is saved beside it; NULL: none */
    const char *model;   /* the -o that ends in .amxmi, for the model with its new mapping; NULL: none */
} map_args;

gcast_status map_args_refuse(const args *a)
{
    static const option_spec of_map[] = {MAP_OPTIONS};
    for (size_t i = 1; i < sizeof of_map / sizeof of_map[0]; i++)
        if (args_has(a, of_map[i].name))
            return say(GCAST_USAGE, "--%s needs --map", of_map[i].name);
    return GCAST_OK;
}

/* One word of --map, up to a comma. */
static bool add_word(const char *word, size_t length, map_may *may)
{
    const struct {
        const char *word;
        bool *may;
    } words[] = {{"core", &may->core}, {"gpu", &may->gpu}, {"priority", &may->priority}, {"wait", &may->wait}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].word) == length && strncmp(word, words[i].word, length) == 0)
            return *words[i].may = true;
    return false;
}

static gcast_status read_may(const char *value, map_may *may)
{
    if (strcmp(value, "all") == 0)
        return GCAST_OK;
    *may = (map_may){0};
    for (const char *word = value;; word++) {
        size_t length = strcspn(word, ",");
        if (!add_word(word, length, may))
            return say(GCAST_USAGE, "--map is all, or a list of core, gpu, priority and wait, not %s", value);
        word += length;
        if (!*word)
            return GCAST_OK;
    }
}

static gcast_status read_objective(const char *value, map_args *m)
{
    size_t length = strcspn(value, ":");
    for (int i = 0; i < MAP_OBJECTIVES; i++) {
        if (strlen(objective_choices[i]) != length || strncmp(value, objective_choices[i], length) != 0)
            continue;
        m->options.objective.kind = (map_objective_kind)i;
        if (value[length] == '\0')
            return GCAST_OK;
        m->chain = value + length + 1;
        if (i == MAP_CHAIN)
            return GCAST_OK;
    }
    return say(GCAST_USAGE, "--objective is responses, chain, chain:NAME or slack, not %s", value);
}

static gcast_status find_files(const args *a, map_args *m)
{
    for (size_t i = 0; i < a->given_count; i++) {
        const char *path = a->given[i].value;
        if (!args_is(a, i, "output"))
            continue;
        bool is_model = path_ends_with(path, ".amxmi");
        if (is_model && m->model)
            return say(GCAST_USAGE, "give one -o for the model: %s or %s", m->model, path);
        if (is_model)
            m->model = path;
        if (!output_is_standard(path) && !m->file)
            m->file = path;
    }
    if (!m->file && args_has(a, "stop-after"))
        return say(GCAST_USAGE, "--stop-after needs -o FILE, from which the next run continues");
    return GCAST_OK;
}

static gcast_status read_numbers(const args *a, map_args *m)
{
    int64_t tries = args_has(a, "search-time") ? UNLIMITED_TRIES : MAP_TRIES, seed = 1, islands = MAP_ISLANDS;
    gcast_status status = args_int(a, "tries", 1, (int64_t)MAP_MAX_TRIES, &tries);
    if (status == GCAST_OK)
        status = args_span(a, "search-time", &m->time_ns);
    if (status == GCAST_OK)
        status = args_int(a, "seed", 0, INT64_MAX, &seed);
    if (status == GCAST_OK)
        status = args_int(a, "islands", 1, MAP_MAX_ISLANDS, &islands);
    if (status == GCAST_OK)
        status = args_int(a, "threads", 1, CREW_MAX_THREADS, &m->threads);
    if (status == GCAST_OK)
        status = args_int(a, "stop-after", 1, INT64_MAX, &m->max_items);
    m->options.tries = (uint64_t)tries;
    m->options.seed = (uint64_t)seed;
    m->options.islands = (uint32_t)islands;
    return status;
}

/* Errors are printed, here and below. */
static gcast_status map_args_read(const args *a, map_args *m)
{
    const char *objective = args_value(a, "objective");
    int communication = GCAST_COMMUNICATION_IMPLICIT;
    *m = (map_args){.options = map_options_default(), .time_ns = INT64_MAX, .max_items = INT64_MAX};
    gcast_status status = read_may(args_value(a, "map"), &m->options.may);
    if (status == GCAST_OK && objective)
        status = read_objective(objective, m);
    if (status == GCAST_OK)
        status = args_choice(a, "communication", communication_choices, &communication);
    m->options.objective.communication = (gcast_communication)communication;
    if (status == GCAST_OK)
        status = read_numbers(a, m);
    return status == GCAST_OK ? find_files(a, m) : status;
}

/* Finds the chain that the objective names. */
static gcast_status map_args_chain(map_args *m, const sys_system *s)
{
    if (m->options.objective.kind != MAP_CHAIN)
        return GCAST_OK;
    if (s->chain_count == 0)
        return say(GCAST_USAGE, "--objective chain: the model has no chain; --chain A,B,C gives one");
    for (size_t i = 0; m->chain && i < s->chain_count; i++)
        if (strcmp(s->chains[i].name, m->chain) == 0) {
            m->options.objective.chain = (int)i;
            return GCAST_OK;
        }
    return m->chain ? say(GCAST_USAGE, "--objective chain:%s: no chain has this name", m->chain) : GCAST_OK;
}

/* The model is written with its new mapping. */

/* Prints an error of the system. Returns its code. */
static gcast_status say_system_error(const sys_system *s, gcast_error *err)
{
    system_error_in(s, err->code, err);
    return say_error(err);
}

/* The file with the mapping. If several files have one, the first: writing tasks of the others is then an error. */
static const char *mapping_file(const am_model *m)
{
    return m->allocation_count ? m->allocations[0].at.file : m->files[0];
}

/* The system of the model alone: places that options give are changes of the model, too. */
static gcast_status read_own(const gcast_system *o, sys_system **own, gcast_error *err)
{
    sys_given given = *o->given;
    sys_given_task *tasks = calloc(given.task_count + 1, sizeof *tasks);
    if (!tasks)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < given.task_count; i++) {
        tasks[i] = given.tasks[i];
        tasks[i].core = NULL;
        tasks[i].has_priority = tasks[i].has_busy = false;
    }
    given.tasks = tasks;
    given.rate_monotonic = false;
    gcast_status status = amalthea_system(o->model, o->gpu, &given, own, err);
    free(tasks);
    return status;
}

/* Writes the model with these places to a file. Errors are printed. */
static gcast_status map_write_model(const args *a, const gcast_system *o, const sys_place *places, const char *path)
{
    gcast_error err;
    sys_system *own = NULL;
    char *bytes = NULL;
    size_t size;
    gcast_status status = read_own(o, &own, &err);
    if (status == GCAST_OK)
        status = amalthea_write_mapping(o->model, own, places, mapping_file(o->model), &bytes, &size, &err);
    status = status == GCAST_OK ? output_bytes(path, args_has(a, "force"), bytes, size) : say_system_error(o->s, &err);
    free(bytes);
    system_free(own);
    return status;
}

/* The mapping that was found is analyzed in full, reported, and written. */

typedef struct map_found_options {
    const sys_analyze_options *options; /* for the full analysis */
    const sys_analyze_options *quick;   /* for analyses in the search */
    const char *model;                  /* file for the model with its new mapping; NULL: none */
    bool is_complete;                   /* all items of the search are done */
} map_found_options;

static const struct {
    const char *name, *value;
} objectives[] = {
#define X(id, name, text) {name, text},
    MAP_OBJECTIVE_TABLE(X)
#undef X
};

/* Says which mappings were tried; NULL without memory. */
static char *describe_search(const map_search *s)
{
    static const char *const orders[] = {
#define X(id, words) words,
        MAP_ORDERS_TABLE(X)
#undef X
    };
    text t;
    text_open(&t, NULL, NULL);
    if (s->walks && s->size > 1)
        text_printf(&t, "all %llu that differ, with %s%s", (unsigned long long)s->size, orders[s->orders],
                    s->segments ? ", then " : "");
    else if (s->walks)
        text_printf(&t, "%s%s", orders[s->orders], s->segments ? ", then " : "");
    if (s->segments)
        text_printf(&t, "by small changes from %u %s (seed %llu)", s->options.islands,
                    s->walks ? "times the best of them" : "of them", (unsigned long long)s->options.seed);
    if (!s->walks)
        text_printf(&t, ", of up to %.1e without orders of priorities", map_space_size(&s->space, false));
    return text_take(&t, NULL);
}

/* A score as the report has it; is_time: its value is a time, else slack. */
static sys_search_score reported_score(map_score score, bool is_time)
{
    bool late = score.late_ns >= MAP_UNBOUNDED_NS;
    bool unbounded =
        is_time ? score.value >= MAP_UNBOUNDED_NS : score.value >= -MAP_LEAST_SLACK || score.value == INT64_MIN;
    return (sys_search_score){score.missed / MAP_BROKEN, score.missed % MAP_BROKEN,
                              late ? SYS_UNBOUNDED : score.late_ns, unbounded ? SYS_UNBOUNDED : score.value};
}

/* Finds the best mapping with the fewest changes. */
static gcast_status find_places(const gcast_system *o, const map_search *s, const sys_analyze_options *quick,
                                sys_place *places)
{
    gcast_error err;
    map_analysis analysis;
    map_score score;
    map_search_best(s, places, &score);
    if (map_score_compare(&score, &s->own_score) >= 0)
        return GCAST_OK;
    gcast_status status = map_analysis_make(&analysis, o->s, quick, s->options.objective, true, &err);
    if (status == GCAST_OK) {
        status = map_fewest_changes(&s->space, map_analysis_evaluator(&analysis), places, &score, &err);
        map_analysis_free(&analysis);
    }
    return status == GCAST_OK ? GCAST_OK : say_system_error(o->s, &err);
}

static gcast_status analyze_in_full(const gcast_system *o, const sys_place *places, const sys_analyze_options *options,
                                    progress *shown, sys_answer **answer)
{
    gcast_error err;
    sys_analyze_options own = *options;
    own.gpu.progress = progress_show;
    own.gpu.progress_data = shown;
    gcast_status status = system_analyze(o->s, places, &own, answer, &err);
    if (status == GCAST_OK)
        return GCAST_OK;
    progress_end(shown);
    return say_system_error(o->s, &err);
}

/* Returns the answer with the better mapping, the system's own or the one found; the other answer is freed. */
static sys_answer *choose(sys_answer *own, sys_answer *found, sys_search *summary, map_objective objective)
{
    map_score before = map_score_answer(own, objective), after = map_score_answer(found, objective);
    summary->is_better = map_score_compare(&after, &before) < 0;
    summary->before = reported_score(before, summary->is_time);
    summary->after = summary->is_better ? reported_score(after, summary->is_time) : summary->before;
    system_answer_free(summary->is_better ? own : found);
    return summary->is_better ? found : own;
}

static gcast_status analyze_both(const gcast_system *o, const map_search *s, const sys_place *places,
                                 const sys_analyze_options *options, sys_search *summary, sys_answer **answer)
{
    progress shown;
    sys_answer *own, *found;
    progress_start(&shown, "analysing");
    gcast_status status = analyze_in_full(o, NULL, options, &shown, &own);
    if (status != GCAST_OK)
        return status;
    status = analyze_in_full(o, places, options, &shown, &found);
    if (status != GCAST_OK) {
        system_answer_free(own);
        return status;
    }
    progress_end(&shown);
    *answer = choose(own, found, summary, s->options.objective);
    return GCAST_OK;
}

/* Reports first, since writing the model may fail. */
static gcast_status tell_answer(const args *a, const gcast_system *o, const gcast_system_answer *answer,
                                const char *model)
{
    gcast_status status = system_tell(a, answer);
    bool is_told = status == GCAST_OK || status == GCAST_NO || status == GCAST_CONDITION;
    gcast_status written = is_told && model ? map_write_model(a, o, answer->answer->places, model) : GCAST_OK;
    return written == GCAST_OK ? status : written;
}

/* Reports the best mapping with the fewest changes, or the system's own if a full analysis does not show it to be
 * better. The status is that of the answer. Errors are printed. */
static gcast_status map_found_tell(const args *a, const gcast_system *o, map_search *s, const map_found_options *f)
{
    map_counts counts = map_search_counts(s);
    map_objective_kind kind = s->options.objective.kind;
    sys_place *places = calloc(o->s->task_count + 1, sizeof *places);
    char *how = describe_search(s);
    sys_search summary = {.how = how,
                          .objective = objectives[kind].name,
                          .value = objectives[kind].value,
                          .is_time = kind != MAP_SLACK,
                          .tried = counts.tried,
                          .analyzed = counts.analyzed,
                          .seed = s->options.seed,
                          .is_complete = f->is_complete};
    gcast_error err;
    sys_answer *found = NULL;
    gcast_system_answer *answer = NULL;
    gcast_status status = places && how ? GCAST_OK : say(GCAST_RESOURCE, "not enough memory");
    if (status == GCAST_OK)
        status = find_places(o, s, f->quick, places);
    if (status == GCAST_OK)
        status = analyze_both(o, s, places, f->options, &summary, &found);
    if (status == GCAST_OK &&
        system_answer_take(found, f->options->ignore_offsets, &summary, &answer, &err) != GCAST_OK)
        status = say_error(&err);
    if (status == GCAST_OK)
        status = tell_answer(a, o, answer, f->model);
    gcast_system_answer_free(answer);
    free(places);
    free(how);
    return status;
}

/* The search runs on all cores and ranks. */

typedef struct map_progress {
    progress shown;            /* the line on stderr */
    int64_t start_ns, time_ns; /* start and time limit of the search */
} map_progress;

static bool show(void *data, double fraction)
{
    map_progress *p = data;
    int64_t spent_ns = clock_now_ns() - p->start_ns;
    double by_time = (double)spent_ns / (double)p->time_ns;
    progress_show(&p->shown, by_time > fraction ? by_time : fraction);
    return spent_ns < p->time_ns;
}

/* The hash of everything that decides the result of the search. */
static gcast_status hash_all(const args *a, const gcast_system *o, const map_search *s, uint64_t *hash)
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

/* On rank 0: runs the crew, with a progress line. */
static gcast_status search(crew_task *t, const map_args *m, const gcast_system *o, uint64_t *done)
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

/* Reports, unless --stop-after stopped the search before its end. */
static gcast_status tell(const args *a, const gcast_system *o, const sys_analyze_options *options, const map_args *m,
                         const map_work *work, const part_file *part, uint64_t known)
{
    map_search *s = work->search;
    bool is_complete = known == s->items;
    if (!is_complete && args_has(a, "stop-after"))
        return say(GCAST_NO, "%s has %llu of %llu parts; run the same command again to continue", part->path,
                   (unsigned long long)known, (unsigned long long)s->items);
    if (!is_complete && m->file)
        say(GCAST_OK, "note: %s has %llu of %llu parts; run the same command with --force to continue", part->path,
            (unsigned long long)known, (unsigned long long)s->items);
    map_found_options found = {
        .options = options, .quick = &work->options, .model = m->model, .is_complete = is_complete};
    return map_found_tell(a, o, s, &found);
}

/* On rank 0: searches what is not yet known, and reports what was found. */
static gcast_status lead(const args *a, const gcast_system *o, const sys_analyze_options *options, const map_args *m,
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

/* On the other ranks: does the work that rank 0 hands out. */
static gcast_status follow(crew_task *t, const gcast_system *o)
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

/* The search uses method bound, which is quick, unless --method is given. */
static sys_analyze_options quick_options(const args *a, const sys_analyze_options *options)
{
    sys_analyze_options quick = *options;
    if (!args_has(a, "method"))
        quick.gpu_method = GCAST_METHOD_BOUND;
    return quick;
}

static gcast_status map_opened(const args *a, const gcast_system *o, const sys_analyze_options *options,
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

/* All ranks read the model; rank 0 first, so that an error is printed once. */
static gcast_status open_on_all(const args *a, const ranks *r, map_args *m, gcast_system **o)
{
    gcast_status status = GCAST_OK;
    if (r->rank == 0) {
        status = system_from_args(a, o);
        if (status == GCAST_OK && (status = map_args_chain(m, (*o)->s)) != GCAST_OK)
            gcast_system_free(*o);
    }
    uint64_t word = status;
    ranks_share(r, &word);
    if (word != GCAST_OK || r->rank == 0)
        return (gcast_status)word;
    status = system_from_args(a, o);
    if (status == GCAST_OK)
        status = map_args_chain(m, (*o)->s);
    if (status != GCAST_OK)
        launched_end_all(r, status);
    return status;
}

gcast_status map_system(const args *a, const gcast_system_analyze_options *given)
{
    ranks r;
    gcast_error err;
    map_args m;
    gcast_system *o;
    sys_analyze_options options;
    gcast_status status = map_args_read(a, &m);
    if (status != GCAST_OK)
        return status;
    if (system_analyze_options_take(given, &options, &err) != GCAST_OK)
        return say_error(&err);
    if (ranks_start(&r, launched_by(), &err) != GCAST_OK)
        return say_error(&err);
    status = open_on_all(a, &r, &m, &o);
    if (status == GCAST_OK) {
        status = map_opened(a, o, &options, &m, &r);
        gcast_system_free(o);
    }
    ranks_end(&r);
    return status;
}
