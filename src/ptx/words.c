#include "ptx/words.h"

#include "ptx/type.h"

bool ptx_is_any(const ptx_instruction *in, const char *const *opcodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ptx_is(in, opcodes[i]))
            return true;
    return false;
}

bool ptx_has(const ptx_instruction *in, const char *word)
{
    for (uint32_t i = 0; i < in->mods; i++)
        if (ptx_same_word(in->mod[i], word))
            return true;
    return false;
}

ptx_type ptx_first_type(const ptx_instruction *in)
{
    ptx_type t = PTX_NO_TYPE;
    for (uint32_t i = 0; i < in->mods && t == PTX_NO_TYPE; i++)
        t = ptx_type_of(in->mod[i]);
    return t;
}

ptx_type ptx_last_type(const ptx_instruction *in)
{
    ptx_type t = PTX_NO_TYPE;
    for (uint32_t i = in->mods; i-- > 0 && t == PTX_NO_TYPE;)
        t = ptx_type_of(in->mod[i]);
    return t;
}
