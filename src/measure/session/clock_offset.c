#include "measure/session/clock_offset.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/clock.h"

#define ROUNDS 100             /* questions */
#define SPIN_NS 50000          /* of waiting for an answer, before the thread yields */
#define TIMEOUT_NS 20000000000 /* a busy host may be away for long; the kernel gives up after a second */

/* The memory layout of the kernel "clock" in kernels.ptx. */
typedef struct mailbox {
    _Atomic uint32_t question; /* the number of the round, set by the host */
    char other_line[60];       /* question and answer are in different cache lines */
    _Atomic uint32_t answer;   /* the number of the round, set by the kernel */
    uint32_t pad;
    volatile int64_t gpu_ns; /* the time, set before the answer */
} mailbox;
_Static_assert(offsetof(mailbox, answer) == 64 && offsetof(mailbox, gpu_ns) == 72, "kernels.ptx says so");

static gcast_status ask_time(mailbox *m, uint32_t round, alignment *out, gcast_error *err)
{
    out->lo_ns = clock_now_ns();
    atomic_store_explicit(&m->question, round, memory_order_release);
    while (atomic_load_explicit(&m->answer, memory_order_acquire) != round) {
        int64_t waited = clock_now_ns() - out->lo_ns;
        if (waited > TIMEOUT_NS) {
            gcast_error_set(err, GCAST_GPU, NULL, "the GPU does not answer with its time");
            return GCAST_GPU;
        }
        if (waited > SPIN_NS) /* the interval is too wide to be the narrowest */
            sched_yield();
    }
    out->hi_ns = clock_now_ns();
    out->gpu_ns = m->gpu_ns;
    return GCAST_OK;
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
    for (uint32_t i = 1; i <= rounds && status == GCAST_OK; i++) {
        alignment a;
        status = ask_time(m, i, &a, err);
        if (status == GCAST_OK && (i == 1 || a.hi_ns - a.lo_ns < out->hi_ns - out->lo_ns))
            *out = a;
    }
    CUresult done = d->cuStreamSynchronize(stream);
    d->cuMemFreeHost(memory);
    return status == GCAST_OK ? driver_status(d, done, "cuStreamSynchronize", err) : status;
}
