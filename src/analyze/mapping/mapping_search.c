/* Plans the items of a search, does them, and keeps their results. */
#include "analyze/mapping/mapping_search.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/mapping/mapping_climb.h"
#include "base/index.h"
#include "base/integers.h"
#include "base/splitmix.h"

#define VERSION 1 /* of the search: results of other versions are not used */
#define SETTLE 4  /* every so many segments an island may continue from the best mapping of the island before it */
#define MOST_WALKED UINT64_C(10000000) /* mappings, when all are tried */
#define MOST_ORDERED ((size_t)1 << 20) /* tasks times cores, when all orders of priorities are tried */
#define LEAST_SEGMENT UINT64_C(1000)   /* tries */
#define MOST_SEGMENT UINT64_C(5000)    /* tries, unless results would need too many words */
#define MOST_WORDS (UINT64_C(1) << 26) /* of all results */

typedef struct map_found {
    map_counts counts; /* `tried` is at least 1 */
    map_score score;   /* of the best mapping */
    uint64_t idle;     /* of a climb: changes since the last improvement */
} map_found;

/* Words of a result. */
enum { TRIED, ANALYZED, REPEATED, MISSED, LATE, VALUE, IDLE, MAPPINGS };

/* Words of a result: numbers, then for each task its place in the best and in the current mapping. */
static size_t found_words(const map_space *m)
{
    return MAPPINGS + m->of->task_count;
}

static void found_write(const map_space *m, const map_found *f, const sys_place *best, const sys_place *current,
                        uint64_t *words)
{
    uint32_t packed[MAP_MAX_TASKS];
    words[TRIED] = f->counts.tried;
    words[ANALYZED] = f->counts.analyzed;
    words[REPEATED] = f->counts.repeated;
    words[MISSED] = (uint64_t)f->score.missed;
    words[LATE] = (uint64_t)f->score.late_ns;
    words[VALUE] = (uint64_t)f->score.value;
    words[IDLE] = f->idle;
    map_pack(m, best, packed);
    for (size_t i = 0; i < m->of->task_count; i++)
        words[MAPPINGS + i] = packed[i];
    map_pack(m, current, packed);
    for (size_t i = 0; i < m->of->task_count; i++)
        words[MAPPINGS + i] |= (uint64_t)packed[i] << 32;
}

static map_counts found_counts(const uint64_t *words)
{
    return (map_counts){words[TRIED], words[ANALYZED], words[REPEATED]};
}

static map_score found_score(const uint64_t *words)
{
    return (map_score){(int64_t)words[MISSED], (int64_t)words[LATE], (int64_t)words[VALUE]};
}

static uint64_t found_idle(const uint64_t *words)
{
    return words[IDLE];
}

static void unpack_places(const map_space *m, const uint64_t *words, unsigned shift, sys_place *places)
{
    uint32_t packed[MAP_MAX_TASKS];
    for (size_t i = 0; i < m->of->task_count; i++)
        packed[i] = (uint32_t)(words[MAPPINGS + i] >> shift);
    map_unpack(m, packed, places);
}

/* `current` may be NULL. */
static void found_read(const map_space *m, const uint64_t *words, sys_place *best, sys_place *current)
{
    unpack_places(m, words, 0, best);
    if (current)
        unpack_places(m, words, 32, current);
}

/* Copies the best mapping of another result, with its score, as best and as current. */
static void found_take_best(const uint64_t *other, size_t count, uint64_t *words)
{
    for (size_t i = MISSED; i <= VALUE; i++)
        words[i] = other[i];
    words[IDLE] = 0;
    for (size_t i = MAPPINGS; i < count; i++)
        words[i] = (other[i] & UINT32_MAX) << 32 | (other[i] & UINT32_MAX);
}

static bool is_possible(const map_space *m, size_t task, uint32_t packed)
{
    for (size_t i = 0; i < m->tasks[task].core_count; i++)
        if ((uint32_t)(m->tasks[task].cores[i] + 1) == packed >> 16)
            return true;
    return false;
}

