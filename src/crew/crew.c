#include "crew/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/clock.h"
#include "base/integers.h"

/* On every rank one thread serves: it hands out items and takes results, and only it calls MPI. The other threads do
 * items. A single thread does both in turn.
 *
 * Rank 0 hands out the next item that is ready. Another rank sends {size of a request, item, result, item, result,
 * ...}. A request for more than 0 items is answered with {more, item, input, item, input, ...}; `more` is 0 if none are
 * left. If none is ready now, the answer has no items, so that the rank can send results for which others wait, and ask
 * again. A rank asks before it runs out, for about as many items as it does in a tenth of a second. While it waits for
 * an answer it sends nothing, so that two messages never cross. */

#define REQUEST_NS 100000000           /* the time for which the items of a request should last */
#define ITEM_SLEEP_NS 500000           /* before a thread without an item asks for one again */
#define SERVE_SLEEP_NS 4000000         /* before MPI is polled again, which takes time */
#define OPENMP_BYTES ((size_t)4 << 20) /* memory that OpenMP's runtime may need to start */
#define EXTRA_STACK ((size_t)1 << 20)  /* added to the stacks of trial threads, compared with the team's */
#define CREW_MAX_REQUEST 2048          /* limit of the items of a request */
_Static_assert(CREW_MAX_REQUEST >= 2 * CREW_MAX_THREADS, "a request may be for two items per thread");

typedef VEC(uint64_t) word_list;

/* A crew at work on one rank. */
typedef struct crew {
    const crew_task *t;
    atomic_bool is_done; /* all threads end */
    /* Protected by the lock, as are calls of the work on rank 0. */
    pthread_mutex_t lock;
    gcast_status do_status; /* status of the first item that failed */
    gcast_error do_err;     /* its error */
    word_list results;      /* results of this rank for the serving thread: item, words, item, words, ... */
    uint64_t first_left;    /* rank 0: all items before this one were handed out or known */
    uint8_t *is_given;      /* rank 0, by item, one bit: it was handed out */
    uint64_t given_count;   /* rank 0: items handed out */
    uint64_t total_count;   /* rank 0: items to do */
    uint64_t *queue;        /* other ranks: items to do, each with its input */
    uint64_t queue_start;   /* other ranks: index of the next item in the queue */
    uint64_t queue_end;     /* other ranks: end of the queue */
    /* Used by the serving thread only. */
    gcast_status status;     /* why it ended */
    gcast_error err;         /* the error, if it is one */
    word_list collected;     /* results of this rank, not yet kept or sent */
    uint64_t returned_count; /* rank 0: items whose results have been kept */
    int idle_ranks;          /* rank 0: ranks that were told that no item is left */
    bool is_waiting;         /* other ranks: a request has no answer yet */
    bool none_left;          /* other ranks: rank 0 has no more items */
    uint64_t request_size;   /* other ranks: items of the next request */
    uint64_t unsent_count;   /* other ranks: items received whose results have not been sent */
    int64_t answered_ns;     /* other ranks: time of the last answer with items; 0: none yet */
    int64_t sent_ns;         /* other ranks: time of the last message with results */
} crew;

/* Words of an item with its input. */
static size_t input_size(const crew *c)
{
    return 1 + c->t->work.input_words;
}

/* Words of an item with its result. */
static size_t result_size(const crew *c)
{
    return 1 + c->t->work.words;
}

/* Limit of the items in a message. */
static uint64_t max_request(const crew *c)
{
    return min_u64(CREW_MAX_REQUEST, (RANKS_MAX_WORDS - 1) / input_size(c));
}

/* Prepares the serving thread; on rank 0, counts the items to do. False without memory. */
static bool serve_init(crew *c)
{
    const crew_work *w = &c->t->work;
    c->request_size = min_u64(2 * (uint64_t)c->t->threads, max_request(c));
    if (c->t->ranks.rank) {
        c->queue = calloc(2 * max_request(c), input_size(c) * sizeof *c->queue);
        return c->queue != NULL;
    }
    for (uint64_t i = 0; i < w->items; i++)
        c->total_count += !w->is_known(w->data, i);
    c->total_count = min_u64(c->total_count, c->t->max_items);
    c->is_given = calloc(w->items / 8 + 1, 1);
    return c->is_given != NULL;
}

static void serve_free(crew *c)
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

/* Rank 0: finds the first item that is left and ready; false: there is none now. */
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

