/* Decodes instructions by their spelling in the tables of forms, or as floats where their type says so. */
#include <string.h>

#include "ptx/instruction.h"
#include "ptx/ptx.h"
#include "simt/isa/decoder.h"
#include "simt/isa/lane_forms.h"
#include "simt/isa/operands.h"

static const lane_form *const tables[] = {integer_forms, carry_forms, logic_forms};

/* Is the word in a list of words with spaces between? */
static bool is_in_list(const char *words, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += size)
        if ((at == words || at[-1] == ' ') && (at[size] == '\0' || at[size] == ' '))
            return true;
    return false;
}

static const lane_form *find_form(const char *word)
{
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const lane_form *f = tables[t]; f->words; f++)
            if (is_in_list(f->words, word))
                return f;
    return NULL;
}

/* Writes the opcode with its modifiers; false: it is too long for any form. */
static bool spell(const ptx_instruction *in, char *out, size_t size)
{
    size_t used = strlen(in->opcode);
    if (used >= size)
        return false;
    memcpy(out, in->opcode, used + 1);
    for (uint32_t i = 0; i < in->mods; i++) {
        size_t more = strlen(in->mod[i]);
        if (used + 1 + more >= size)
            return false;
        out[used] = '.';
        memcpy(out + used + 1, in->mod[i], more + 1);
        used += 1 + more;
    }
    return true;
}

bool decode_forms(decoder *d, op *o)
{
    char word[48];
    const lane_form *f = spell(d->in, word, sizeof word) ? find_form(word) : NULL;
    if (!f)
        return decode_unknown(d);
    slot *const rows_of[] = {&o->d, &o->a, &o->b, &o->c, &o->e};
    uint32_t next = 0;
    size_t count = strlen(f->shape);
    uint32_t wanted = 0;
    for (size_t i = 0; i < count; i++)
        wanted += f->shape[i] != 'k' && f->shape[i] != '_';
    if (!has_operands(d, wanted, wanted))
        return false;
    uint64_t value;
    for (size_t i = 0; i < count; i++) {
        char shape = f->shape[i];
        if (shape == '_') {
            *rows_of[i] = *rows_of[1];
        } else if (shape == 'k') {
            *rows_of[i] = carry_row(d);
        } else if (i == 0) {
            if (!destination(d, &d->in->operand[next++], shape, rows_of[i]))
                return false;
        } else {
            if (shape == 'i' && !immediate(d, &d->in->operand[next], &value))
                return false;
            if (!source(d, &d->in->operand[next++], shape == 'i' ? 'w' : shape, rows_of[i]))
                return false;
        }
    }
    o->run.lanes = f->run;
    return emit(d, o);
}

bool decode_arithmetic(decoder *d, op *o)
{
    return ptx_type_kind(ptx_last_type(d->in)) == 'f' ? decode_float(d, o) : decode_forms(d, o);
}