/* Are the numbers and both mappings possible? */
static bool found_fits(const map_space *m, const uint64_t *words)
{
    if (words[TRIED] == 0 || words[MISSED] > INT64_MAX || words[LATE] > INT64_MAX)
        return false;
    for (size_t i = 0; i < m->of->task_count; i++)
        if (!is_possible(m, i, (uint32_t)words[MAPPINGS + i]) ||
            !is_possible(m, i, (uint32_t)(words[MAPPINGS + i] >> 32)))
            return false;
    return true;
}

static const map_score no_score = {INT64_MAX, INT64_MAX, INT64_MAX};

gcast_status map_search_trier(const map_search *s, map_evaluator evaluator, map_trier *t, gcast_error *err)
{
    return map_trier_make(t, &s->space, s->options.objective, evaluator, err);
}

gcast_status map_search_begin(map_search *s, map_trier *t, gcast_error *err)
{
    return t->evaluator.evaluate(t->evaluator.data, s->space.of->places, &s->own_score, err);
}

static const uint64_t *result_of(const map_search *s, uint64_t item)
{
    return &s->results[item * s->words];
}

static uint64_t island_of(const map_search *s, uint64_t item)
{
    return (item - s->chunks) % s->options.islands;
}

static uint64_t segment_of(const map_search *s, uint64_t item)
{
    return (item - s->chunks) / s->options.islands;
}

static bool all_known(const map_search *s, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++)
        if (!map_search_knows(s, i))
            return false;
    return true;
}

/* May the item continue from the best mapping of the island before it? */
static bool takes_over(const map_search *s, uint64_t item)
{
    return segment_of(s, item) % SETTLE == 0;
}

/* The last segment of the island before it. */
static uint64_t neighbour_of(const map_search *s, uint64_t item)
{
    uint64_t first = s->chunks + (segment_of(s, item) - 1) * s->options.islands;
    return first + (island_of(s, item) + s->options.islands - 1) % s->options.islands;
}

bool map_search_ready(const map_search *s, uint64_t item)
{
    if (item < s->chunks)
        return true;
    if (segment_of(s, item) == 0)
        return all_known(s, 0, s->chunks);
    return map_search_knows(s, item - s->options.islands) &&
           (!takes_over(s, item) || map_search_knows(s, neighbour_of(s, item)));
}

/* The seed of the random numbers of an item. */
static uint64_t random_of(const map_search *s, uint64_t item)
{
    uint64_t random = s->options.seed;
    random = splitmix_next(&random) ^ item;
    return splitmix_next(&random);
}

/* Where an island starts: at the best of all mappings by deadline if they were tried; else at the system's own mapping,
 * at tasks spread over the cores, or at a random mapping. */
static gcast_status find_start(const map_search *s, uint64_t island, sys_place *places, gcast_error *err)
{
    uint64_t random = ~random_of(s, island);
    map_score score;
    if (s->walks) {
        map_search_best(s, places, &score);
        return GCAST_OK;
    }
    if (island == 1)
        return map_spread(&s->space, places, err);
    if (island == 0)
        map_own(&s->space, places);
    else
        map_shuffle(&s->space, places, &random);
    return GCAST_OK;
}

static gcast_status first_input(const map_search *s, uint64_t item, uint64_t *words, gcast_error *err)
{
    size_t count = s->space.of->task_count;
    sys_place *places = calloc(count + 1, sizeof *places);
    map_found f = {0};
    gcast_status status = places ? find_start(s, island_of(s, item), places, err) : gcast_error_set_memory(err);
    if (status == GCAST_OK)
        found_write(&s->space, &f, places, places, words);
    free(places);
    return status;
}

gcast_status map_search_input(const map_search *s, uint64_t item, uint64_t *words, gcast_error *err)
{
    memset(words, 0, s->words * sizeof *words);
    if (item < s->chunks)
        return GCAST_OK;
    if (segment_of(s, item) == 0)
        return first_input(s, item, words, err);
    memcpy(words, result_of(s, item - s->options.islands), s->words * sizeof *words);
    if (takes_over(s, item)) {
        const uint64_t *other = result_of(s, neighbour_of(s, item));
        map_score own_best = found_score(words), other_best = found_score(other);
        if (map_score_compare(&other_best, &own_best) < 0)
            found_take_best(other, s->words, words);
    }
    return GCAST_OK;
}

