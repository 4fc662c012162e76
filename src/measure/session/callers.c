#include "measure/session/callers.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/api/hint.h"
#include "measure/host_clock.h"

#define LEAD_NS 100000    /* from the last word to the threads to the run's zero */
#define SPIN_NS 200000    /* of a wait are spent looking at the clock */
#define POLL_NS 20000     /* between two looks at the streams at the end */
#define TELL_NS 50000000  /* of a wait are left where how far it is may be told */
#define OPENING INT64_MAX /* the zero of a run that has not begun */

typedef struct scene {
    session *s;
    gcast_run_op *ops;
    _Atomic int64_t zero;
    _Atomic uint64_t launches;
    _Atomic bool stop, late, told; /* told: whoever is told how far it is wants no more */
    pthread_t main;
    _Atomic size_t *missing; /* of each barrier: ops that have neither come nor been skipped */
} scene;

typedef struct turn {
    int64_t release_ns;
    uint32_t op;
} turn;

typedef struct caller {
    scene *all;
    turn *list; /* in the order of its calls */
    size_t count;
    pthread_t thread;
    gcast_status status;
    gcast_error err;
} caller;

static const gcast_op *spec(const scene *c, size_t i)
{
    return &c->s->w->ops[c->ops[i].op];
}

static int64_t since_zero(const scene *c)
{
    return host_now() - c->zero;
}

/* Is the run over before its time? */
static bool stopped(scene *c)
{
    if (since_zero(c) > c->s->limit_ns) {
        c->late = true;
        c->stop = true;
    }
    return c->stop;
}

static void pause_for(int64_t ns)
{
    struct timespec t = {ns / 1000000000, ns % 1000000000};
    nanosleep(&t, NULL);
}

/* Tells how far it is. Only where there is time, so that no call is late for it. */
static void tell(scene *c)
{
    const session *s = c->s;
    if (!s->options->progress || !pthread_equal(c->main, pthread_self()))
        return;
    double part = s->horizon_ns > 0 ? (double)since_zero(c) / (double)s->horizon_ns : 0;
    if (s->options->progress(s->options->progress_data, ((double)s->run + (part < 1 ? part : 1)) / (double)s->runs))
        return;
    c->told = true;
    c->stop = true;
}

static bool wait_until(scene *c, int64_t due)
{
    for (int64_t left; (left = due - since_zero(c)) > 0;) {
        if (left > TELL_NS)
            tell(c);
        if (stopped(c))
            return false;
        if (left > 2 * SPIN_NS)
            pause_for(left - SPIN_NS < 100000000 ? left - SPIN_NS : 100000000);
    }
    return true;
}

/* The stream by its index, or all of them; looks, so that the limit counts. */
static gcast_status drain(scene *c, int stream, int64_t between, gcast_error *err)
{
    session *s = c->s;
    for (size_t i = 0; i < s->w->stream_count; i++) {
        if (stream >= 0 && (size_t)stream != i)
            continue;
        CUresult result;
        while ((result = s->v.d.cuStreamQuery(s->streams[i])) == CUDA_ERROR_NOT_READY && !stopped(c))
            if (between) {
                tell(c);
                pause_for(between);
            }
        if (result != CUDA_ERROR_NOT_READY && result != CUDA_SUCCESS)
            return driver_status(&s->v.d, result, "cuStreamQuery", err);
    }
    return GCAST_OK;
}

static gcast_status call_malloc(scene *c, size_t i, gcast_error *err)
{
    return session_get(c->s, i, (uint64_t)spec(c, i)->bytes, err);
}

static gcast_status call_free(scene *c, size_t i, gcast_error *err)
{
    return session_give(c->s, i, err);
}

static gcast_status call_sync(scene *c, size_t i, gcast_error *err)
{
    return drain(c, spec(c, i)->stream, 0, err);
}

static gcast_status call_barrier(scene *c, size_t i, gcast_error *err)
{
    (void)err;
    _Atomic size_t *missing = &c->missing[c->s->at[i].barrier];
    --*missing;
    while (*missing && !stopped(c))
        sched_yield();
    return GCAST_OK;
}

static gcast_status call_gpu(scene *c, size_t i, gcast_error *err)
{
    gcast_status status = session_launch(c->s, i, false, err);
    if (status == GCAST_OK && spec(c, i)->host_waits)
        status = drain(c, spec(c, i)->stream, 0, err);
    return status;
}

static gcast_status (*const calls[GCAST_KINDS])(scene *, size_t, gcast_error *) = {
    [GCAST_KIND_KERNEL] = call_gpu,      [GCAST_KIND_COPY] = call_gpu,  [GCAST_KIND_MEMSET] = call_gpu,
    [GCAST_KIND_MALLOC] = call_malloc,   [GCAST_KIND_FREE] = call_free, [GCAST_KIND_SYNC] = call_sync,
    [GCAST_KIND_BARRIER] = call_barrier,
};

static void skip(scene *c, size_t i)
{
    c->ops[i].skipped = true;
    if (spec(c, i)->kind == GCAST_KIND_BARRIER)
        --c->missing[c->s->at[i].barrier];
}

