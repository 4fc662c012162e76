/* States are stored as words: a key, which has everything but the bounds of the zone, then the bounds. Variables are
 * numbered in the order in which the key names them, and shifted so that the first time that uses a variable has offset
 * 0. So states that differ only in their bounds have one key. */
#include "analyze/explore/events/event_store.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/explore/events/event_state.h"
#include "analyze/explore/problem.h"
#include "base/index.h"
#include "base/integers.h"

#define QUARTERS_PER_WORD 32 /* two bits for each SM */
#define FIRST_TABLE_SIZE 1024
#define MAX_STATES_PER_KEY 6
#define PART_OF_STATES 8 /* from this part of the allowed states on, one state per key is kept */

/* Writes a key, and numbers the variables. */
typedef struct key_writer {
    event_search *q;                     /* the key goes to q->key */
    uint32_t number[ZONE_MAX_VARIABLES]; /* by variable of the state: its number in the key + 1; 0: none yet */
    uint32_t source[ZONE_MAX_VARIABLES]; /* by number in the key: the variable of the state */
    int64_t moved[ZONE_MAX_VARIABLES];   /* by number in the key: the offset that becomes 0 */
    uint32_t count;                      /* of numbered variables */
} key_writer;

static void put(key_writer *k, int64_t word)
{
    if (!vec_push(&k->q->key, word))
        k->q->out_of_memory = true;
}

static void put_time(key_writer *k, zone_time t)
{
    if (zone_is_never(t)) {
        put(k, -1);
        return;
    }
    if (!k->number[t.var]) {
        k->source[k->count] = t.var;
        k->moved[k->count] = t.offset;
        k->number[t.var] = ++k->count;
    }
    uint32_t v = k->number[t.var] - 1;
    put(k, v);
    put(k, t.offset - k->moved[v]);
}

static int by_sm(const void *a, const void *b)
{
    const event_resident *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    if (x->quarter != y->quarter)
        return x->quarter < y->quarter ? -1 : 1;
    if (x->freed.var != y->freed.var)
        return x->freed.var < y->freed.var ? -1 : 1;
    return x->freed.offset < y->freed.offset ? -1 : x->freed.offset > y->freed.offset;
}

static int by_job(const void *a, const void *b)
{
    const event_end *x = a, *y = b;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    return x->time.var < y->time.var ? -1 : x->time.var > y->time.var;
}

static void put_ops(key_writer *k, const event_state *s)
{
    put(k, (int64_t)s->ops.count);
    for (size_t i = 0; i < s->ops.count; i++) {
        const event_op *op = &s->ops.at[i];
        put(k, (int64_t)op->job << 32 | op->phase);
        put(k, (int64_t)op->entry_number << 32 | (uint32_t)(op->line + 1));
        put(k, (int64_t)op->started_count);
        put_time(k, op->call);
        put_time(k, op->next_event);
    }
}

/* Writes resident blocks, and the quarter for the next warp of each SM. */
static void put_residents(key_writer *k, event_state *s)
{
    uint64_t quarters = 0;
    if (s->residents.count)
        qsort(s->residents.at, s->residents.count, sizeof *s->residents.at, by_sm);
    put(k, (int64_t)s->residents.count);
    for (size_t i = 0; i < s->residents.count; i++) {
        const event_resident *r = &s->residents.at[i];
        put(k, (int64_t)r->job << 32 | (int64_t)r->rank << 2 | r->quarter);
        put(k, r->entry_number);
        put_time(k, r->freed);
    }
    for (int i = 0; i < k->q->sms.count; i++) {
        quarters = quarters << 2 | (uint32_t)s->sms[i].next_quarter;
        if (i % QUARTERS_PER_WORD == QUARTERS_PER_WORD - 1 || i + 1 == k->q->sms.count)
            put(k, (int64_t)quarters);
    }
}

