/* Errors of the decoder, the ops that it emits, and modifiers. */
#include "simt/isa/decoder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"

bool decode_fail(decoder *d, const char *format, ...)
{
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    d->status = gcast_error_set(d->err, GCAST_INPUT, NULL, "%s", message);
    if (d->err && d->in) {
        d->err->line = d->in->at.line;
        d->err->column = d->in->at.column;
    }
    return false;
}

bool decode_fail_memory(decoder *d)
{
    d->status = gcast_error_set_memory(d->err);
    return false;
}

bool decode_unknown(decoder *d)
{
    text t;
    text_open(&t, NULL, NULL);
    text_str(&t, d->in->opcode);
    for (uint32_t i = 0; i < d->in->mods; i++)
        text_printf(&t, ".%.60s", d->in->mod[i]);
    char *all = text_take(&t, NULL);
    decode_fail(d, "instruction %.200s is not supported", all ? all : d->in->opcode);
    free(all);
    return false;
}

op new_op(decoder *d, op_kind kind, gcast_simt_mix mix)
{
    return (op){
        .kind = (uint8_t)kind,
        .mix = (uint8_t)mix,
        .guard = d->guard,
        .guard_flip = d->guard_flip,
        .target = NO_PC,
        .reconverge = NO_PC,
        .line = d->in->at.line,
        .column = d->in->at.column,
        .source_file = d->in->caller_file,
        .source_line = d->in->caller_line,
    };
}

bool emit(decoder *d, const op *o)
{
    return vec_push(&d->ops, *o) || decode_fail_memory(d);
}

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