static gcast_status call_all(caller *me)
{
    scene *c = me->all;
    int64_t returned = 0;
    for (size_t n = 0; n < me->count; n++) {
        size_t i = me->list[n].op;
        gcast_run_op *o = &c->ops[i];
        const gcast_op *op = spec(c, i);
        int64_t due = o->release_ns;
        if (op->host != GCAST_NO_HOST && returned + op->delay_ns > due)
            due = returned + op->delay_ns;
        if (due >= op->skip_ns) {
            size_t last = op->host == GCAST_NO_HOST ? n + 1 : me->count;
            for (size_t k = n; k < last; k++)
                skip(c, me->list[k].op);
            n = last - 1;
            continue;
        }
        if (!wait_until(c, due))
            return GCAST_OK;
        o->release_ns = due;
        o->launch = c->launches++;
        o->call_ns = since_zero(c);
        gcast_status status = calls[op->kind](c, i, &me->err);
        returned = o->return_ns = since_zero(c);
        if (status != GCAST_OK) {
            c->stop = true;
            return session_blame(c->s, i, status, &me->err);
        }
    }
    return GCAST_OK;
}

static void *host_thread(void *data)
{
    caller *me = data;
    scene *c = me->all;
    me->status = DRIVER_CALL(&c->s->v.d, &me->err, cuCtxSetCurrent, c->s->v.context);
    while (c->zero == OPENING && !c->stop)
        pause_for(SPIN_NS / 10);
    if (me->status == GCAST_OK && !c->stop)
        me->status = call_all(me);
    if (me->status != GCAST_OK)
        c->stop = true;
    return NULL;
}

static int by_release(const void *a, const void *b)
{
    const turn *x = a, *y = b;
    if (x->release_ns != y->release_ns)
        return x->release_ns < y->release_ns ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* Operations to those who call them: first those without a host, by release. */
static void deal(scene *c, caller *callers, turn *list)
{
    size_t hosts = c->s->w->host_count;
    for (size_t h = 0; h <= hosts; h++) {
        callers[h] = (caller){.all = c, .list = list};
        for (uint32_t i = 0; i < c->s->op_count; i++)
            if (spec(c, i)->host == (int)h - 1)
                list[callers[h].count++] = (turn){c->ops[i].release_ns, i};
        list += callers[h].count;
    }
    qsort(callers[0].list, callers[0].count, sizeof *list, by_release);
}

/* The hosts' threads wait for the zero; the clocks are compared as late as possible. */
static gcast_status perform(scene *c, caller *callers, alignment *aligned, gcast_error *err)
{
    session *s = c->s;
    size_t hosts = s->w->host_count, running = 0;
    gcast_status status = GCAST_OK;
    while (running < hosts && status == GCAST_OK)
        if (pthread_create(&callers[running + 1].thread, NULL, host_thread, &callers[running + 1]) == 0)
            running++;
        else
            status =
                gcast_error_set(err, GCAST_RESOURCE, NULL, "a thread for host %s cannot be made", s->w->hosts[running]);
    if (status == GCAST_OK)
        status = align_clocks(&s->v, &s->k, s->own, aligned, err);
    if (status == GCAST_OK) {
        c->zero = host_now() + LEAD_NS;
        status = callers[0].status = call_all(&callers[0]);
        if (status != GCAST_OK && err)
            *err = callers[0].err;
    }
    if (status != GCAST_OK)
        c->stop = true;
    for (size_t h = 1; h <= running; h++) {
        pthread_join(callers[h].thread, NULL);
        if (status == GCAST_OK && (status = callers[h].status) != GCAST_OK && err)
            *err = callers[h].err;
    }
    return status == GCAST_OK && !c->stop ? drain(c, -1, POLL_NS, err) : status;
}

gcast_status callers_run(session *s, gcast_run_op *ops, alignment *aligned, int64_t *zero, gcast_error *err)
{
    scene c = {.s = s, .ops = ops, .zero = OPENING, .main = pthread_self()};
    caller *callers = calloc(s->w->host_count + 1, sizeof *callers);
    turn *list = calloc(s->op_count + 1, sizeof *list);
    c.missing = calloc(s->barrier_count + 1, sizeof *c.missing);
    gcast_status status = callers && list && c.missing ? GCAST_OK : gcast_error_set_memory(err);
    if (status == GCAST_OK) {
        for (size_t i = 0; i < s->barrier_count; i++)
            c.missing[i] = s->barrier_ops[i];
        deal(&c, callers, list);
        status = perform(&c, callers, aligned, err);
    }
    if (status == GCAST_OK && c.late)
        status = hint_add(err, GCAST_HINT_LIMIT,
                          gcast_error_set(err, GCAST_GPU, NULL, "the work is not done after %lld ms",
                                          (long long)(s->limit_ns / 1000000)));
    if (status == GCAST_OK && c.told)
        status = gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
    s->abandoned = c.late || c.told;
    *zero = c.zero;
    free(callers);
    free(list);
    free(c.missing);
    return status;
}
