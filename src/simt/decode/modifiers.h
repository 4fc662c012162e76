/* The modifiers of an instruction: each is taken by the decoder that understands
 * it, and one that is left at the end is an error. */
#ifndef SIMT_DECODE_MODIFIERS_H
#define SIMT_DECODE_MODIFIERS_H

#include "simt/decode/state.h"

/* Takes a modifier if it is there. */
bool take(decoder *d, const char *word);
/* Takes the next modifier that is a type; PTX_NO_TYPE: none is left. */
ptx_type take_type(decoder *d);
/* Takes the first of a list that is there, and returns its index; -1: none is. */
int take_any_of(decoder *d, const char *const *words, int count);
/* Takes all modifiers of a list: they have no effect here, such as cache hints. */
void take_hints(decoder *d, const char *const *words, int count);
/* Takes a state space; PTX_SPACE_NONE: none is named. */
ptx_space take_space(decoder *d);
/* Fails if a modifier was not taken. */
bool all_taken(decoder *d);
/* Fails unless the instruction has min to max operands. */
bool has_operands(decoder *d, uint32_t min, uint32_t max);

#endif
