/* Rank 0 hands out whatever item is next and ready. Another rank sends {size of a request, item, result, item, result,
 * ...}. A request for more than 0 items is answered with {more, item, what it needs, ...}; more is 0 where none are
 * left. Where none is ready now, there is an answer without items, so that the rank can send the results that others
 * wait for, and ask again. A rank asks before it runs out, and for about as many items as it does in a tenth of a
 * second. While it waits for an answer it sends nothing, so that two messages never cross. */
#include "experiment/crew/serve.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/minmax.h"

#define REQUEST_NS 100000000 /* the time for which a request should last */

/* Items that a message has room for. */
static uint64_t max_request(const crew *c)
{
    return min_u64(CREW_MAX_REQUEST, (RANKS_MAX_WORDS - 1) / crew_input_size(c));
}

bool crew_serve_init(crew *c)
{
    const crew_work *w = &c->t->work;
    c->request_size = min_u64(2 * (uint64_t)c->t->threads, max_request(c));
    if (c->t->ranks.rank) {
        c->queue = calloc(2 * max_request(c), crew_input_size(c) * sizeof *c->queue);
        return c->queue != NULL;
    }
    for (uint64_t i = 0; i < w->items; i++)
        c->total_count += !w->is_known(w->data, i);
    c->total_count = min_u64(c->total_count, c->t->max_items);
    c->is_given = calloc(w->items / 8 + 1, 1);
    return c->is_given != NULL;
}

void crew_serve_free(crew *c)
{
    free(c->queue);
    free(c->is_given);
    vec_free(&c->results);
    vec_free(&c->collected);
}

/* Is it neither known nor handed out? */
static bool is_left(const crew *c, uint64_t item)
{
    const crew_work *w = &c->t->work;
    return !(c->is_given[item / 8] >> item % 8 & 1) && !w->is_known(w->data, item);
}

/* Rank 0: the first item that is left and ready; false: there is none now. */
static bool find_ready(crew *c, uint64_t *item)
{
    const crew_work *w = &c->t->work;
    if (c->given_count >= c->total_count)
        return false;
    while (c->first_left < w->items && !is_left(c, c->first_left))
        c->first_left++;
    uint64_t end = w->items - c->first_left > w->ahead ? c->first_left + w->ahead : w->items;
    for (*item = c->first_left; *item < end; ++*item)
        if (is_left(c, *item) && (!w->is_ready || w->is_ready(w->data, *item)))
            return true;
    return false;
}

static bool next_ready(crew *c, uint64_t *words)
{
    const crew_work *w = &c->t->work;
    gcast_error err;
    if (c->do_status != GCAST_OK || !find_ready(c, &words[0]))
        return false;
    gcast_status status = w->input ? w->input(w->data, words[0], words + 1, &err) : GCAST_OK;
    if (status != GCAST_OK) {
        c->do_status = status;
        c->do_err = err;
        return false;
    }
    c->is_given[words[0] / 8] |= (uint8_t)(1u << words[0] % 8);
    c->given_count++;
    return true;
}

bool crew_next_item(crew *c, uint64_t *words)
{
    if (c->t->ranks.rank == 0)
        return next_ready(c, words);
    if (c->queue_start == c->queue_end)
        return false;
    memcpy(words, &c->queue[c->queue_start++ * crew_input_size(c)], crew_input_size(c) * sizeof *words);
    return true;
}

/* Moves results of this rank to a list that only this thread uses. False without memory. */
static bool collect(crew *c)
{
    pthread_mutex_lock(&c->lock);
    bool ok = vec_reserve(&c->collected, c->collected.count + c->results.count);
    if (ok && c->results.count) {
        memcpy(&c->collected.at[c->collected.count], c->results.at, c->results.count * sizeof *c->results.at);
        c->collected.count += c->results.count;
        c->results.count = 0;
    }
    pthread_mutex_unlock(&c->lock);
    return ok;
}

/* Rank 0: takes results, {item, words, item, words, ...}. False without memory. */
static bool keep_all(crew *c, const uint64_t *results, size_t count)
{
    const crew_work *w = &c->t->work;
    bool ok = true;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i + w->words < count && ok; i += crew_result_size(c)) {
        w->keep(w->data, results[i], &results[i + 1]);
        c->returned_count++;
        ok = part_add(c->t->part, results[i], &results[i + 1]);
    }
    pthread_mutex_unlock(&c->lock);
    return ok;
}

