/* Instructions: @guard opcode.modifier.modifier operand, operand; */
#include "ptx/grammar/instruction.h"

#include <string.h>

#include "ptx/letters.h"
#include "ptx/parse/operand.h"
#include "ptx/parse/parser.h"
#include "ptx/parse/scopes.h"

/* Remembers operands whose names are resolved later: labels, and what is only declared so far. */
static bool defer_resolution(parser *p, ptx_operand *o)
{
    for (uint32_t i = 0; i < o->items; i++)
        if (!defer_resolution(p, &o->item[i]))
            return false;
    if (o->kind == PTX_OP_LABEL)
        return parse_pending_label(p, o, o->target);
    if ((o->kind == PTX_OP_FUNCTION && !o->function->has_body) || (o->kind == PTX_OP_VAR && o->var->link == PTX_EXTERN))
        return vec_push(&p->declared, o) || parse_memory(p);
    return true;
}

static bool modifiers(parser *p, ptx_instruction *n)
{
    p->words.count = 0;
    for (; p->tok.kind == TOKEN_DOT; n->mods++) {
        uint32_t word;
        if (!parse_atom(p, p->tok.start, p->tok.size, &word))
            return false;
        if (!vec_push(&p->words, p->atoms.at[word].text))
            return parse_memory(p);
        if (!parse_advance(p))
            return false;
    }
    n->mod = (const char **)parse_copy(p, p->words.at, n->mods, sizeof *n->mod);
    return n->mod != NULL;
}

static bool operands(parser *p, ptx_instruction *n)
{
    bool is_call = strcmp(n->opcode, "call") == 0, is_branch = strcmp(n->opcode, "bra") == 0;
    bool has_more = !parse_is_sign(p, ';');
    p->operands.count = 0;
    while (has_more) {
        ptx_operand operand;
        if (!parse_operand(p, is_call, is_branch, &operand))
            return false;
        if (!vec_push(&p->operands, operand))
            return parse_memory(p);
        if (!parse_if_sign(p, ',', &has_more))
            return false;
    }
    if (!parse_is_sign(p, ';'))
        return parse_expected(p, "`,` or `;`");
    n->operands = (uint32_t)p->operands.count;
    n->operand = (ptx_operand *)parse_copy(p, p->operands.at, n->operands, sizeof *n->operand);
    if (!n->operand)
        return false;
    for (uint32_t i = 0; i < n->operands; i++)
        if (!defer_resolution(p, &n->operand[i]))
            return false;
    return parse_advance(p);
}

bool parse_instruction(parser *p, ptx_place at, uint32_t opcode, int32_t guard, bool negated)
{
    ptx_instruction *n = arena_alloc(p->memory, sizeof *n);
    if (!n)
        return parse_memory(p);
    *n = (ptx_instruction){.at = at,
                           .guard = guard,
                           .guard_negated = negated,
                           .opcode = p->atoms.at[opcode].text,
                           .source_file = p->source_file,
                           .source_line = p->source_line,
                           .source_column = p->source_column,
                           .caller_file = p->caller_file,
                           .caller_line = p->caller_line};
    if (!lex_is_letter(*n->opcode))
        return parse_fail(p, at, "expected an instruction, not `%s`", n->opcode);
    return modifiers(p, n) && operands(p, n) &&
           parse_add_item(p, (ptx_item){.kind = PTX_ITEM_INSTRUCTION, .at = at, .instruction = n});
}

bool parse_guarded(parser *p)
{
    ptx_place place, at;
    uint32_t word;
    bool negated;
    if (!parse_advance(p) || !parse_if_sign(p, '!', &negated) || !parse_name(p, "a predicate", &word, &place))
        return false;
    const symbol *s = parse_lookup(p, word);
    if (!s || s->kind != SYMBOL_REGISTER)
        return parse_fail(p, place, "register %s is not declared", p->atoms.at[word].text);
    if (p->registers.at[s->number].type != PTX_pred)
        return parse_fail(p, place, "%s is no predicate", p->atoms.at[word].text);
    int32_t guard = (int32_t)s->number;
    return parse_name(p, "an instruction", &word, &at) && parse_instruction(p, at, word, guard, negated);
}