/* Tries a chunk of all mappings; keeps the best one that is better than the system's own. */
static gcast_status walk_chunk(const map_search *s, map_trier *t, uint64_t chunk, uint64_t *result, gcast_error *err)
{
    size_t count = s->space.of->task_count;
    uint64_t first = chunk * MAP_CHUNK, left = s->size - first < MAP_CHUNK ? s->size - first : MAP_CHUNK;
    map_found f = {.score = no_score};
    map_score most = s->own_score, score;
    map_walk w;
    gcast_status status = map_walk_start(&w, &s->space, s->orders, &s->starts[chunk * count], err);
    if (status != GCAST_OK)
        return status;
    sys_place *best = arena_copy(&w.memory, w.places, count * sizeof *best);
    if (!best)
        status = gcast_error_set_memory(err);
    for (; left > 0 && status == GCAST_OK; left--) {
        bool good = false;
        status = map_try_new(t, w.places, &most, &score, &good, err);
        if (status == GCAST_OK && good && map_score_compare(&score, &most) < 0) {
            memcpy(best, w.places, count * sizeof *best);
            f.score = most = score;
        }
        map_walk_next(&w);
    }
    f.counts = t->counts;
    if (status == GCAST_OK)
        found_write(&s->space, &f, best, best, result);
    map_walk_free(&w);
    return status;
}

static gcast_status climb_segment(const map_search *s, map_trier *t, uint64_t item, const uint64_t *input,
                                  uint64_t *result, gcast_error *err)
{
    size_t count = s->space.of->task_count;
    sys_place *places = calloc(2 * count + 1, sizeof *places);
    if (!places)
        return gcast_error_set_memory(err);
    map_climb c = {.trier = t,
                   .random = random_of(s, item),
                   .tries = s->segment_tries,
                   .idle = found_idle(input),
                   .current = places,
                   .best = places + count};
    found_read(&s->space, input, c.best, c.current);
    gcast_status status = map_climb_run(&c, err);
    map_found f = {.counts = t->counts, .score = c.best_score, .idle = c.idle};
    if (status == GCAST_OK)
        found_write(&s->space, &f, c.best, c.current, result);
    free(places);
    return status;
}

gcast_status map_search_do(const map_search *s, map_trier *t, uint64_t item, const uint64_t *input, uint64_t *result,
                           gcast_error *err)
{
    map_trier_reset(t);
    return item < s->chunks ? walk_chunk(s, t, item, result, err) : climb_segment(s, t, item, input, result, err);
}

void map_search_keep(map_search *s, uint64_t item, const uint64_t *result)
{
    memcpy(&s->results[item * s->words], result, s->words * sizeof *result);
}

bool map_search_fits(const map_search *s, const uint64_t *result)
{
    return found_fits(&s->space, result);
}

map_counts map_search_counts(const map_search *s)
{
    map_counts sum = {0};
    for (uint64_t i = 0; i < s->items; i++) {
        map_counts c = found_counts(result_of(s, i));
        sum.tried += c.tried;
        sum.analyzed += c.analyzed;
        sum.repeated += c.repeated;
    }
    return sum;
}

void map_search_best(const map_search *s, sys_place *places, map_score *score)
{
    const uint64_t *best = NULL;
    *score = s->own_score;
    for (uint64_t i = 0; i < s->items; i++) {
        map_score found = found_score(result_of(s, i));
        if (map_search_knows(s, i) && map_score_compare(&found, score) < 0) {
            *score = found;
            best = result_of(s, i);
        }
    }
    if (best)
        found_read(&s->space, best, places, NULL);
    else
        memcpy(places, s->space.of->places, s->space.of->task_count * sizeof *places);
}

map_options map_options_default(void)
{
    return (map_options){
        .may = {true, true, true, true},
        .objective = {.kind = MAP_RESPONSES, .chain = SYS_NONE, .communication = GCAST_COMMUNICATION_IMPLICIT},
        .tries = MAP_TRIES,
        .seed = 1,
        .islands = MAP_ISLANDS};
}

