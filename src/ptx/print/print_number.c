#include "ptx/print/print_number.h"

#include <inttypes.h>

/* A minus is an operator, and the magnitude of the smallest number does not fit a signed number: it is written as a
 * difference. */
void print_signed(int64_t v, text *out)
{
    if (v == INT64_MIN)
        text_printf(out, "-%" PRId64 "-1", INT64_MAX);
    else
        text_int(out, v);
}

void print_number(const ptx_operand *o, text *out)
{
    if (o->kind == PTX_OP_F32)
        text_printf(out, "0f%08" PRIX64, o->bits);
    else if (o->kind == PTX_OP_F64)
        text_printf(out, "0d%016" PRIX64, o->bits);
    else if (o->is_signed)
        print_signed((int64_t)o->bits, out);
    else
        text_printf(out, "%" PRIu64 "U", o->bits);
}

void print_offset(int64_t offset, text *out)
{
    if (!offset)
        return;
    text_char(out, '+');
    print_signed(offset, out);
}
