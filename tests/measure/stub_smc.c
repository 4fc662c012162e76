/* SM-centric kernels on the stub: workers, as docs/smc.md says what they do, on memory that is laid out as there. It
 * shares no code with what makes plans, so that both can be wrong only independently. Workers are dealt to the SMs in
 * turn, all of them are there before the first one begins a job, and then each does a job in turn. STUB_STARVED=N: SM N
 * gets none. */
#include <stdlib.h>
#include <string.h>

#include "stub.h"

#define HEADER_BYTES 72
#define HEADER_BYTES_RECORDS 80
#define NONE UINT32_MAX

enum { PERSISTENT = 1, ONE_JOB, SEGMENTS, QUEUES, STEAL = 256 };

/* The variable K_smc. */
typedef struct header {
    uint32_t grid[3], mode, jobs, sms, queues, zero;
    uint64_t workers, first, job, counters, marks, records;
} header;

typedef struct job_record {
    uint64_t begin_ns, end_ns;
    uint32_t sm, ticket;
} job_record;

typedef struct launch {
    header h;                     /* the plan */
    const uint32_t *workers;      /* by SM: how many stay */
    const uint32_t *first, *step; /* by queue: where its jobs begin, and how far they are apart */
    const uint32_t *job;          /* numbers of jobs */
    uint32_t *ticket, *taken;     /* counters: by SM, and by queue */
    uint32_t *arrived, *left;     /* by SM: workers of the last launch; and workers that left */
    uint32_t *marks;              /* by job */
    job_record *records;          /* by job; NULL: none are kept */
    uint64_t threads;             /* of a block */
    stub_block run;               /* what a job does */
    void **parameters;            /* of the kernel */
} launch;

typedef struct worker {
    uint32_t sm, ticket; /* where it is, and which one there */
    uint32_t queue;      /* that it takes jobs from; of SEGMENTS unused */
    uint32_t next, end;  /* of SEGMENTS: what is left of its jobs, as places in `job` */
    uint32_t tried;      /* queues that it found empty */
    bool is_done;        /* it has left */
} worker;

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

static bool read_plan(launch *l, const stub_global *header_variable)
{
    if (header_variable->bytes != HEADER_BYTES && header_variable->bytes != HEADER_BYTES_RECORDS)
        return false;
    memcpy(&l->h, header_variable->data, header_variable->bytes);
    const header *h = &l->h;
    uint32_t mapping = h->mode & 255;
    if (mapping < PERSISTENT || mapping > QUEUES || (h->mode & ~(uint32_t)(STEAL | 255)) || h->zero)
        return false; /* a kernel without a plan traps */
    if (!h->sms || h->queues != (mapping == PERSISTENT ? 1 : h->sms))
        return false;
    l->workers = at(h->workers);
    l->first = at(h->first);
    l->step = l->first + h->queues + 1;
    l->job = at(h->job);
    l->ticket = at(h->counters);
    l->taken = l->ticket + h->sms;
    l->arrived = l->taken + h->queues;
    l->left = l->arrived + h->sms;
    l->marks = at(h->marks);
    l->records = header_variable->bytes == HEADER_BYTES_RECORDS ? at(h->records) : NULL;
    return (uint64_t)h->grid[0] * h->grid[1] * h->grid[2] == h->jobs;
}

/* Where the segment of a worker begins, or that of one beyond the last ends: the first ones have a job more. */
static uint32_t segment(const launch *l, uint32_t sm, uint32_t ticket)
{
    uint32_t jobs = l->first[sm + 1] - l->first[sm], workers = l->workers[sm];
    uint32_t more = ticket < jobs % workers ? ticket : jobs % workers;
    return l->first[sm] + ticket * (jobs / workers) + more;
}

