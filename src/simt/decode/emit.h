/* Errors of the decoder, and the ops that it emits. */
#ifndef SIMT_DECODE_EMIT_H
#define SIMT_DECODE_EMIT_H

#include "simt/decode/state.h"

/* Fails with the place of the instruction; always false. */
bool decode_fail(decoder *d, const char *format, ...) GCAST_PRINTF(2, 3);
bool decode_fail_memory(decoder *d);
/* Fails: the instruction with its modifiers is not supported. */
bool decode_unknown(decoder *d);

/* An op with the guard and the place of the instruction. */
op new_op(decoder *d, op_kind kind, gcast_simt_mix mix);
/* Adds it to the code. */
bool emit(decoder *d, const op *o);

#endif
