/* The decoders of instructions on registers, by the files that they are in. */
#ifndef SIMT_ISA_ISA_INSTRUCTIONS_H
#define SIMT_ISA_ISA_INSTRUCTIONS_H

#include "simt/decode/state.h"

/* forms.c: instructions in the tables of lane_form; decode_arithmetic goes to these or to decode_float, by the type */
instruction_decoder decode_forms, decode_arithmetic;
/* floats.c */
instruction_decoder decode_float;
/* convert.c */
instruction_decoder decode_cvt;
/* compare.c */
instruction_decoder decode_setp, decode_set, decode_selp, decode_slct, decode_testp;
/* move.c */
instruction_decoder decode_mov, decode_cvta, decode_isspacep;
/* exchange.c */
instruction_decoder decode_shfl, decode_vote, decode_match, decode_redux, decode_elect, decode_activemask;
/* lop3.c */
instruction_decoder decode_lop3;
/* video.c */
instruction_decoder decode_video;

#endif