/* Do equal steps lead to the same jobs as the list? */
static bool steps_agree(const launch *l, uint32_t queue)
{
    bool is_cut = (l->h.mode & 255) == SEGMENTS && l->workers[queue];
    if ((l->h.mode & 255) == ONE_JOB)
        return true; /* no worker takes a step */
    for (uint32_t i = l->first[queue] + 1, cut = 1; i < l->first[queue + 1] && l->step[queue]; i++) {
        while (is_cut && cut < l->workers[queue] && segment(l, queue, cut) < i)
            cut++;
        bool begins = is_cut && cut < l->workers[queue] && segment(l, queue, cut) == i;
        if (!begins && l->job[i] != l->job[i - 1] + l->step[queue])
            return false;
    }
    return true;
}

/* Places a worker: its ticket, and what it is to do. */
static void arrive(const launch *l, worker *w, uint32_t sm)
{
    uint32_t mapping = l->h.mode & 255;
    *w = (worker){.sm = sm, .queue = mapping == PERSISTENT ? 0 : sm};
    w->is_done = sm >= l->h.sms;
    if (w->is_done)
        return;
    w->ticket = l->ticket[sm]++;
    if (mapping == PERSISTENT)
        return;
    w->is_done = w->ticket >= l->workers[sm]; /* retreats */
    if (mapping == SEGMENTS && !w->is_done) {
        w->next = segment(l, sm, w->ticket);
        w->end = segment(l, sm, w->ticket + 1);
    }
}

/* The place in `job` of the worker's next job; NONE: there is none for it. */
static uint32_t take(const launch *l, worker *w)
{
    if ((l->h.mode & 255) == SEGMENTS)
        return w->next < w->end ? w->next++ : NONE;
    while (w->tried < (l->h.mode & STEAL ? l->h.queues : 1)) {
        uint32_t place = l->first[w->queue] + l->taken[w->queue];
        if (place < l->first[w->queue + 1]) {
            l->taken[w->queue]++;
            return place;
        }
        w->tried++;
        w->queue = (w->queue + 1) % l->h.queues;
    }
    return NONE;
}

static void work(const launch *l, worker *w)
{
    uint32_t place = take(l, w);
    w->is_done = place == NONE || (l->h.mode & 255) == ONE_JOB;
    if (place == NONE)
        return;
    uint32_t number = l->job[place];
    uint64_t begin = (uint64_t)stub_gpu_now();
    l->run(number, l->threads, l->parameters);
    l->marks[number] += 1 + 4096 * (w->sm + 1);
    if (l->records)
        l->records[number] = (job_record){begin, (uint64_t)stub_gpu_now(), w->sm, w->ticket};
}

/* What the last worker leaves for the next launch. */
static void leave(const launch *l)
{
    memcpy(l->arrived, l->ticket, l->h.sms * sizeof *l->ticket);
    memset(l->ticket, 0, l->h.sms * sizeof *l->ticket);
    memset(l->taken, 0, l->h.queues * sizeof *l->taken);
}

CUresult stub_run_workers(const stub_global *header_variable, uint64_t workers, uint64_t threads, stub_block job,
                          void **parameters)
{
    launch l = {.threads = threads, .run = job, .parameters = parameters};
    uint32_t starved = getenv("STUB_STARVED") ? (uint32_t)stub_setting("STUB_STARVED") : NONE;
    if (!read_plan(&l, header_variable) || *l.left)
        return FAILURE;
    for (uint32_t q = 0; q < l.h.queues; q++)
        if (!steps_agree(&l, q))
            return FAILURE;
    worker *all = calloc(workers, sizeof *all);
    if (!all)
        return NO_MEMORY;
    for (uint64_t i = 0, sm = 0; i < workers; sm = (sm + 1) % STUB_SMS)
        if (sm != starved)
            arrive(&l, &all[i++], (uint32_t)sm);
    for (bool is_busy = true; is_busy;) {
        is_busy = false;
        for (uint64_t i = 0; i < workers; i++)
            if (!all[i].is_done) {
                work(&l, &all[i]);
                is_busy = true;
            }
    }
    leave(&l);
    free(all);
    return CUDA_SUCCESS;
}
