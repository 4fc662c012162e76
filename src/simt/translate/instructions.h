/* The instructions that the machine knows. */
#ifndef SIMT_TRANSLATE_INSTRUCTIONS_H
#define SIMT_TRANSLATE_INSTRUCTIONS_H

#include "simt/decode/state.h"

typedef struct instruction_form {
    const char *name;            /* its opcode */
    const char *forms;           /* its modifiers, for people */
    gcast_simt_mix mix;          /* its class in the instruction mix, unless its decoder sets another */
    instruction_decoder *decode; /* its decoder */
} instruction_form;

/* The instruction with this opcode; NULL: there is none. */
const instruction_form *find_instruction(const char *name);

#endif
