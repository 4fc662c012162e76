/* gcast_workload_measure makes one session on the GPU with as many runs as are asked for. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/clock.h"
#include "base/integers.h"
#include "gridcast/measure.h"
#include "measure/driver/kernels.h"
#include "measure/session/collect.h"
#include "measure/session/driver_calls.h"
#include "measure/session/measurable.h"
#include "measure/session/session.h"
#include "model/workload/attributes.h"

/* A thread per host of the workload makes the calls of a run, and the calling thread those without a host, at their
 * release. */

#define LEAD_NS 100000 /* from the release of the threads to the zero of the run */
#define SPIN_NS 200000 /* the end of a wait in which a thread reads the clock and does not sleep */
#define MAX_SLEEP_NS 100000000
#define POLL_NS 20000         /* between two queries of the streams at the end */
#define PROGRESS_NS 50000000  /* the progress callback is called only if more than this is left of a wait */
#define NOT_STARTED INT64_MAX /* the zero of a run that has not started */

/* What the callers of a run share. */
typedef struct shared_run {
    session *s;                /* the session */
    gcast_run_op *ops;         /* its operations; their times are filled in */
    _Atomic int64_t zero_ns;   /* of the run, on the host's clock; NOT_STARTED */
    _Atomic uint64_t launches; /* made so far */
    _Atomic bool stop;         /* make no more calls */
    _Atomic bool timed_out;    /* the limit of the session has passed */
    _Atomic bool cancelled;    /* by the progress callback */
    pthread_t main;            /* the calling thread, which calls the callback */
    _Atomic size_t *missing;   /* by barrier: operations that are neither called nor skipped */
} shared_run;

/* A call that is to be made. */
typedef struct planned_call {
    int64_t release_ns; /* calls of one caller are sorted by it */
    uint32_t op;        /* index in the operations of the run */
} planned_call;

/* A thread that makes calls. */
typedef struct caller {
    shared_run *run;
    planned_call *list; /* its calls in order */
    size_t count;       /* of calls */
    pthread_t thread;
    gcast_status status; /* how it ended */
    gcast_error err;     /* if status is not GCAST_OK */
} caller;

static int64_t since_zero(const shared_run *c)
{
    return clock_now_ns() - c->zero_ns;
}

/* Must the run end early? */
static bool is_stopped(shared_run *c)
{
    if (since_zero(c) > c->s->limit_ns) {
        c->timed_out = true;
        c->stop = true;
    }
    return c->stop;
}

static void sleep_for(int64_t ns)
{
    struct timespec t = {ns / 1000000000, ns % 1000000000};
    nanosleep(&t, NULL);
}

/* Calls the progress callback. Must be called only where there is enough time, so that it delays no call. */
static void report_progress(shared_run *c)
{
    const session *s = c->s;
    if (!s->options->progress || !pthread_equal(c->main, pthread_self()))
        return;
    double fraction = s->horizon_ns > 0 ? (double)since_zero(c) / (double)s->horizon_ns : 0;
    if (s->options->progress(s->options->progress_data,
                             ((double)s->run + (fraction < 1 ? fraction : 1)) / (double)s->runs))
        return;
    c->cancelled = true;
    c->stop = true;
}

/* Waits until a time of the run; false: the run is stopped. */
static bool wait_until(shared_run *c, int64_t due)
{
    for (int64_t left; (left = due - since_zero(c)) > 0;) {
        if (left > PROGRESS_NS)
            report_progress(c);
        if (is_stopped(c))
            return false;
        if (left > 2 * SPIN_NS)
            sleep_for(min_i64(left - SPIN_NS, MAX_SLEEP_NS));
    }
    return true;
}

/* Waits until a stream is idle, or all streams (-1). Polls, so that the limit applies; sleeps for poll_ns between two
 * queries, if that is not 0. */
static gcast_status wait_for_stream(shared_run *c, int stream, int64_t poll_ns, gcast_error *err)
{
    session *s = c->s;
    for (size_t i = 0; i < s->w->stream_count; i++) {
        if (stream >= 0 && (size_t)stream != i)
            continue;
        CUresult result;
        while ((result = s->v.d.cuStreamQuery(s->streams[i])) == CUDA_ERROR_NOT_READY && !is_stopped(c))
            if (poll_ns) {
                report_progress(c);
                sleep_for(poll_ns);
            }
        if (result != CUDA_ERROR_NOT_READY && result != CUDA_SUCCESS)
            return driver_status(&s->v.d, result, "cuStreamQuery", err);
    }
    return GCAST_OK;
}

static gcast_status call_malloc(shared_run *c, size_t i, gcast_error *err)
{
    return session_allocate(c->s, i, (uint64_t)session_spec(c->s, i)->bytes, err);
}

static gcast_status call_free(shared_run *c, size_t i, gcast_error *err)
{
    return session_free(c->s, i, err);
}

static gcast_status call_sync(shared_run *c, size_t i, gcast_error *err)
{
    return wait_for_stream(c, session_spec(c->s, i)->stream, 0, err);
}

