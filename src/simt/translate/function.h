/* A function becomes ops. */
#ifndef SIMT_TRANSLATE_FUNCTION_H
#define SIMT_TRANSLATE_FUNCTION_H

#include "simt/decode/state.h"

/* Gives the variables of a function their places. Calls need this of all functions before any code is decoded. */
gcast_status decode_places(decoder *d, function_code *f);
/* Decodes its instructions. */
gcast_status decode_function(decoder *d, function_code *f);

#endif
