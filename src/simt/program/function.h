/* Decodes a function into ops. */
#ifndef SIMT_PROGRAM_FUNCTION_H
#define SIMT_PROGRAM_FUNCTION_H

#include "simt/isa/decoder.h"

/* Places the variables of a function. All functions need this before any is decoded, since calls pass arguments. */
gcast_status decode_places(decoder *d, function_code *f);
/* Decodes its instructions. */
gcast_status decode_function(decoder *d, function_code *f);

#endif
