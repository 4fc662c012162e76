#include "cli/system/map_work.h"

#include <stdlib.h>

/* What a thread needs to do items. */
struct map_worker {
    map_analysis analysis;
    map_trier trier;
    map_worker *next; /* next idle worker */
};

static gcast_status make_worker(const map_work *m, map_worker **out, gcast_error *err)
{
    const map_search *s = m->search;
    map_worker *w = calloc(1, sizeof *w);
    if (!w)
        return gcast_error_set_memory(err);
    gcast_status status = map_analysis_make(&w->analysis, s->space.of, &m->options, s->options.objective, true, err);
    if (status == GCAST_OK) {
        status = map_search_trier(s, map_analysis_evaluator(&w->analysis), &w->trier, err);
        if (status != GCAST_OK)
            map_analysis_free(&w->analysis);
    }
    if (status != GCAST_OK) {
        free(w);
        return status;
    }
    *out = w;
    return GCAST_OK;
}

static gcast_status take_worker(map_work *m, map_worker **w, gcast_error *err)
{
    pthread_mutex_lock(&m->lock);
    *w = m->idle;
    if (*w)
        m->idle = (*w)->next;
    pthread_mutex_unlock(&m->lock);
    return *w ? GCAST_OK : make_worker(m, w, err);
}

static void return_worker(map_work *m, map_worker *w)
{
    pthread_mutex_lock(&m->lock);
    w->next = m->idle;
    m->idle = w;
    pthread_mutex_unlock(&m->lock);
}

gcast_status map_work_init(map_work *m, map_search *search, const sys_analyze_options *options, gcast_error *err)
{
    map_worker *w;
    *m = (map_work){.search = search, .options = *options};
    m->options.gpu.progress = NULL; /* several threads cannot report it */
    pthread_mutex_init(&m->lock, NULL);
    gcast_status status = make_worker(m, &w, err);
    if (status == GCAST_OK) {
        status = map_search_begin(search, &w->trier, err);
        return_worker(m, w);
    }
    if (status != GCAST_OK)
        map_work_free(m);
    return status;
}

void map_work_free(map_work *m)
{
    for (map_worker *w = m->idle, *next; w; w = next) {
        next = w->next;
        map_trier_free(&w->trier);
        map_analysis_free(&w->analysis);
        free(w);
    }
    pthread_mutex_destroy(&m->lock);
}

static bool is_known(void *data, uint64_t item)
{
    const map_work *m = data;
    return map_search_knows(m->search, item);
}

static bool is_ready(void *data, uint64_t item)
{
    const map_work *m = data;
    return map_search_ready(m->search, item);
}

static gcast_status input(void *data, uint64_t item, uint64_t *words, gcast_error *err)
{
    const map_work *m = data;
    return map_search_input(m->search, item, words, err);
}

static gcast_status do_item(void *data, uint64_t item, const uint64_t *words, uint64_t *result, gcast_error *err)
{
    map_work *m = data;
    map_worker *w;
    gcast_status status = take_worker(m, &w, err);
    if (status != GCAST_OK)
        return status;
    status = map_search_do(m->search, &w->trier, item, words, result, err);
    return_worker(m, w);
    return status;
}

static void keep(void *data, uint64_t item, const uint64_t *result)
{
    const map_work *m = data;
    map_search_keep(m->search, item, result);
}

crew_work map_work_items(map_work *m)
{
    return (crew_work){.data = m,
                       .items = m->search->items,
                       .words = m->search->words,
                       .input_words = m->search->words,
                       .ahead = 2 * (uint64_t)m->search->options.islands,
                       .is_known = is_known,
                       .is_ready = is_ready,
                       .input = input,
                       .do_item = do_item,
                       .keep = keep};
}

static bool take(void *data, uint64_t item, const uint64_t *words)
{
    const map_work *m = data;
    if (map_search_knows(m->search, item) || !map_search_fits(m->search, words))
        return false;
    map_search_keep(m->search, item, words);
    return true;
}

gcast_status map_work_open(map_work *m, part_file *p, const char *output, uint64_t hash, uint64_t *found,
                           gcast_error *err)
{
    part_kind kind = {
        .what = "mapping", .hash = hash, .items = m->search->items, .words = m->search->words, .digits = 16};
    return part_open(p, output, &kind, take, m, found, err);
}
