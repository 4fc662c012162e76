/* Who gets which set. Rank 0 hands out whatever is next. Another rank sends
 * {how many it wants, set, verdicts, set, verdicts, ...}, and where it wants any, is
 * answered with sets; with none where none are left. It asks before it runs out, and
 * for about as many as last a tenth of a second. While it waits for an answer it sends
 * nothing, so that two messages never cross. */
#include <time.h>

#include "experiment/crew/state.h"

#define AIM_SECONDS 0.1
#define MOST_RESULTS ((RANKS_MOST_WORDS - 1) / 2)

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void crew_begin(crew *c)
{
    uint64_t size = gcast_experiment_size(c->t->e);
    for (uint64_t i = 0; i < size; i++)
        c->total += c->t->verdicts[i] == 0;
    if (c->total > c->t->most)
        c->total = c->t->most;
    progress_start(&c->progress, "judging sets");
}

bool crew_next(crew *c, uint64_t *set)
{
    uint64_t size = gcast_experiment_size(c->t->e);
    while (c->cursor < size && c->t->verdicts[c->cursor])
        c->cursor++;
    if (c->given == c->total)
        return false;
    c->given++;
    *set = c->cursor++;
    return true;
}

bool crew_pop(crew *c, uint64_t *set)
{
    if (c->at == c->queued)
        return false;
    *set = c->queue[c->at++];
    return true;
}

/* Move what was judged here to where only this thread looks. */
static bool take_done(crew *c)
{
    bool ok = true;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->done.count && ok; i++)
        ok = vec_push(&c->taken, c->done.at[i]);
    c->done.count = 0;
    pthread_mutex_unlock(&c->lock);
    return ok;
}

static bool keep(crew *c, uint64_t set, uint32_t verdicts)
{
    c->t->verdicts[set] = verdicts;
    c->returned++;
    return part_add(c->t->part, set, verdicts);
}

static void answer(crew *c, int rank, uint64_t wanted)
{
    uint64_t sets[CREW_MOST_SETS], n = 0;
    pthread_mutex_lock(&c->lock);
    while (n < wanted && n < CREW_MOST_SETS && crew_next(c, &sets[n]))
        n++;
    pthread_mutex_unlock(&c->lock);
    c->dry_ranks += n == 0;
    ranks_send(&c->t->ranks, rank, sets, n);
}

gcast_status crew_serve_first(crew *c)
{
    uint64_t words[RANKS_MOST_WORDS];
    size_t count;
    int from;
    bool ok = take_done(c);
    for (size_t i = 0; i < c->taken.count && ok; i++)
        ok = keep(c, c->taken.at[i].set, c->taken.at[i].verdicts);
    c->taken.count = 0;
    while (ok && ranks_receive(&c->t->ranks, &from, words, &count)) {
        for (size_t i = 1; i + 1 < count && ok; i += 2)
            ok = keep(c, words[i], (uint32_t)words[i + 1]);
        if (words[0])
            answer(c, from, words[0]);
    }
    if (!ok)
        return say(GCAST_RESOURCE, "not enough memory");
    if (c->total)
        progress_show(&c->progress, (double)c->returned / (double)c->total);
    c->over = c->returned == c->total && c->dry_ranks == c->t->ranks.count - 1;
    return part_flush(c->t->part);
}

/* Verdicts to rank 0, and with them a wish for more. */
static void send_verdicts(crew *c, uint64_t wanted, double now)
{
    uint64_t words[RANKS_MOST_WORDS] = {wanted};
    size_t n = 1, first = c->taken.count > MOST_RESULTS ? c->taken.count - MOST_RESULTS : 0;
    for (size_t i = first; i < c->taken.count; i++) {
        words[n++] = c->taken.at[i].set;
        words[n++] = c->taken.at[i].verdicts;
    }
    c->running -= c->taken.count - first;
    c->taken.count = first;
    ranks_send(&c->t->ranks, 0, words, n);
    c->sent_at = now;
}

static void take_answer(crew *c, const uint64_t *sets, size_t count, double now)
{
    pthread_mutex_lock(&c->lock);
    uint64_t left = c->queued - c->at;
    for (uint64_t i = 0; i < left; i++)
        c->queue[i] = c->queue[c->at + i];
    for (size_t i = 0; i < count; i++)
        c->queue[left + i] = sets[i];
    c->at = 0;
    c->queued = left + count;
    pthread_mutex_unlock(&c->lock);
    c->running += count;
    c->asked = false;
    c->dry = count == 0;
    c->answered_at = now;
}

/* The last answer lasted so long until half was left. */
static uint64_t next_wish(const crew *c, double lasted)
{
    uint64_t least = (uint64_t)c->t->threads, most = CREW_MOST_SETS / 2;
    uint64_t wish = lasted < AIM_SECONDS / 2 ? c->wanted * 2 : lasted > AIM_SECONDS * 2 ? c->wanted / 2 : c->wanted;
    return wish < least ? least : wish > most ? most : wish;
}

gcast_status crew_serve_other(crew *c)
{
    uint64_t words[RANKS_MOST_WORDS];
    size_t count;
    int from;
    double now = seconds();
    if (!take_done(c))
        return say(GCAST_RESOURCE, "not enough memory");
    if (ranks_receive(&c->t->ranks, &from, words, &count))
        take_answer(c, words, count, now);
    pthread_mutex_lock(&c->lock);
    uint64_t left = c->queued - c->at;
    pthread_mutex_unlock(&c->lock);
    if (!c->asked && !c->dry && left <= c->wanted / 2) {
        if (c->answered_at > 0)
            c->wanted = next_wish(c, now - c->answered_at);
        c->asked = true;
        send_verdicts(c, c->wanted, now);
    } else if (c->taken.count && !c->asked && (c->dry || now - c->sent_at > AIM_SECONDS)) {
        send_verdicts(c, 0, now);
    }
    c->over = c->dry && c->running == 0;
    return GCAST_OK;
}
