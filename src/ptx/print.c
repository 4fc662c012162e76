/* Prints a module as PTX text in a canonical form, which parses to the same module. */
#include "ptx/print.h"

#include <inttypes.h>

#include "ptx/ptx.h"

/* A number that parses as a signed one. A minus is an operator, and the magnitude of the smallest number does not fit
 * a signed number: it is written as a difference. */
static void print_signed(int64_t v, text *out)
{
    if (v == INT64_MIN)
        text_printf(out, "-%" PRId64 "-1", INT64_MAX);
    else
        text_int(out, v);
}

/* An operand that is a number. */
static void print_number(const ptx_operand *o, text *out)
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

/* An offset with its sign; nothing for 0. */
static void print_offset(int64_t offset, text *out)
{
    if (!offset)
        return;
    text_char(out, '+');
    print_signed(offset, out);
}

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

/* One entry at a level of nested rows, from value `first` on. Trailing zeros are left out, except in a vector. */
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

static void print_var(const ptx_var *v, text *out)
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

/* Results, name, parameters and directives. */
static void print_head(const ptx_function *f, text *out)
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

static void operand(const ptx_function *f, const ptx_operand *o, text *out);

static void items(const ptx_function *f, const ptx_operand *o, uint32_t first, const char *between, text *out)
{
    for (uint32_t i = first; i < o->items; i++) {
        if (i)
            text_str(out, between);
        operand(f, &o->item[i], out);
    }
}

static void address(const ptx_function *f, const ptx_operand *o, text *out)
{
    text_char(out, '[');
    if (o->items) {
        operand(f, &o->item[0], out);
        print_offset(o->offset, out);
    } else {
        print_signed(o->offset, out);
    }
    items(f, o, 1, ", ", out);
    text_char(out, ']');
}

static void named(const ptx_function *f, const ptx_operand *o, text *out)
{
    text_str(out, o->kind == PTX_OP_REG ? f->reg[o->reg].name : o->name);
    if (o->component)
        text_printf(out, ".%s", ptx_component_name(o->component));
    print_offset(o->offset, out);
}

static void operand(const ptx_function *f, const ptx_operand *o, text *out)
{
    if (o->negated)
        text_char(out, '!');
    switch (o->kind) {
    case PTX_OP_INT:
    case PTX_OP_F32:
    case PTX_OP_F64:
        print_number(o, out);
        break;
    case PTX_OP_ADDRESS:
        address(f, o, out);
        break;
    case PTX_OP_VECTOR:
        text_char(out, '{');
        items(f, o, 0, ", ", out);
        text_char(out, '}');
        break;
    case PTX_OP_LIST:
        text_char(out, '(');
        items(f, o, 0, ", ", out);
        text_char(out, ')');
        break;
    case PTX_OP_PAIR:
        items(f, o, 0, "|", out);
        break;
    case PTX_OP_SINK:
        text_char(out, '_');
        break;
    default:
        named(f, o, out);
    }
}

static void instruction(const ptx_function *f, const ptx_instruction *n, text *out)
{
    if (n->guard >= 0)
        text_printf(out, "@%s%s ", n->guard_negated ? "!" : "", f->reg[n->guard].name);
    text_str(out, n->opcode);
    for (uint32_t i = 0; i < n->mods; i++) {
        text_char(out, '.');
        text_str(out, n->mod[i]);
    }
    for (uint32_t i = 0; i < n->operands; i++) {
        text_str(out, i ? ", " : " ");
        operand(f, &n->operand[i], out);
    }
    text_str(out, ";\n");
}

static void registers(const ptx_function *f, const ptx_item *item, text *out)
{
    const ptx_register *r = &f->reg[item->first_reg];
    text_str(out, ".reg ");
    if (r->width > 1)
        text_printf(out, ".v%d ", r->width);
    text_printf(out, ".%s %s", ptx_type_name(r->type), item->name);
    if (item->range)
        text_printf(out, "<%" PRIu32 ">", item->reg_count);
    text_str(out, ";\n");
}

