#include "simt/program/special_registers.h"

#include <string.h>

static const struct {
    const char *name;
    int component;
} table[] = {
#define X(name, text, component, bits) {text, component},
    SPECIAL_TABLE(X)
#undef X
};

const uint8_t special_bits[] = {
#define X(name, text, component, bits) bits,
    SPECIAL_TABLE(X)
#undef X
};

int special_register(const char *name, int component)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].component == component && strcmp(table[i].name, name) == 0)
            return (int)i;
    return -1;
}