/* Writes ends, late groups, engines, and what is remembered of SMs and lines. */
static void put_ends_and_lines(key_writer *k, event_state *s)
{
    const event_search *q = k->q;
    if (s->ends.count)
        qsort(s->ends.at, s->ends.count, sizeof *s->ends.at, by_job);
    put(k, (int64_t)s->ends.count);
    for (size_t i = 0; i < s->ends.count; i++) {
        put(k, s->ends.at[i].job);
        put_time(k, s->ends.at[i].time);
    }
    put(k, (int64_t)s->late_groups.count);
    for (size_t i = 0; i < s->late_groups.count; i++) {
        put(k, s->late_groups.at[i].group);
        put_time(k, s->late_groups.at[i].first_call);
    }
    for (int e = 0; e < COPY_ENGINES; e++) {
        put(k, (int64_t)s->engines[e].job << 16 | s->engines[e].channel);
        put_time(k, s->engines[e].gap_end);
    }
    put_time(k, s->switch_end);
    put(k, (int64_t)s->last_sm << 32 | s->last_connection);
    for (size_t i = 0; i < q->line_count; i++)
        put(k, (int64_t)s->lines[i].join_number << 32 | (uint32_t)(s->lines[i].stream + 1));
    for (size_t i = 0; q->line_count && i < EVENT_LINES * q->problem->w->stream_count; i++)
        put(k, s->stream_lines[i]);
}

/* Writes the key of a state to q->key, and the bounds of its zone to `bounds`; returns the number of variables. Sets
 * q->out_of_memory without memory. Sorts the residents and ends of the state. */
static uint32_t pack(event_search *q, event_state *s, int64_t *bounds)
{
    key_writer k = {.q = q, .number = {1}, .count = 1}; /* variable 0 is always time 0 */
    q->key.count = 0;
    for (size_t i = 0; i < q->set_words; i++)
        put(&k, (int64_t)s->called[i]);
    put_ops(&k, s);
    put_residents(&k, s);
    put_ends_and_lines(&k, s);
    const zone *z = &s->zone;
    for (uint32_t i = 0; i < k.count; i++)
        for (uint32_t j = 0; j < k.count; j++)
            bounds[i * k.count + j] = z->bound[k.source[i] * z->var_count + k.source[j]] + k.moved[i] - k.moved[j];
    return k.count;
}

/* Reads the words of a packed state. */
typedef struct key_reader {
    const int64_t *next; /* the next word */
} key_reader;

static int64_t read_word(key_reader *r)
{
    return *r->next++;
}

static zone_time read_time(key_reader *r)
{
    int64_t var = read_word(r);
    if (var < 0)
        return ZONE_NEVER;
    return (zone_time){(uint32_t)var, read_word(r)};
}

/* The next functions return false without memory. */

static bool read_ops(event_state *s, key_reader *r)
{
    size_t count = (size_t)read_word(r);
    s->ops.count = s->next_entry_number = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t job_and_phase = read_word(r), entry_and_line = read_word(r);
        event_op op = {.job = (uint32_t)(job_and_phase >> 32),
                       .phase = (uint32_t)job_and_phase,
                       .entry_number = (uint32_t)(entry_and_line >> 32),
                       .line = (int32_t)(uint32_t)entry_and_line - 1};
        op.started_count = (uint64_t)read_word(r);
        op.call = read_time(r);
        op.next_event = read_time(r);
        if (op.phase >= EVENT_ENTERED)
            s->next_entry_number = max_u32(s->next_entry_number, op.entry_number + 1);
        if (!vec_push(&s->ops, op))
            return false;
    }
    return true;
}

static bool read_residents(event_search *q, event_state *s, key_reader *r)
{
    size_t count = (size_t)read_word(r);
    int sms = q->sms.count;
    s->residents.count = 0;
    for (int i = 0; i < sms; i++)
        sm_empty(q->problem->gpu, &s->sms[i]);
    for (size_t i = 0; i < count; i++) {
        int64_t place = read_word(r);
        event_resident block = {
            .job = (uint32_t)(place >> 32), .rank = (uint32_t)place >> 2, .quarter = (int32_t)(place & 3)};
        block.entry_number = (uint32_t)read_word(r);
        block.freed = read_time(r);
        s->next_entry_number = max_u32(s->next_entry_number, block.entry_number + 1);
        s->sms[block.rank].next_quarter = block.quarter;
        sm_take_one(&s->sms[block.rank], &q->demands[q->problem->jobs[block.job].op]);
        if (!vec_push(&s->residents, block))
            return false;
    }
    for (int first = 0; first < sms; first += QUARTERS_PER_WORD) {
        uint64_t quarters = (uint64_t)read_word(r);
        for (int i = min_int(sms, first + QUARTERS_PER_WORD); i-- > first; quarters >>= 2)
            s->sms[i].next_quarter = (int32_t)(quarters & 3);
    }
    return true;
}

