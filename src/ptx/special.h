/* The special registers of PTX, and components of registers. */
#ifndef PTX_SPECIAL_H
#define PTX_SPECIAL_H

#include "ptx/ptx.h"

/* Is it a special register of PTX (%tid)? */
bool ptx_is_special(const char *name);
/* .x .y .z .w, .r .g .b .a: 1 to 4; .b0 to .b3: 5 to 8; .h0, .h1: 9, 10; 0: the word is no component */
uint8_t ptx_component_of(const char *word, size_t size);
const char *ptx_component_name(uint8_t component);

#endif
