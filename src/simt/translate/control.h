/* The decoders of branches, calls and ends. */
#ifndef SIMT_TRANSLATE_CONTROL_H
#define SIMT_TRANSLATE_CONTROL_H

#include "simt/decode/state.h"

instruction_decoder decode_bra, decode_brx, decode_call, decode_nanosleep;
/* ret, exit, trap and brkpt */
instruction_decoder decode_end;

#endif