static bool read_ends_and_lines(event_search *q, event_state *s, key_reader *r)
{
    size_t count = (size_t)read_word(r);
    s->ends.count = s->late_groups.count = 0;
    for (size_t i = 0; i < count; i++) {
        event_end end = {.job = (uint32_t)read_word(r)};
        end.time = read_time(r);
        if (!vec_push(&s->ends, end))
            return false;
    }
    count = (size_t)read_word(r);
    for (size_t i = 0; i < count; i++) {
        event_late_group late = {.group = (uint32_t)read_word(r)};
        late.first_call = read_time(r);
        if (!vec_push(&s->late_groups, late))
            return false;
    }
    for (int e = 0; e < COPY_ENGINES; e++) {
        int64_t job_and_channel = read_word(r);
        s->engines[e] =
            (event_engine){.job = (uint32_t)(job_and_channel >> 16), .channel = (uint32_t)(job_and_channel & 0xffff)};
        s->engines[e].gap_end = read_time(r);
    }
    s->switch_end = read_time(r);
    int64_t last = read_word(r);
    s->last_sm = (uint32_t)(last >> 32);
    s->last_connection = (uint32_t)last;
    for (size_t i = 0; i < q->line_count; i++) {
        int64_t line = read_word(r);
        s->lines[i] = (event_line){(uint32_t)(line >> 32), (int32_t)(uint32_t)line - 1};
    }
    for (size_t i = 0; q->line_count && i < EVENT_LINES * q->problem->w->stream_count; i++)
        s->stream_lines[i] = (int32_t)read_word(r);
    return true;
}

static bool unpack(event_search *q, event_state *s, const event_packed *packed)
{
    key_reader r = {packed->words};
    for (size_t i = 0; i < q->set_words; i++)
        s->called[i] = (uint64_t)read_word(&r);
    if (!read_ops(s, &r) || !read_residents(q, s, &r) || !read_ends_and_lines(q, s, &r))
        return false;
    s->zone.var_count = packed->var_count;
    memcpy(s->zone.bound, r.next, (size_t)packed->var_count * packed->var_count * sizeof *r.next);
    return true;
}

/* States come out by progress, so that all states of one key are there before the first of them comes out. A state
 * whose zone is within that of another state of its key is dropped. Up to MAX_STATES_PER_KEY states of one key are
 * kept, or one if there are many states; further ones are merged into the nearest. */

/* Grows with every event, and is equal for all states of one key. */
static uint64_t progress_of(const event_search *q, const event_state *s)
{
    uint64_t done = 0, pending = s->residents.count + s->ends.count + !zone_is_never(s->switch_end);
    for (uint32_t j = 0; j < q->problem->job_count; j++)
        if (event_is_called(s, j))
            done += event_job_weight(&q->problem->jobs[j]);
    for (size_t i = 0; i < s->ops.count; i++) {
        const event_op *op = &s->ops.at[i];
        const explore_job *j = &q->problem->jobs[op->job];
        uint32_t phases = 6 + (j->event != EXPLORE_NONE);
        pending += 4 * (j->block_count - op->started_count) + phases - min_u32(op->phase, EVENT_LEFT);
    }
    for (int e = 0; e < COPY_ENGINES; e++)
        pending += !zone_is_never(s->engines[e].gap_end);
    return done - pending;
}

/* Are all bounds of a within those of b? */
static bool is_within(const int64_t *a, const int64_t *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] > b[i])
            return false;
    return true;
}

/* About how much wider all bounds of a together must be to contain those of b. */
static uint64_t widening(const int64_t *a, const int64_t *b, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        if (b[i] > a[i])
            sum += (uint64_t)(b[i] - a[i]) / count + 1;
    return sum;
}

static bool grow_table(event_search *q)
{
    size_t size = q->table_size ? 2 * q->table_size : FIRST_TABLE_SIZE;
    event_packed **table = calloc(size, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < q->table_size; i++)
        for (event_packed *p = q->table[i], *next; p; p = next) {
            next = p->next;
            p->next = table[p->hash & (size - 1)];
            table[p->hash & (size - 1)] = p;
        }
    q->store_bytes += (size - q->table_size) * sizeof *table;
    free(q->table);
    q->table = table;
    q->table_size = size;
    return true;
}