/* Sets *words to the next item and its input, on any rank; the lock is held. False: there is none now, or its input
 * failed (do_status). */
static bool next_item(crew *c, uint64_t *words)
{
    if (c->t->ranks.rank == 0)
        return next_ready(c, words);
    if (c->queue_start == c->queue_end)
        return false;
    memcpy(words, &c->queue[c->queue_start++ * input_size(c)], input_size(c) * sizeof *words);
    return true;
}

/* Moves results of this rank to the serving thread's own list. False without memory. */
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

/* Rank 0: keeps results: item, words, item, words, ... False without memory. */
static bool keep_all(crew *c, const uint64_t *results, size_t count)
{
    const crew_work *w = &c->t->work;
    bool ok = true;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i + w->words < count && ok; i += result_size(c)) {
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
    size_t size = input_size(c);
    pthread_mutex_lock(&c->lock);
    while (n < request_size && n < max_request(c) && next_item(c, &words[1 + n * size]))
        n++;
    words[0] = c->given_count < c->total_count || n > 0;
    pthread_mutex_unlock(&c->lock);
    c->idle_ranks += words[0] == 0;
    ranks_send(&c->t->ranks, rank, words, 1 + n * size);
}

/* Rank 0: reports progress, and stops handing out items if the user wants that. */
static void show_progress(crew *c)
{
    if (!c->total_count || !c->t->progress ||
        c->t->progress(c->t->progress_data, (double)c->returned_count / (double)c->total_count))
        return;
    pthread_mutex_lock(&c->lock);
    c->total_count = c->given_count;
    pthread_mutex_unlock(&c->lock);
}

/* Serves on rank 0: deals with all results and messages that have arrived. Errors are in c->err. */
static gcast_status serve_first(crew *c)
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

