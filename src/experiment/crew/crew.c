/* On every rank one thread serves: it hands out items and takes results, and only it calls MPI. The others do items.
 * Where there is only one thread it does both in turn. */
#include "experiment/crew/crew.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "experiment/crew/serve.h"
#include "experiment/crew/state.h"

#define ITEM_SLEEP_NS 500000           /* before a thread without an item asks for one again */
#define SERVE_SLEEP_NS 4000000         /* before MPI is polled again, which takes time */
#define OPENMP_BYTES ((size_t)4 << 20) /* that its runtime may need to start */
#define EXTRA_STACK ((size_t)1 << 20)  /* by which trial threads have larger stacks than those of the team */

#ifdef _OPENMP
/* OpenMP cannot report that it lacks memory: LLVM's runtime aborts at its first call. So it is called only where the
 * memory that it needs is there. */
static bool has_memory(void)
{
    void *volatile memory = malloc(OPENMP_BYTES); /* volatile, as a compiler may leave out memory that is not used */
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

/* Adds a result to those of this rank; false without memory. */
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

/* Does one item; false where there is none. `words` has room for an item with what it needs, and for a result. */
static bool do_one(crew *c, uint64_t *words)
{
    const crew_work *w = &c->t->work;
    uint64_t *result = words + crew_input_size(c);
    pthread_mutex_lock(&c->lock);
    bool found = crew_next_item(c, words);
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
        status = c->t->ranks.rank ? crew_serve_other(c) : crew_serve_first(c);
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

/* What thread `number` of a team does; 0 is the one that serves. */
static void run_member(crew *c, int number, int team_size)
{
    gcast_error err;
    uint64_t *words = calloc(crew_input_size(c) + crew_result_size(c), sizeof *words);
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

/* GCC's runtime ends the process where a team cannot start, with the status of an answer. The caller is to give another
 * one. */
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

/* How large a team can be, up to `wanted`. As many threads are started at once, and ended. Their stacks are larger than
 * those of the team, which then gets the same memory. */
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
    gcast_status status = crew_serve_init(c) ? GCAST_OK : gcast_error_set_memory(&c->err);
    if (status == GCAST_OK) {
        run_team(c, t->threads + (t->threads > 1 || t->ranks.count > 1));
        status = c->status;
    }
    if (status != GCAST_OK && err)
        *err = c->err;
    *done = c->returned_count;
    pthread_mutex_destroy(&c->lock);
    crew_serve_free(c);
    free(c);
    return status;
}