/* whole / part, rounded up. */
static uint64_t parts(uint64_t whole, uint64_t part)
{
    return whole / part + (whole % part != 0);
}

/* If there are few enough mappings with these orders, cuts them into chunks. */
static gcast_status plan_walk(map_search *s, map_orders orders, gcast_error *err)
{
    size_t tasks = s->space.of->task_count;
    uint64_t most = min_u64(s->options.tries, MOST_WALKED), count;
    if (orders == MAP_ORDERS_ALL && tasks * s->space.of->core_count > MOST_ORDERED)
        return GCAST_OK;
    gcast_status status = map_walk_count(&s->space, orders, most, MAP_CHUNK, NULL, &count, err);
    if (status != GCAST_OK || count > most)
        return status;
    s->walks = true;
    s->orders = orders;
    s->size = count;
    s->chunks = parts(count, MAP_CHUNK);
    s->starts = calloc(s->chunks * tasks + 1, sizeof *s->starts);
    if (!s->starts)
        return gcast_error_set_memory(err);
    return map_walk_count(&s->space, orders, most, MAP_CHUNK, s->starts, &count, err);
}

static void plan_islands(map_search *s)
{
    uint64_t each = parts(s->options.tries, s->options.islands);
    s->segments = parts(each, MOST_SEGMENT);
    s->segments = min_u64(s->segments, MOST_WORDS / s->words / s->options.islands);
    s->segments = s->segments ? s->segments : 1;
    s->segment_tries = max_u64(parts(each, s->segments), LEAST_SEGMENT);
}

/* Plans all mappings with all orders; or all by deadline, then islands from the best of them; or islands only. */
static gcast_status plan_items(map_search *s, gcast_error *err)
{
    bool orders = s->space.may.priority;
    gcast_status status = plan_walk(s, orders ? MAP_ORDERS_ALL : MAP_ORDERS_KEPT, err);
    if (status == GCAST_OK && !s->walks && orders)
        status = plan_walk(s, MAP_ORDERS_BY_DEADLINE, err);
    if (status == GCAST_OK && (!s->walks || s->orders == MAP_ORDERS_BY_DEADLINE))
        plan_islands(s);
    s->items = s->chunks + s->segments * s->options.islands;
    return status;
}

gcast_status map_search_make(map_search *s, const sys_system *sys, const map_options *options, gcast_error *err)
{
    *s = (map_search){.options = *options};
    gcast_status status = map_space_make(&s->space, sys, options->may, err);
    if (status != GCAST_OK)
        return status;
    s->words = found_words(&s->space);
    status = plan_items(s, err);
    if (status == GCAST_OK) {
        s->results = calloc(s->items * s->words, sizeof *s->results);
        status = s->results ? GCAST_OK : gcast_error_set_memory(err);
    }
    if (status != GCAST_OK)
        map_search_free(s);
    return status;
}

void map_search_free(map_search *s)
{
    map_space_free(&s->space);
    free(s->starts);
    free(s->results);
}

/* map_search_hash identifies a search, so that stored results of another one are refused. */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    return index_hash(&(uint64_t[2]){hash, word}, 2 * sizeof word);
}

static uint64_t mix_range(uint64_t hash, sys_range r)
{
    return mix(mix(hash, (uint64_t)r.min_ns), (uint64_t)r.max_ns);
}

static uint64_t hash_op(const gcast_op *op, uint64_t h)
{
    const uint64_t numbers[] = {op->kind,
                                op->direction,
                                (uint64_t)op->bytes,
                                op->grid[0],
                                op->grid[1],
                                op->grid[2],
                                op->block[0],
                                op->block[1],
                                op->block[2],
                                (uint64_t)op->shape.registers,
                                (uint64_t)op->shape.static_smem,
                                (uint64_t)op->shape.dynamic_smem};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        h = mix(h, numbers[i]);
    return mix_range(h, (sys_range){op->min_ns, op->max_ns});
}

