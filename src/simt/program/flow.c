#include "simt/program/flow.h"

#include <string.h>

bool flow_is_strong(const ptx_instruction *in)
{
    static const char *const words[] = {"volatile", "relaxed", "acquire", "cg", "cv", "mmio"};
    for (uint32_t i = 0; i < in->mods; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (strcmp(in->mod[i], words[k]) == 0)
                return true;
    return false;
}