static void answer(crew *c, int rank, uint64_t request_size)
{
    uint64_t words[RANKS_MAX_WORDS], n = 0;
    size_t size = crew_input_size(c);
    pthread_mutex_lock(&c->lock);
    while (n < request_size && n < max_request(c) && crew_next_item(c, &words[1 + n * size]))
        n++;
    words[0] = c->given_count < c->total_count || n > 0;
    pthread_mutex_unlock(&c->lock);
    c->idle_ranks += words[0] == 0;
    ranks_send(&c->t->ranks, rank, words, 1 + n * size);
}

/* Rank 0: tells how far it is, and stops where that is wanted. */
static void show_progress(crew *c)
{
    if (!c->total_count || !c->t->progress ||
        c->t->progress(c->t->progress_data, (double)c->returned_count / (double)c->total_count))
        return;
    pthread_mutex_lock(&c->lock);
    c->total_count = c->given_count;
    pthread_mutex_unlock(&c->lock);
}

gcast_status crew_serve_first(crew *c)
{
    uint64_t words[RANKS_MAX_WORDS];
    size_t count;
    int sender;
    bool ok = collect(c) && keep_all(c, c->collected.at, c->collected.count);
    c->collected.count = 0;
    while (ok && ranks_receive(&c->t->ranks, &sender, words, &count)) {
        ok = keep_all(c, words + 1, count - 1);
        if (words[0])
            answer(c, sender, words[0]);
    }
    if (!ok)
        return gcast_error_set_memory(&c->err);
    show_progress(c);
    c->is_done = c->returned_count == c->total_count && c->idle_ranks == c->t->ranks.count - 1;
    return part_flush(c->t->part, &c->err);
}

/* Sends results to rank 0, and with them a request for more items; 0: for none. */
static void send_results(crew *c, uint64_t request_size, int64_t now_ns)
{
    uint64_t words[RANKS_MAX_WORDS] = {request_size};
    size_t size = crew_result_size(c), all = c->collected.count / size;
    size_t sent = min_size(all, (RANKS_MAX_WORDS - 1) / size), first = (all - sent) * size;
    if (sent)
        memcpy(words + 1, &c->collected.at[first], sent * size * sizeof *words);
    c->unsent_count -= sent;
    c->collected.count = first;
    ranks_send(&c->t->ranks, 0, words, 1 + sent * size);
    c->sent_ns = now_ns;
}

static void take_answer(crew *c, const uint64_t *words, size_t count, int64_t now_ns)
{
    size_t size = crew_input_size(c);
    uint64_t items = (count - 1) / size;
    pthread_mutex_lock(&c->lock);
    uint64_t left = c->queue_end - c->queue_start;
    memmove(c->queue, &c->queue[c->queue_start * size], left * size * sizeof *c->queue);
    memcpy(&c->queue[left * size], words + 1, items * size * sizeof *c->queue);
    c->queue_start = 0;
    c->queue_end = left + items;
    pthread_mutex_unlock(&c->lock);
    c->unsent_count += items;
    c->is_waiting = false;
    c->none_left = words[0] == 0;
    if (items)
        c->answered_ns = now_ns;
}

/* How many items to ask for, where half of the last answer lasted this long. */
static uint64_t next_request(const crew *c, int64_t lasted_ns)
{
    uint64_t size = lasted_ns < REQUEST_NS / 2   ? c->request_size * 2
                    : lasted_ns > REQUEST_NS * 2 ? c->request_size / 2
                                                 : c->request_size;
    uint64_t min_request = (uint64_t)c->t->threads;
    return min_u64(max_u64(size, min_request), max_request(c));
}

gcast_status crew_serve_other(crew *c)
{
    uint64_t words[RANKS_MAX_WORDS];
    size_t count;
    int sender;
    int64_t now_ns = clock_now_ns();
    if (!collect(c))
        return gcast_error_set_memory(&c->err);
    if (ranks_receive(&c->t->ranks, &sender, words, &count))
        take_answer(c, words, count, now_ns);
    pthread_mutex_lock(&c->lock);
    uint64_t left = c->queue_end - c->queue_start;
    pthread_mutex_unlock(&c->lock);
    if (!c->is_waiting && !c->none_left && left <= c->request_size / 2) {
        if (c->answered_ns > 0)
            c->request_size = next_request(c, now_ns - c->answered_ns);
        c->is_waiting = true;
        send_results(c, c->request_size, now_ns);
    } else if (c->collected.count && !c->is_waiting && (c->none_left || now_ns - c->sent_ns > REQUEST_NS)) {
        send_results(c, 0, now_ns);
    }
    c->is_done = c->none_left && c->unsent_count == 0;
    return GCAST_OK;
}
