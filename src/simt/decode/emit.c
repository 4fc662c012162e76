#include "simt/decode/emit.h"

#include <stdio.h>
#include <stdlib.h>

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
