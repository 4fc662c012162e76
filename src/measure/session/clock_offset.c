#include "measure/session/clock_offset.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/clock.h"

#define ROUNDS 100             /* questions */
#define SPIN_NS 50000          /* of waiting for an answer, before the thread yields and looks for the kernel */
#define TIMEOUT_NS 20000000000 /* a busy GPU may not start the kernel for long; it ends by itself after a second */

/* The memory layout of the kernel "clock" in kernels.ptx. */
typedef struct mailbox {
    _Atomic uint32_t question; /* the number of the round, set by the host */
    char other_line[60];       /* question and answer are in different cache lines */
    _Atomic uint32_t answer;   /* the number of the round, set by the kernel */
    uint32_t pad;
    volatile int64_t gpu_ns; /* the time, set before the answer */
} mailbox;
_Static_assert(offsetof(mailbox, answer) == 64 && offsetof(mailbox, gpu_ns) == 72, "kernels.ptx says so");

static bool has_answer(const mailbox *m, uint32_t round)
{
    return atomic_load_explicit(&m->answer, memory_order_acquire) == round;
}

/* Waits on for an answer; false: the kernel has ended, or failed, without one. */
static bool comes_late(const driver *d, CUstream stream, const mailbox *m, uint32_t round)
{
    for (int64_t until_ns = clock_now_ns() + TIMEOUT_NS; clock_now_ns() < until_ns; sched_yield()) {
        CUresult running = d->cuStreamQuery(stream);
        if (has_answer(m, round))
            return true;
        if (running != CUDA_ERROR_NOT_READY)
            break;
    }
    return false;
}

/* False: there is no answer. */
static bool ask_time(const driver *d, CUstream stream, mailbox *m, uint32_t round, alignment *out)
{
    bool answered;
    out->lo_ns = clock_now_ns();
    atomic_store_explicit(&m->question, round, memory_order_release);
    while (!(answered = has_answer(m, round)) && clock_now_ns() - out->lo_ns <= SPIN_NS) {
    }
    answered = answered || comes_late(d, stream, m, round);
    out->hi_ns = clock_now_ns();
    out->gpu_ns = m->gpu_ns;
    return answered;
}

gcast_status align_clocks(const device *v, const kernels *k, CUstream stream, alignment *out, gcast_error *err)
{
    const driver *d = &v->d;
    void *memory;
    uint32_t rounds = ROUNDS;
    gcast_status status = DRIVER_CALL(d, err, cuMemHostAlloc, &memory, sizeof(mailbox), 0);
    if (status != GCAST_OK)
        return status;
    mailbox *m = memory;
    memset(memory, 0, sizeof *m);
    CUdeviceptr address = (CUdeviceptr)(uintptr_t)memory;
    void *parameters[] = {&address, &rounds};
    status = DRIVER_CALL(d, err, cuLaunchKernel, k->clock, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
    uint32_t answers = 0;
    alignment a;
    while (status == GCAST_OK && answers < rounds && ask_time(d, stream, m, answers + 1, &a))
        if (answers++ == 0 || a.hi_ns - a.lo_ns < out->hi_ns - out->lo_ns)
            *out = a;
    CUresult done = d->cuStreamSynchronize(stream);
    d->cuMemFreeHost(memory);
    if (status == GCAST_OK)
        status = driver_status(d, done, "cuStreamSynchronize", err);
    if (status == GCAST_OK && !answers)
        status = gcast_error_set(err, GCAST_GPU, NULL, "the GPU does not answer with its time");
    return status;
}