/* Sends results to rank 0, with a request for request_size more items. */
static void send_results(crew *c, uint64_t request_size, int64_t now_ns)
{
    uint64_t words[RANKS_MAX_WORDS] = {request_size};
    size_t size = result_size(c), all = c->collected.count / size;
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
    size_t size = input_size(c);
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

/* The number of items to ask for, if half of the last answer lasted this long. */
static uint64_t next_request(const crew *c, int64_t lasted_ns)
{
    uint64_t size = lasted_ns < REQUEST_NS / 2   ? c->request_size * 2
                    : lasted_ns > REQUEST_NS * 2 ? c->request_size / 2
                                                 : c->request_size;
    uint64_t min_request = (uint64_t)c->t->threads;
    return min_u64(max_u64(size, min_request), max_request(c));
}

/* Serves on another rank. */
static gcast_status serve_other(crew *c)
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

#ifdef _OPENMP
/* OpenMP cannot report that it lacks memory: LLVM's runtime aborts at its first call. So it is called only if there is
 * enough memory. */
static bool has_memory(void)
{
    void *volatile memory = malloc(OPENMP_BYTES); /* volatile, as a compiler may remove an unused malloc */
    free(memory);
    return memory != NULL;
}
#endif

int crew_cores(const ranks *r)
{
#ifdef _OPENMP
    if (!has_memory())
        return 1;
    long share = sysconf(_SC_NPROCESSORS_ONLN) / r->local, threads = omp_get_max_threads();
    if (r->local > 1 && threads > share)
        threads = share;
    return threads < 1 ? 1 : threads > CREW_MAX_THREADS ? CREW_MAX_THREADS : (int)threads;
#else
    (void)r;
    return 1;
#endif
}

static void sleep_ns(long ns)
{
    nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

/* Adds a result to the results of this rank; false without memory. */
static bool add_result(crew *c, uint64_t item, const uint64_t *result)
{
    size_t words = c->t->work.words;
    if (!vec_reserve(&c->results, c->results.count + 1 + words))
        return false;
    c->results.at[c->results.count++] = item;
    for (size_t i = 0; i < words; i++)
        c->results.at[c->results.count++] = result[i];
    return true;
}

/* Does one item; false: there is none. `words` has room for an item with its input, and for a result. */
static bool do_one(crew *c, uint64_t *words)
{
    const crew_work *w = &c->t->work;
    uint64_t *result = words + input_size(c);
    pthread_mutex_lock(&c->lock);
    bool found = next_item(c, words);
    pthread_mutex_unlock(&c->lock);
    if (!found)
        return false;
    gcast_error err;
    gcast_status status = w->do_item(w->data, words[0], words + 1, result, &err);
    pthread_mutex_lock(&c->lock);
    if (status == GCAST_OK && !add_result(c, words[0], result))
        status = gcast_error_set_memory(&err);
    if (status != GCAST_OK && c->do_status == GCAST_OK) {
        c->do_err = err;
        c->do_status = status;
    }
    pthread_mutex_unlock(&c->lock);
    return true;
}

static void serve(crew *c)
{
    pthread_mutex_lock(&c->lock);
    gcast_status status = c->do_status;
    if (status != GCAST_OK)
        c->err = c->do_err;
    pthread_mutex_unlock(&c->lock);
    if (status == GCAST_OK)
        status = c->t->ranks.rank ? serve_other(c) : serve_first(c);
    if (status != GCAST_OK) {
        c->status = status;
        c->is_done = true;
    }
}

static void fail(crew *c, gcast_status status, const gcast_error *err)
{
    pthread_mutex_lock(&c->lock);
    c->do_status = status;
    c->do_err = *err;
    pthread_mutex_unlock(&c->lock);
}

/* Runs thread `number` of a team; 0 is the serving thread. */
static void run_member(crew *c, int number, int team_size)
{
    gcast_error err;
    uint64_t *words = calloc(input_size(c) + result_size(c), sizeof *words);
    if (!words)
        fail(c, gcast_error_set_memory(&err), &err);
    while (!c->is_done) {
        bool worked = words && (number || team_size == 1) && do_one(c, words);
        if (number == 0)
            serve(c);
        if (!worked && !c->is_done)
            sleep_ns(number ? ITEM_SLEEP_NS : SERVE_SLEEP_NS);
    }
    free(words);
}

#ifdef _OPENMP
static void (*cannot_start)(void); /* not NULL while a team starts */

/* If a team cannot start, GCC's runtime ends the process with an exit status that means an answer. The caller's
 * function ends it with another one. */
static void at_exit(void)
{
    if (cannot_start)
        cannot_start();
}

static void *wait_for_gate(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* The largest possible size of a team, up to `wanted`. To find it, as many threads are started at the same time, and
 * ended. Their stacks are larger than those of the team, so that the team's threads will fit as well. */
static int max_team_size(int wanted)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[CREW_MAX_THREADS + 1];
    pthread_attr_t attr;
    size_t stack = 0;
    int started = 0;
    if (pthread_attr_init(&attr) != 0)
        return 1;
    pthread_attr_getstacksize(&attr, &stack);
    pthread_attr_setstacksize(&attr, stack + EXTRA_STACK);
    pthread_mutex_lock(&gate);
    while (started < wanted - 1 && pthread_create(&threads[started], &attr, wait_for_gate, &gate) == 0)
        started++;
    bool has_all_memory = has_memory();
    pthread_mutex_unlock(&gate);
    pthread_attr_destroy(&attr);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return has_all_memory ? started + 1 : 1;
}
#endif

/* Returns when the team is done with all items. */
static void run_team(crew *c, int wanted)
{
#ifdef _OPENMP
    int team_size = wanted > 1 ? max_team_size(wanted) : 1;
    if (team_size > 1) {
        cannot_start = atexit(at_exit) == 0 ? c->t->cannot_start : NULL;
        omp_set_dynamic(0);
#pragma omp parallel num_threads(team_size)
        {
            if (omp_get_thread_num() == 0)
                cannot_start = NULL;
            run_member(c, omp_get_thread_num(), omp_get_num_threads());
        }
        return;
    }
#endif
    (void)wanted;
    run_member(c, 0, 1);
}

gcast_status crew_run(const crew_task *t, uint64_t *done, gcast_error *err)
{
    crew *c = calloc(1, sizeof *c);
    if (!c)
        return gcast_error_set_memory(err);
    c->t = t;
    pthread_mutex_init(&c->lock, NULL);
    gcast_status status = serve_init(c) ? GCAST_OK : gcast_error_set_memory(&c->err);
    if (status == GCAST_OK) {
        run_team(c, t->threads + (t->threads > 1 || t->ranks.count > 1));
        status = c->status;
    }
    if (status != GCAST_OK && err)
        *err = c->err;
    *done = c->returned_count;
    pthread_mutex_destroy(&c->lock);
    serve_free(c);
    free(c);
    return status;
}
