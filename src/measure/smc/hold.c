#include "measure/smc/hold.h"

#include <time.h>

#include "base/api.h"
#include "base/clock.h"
#include "measure/driver/driver.h"
#include "measure/smc/smc_session.h"

#define WAIT_NS 20000000000 /* for the kernel to begin */

/* The one thread of a block counts its arrival, and stays until its time is over. */
static const char hold_ptx[] = ".version 6.4\n.target sm_70\n.address_size 64\n"
                               ".visible .entry gridcast_hold(.param .u64 arrived, .param .u64 ns)\n{\n"
                               ".reg .pred %p; .reg .b32 %r; .reg .b64 %a, %n, %t, %s;\n"
                               "ld.param.u64 %a, [arrived]; ld.param.u64 %n, [ns]; mov.u64 %s, %globaltimer;\n"
                               "atom.sys.global.add.u32 %r, [%a], 1;\n"
                               "$stay:\nnanosleep.u32 500; mov.u64 %t, %globaltimer; sub.u64 %t, %t, %s;\n"
                               "setp.lt.u64 %p, %t, %n; @%p bra $stay;\nret;\n}\n";

static gcast_status open(holder *h, const device *v, gcast_error *err)
{
    const driver *d = &v->d;
    void *memory = NULL;
    gcast_status status = load_ptx(d, hold_ptx, &h->module, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuModuleGetFunction, &h->function, h->module, "gridcast_hold");
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuFuncSetAttribute, h->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             v->gpu->limits.smem_per_block);
    if (status == GCAST_OK && (status = device_stream(v, CU_STREAM_NON_BLOCKING, 0, &h->stream, err)) != GCAST_OK)
        h->stream = NULL;
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuMemHostAlloc, &memory, sizeof *h->arrived, 0);
    if (status == GCAST_OK)
        h->arrived = memory;
    return status;
}

void hold_close(holder *h, const device *v)
{
    if (h->arrived)
        v->d.cuMemFreeHost(h->arrived);
    if (h->stream)
        v->d.cuStreamDestroy(h->stream);
    if (h->module)
        v->d.cuModuleUnload(h->module);
    *h = (holder){0};
}

static gcast_status wait_for(const holder *h, uint32_t blocks, gcast_error *err)
{
    const struct timespec pause = {0, 5000};
    int64_t end = clock_now_ns() + WAIT_NS;
    while (*(volatile uint32_t *)h->arrived < blocks) {
        if (clock_now_ns() > end)
            return gcast_error_set(err, GCAST_GPU, NULL, "the kernel that is to hold %u SMs holds only %u", blocks,
                                   *(volatile uint32_t *)h->arrived);
        nanosleep(&pause, NULL);
    }
    return GCAST_OK;
}

gcast_status gcast_smc_session_hold(gcast_smc_session *s, uint32_t sms, int64_t ns, gcast_error *err)
{
    if (!s)
        return argument_missing(err);
    holder *h = &s->hold;
    const driver *d = &s->v.d;
    if (sms < 1 || sms > (uint32_t)s->v.gpu->sms)
        return gcast_error_set(err, GCAST_USAGE, NULL, "1 to %d SMs of this GPU can be held, not %u", s->v.gpu->sms,
                               sms);
    gcast_status status = h->module ? GCAST_OK : open(h, &s->v, err);
    if (status != GCAST_OK) {
        hold_close(h, &s->v);
        return status;
    }
    *(volatile uint32_t *)h->arrived = 0;
    CUdeviceptr arrived = (CUdeviceptr)(uintptr_t)h->arrived;
    void *parameters[] = {&arrived, &ns};
    status = DRIVER_CALL(d, err, cuLaunchKernel, h->function, sms, 1, 1, 1, 1, 1,
                         (unsigned)s->v.gpu->limits.smem_per_block, h->stream, parameters, NULL);
    return status == GCAST_OK ? wait_for(h, sms, err) : status;
}

gcast_status gcast_smc_session_let_go(gcast_smc_session *s, gcast_error *err)
{
    if (!s)
        return argument_missing(err);
    return s->hold.stream ? DRIVER_CALL(&s->v.d, err, cuStreamSynchronize, s->hold.stream) : GCAST_OK;
}