static gcast_status call_barrier(shared_run *c, size_t i, gcast_error *err)
{
    (void)err;
    _Atomic size_t *missing = &c->missing[c->s->at[i].barrier];
    --*missing;
    while (*missing && !is_stopped(c))
        sched_yield();
    return GCAST_OK;
}

static gcast_status call_gpu(shared_run *c, size_t i, gcast_error *err)
{
    gcast_status status = c->s->at[i].exec ? session_launch_graph(c->s, i, err) : session_launch(c->s, i, false, err);
    if (status == GCAST_OK && session_spec(c->s, i)->host_waits)
        status = wait_for_stream(c, session_spec(c->s, i)->stream, 0, err);
    return status;
}

static gcast_status (*const calls[GCAST_KINDS])(shared_run *, size_t, gcast_error *) = {
    [GCAST_KIND_KERNEL] = call_gpu,      [GCAST_KIND_COPY] = call_gpu,  [GCAST_KIND_MEMSET] = call_gpu,
    [GCAST_KIND_MALLOC] = call_malloc,   [GCAST_KIND_FREE] = call_free, [GCAST_KIND_SYNC] = call_sync,
    [GCAST_KIND_BARRIER] = call_barrier,
};

static void skip_call(shared_run *c, size_t i)
{
    c->ops[i].skipped = true;
    if (session_spec(c->s, i)->kind == GCAST_KIND_BARRIER)
        --c->missing[c->s->at[i].barrier];
}

/* The number of calls from number n on that are made as one: the nodes of a graph's launch. */
static size_t calls_in_one(const caller *self, size_t n)
{
    const session *s = self->run->s;
    size_t last = n + 1;
    while (last < self->count && attributes_is_next_node(s->w, s->ops[self->list[last].op].op))
        last++;
    return last - n;
}

/* Makes call number n, with all nodes of its graph. */
static gcast_status make_call(caller *self, size_t n, size_t nodes, int64_t due)
{
    shared_run *c = self->run;
    size_t i = self->list[n].op;
    gcast_run_op *o = &c->ops[i];
    o->release_ns = due;
    o->launch = atomic_fetch_add(&c->launches, nodes);
    o->call_ns = since_zero(c);
    gcast_status status = calls[session_spec(c->s, i)->kind](c, i, &self->err);
    o->return_ns = since_zero(c);
    for (size_t k = 1; k < nodes; k++) {
        gcast_run_op *node = &c->ops[self->list[n + k].op];
        node->release_ns = due;
        node->launch = o->launch + k;
        node->call_ns = o->call_ns;
        node->return_ns = o->return_ns;
    }
    return session_error(c->s, i, status, &self->err);
}

static gcast_status call_all(caller *self)
{
    shared_run *c = self->run;
    int64_t returned = 0;
    for (size_t n = 0, nodes; n < self->count; n += nodes) {
        size_t i = self->list[n].op;
        const gcast_op *op = session_spec(c->s, i);
        int64_t due = c->ops[i].release_ns;
        nodes = calls_in_one(self, n);
        if (op->host != GCAST_NO_HOST)
            due = max_i64(due, returned + op->delay_ns);
        if (due >= op->skip_ns) {
            nodes = op->host == GCAST_NO_HOST ? nodes : self->count - n;
            for (size_t k = n; k < n + nodes; k++)
                skip_call(c, self->list[k].op);
            continue;
        }
        if (!wait_until(c, due))
            return GCAST_OK;
        gcast_status status = make_call(self, n, nodes, due);
        returned = c->ops[i].return_ns;
        if (status != GCAST_OK) {
            c->stop = true;
            return status;
        }
    }
    return GCAST_OK;
}

static void *host_thread(void *data)
{
    caller *self = data;
    shared_run *c = self->run;
    self->status = DRIVER_CALL(&c->s->v.d, &self->err, cuCtxSetCurrent, c->s->v.context);
    while (c->zero_ns == NOT_STARTED && !c->stop)
        sleep_for(SPIN_NS / 10);
    if (self->status == GCAST_OK && !c->stop)
        self->status = call_all(self);
    if (self->status != GCAST_OK)
        c->stop = true;
    return NULL;
}

