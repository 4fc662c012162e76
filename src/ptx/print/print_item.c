#include "ptx/print/print_item.h"

#include <inttypes.h>

#include "ptx/print/print_number.h"
#include "ptx/print/print_var.h"
#include "ptx/special.h"
#include "ptx/type.h"

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
