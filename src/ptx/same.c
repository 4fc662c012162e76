/* Are two modules the same program? Everything counts but places in the text. */
#include "ptx/same.h"

#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_values(const ptx_value *a, const ptx_value *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i].kind != b[i].kind || a[i].bits != b[i].bits || !same_text(a[i].symbol, b[i].symbol) ||
            a[i].generic != b[i].generic || a[i].is_mask != b[i].is_mask || a[i].mask != b[i].mask)
            return false;
    return true;
}

static bool same_var(const ptx_var *a, const ptx_var *b)
{
    if (!same_text(a->name, b->name) || a->space != b->space || a->link != b->link || a->type != b->type ||
        a->width != b->width || a->align != b->align || a->dims != b->dims || a->bytes != b->bytes ||
        !same_text(a->ptr, b->ptr) || !same_text(a->attribute, b->attribute) || !same_text(a->opaque, b->opaque) ||
        a->values != b->values)
        return false;
    for (uint32_t i = 0; i < a->dims; i++)
        if (a->dim[i] != b->dim[i])
            return false;
    return same_values(a->value, b->value, a->values);
}

static bool same_vars(const ptx_var *a, const ptx_var *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!same_var(&a[i], &b[i]))
            return false;
    return true;
}

static bool same_operand(const ptx_operand *a, const ptx_operand *b)
{
    if (a->kind != b->kind || a->component != b->component || a->negated != b->negated ||
        a->is_signed != b->is_signed || a->reg != b->reg || a->target != b->target || a->items != b->items ||
        a->bits != b->bits || a->offset != b->offset || !same_text(a->name, b->name))
        return false;
    if (!a->var != !b->var || (a->var && !same_var(a->var, b->var)))
        return false;
    for (uint32_t i = 0; i < a->items; i++)
        if (!same_operand(&a->item[i], &b->item[i]))
            return false;
    return true;
}

static bool same_instruction(const ptx_instruction *a, const ptx_instruction *b)
{
    if (a->guard != b->guard || a->guard_negated != b->guard_negated || strcmp(a->opcode, b->opcode) != 0 ||
        a->mods != b->mods || a->operands != b->operands || a->source_file != b->source_file ||
        a->source_line != b->source_line || a->source_column != b->source_column)
        return false;
    for (uint32_t i = 0; i < a->mods; i++)
        if (strcmp(a->mod[i], b->mod[i]) != 0)
            return false;
    for (uint32_t i = 0; i < a->operands; i++)
        if (!same_operand(&a->operand[i], &b->operand[i]))
            return false;
    return true;
}

static bool same_head(const ptx_function *a, const ptx_function *b)
{
    return same_text(a->name, b->name) && a->is_entry == b->is_entry && a->has_body == b->has_body &&
           a->link == b->link && a->returns == b->returns && a->params == b->params &&
           same_text(a->directives, b->directives) && same_text(a->attribute, b->attribute) &&
           same_text(a->alias, b->alias) && same_vars(a->ret, b->ret, a->returns) &&
           same_vars(a->param, b->param, a->params);
}

static bool same_item(const ptx_item *a, const ptx_item *b)
{
    return a->kind == b->kind && same_text(a->name, b->name) && same_text(a->words, b->words) &&
           a->first_reg == b->first_reg && a->reg_count == b->reg_count && a->range == b->range &&
           a->match == b->match && same_operand(&a->list, &b->list) && !a->instruction == !b->instruction &&
           (!a->instruction || same_instruction(a->instruction, b->instruction)) && !a->var == !b->var &&
           (!a->var || same_var(a->var, b->var)) && !a->prototype == !b->prototype &&
           (!a->prototype || same_head(a->prototype, b->prototype));
}

static bool same_function(const ptx_function *a, const ptx_function *b)
{
    if (!same_head(a, b) || a->registers != b->registers || a->items != b->items)
        return false;
    for (uint32_t i = 0; i < a->registers; i++)
        if (strcmp(a->reg[i].name, b->reg[i].name) != 0 || a->reg[i].type != b->reg[i].type ||
            a->reg[i].width != b->reg[i].width)
            return false;
    for (uint32_t i = 0; i < a->items; i++)
        if (!same_item(&a->item[i], &b->item[i]))
            return false;
    return true;
}

bool ptx_same(const ptx_module *a, const ptx_module *b)
{
    if (a->version_major != b->version_major || a->version_minor != b->version_minor ||
        !same_text(a->target, b->target) || a->address_bits != b->address_bits || a->vars != b->vars ||
        a->functions != b->functions || a->files != b->files || a->order_count != b->order_count)
        return false;
    for (uint32_t i = 0; i < a->order_count; i++)
        if (a->order[i] != b->order[i])
            return false;
    for (uint32_t i = 0; i < a->vars; i++)
        if (!same_var(a->var[i], b->var[i]))
            return false;
    for (uint32_t i = 0; i < a->files; i++)
        if (a->file[i].index != b->file[i].index || !same_text(a->file[i].name, b->file[i].name) ||
            !same_text(a->file[i].rest, b->file[i].rest))
            return false;
    for (uint32_t i = 0; i < a->functions; i++)
        if (!same_function(a->function[i], b->function[i]))
            return false;
    return true;
}