static void targets(const ptx_function *f, const ptx_item *item, text *out)
{
    bool is_calls = item->list.items && item->list.item[0].kind == PTX_OP_FUNCTION;
    text_printf(out, "%s: %s ", item->name, is_calls ? ".calltargets" : ".branchtargets");
    items(f, &item->list, 0, ", ", out);
    text_str(out, ";\n");
}

void print_item(const ptx_function *f, const ptx_item *item, text *out)
{
    if (item->kind != PTX_ITEM_LABEL)
        text_char(out, '\t');
    switch (item->kind) {
    case PTX_ITEM_INSTRUCTION:
        instruction(f, item->instruction, out);
        break;
    case PTX_ITEM_LABEL:
        text_printf(out, "%s:\n", item->name);
        break;
    case PTX_ITEM_REGS:
        registers(f, item, out);
        break;
    case PTX_ITEM_VAR:
        print_var(item->var, out);
        text_str(out, ";\n");
        break;
    case PTX_ITEM_OPEN:
        text_str(out, "{\n");
        break;
    case PTX_ITEM_CLOSE:
        text_str(out, "}\n");
        break;
    case PTX_ITEM_LOC:
        text_printf(out, ".loc %s\n", item->words);
        break;
    case PTX_ITEM_PRAGMA:
        text_printf(out, ".pragma %s;\n", item->words);
        break;
    case PTX_ITEM_TARGETS:
        targets(f, item, out);
        break;
    case PTX_ITEM_PROTOTYPE:
        text_printf(out, "%s: .callprototype ", item->name);
        print_head(item->prototype, out);
        text_str(out, ";\n");
        break;
    }
}

static void linking(ptx_link link, text *out)
{
    static const char *const words[] = {[PTX_LOCAL_LINK] = "",
                                        [PTX_VISIBLE] = ".visible ",
                                        [PTX_EXTERN] = ".extern ",
                                        [PTX_WEAK] = ".weak ",
                                        [PTX_COMMON] = ".common "};
    text_str(out, words[link]);
}

static void function(const ptx_function *f, const ptx_print_hooks *hooks, text *out)
{
    if (hooks && hooks->before)
        hooks->before(hooks->data, f, out);
    linking(f->link, out);
    text_str(out, f->is_entry ? ".entry " : ".func ");
    print_head(f, out);
    if (!f->has_body) {
        text_str(out, ";\n");
        return;
    }
    text_str(out, "\n{\n");
    if (!hooks || !hooks->body || !hooks->body(hooks->data, f, out))
        for (uint32_t i = 0; i < f->items; i++)
            print_item(f, &f->item[i], out);
    text_str(out, "}\n");
}

void ptx_print(const ptx_module *m, text *out)
{
    ptx_print_with(m, NULL, out);
}

void ptx_print_with(const ptx_module *m, const ptx_print_hooks *hooks, text *out)
{
    text_printf(out, ".version %d.%d\n.target %s\n.address_size %d\n", m->version_major, m->version_minor, m->target,
                m->address_bits);
    for (uint32_t i = 0; i < m->order_count; i++) {
        int32_t n = m->order[i];
        if (n < 0) {
            function(m->function[~n], hooks, out);
            continue;
        }
        linking(m->var[n]->link, out);
        print_var(m->var[n], out);
        text_str(out, ";\n");
    }
    for (uint32_t i = 0; i < m->functions; i++)
        if (m->function[i]->alias)
            text_printf(out, ".alias %s, %s;\n", m->function[i]->name, m->function[i]->alias);
    for (uint32_t i = 0; i < m->files; i++) {
        const ptx_file *f = &m->file[i];
        text_printf(out, ".file %" PRIu32 " \"%s\"", f->index, f->name);
        if (f->rest)
            text_printf(out, ", %s", f->rest);
        text_char(out, '\n');
    }
}
