#include "simt/decode/modifiers.h"

#include <string.h>

#include "ptx/type.h"
#include "simt/decode/emit.h"

bool take(decoder *d, const char *word)
{
    for (uint32_t i = 0; i < d->in->mods; i++)
        if (!(d->taken >> i & 1) && strcmp(d->in->mod[i], word) == 0) {
            d->taken |= (uint64_t)1 << i;
            return true;
        }
    return false;
}

ptx_type take_type(decoder *d)
{
    for (uint32_t i = 0; i < d->in->mods; i++) {
        ptx_type t = d->taken >> i & 1 ? PTX_NO_TYPE : ptx_type_of(d->in->mod[i]);
        if (t != PTX_NO_TYPE) {
            d->taken |= (uint64_t)1 << i;
            return t;
        }
    }
    return PTX_NO_TYPE;
}

int take_any_of(decoder *d, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (take(d, words[i]))
            return i;
    return -1;
}

void take_hints(decoder *d, const char *const *words, int count)
{
    while (take_any_of(d, words, count) >= 0)
        ;
}

ptx_space take_space(decoder *d)
{
    static const char *const names[] = {"global", "shared",       "shared::cta", "local",
                                        "param",  "param::entry", "param::func", "const"};
    static const ptx_space spaces[] = {PTX_SPACE_global, PTX_SPACE_shared, PTX_SPACE_shared, PTX_SPACE_local,
                                       PTX_SPACE_param,  PTX_SPACE_param,  PTX_SPACE_param,  PTX_SPACE_const};
    int k = take_any_of(d, names, 8);
    return k < 0 ? PTX_SPACE_NONE : spaces[k];
}

bool all_taken(decoder *d)
{
    for (uint32_t i = 0; i < d->in->mods; i++)
        if (!(d->taken >> i & 1))
            return decode_fail(d, "%.40s with .%.60s is not supported", d->in->opcode, d->in->mod[i]);
    return true;
}

bool has_operands(decoder *d, uint32_t min, uint32_t max)
{
    if (d->in->operands >= min && d->in->operands <= max)
        return true;
    return decode_fail(d, "%.40s takes %u operands here, not %u", d->in->opcode, min, d->in->operands);
}
