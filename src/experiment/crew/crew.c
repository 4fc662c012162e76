/* On every rank a thread serves: it hands out sets and takes verdicts, and only it
 * calls MPI. The others judge. Where there is one thread it does both in turn. */
#include "experiment/crew/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "experiment/crew/state.h"

#define IDLE_NS 500000 /* until it looks for a set again */
#define OPENMP_ROOM ((size_t)4 << 20)
#define STACK_MORE ((size_t)1 << 20)
#define SERVE_NS 4000000 /* until it looks at MPI again, which takes its time */

#ifdef _OPENMP
/* OpenMP has no way to say that it lacks memory: LLVM's runtime aborts, at the first question. It is asked nothing
 * unless what it takes is there. */
static bool has_room(void)
{
    void *volatile room = malloc(OPENMP_ROOM); /* volatile: else compilers see that it is not used, and leave it out */
    free(room);
    return room != NULL;
}
#endif

int crew_cores(const ranks *r)
{
#ifdef _OPENMP
    if (!has_room())
        return 1;
    long all = sysconf(_SC_NPROCESSORS_ONLN), mine = omp_get_max_threads();
    long fair = all / r->local;
    if (r->local > 1 && mine > fair)
        mine = fair;
    return mine < 1 ? 1 : mine > CREW_MOST_THREADS ? CREW_MOST_THREADS : (int)mine;
#else
    (void)r;
    return 1;
#endif
}

static void nap(long ns)
{
    nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

/* Judge one set; false where none is there. */
static bool work(crew *c)
{
    verdict v = {0};
    pthread_mutex_lock(&c->lock);
    bool got = c->t->ranks.rank ? crew_pop(c, &v.set) : crew_next(c, &v.set);
    pthread_mutex_unlock(&c->lock);
    if (!got)
        return false;
    gcast_error err;
    gcast_status status = gcast_experiment_judge(c->t->e, v.set, &v.verdicts, &err);
    pthread_mutex_lock(&c->lock);
    if (status == GCAST_OK && !vec_push(&c->done, v))
        status = gcast_error_set_memory(&err);
    if (status != GCAST_OK && c->status == GCAST_OK) {
        snprintf(err.file, sizeof err.file, "set %llu", (unsigned long long)v.set);
        c->err = err;
        c->status = status;
    }
    pthread_mutex_unlock(&c->lock);
    return true;
}

static void serve(crew *c)
{
    pthread_mutex_lock(&c->lock);
    gcast_status status = c->status;
    if (status != GCAST_OK)
        say_error(&c->err);
    pthread_mutex_unlock(&c->lock);
    if (status == GCAST_OK)
        status = c->t->ranks.rank ? crew_serve_other(c) : crew_serve_first(c);
    if (status != GCAST_OK) {
        c->failed = status;
        c->over = true;
    }
}

static void member(crew *c, int number, int team)
{
    while (!c->over) {
        bool worked = (number || team == 1) && work(c);
        if (number == 0)
            serve(c);
        if (!worked && !c->over)
            nap(number ? IDLE_NS : SERVE_NS);
    }
}

#ifdef _OPENMP
static bool starting;

/* GCC's runtime ends the process where a team cannot start. Its status would be that of an answer. */
static void at_exit(void)
{
    if (starting)
        _exit(say(GCAST_RESOURCE, "not enough memory or threads for --threads; fewer may do"));
}

static void *wait_for_all(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Threads are made and ended first, all at a time, and a team is no larger than that went. Their stacks are larger than
 * those of the team, which then takes them over. */
static int most_members(int wanted)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[CREW_MOST_THREADS + 1];
    pthread_attr_t attr;
    size_t stack = 0;
    int made = 0;
    if (pthread_attr_init(&attr) != 0)
        return 1;
    pthread_attr_getstacksize(&attr, &stack);
    pthread_attr_setstacksize(&attr, stack + STACK_MORE);
    pthread_mutex_lock(&gate);
    while (made < wanted - 1 && pthread_create(&threads[made], &attr, wait_for_all, &gate) == 0)
        made++;
    bool room = has_room();
    pthread_mutex_unlock(&gate);
    pthread_attr_destroy(&attr);
    for (int i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
    return room ? made + 1 : 1;
}
#endif

/* The team is done with all sets. */
static void run_team(crew *c, int wanted)
{
#ifdef _OPENMP
    int team = wanted > 1 ? most_members(wanted) : 1;
    if (team > 1) {
        starting = atexit(at_exit) == 0;
        omp_set_dynamic(0);
#pragma omp parallel num_threads(team)
        {
            if (omp_get_thread_num() == 0)
                starting = false;
            member(c, omp_get_thread_num(), omp_get_num_threads());
        }
        return;
    }
#endif
    (void)wanted;
    member(c, 0, 1);
}

gcast_status crew_run(const crew_task *t, uint64_t *judged)
{
    crew *c = calloc(1, sizeof *c);
    if (!c)
        return say(GCAST_RESOURCE, "not enough memory");
    c->t = t;
    c->wanted = 2 * (uint64_t)t->threads;
    pthread_mutex_init(&c->lock, NULL);
    if (t->ranks.rank == 0)
        crew_begin(c);
    run_team(c, t->threads + (t->threads > 1 || t->ranks.count > 1));
    if (t->ranks.rank == 0)
        progress_end(&c->progress);
    gcast_status status = c->failed;
    *judged = c->returned;
    pthread_mutex_destroy(&c->lock);
    vec_free(&c->done);
    vec_free(&c->taken);
    free(c);
    return status;
}
