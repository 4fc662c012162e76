/* Rank 0 hands out whatever set is next. Another rank sends {size of a request, set, verdicts, set, verdicts, ...}. A
 * request for more than 0 sets is answered with sets, or with none where none are left. A rank asks before it runs out,
 * and for about as many sets as it judges in a tenth of a second. While it waits for an answer it sends nothing, so
 * that two messages never cross. */
#include "experiment/crew/serve.h"

#include "base/clock.h"
#include "base/minmax.h"

#define REQUEST_NS 100000000 /* the time for which a request should last */
#define MAX_RESULTS ((RANKS_MAX_WORDS - 1) / 2)

void crew_count_sets(crew *c)
{
    uint64_t size = gcast_experiment_size(c->t->experiment);
    for (uint64_t i = 0; i < size; i++)
        c->total_count += c->t->verdicts[i] == 0;
    c->total_count = min_u64(c->total_count, c->t->max_sets);
}

bool crew_next_set(crew *c, uint64_t *set)
{
    uint64_t size = gcast_experiment_size(c->t->experiment);
    while (c->next_set < size && c->t->verdicts[c->next_set])
        c->next_set++;
    if (c->given_count == c->total_count)
        return false;
    c->given_count++;
    *set = c->next_set++;
    return true;
}

bool crew_next_queued(crew *c, uint64_t *set)
{
    if (c->queue_start == c->queue_end)
        return false;
    *set = c->queue[c->queue_start++];
    return true;
}

/* Moves verdicts of this rank to a list that only this thread uses. False without memory. */
static bool collect(crew *c)
{
    bool ok = true;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->judged.count && ok; i++)
        ok = vec_push(&c->collected, c->judged.at[i]);
    c->judged.count = 0;
    pthread_mutex_unlock(&c->lock);
    return ok;
}

static bool keep(crew *c, uint64_t set, uint32_t verdicts)
{
    c->t->verdicts[set] = verdicts;
    c->returned_count++;
    return part_add(c->t->part, set, verdicts);
}

static void answer(crew *c, int rank, uint64_t request_size)
{
    uint64_t sets[CREW_MAX_SETS], n = 0;
    pthread_mutex_lock(&c->lock);
    while (n < request_size && n < CREW_MAX_SETS && crew_next_set(c, &sets[n]))
        n++;
    pthread_mutex_unlock(&c->lock);
    c->idle_ranks += n == 0;
    ranks_send(&c->t->ranks, rank, sets, n);
}

gcast_status crew_serve_first(crew *c)
{
    uint64_t words[RANKS_MAX_WORDS];
    size_t count;
    int sender;
    bool ok = collect(c);
    for (size_t i = 0; i < c->collected.count && ok; i++)
        ok = keep(c, c->collected.at[i].set, c->collected.at[i].verdicts);
    c->collected.count = 0;
    while (ok && ranks_receive(&c->t->ranks, &sender, words, &count)) {
        for (size_t i = 1; i + 1 < count && ok; i += 2)
            ok = keep(c, words[i], (uint32_t)words[i + 1]);
        if (words[0])
            answer(c, sender, words[0]);
    }
    if (!ok)
        return gcast_error_set_memory(&c->err);
    if (c->total_count && c->t->progress)
        c->t->progress(c->t->progress_data, (double)c->returned_count / (double)c->total_count);
    c->is_done = c->returned_count == c->total_count && c->idle_ranks == c->t->ranks.count - 1;
    return part_flush(c->t->part, &c->err);
}

/* Sends verdicts to rank 0, and with them a request for more sets; 0: for none. */
static void send_verdicts(crew *c, uint64_t request_size, int64_t now_ns)
{
    uint64_t words[RANKS_MAX_WORDS] = {request_size};
    size_t n = 1, first = c->collected.count > MAX_RESULTS ? c->collected.count - MAX_RESULTS : 0;
    for (size_t i = first; i < c->collected.count; i++) {
        words[n++] = c->collected.at[i].set;
        words[n++] = c->collected.at[i].verdicts;
    }
    c->unsent_count -= c->collected.count - first;
    c->collected.count = first;
    ranks_send(&c->t->ranks, 0, words, n);
    c->sent_ns = now_ns;
}

static void take_answer(crew *c, const uint64_t *sets, size_t count, int64_t now_ns)
{
    pthread_mutex_lock(&c->lock);
    uint64_t left = c->queue_end - c->queue_start;
    for (uint64_t i = 0; i < left; i++)
        c->queue[i] = c->queue[c->queue_start + i];
    for (size_t i = 0; i < count; i++)
        c->queue[left + i] = sets[i];
    c->queue_start = 0;
    c->queue_end = left + count;
    pthread_mutex_unlock(&c->lock);
    c->unsent_count += count;
    c->is_waiting = false;
    c->none_left = count == 0;
    c->answered_ns = now_ns;
}

/* How many sets to ask for, where half of the last answer lasted this long. */
static uint64_t next_request(const crew *c, int64_t lasted_ns)
{
    uint64_t size = lasted_ns < REQUEST_NS / 2   ? c->request_size * 2
                    : lasted_ns > REQUEST_NS * 2 ? c->request_size / 2
                                                 : c->request_size;
    uint64_t min_request = (uint64_t)c->t->threads, max_request = CREW_MAX_SETS / 2;
    return size < min_request ? min_request : min_u64(size, max_request);
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
        send_verdicts(c, c->request_size, now_ns);
    } else if (c->collected.count && !c->is_waiting && (c->none_left || now_ns - c->sent_ns > REQUEST_NS)) {
        send_verdicts(c, 0, now_ns);
    }
    c->is_done = c->none_left && c->unsent_count == 0;
    return GCAST_OK;
}
