#include "ptx/print/print_var.h"

#include <inttypes.h>

#include "ptx/print/print_number.h"
#include "ptx/type.h"

static void value(const ptx_value *v, text *out)
{
    if (v->kind != PTX_VALUE_SYMBOL) {
        static const ptx_operand_kind kinds[] = {
            [PTX_VALUE_INT] = PTX_OP_INT, [PTX_VALUE_F32] = PTX_OP_F32, [PTX_VALUE_F64] = PTX_OP_F64};
        print_number(&(ptx_operand){.kind = kinds[v->kind], .bits = v->bits, .is_signed = true}, out);
        return;
    }
    if (v->is_mask)
        text_printf(out, "0x%" PRIx64 "(", v->mask);
    text_printf(out, v->generic ? "generic(%s)" : "%s", v->symbol);
    print_offset((int64_t)v->bits, out);
    if (v->is_mask)
        text_char(out, ')');
}

/* One entry at a level of the nested rows, from value `first` on. Zeros at the end are left out, except in a vector. */
static void entry(const ptx_var *v, uint32_t level, uint64_t first, text *out)
{
    if (level == v->dims + (v->width > 1)) {
        ptx_value zero = ptx_zero(v->type);
        value(first < v->values ? &v->value[first] : &zero, out);
        return;
    }
    uint64_t count = level < v->dims ? v->dim[level] : (uint64_t)v->width;
    uint64_t below = level < v->dims ? (uint64_t)v->width : 1;
    for (uint32_t i = level + 1; i < v->dims; i++)
        below *= v->dim[i];
    text_char(out, '{');
    for (uint64_t i = 0; i < count && (i == 0 || level == v->dims || first + i * below < v->values); i++) {
        if (i)
            text_str(out, ", ");
        entry(v, level + 1, first + i * below, out);
    }
    text_char(out, '}');
}

void print_var(const ptx_var *v, text *out)
{
    text_printf(out, ".%s", ptx_space_name(v->space));
    if (v->attribute)
        text_printf(out, " %s", v->attribute);
    if (v->align)
        text_printf(out, " .align %" PRIu32, v->align);
    if (v->width > 1)
        text_printf(out, " .v%d", v->width);
    text_printf(out, " .%s", v->opaque ? v->opaque : ptx_type_name(v->type));
    if (v->ptr)
        text_printf(out, " %s", v->ptr);
    text_printf(out, " %s", v->name);
    for (uint32_t i = 0; i < v->dims; i++)
        if (v->dim[i])
            text_printf(out, "[%" PRIu64 "]", v->dim[i]);
        else
            text_str(out, "[]");
    if (v->values) {
        text_str(out, " = ");
        entry(v, 0, 0, out);
    }
}

static void params(const ptx_var *vars, uint32_t count, text *out)
{
    text_char(out, '(');
    for (uint32_t i = 0; i < count; i++) {
        text_str(out, i ? ",\n\t" : "\n\t");
        print_var(&vars[i], out);
    }
    text_str(out, count ? "\n)" : ")");
}

void print_head(const ptx_function *f, text *out)
{
    if (f->attribute)
        text_printf(out, "%s ", f->attribute);
    if (f->returns) {
        params(f->ret, f->returns, out);
        text_char(out, ' ');
    }
    text_str(out, f->name);
    params(f->param, f->params, out);
    if (f->directives)
        text_printf(out, "\n%s", f->directives);
}