static uint64_t hash_task(const sys_system *s, const sys_task *t, uint64_t h)
{
    h = mix(h, index_hash_text(t->name));
    const int64_t numbers[] = {
        t->isr,    t->arrival,     t->period_ns,  t->offset_ns, t->jitter_ns, t->trigger,    (int64_t)t->trigger_step,
        t->waiter, t->deadline_ns, t->preemption, t->slice_ns,  t->once,      t->longest_ns, (int64_t)t->step_count};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        h = mix(h, (uint64_t)numbers[i]);
    for (size_t i = 0; i < t->step_count; i++) {
        const sys_step *step = &t->steps[i];
        h = mix(mix(h, step->kind | (step->yields ? 16U : 0U) | (step->maybe ? 32U : 0U)), (uint64_t)step->task);
        for (size_t k = 0; step->kind == SYS_RUN && k < s->kind_count; k++)
            h = mix_range(step->access ? mix_range(h, step->access[k]) : h, step->on[k]);
        if (step->kind == SYS_RUN && step->on_gpu)
            h = hash_op(&step->op, mix_range(h, step->alone));
    }
    return h;
}

static uint64_t hash_event(const sys_event *e, uint64_t h)
{
    h = mix(mix(h, (uint64_t)e->task), e->data);
    for (size_t i = 0; i < e->point_count; i++)
        h = mix(mix(h, e->points[i].step), e->points[i].at | (e->points[i].sure ? 16U : 0U));
    return h;
}

static uint64_t hash_limit(const sys_limit *l, uint64_t h)
{
    const uint64_t numbers[] = {l->kind,    (uint64_t)l->min_ns, (uint64_t)l->max_ns, (uint64_t)l->task,
                                l->mapping, l->effects,          l->span_count};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        h = mix(h, numbers[i]);
    for (size_t i = 0; i < l->span_count; i++)
        h = mix(mix(mix(mix(h, (uint64_t)l->spans[i].task), l->spans[i].first), l->spans[i].end), l->spans[i].inside);
    return hash_event(&l->target, hash_event(&l->source, h));
}

uint64_t map_search_hash(const map_search *s)
{
    const sys_system *sys = s->space.of;
    const map_options *o = &s->options;
    const uint64_t numbers[] = {VERSION,
                                o->may.core,
                                o->may.gpu,
                                o->may.priority,
                                o->may.wait,
                                o->objective.kind,
                                (uint64_t)o->objective.chain,
                                o->objective.communication,
                                o->tries,
                                o->seed,
                                o->islands,
                                sys->sharing,
                                (uint64_t)sys->slice_ns,
                                (uint64_t)sys->switch_ns,
                                sys->core_count,
                                sys->task_count,
                                sys->fixed_priorities,
                                sys->loose,
                                sys->limit_count};
    uint64_t h = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        h = mix(h, numbers[i]);
    for (size_t i = 0; i < sys->core_count; i++)
        h = mix(h, (uint64_t)sys->cores[i].kind);
    for (size_t i = 0; i < sys->task_count; i++) {
        const sys_place *p = &sys->places[i];
        h = mix(mix(mix(hash_task(sys, &sys->tasks[i], h), (uint64_t)p->core), (uint64_t)p->priority), p->busy);
        for (size_t k = 0; k < s->space.tasks[i].core_count; k++)
            h = mix(h, (uint64_t)s->space.tasks[i].cores[k]);
        h = mix(h, s->space.tasks[i].may_wait_either_way);
    }
    for (size_t i = 0; i < sys->chain_count; i++) {
        const sys_chain *c = &sys->chains[i];
        h = mix(mix(mix(h, (uint64_t)c->reaction_ns), (uint64_t)c->age_ns), c->effects);
        for (size_t k = 0; k < c->task_count; k++)
            h = mix(h, (uint64_t)c->tasks[k]);
    }
    for (size_t i = 0; i < sys->limit_count; i++)
        h = hash_limit(&sys->limits[i], h);
    for (size_t i = 0; i < sys->affinity_count; i++) {
        const sys_affinity *f = &sys->affinities[i];
        h = mix(h, f->together);
        for (size_t k = 0; k < f->task_count; k++)
            h = mix(mix(h, (uint64_t)f->tasks[k]), (uint64_t)f->groups[k]);
        for (size_t k = 0; f->cores && k <= sys->core_count; k++)
            h = mix(h, f->cores[k]);
    }
    return h;
}
