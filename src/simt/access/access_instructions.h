/* The decoders of instructions on memory, by the files that they are in. */
#ifndef SIMT_ACCESS_ACCESS_INSTRUCTIONS_H
#define SIMT_ACCESS_ACCESS_INSTRUCTIONS_H

#include "simt/decode/state.h"

/* loads.c; decode_prefetch: prefetch and other instructions without an effect that a program sees */
instruction_decoder decode_ld, decode_st, decode_prefetch;
/* atomics.c */
instruction_decoder decode_atom, decode_red;
/* copy_async.c: cp.async */
instruction_decoder decode_cp;
/* mbarrier.c; decode_copy_arrive: cp.async.mbarrier */
instruction_decoder decode_mbarrier, decode_copy_arrive;

#endif
