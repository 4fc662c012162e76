/* Rows tried on several threads. Each row is one simulation, so that they need nothing of each other. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "whatif/whatif.h"

typedef struct shared_work {
    const whatif_base *base;
    whatif_row *rows;
    size_t count;
    atomic_size_t next;   /* row that nobody has taken */
    atomic_bool stopped;  /* one failed */
    atomic_size_t done;   /* rows that are */
    pthread_mutex_t lock; /* of what follows */
    gcast_status status;  /* of the first row that failed */
    size_t failed_row;
    gcast_error err;
} shared_work;

/* The failure of the first row counts, whichever thread was faster. */
static void keep_failure(shared_work *s, size_t row, gcast_status status, const gcast_error *err)
{
    pthread_mutex_lock(&s->lock);
    if (s->status == GCAST_OK || row < s->failed_row) {
        s->status = status;
        s->failed_row = row;
        s->err = *err;
    }
    pthread_mutex_unlock(&s->lock);
    atomic_store(&s->stopped, true);
}

/* Takes the next row and tries it; false: there is none. */
static bool try_next(shared_work *s)
{
    gcast_error err;
    size_t row = atomic_fetch_add(&s->next, 1);
    if (row >= s->count || atomic_load(&s->stopped))
        return false;
    gcast_status status = whatif_try(s->base, &s->rows[row], &err);
    if (status != GCAST_OK)
        keep_failure(s, row, status, &err);
    atomic_fetch_add(&s->done, 1);
    return true;
}

static void *work(void *data)
{
    while (try_next(data))
        ;
    return NULL;
}

gcast_status whatif_try_all(const whatif_base *base, whatif_row *rows, size_t count, int threads,
                            void (*done)(void *data, double fraction), void *data, gcast_error *err)
{
    shared_work s = {.base = base, .rows = rows, .count = count};
    size_t wanted = min_size((size_t)max_int(threads, 1), count), started = 0;
    pthread_t *others = wanted > 1 ? calloc(wanted, sizeof *others) : NULL;
    pthread_mutex_init(&s.lock, NULL);
    while (others && started + 1 < wanted && pthread_create(&others[started], NULL, work, &s) == 0)
        started++; /* where threads cannot be had, fewer do it */
    while (try_next(&s))
        if (done)
            done(data, (double)atomic_load(&s.done) / (double)count);
    for (size_t i = 0; i < started; i++)
        pthread_join(others[i], NULL);
    free(others);
    pthread_mutex_destroy(&s.lock);
    if (s.status != GCAST_OK && err)
        *err = s.err;
    return s.status;
}
