/* The words of an instruction: each is taken by whoever understands it, and
 * what is left at the end is an error. */
#include <stdio.h>
#include <string.h>

#include "simt/decode/decode.h"

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

int take_of(decoder *d, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (take(d, words[i]))
            return i;
    return -1;
}

void take_hints(decoder *d, const char *const *words, int count)
{
    while (take_of(d, words, count) >= 0)
        ;
}

bool all_taken(decoder *d)
{
    for (uint32_t i = 0; i < d->in->mods; i++)
        if (!(d->taken >> i & 1))
            return decode_fail(d, "%.40s with .%.60s is not supported", d->in->opcode, d->in->mod[i]);
    return true;
}

bool operands(decoder *d, uint32_t least, uint32_t most)
{
    if (d->in->operands >= least && d->in->operands <= most)
        return true;
    return decode_fail(d, "%.40s takes %u operands here, not %u", d->in->opcode, least, d->in->operands);
}

char shape_of(ptx_type t)
{
    if (t == PTX_pred)
        return 'p';
    int bytes = ptx_type_bytes(t);
    return bytes == 8 ? 'x' : bytes <= 2 ? 'h' : 'w';
}

float_type float_type_of(ptx_type t)
{
    static const struct {
        ptx_type from;
        float_type to;
    } types[] = {
        {PTX_u8, FLOAT_u8},     {PTX_u16, FLOAT_u16},     {PTX_u32, FLOAT_u32}, {PTX_u64, FLOAT_u64},
        {PTX_s8, FLOAT_s8},     {PTX_s16, FLOAT_s16},     {PTX_s32, FLOAT_s32}, {PTX_s64, FLOAT_s64},
        {PTX_f16, FLOAT_f16},   {PTX_bf16, FLOAT_bf16},   {PTX_f32, FLOAT_f32}, {PTX_f64, FLOAT_f64},
        {PTX_f16x2, FLOAT_f16}, {PTX_bf16x2, FLOAT_bf16},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].from == t)
            return types[i].to;
    return FLOAT_TYPES;
}

op new_op(decoder *d, op_kind kind, gcast_simt_mix mix)
{
    return (op){
        .kind = (uint8_t)kind,
        .mix = (uint8_t)mix,
        .guard = d->guard,
        .guard_flip = d->guard_flip,
        .target = NO_PC,
        .join = NO_PC,
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