/* Stores a state with the key q->key. False without memory. */
static bool insert(event_search *q, uint32_t var_count, const int64_t *bounds, uint64_t hash, uint64_t progress)
{
    size_t bound_count = (size_t)var_count * var_count;
    size_t bytes = sizeof(event_packed) + (q->key.count + bound_count) * sizeof(int64_t);
    if (q->stored_count >= q->table_size && !grow_table(q))
        return false;
    event_packed *p = malloc(bytes);
    uint32_t id = q->free_ids.count ? q->free_ids.at[--q->free_ids.count] : (uint32_t)q->packed.count;
    if (!p || (id == q->packed.count && !vec_push(&q->packed, NULL))) {
        free(p);
        return false;
    }
    q->packed.at[id] = p;
    *p = (event_packed){.next = q->table[hash & (q->table_size - 1)],
                        .hash = hash,
                        .progress = progress,
                        .key_count = (uint32_t)q->key.count,
                        .var_count = var_count};
    memcpy(p->words, q->key.at, q->key.count * sizeof *p->words);
    memcpy(p->words + q->key.count, bounds, bound_count * sizeof *p->words);
    q->table[hash & (q->table_size - 1)] = p;
    q->stored_count++;
    q->store_bytes += bytes;
    q->problem->out->a.states++;
    return heap_push(&q->pending, (heap_item){(int64_t)progress, 0, id});
}

/* Stores a state with the key q->key, or merges it into one with this key. False without memory. */
static bool insert_or_merge(event_search *q, uint32_t var_count, const int64_t *bounds, uint64_t progress)
{
    explore_problem *problem = q->problem;
    uint64_t hash = index_hash(q->key.at, q->key.count * sizeof *q->key.at), min_widening = UINT64_MAX;
    size_t bound_count = (size_t)var_count * var_count, same_key = 0;
    int64_t *nearest = NULL;
    for (event_packed *p = q->table_size ? q->table[hash & (q->table_size - 1)] : NULL; p; p = p->next) {
        if (p->hash != hash || p->key_count != q->key.count || p->var_count != var_count ||
            memcmp(p->words, q->key.at, q->key.count * sizeof *q->key.at) != 0)
            continue;
        int64_t *other = p->words + p->key_count;
        if (is_within(bounds, other, bound_count))
            return true;
        uint64_t w = is_within(other, bounds, bound_count) ? 0 : widening(other, bounds, bound_count);
        same_key++;
        if (w < min_widening) {
            min_widening = w;
            nearest = other;
        }
    }
    bool has_few = problem->out->a.states < explore_max_states(problem) / PART_OF_STATES;
    size_t max_same_key = has_few ? MAX_STATES_PER_KEY : 1;
    if (!nearest || (min_widening && (problem->states_stay_apart || same_key < max_same_key)))
        return insert(q, var_count, bounds, hash, progress);
    for (size_t i = 0; i < bound_count; i++)
        nearest[i] = max_i64(nearest[i], bounds[i]);
    return true;
}

bool event_store_add(event_search *q, event_state *s)
{
    int64_t bounds[ZONE_MAX_VARIABLES * ZONE_MAX_VARIABLES];
    uint32_t var_count = pack(q, s, bounds);
    if (!q->out_of_memory && !insert_or_merge(q, var_count, bounds, progress_of(q, s)))
        q->out_of_memory = true;
    return !q->out_of_memory;
}

bool event_store_pop(event_search *q, event_state *s)
{
    if (!heap_top(&q->pending))
        return false;
    uint32_t id = heap_pop(&q->pending).id;
    event_packed *p = q->packed.at[id], **link = &q->table[p->hash & (q->table_size - 1)];
    while (*link != p)
        link = &(*link)->next;
    *link = p->next;
    q->stored_count--;
    q->progress = p->progress;
    if (!unpack(q, s, p) || !vec_push(&q->free_ids, id))
        q->out_of_memory = true;
    q->store_bytes -= sizeof *p + (p->key_count + (size_t)p->var_count * p->var_count) * sizeof(int64_t);
    q->packed.at[id] = NULL;
    free(p);
    return !q->out_of_memory;
}

void event_store_free(event_search *q)
{
    for (size_t i = 0; i < q->packed.count; i++)
        free(q->packed.at[i]);
    vec_free(&q->packed);
    vec_free(&q->free_ids);
    vec_free(&q->key);
    vec_free(&q->pending.items);
    free(q->table);
}
