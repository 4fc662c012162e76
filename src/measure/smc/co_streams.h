/* Where each kernel of a co-run is launched: a stream, in a green context of its own where that is wanted. */
#ifndef MEASURE_SMC_CO_STREAMS_H
#define MEASURE_SMC_CO_STREAMS_H

#include "measure/smc/state.h"

typedef struct co_stream {
    CUcontext context;   /* current when something is launched here */
    CUgreenCtx green;    /* NULL: none of its own */
    CUmodule module;     /* the original, compiled in the green context; NULL: none of its own */
    CUfunction function; /* the original */
    CUstream stream;     /* of its own */
} co_stream;

/* `sms` NULL: streams of the whole GPU; else by kernel how many SMs its green context has. co_streams_close must follow
 * in any case. */
gcast_status co_streams_open(co_stream *l, const gcast_smc_session *s, uint32_t kernels, const uint32_t *sms,
                             gcast_error *err);
void co_streams_close(co_stream *l, const gcast_smc_session *s, uint32_t kernels);

#endif