static int by_release(const void *a, const void *b)
{
    const planned_call *x = a, *y = b;
    if (x->release_ns != y->release_ns)
        return x->release_ns < y->release_ns ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* Assigns the operations to their callers; caller 0 has those without a host, by release. */
static void assign_calls(shared_run *c, caller *callers, planned_call *list)
{
    size_t hosts = c->s->w->host_count;
    for (size_t h = 0; h <= hosts; h++) {
        callers[h] = (caller){.run = c, .list = list};
        for (uint32_t i = 0; i < c->s->op_count; i++)
            if (session_spec(c->s, i)->host == (int)h - 1)
                list[callers[h].count++] = (planned_call){c->ops[i].release_ns, i};
        list += callers[h].count;
    }
    qsort(callers[0].list, callers[0].count, sizeof *list, by_release);
}

/* Runs all callers. The threads of hosts wait for the zero; the clocks are aligned as late as possible. */
static gcast_status run_callers(shared_run *c, caller *callers, alignment *aligned, gcast_error *err)
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
        status = align_clocks(&s->v, &s->k, s->helper_stream, aligned, err);
    if (status == GCAST_OK) /* a simulation begins with connections that no stream has joined */
        status = session_forget_connections(s, err);
    if (status == GCAST_OK) {
        c->zero_ns = clock_now_ns() + LEAD_NS;
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
    return status == GCAST_OK && !c->stop ? wait_for_stream(c, -1, POLL_NS, err) : status;
}

/* Makes every call and waits until the GPU is done. Fills in release, call, return, skipped and launch of `ops`, with
 * times relative to *zero_ns of the host's clock. */
static gcast_status callers_run(session *s, gcast_run_op *ops, alignment *aligned, int64_t *zero_ns, gcast_error *err)
{
    shared_run c = {.s = s, .ops = ops, .zero_ns = NOT_STARTED, .main = pthread_self()};
    caller *callers = calloc(s->w->host_count + 1, sizeof *callers);
    planned_call *list = calloc(s->op_count + 1, sizeof *list);
    c.missing = calloc(s->barrier_count + 1, sizeof *c.missing);
    gcast_status status = callers && list && c.missing ? GCAST_OK : gcast_error_set_memory(err);
    if (status == GCAST_OK) {
        for (size_t i = 0; i < s->barrier_count; i++)
            c.missing[i] = s->barrier_ops[i];
        assign_calls(&c, callers, list);
        status = run_callers(&c, callers, aligned, err);
    }
    if (status == GCAST_OK && c.timed_out)
        status = hint_add(err, GCAST_HINT_LIMIT,
                          gcast_error_set(err, GCAST_GPU, NULL, "the work is not done after %lld ms",
                                          (long long)(s->limit_ns / 1000000)));
    if (status == GCAST_OK && c.cancelled)
        status = gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
    s->abandoned = c.timed_out || c.cancelled;
    *zero_ns = c.zero_ns;
    free(callers);
    free(list);
    free(c.missing);
    return status;
}

/* Finds the time of the base event on the GPU's clock: the middle between two kernels that record the time. The closest
 * of several pairs counts, since delays of the host between its calls make a pair wide. */
static gcast_status find_base(session *s, int64_t *base, gcast_error *err)
{
    int64_t width = INT64_MAX;
    gcast_status status = GCAST_OK;
    *base = 0;
    for (size_t i = 0; i < STAMPS && s->stamp[i] && status == GCAST_OK; i++) {
        block_record r[2];
        status = session_stamp(s, i, r, err);
        if (status != GCAST_OK || r[1].start_ns - r[0].end_ns >= width)
            continue;
        width = r[1].start_ns - r[0].end_ns;
        *base = r[0].end_ns + width / 2;
        s->base = s->stamp[i];
    }
    return status;
}

static gcast_status run_once(session *s, gcast_run **run, gcast_error *err)
{
    clocks c;
    gcast_run_op *ops = malloc((s->op_count + 1) * sizeof *ops);
    if (!ops)
        return gcast_error_set_memory(err);
    memcpy(ops, s->ops, s->op_count * sizeof *ops);
    gcast_status status = session_prepare(s, err);
    if (status == GCAST_OK)
        status = find_base(s, &c.base_ns, err);
    if (status == GCAST_OK)
        status = callers_run(s, ops, &c.aligned, &c.zero_ns, err);
    if (status == GCAST_OK) /* events of copies may be in our own stream, too */
        status = DRIVER_CALL(&s->v.d, err, cuStreamSynchronize, s->helper_stream);
    if (status != GCAST_OK) {
        free(ops);
        return status;
    }
    session_clean_up(s);
    return collect_run(s, ops, &c, run, err);
}

gcast_status gcast_workload_measure(const gcast_workload *w, const gcast_measure_options *given, gcast_run **runs,
                                    size_t count, gcast_error *err)
{
    if (!w || !runs)
        return argument_missing(err);
    gcast_measure_options own = gcast_measure_options_default();
    const gcast_measure_options *options = &own;
    session s;
    size_t done = 0;
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_measure_options", err);
    if (status == GCAST_OK)
        status = measurable_check(w, err);
    if (status == GCAST_OK)
        status = session_open(&s, w, options, err);
    if (status != GCAST_OK)
        return status;
    s.runs = count;
    while (done < count && status == GCAST_OK) {
        if (options->progress && !options->progress(options->progress_data, (double)done / (double)count))
            status = gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
        else if ((status = run_once(&s, &runs[done], err)) == GCAST_OK)
            s.run = ++done;
    }
    session_close(&s);
    while (status != GCAST_OK && done) {
        gcast_run_free(runs[--done]);
        runs[done] = NULL;
    }
    return status;
}
