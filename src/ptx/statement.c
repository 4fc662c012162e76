/* Parses bodies of functions: operands; instructions (@guard opcode.modifier operand, operand;); and the declarations,
 * labels, scopes, .loc and .pragma between them. */
#include "ptx/statement.h"

#include <string.h>

#include "ptx/declaration.h"
#include "ptx/expression.h"
#include "ptx/letters.h"
#include "ptx/parser.h"
#include "ptx/ptx.h"

/* Operands are registers, constants, names, [addresses], {vectors}, (lists) of calls, and pairs a|b. */

enum { OPERAND_DEPTH = 8 };

typedef struct context {
    bool is_call;   /* lists in parentheses are possible */
    bool is_branch; /* every name is a label */
    int depth;      /* of brackets */
} context;

static bool operand(parser *p, context c, ptx_operand *out);

/* Parses a, b, c up to `close`. The items of `out` are these, behind operands on the stack from `base` on. */
static bool items(parser *p, context c, size_t base, char close, ptx_operand *out)
{
    bool has_more = !parse_is_sign(p, close);
    while (has_more) {
        ptx_operand item;
        if (!operand(p, c, &item))
            return false;
        if (!vec_push(&p->operands, item))
            return parse_memory(p);
        if (!parse_if_sign(p, ',', &has_more))
            return false;
    }
    out->items = (uint32_t)(p->operands.count - base);
    const ptx_operand *first = out->items ? p->operands.at + base : NULL;
    out->item = (ptx_operand *)parse_copy(p, first, out->items, sizeof *out->item);
    p->operands.count = base;
    return out->item && parse_sign(p, close);
}

static bool component(parser *p, ptx_operand *out)
{
    if (p->tok.kind != TOKEN_DOT)
        return true;
    out->component = ptx_component_of(p->tok.start, p->tok.size);
    return out->component ? parse_advance(p) : parse_expected(p, "a component such as .x");
}

static bool number(parser *p, ptx_operand *out)
{
    constant c;
    if (!parse_constant(p, &c))
        return false;
    static const ptx_operand_kind kinds[] = {[CONSTANT_SIGNED] = PTX_OP_INT,
                                             [CONSTANT_UNSIGNED] = PTX_OP_INT,
                                             [CONSTANT_F32] = PTX_OP_F32,
                                             [CONSTANT_F64] = PTX_OP_F64};
    out->kind = kinds[c.kind];
    out->is_signed = c.kind == CONSTANT_SIGNED;
    out->bits = c.bits;
    return true;
}

/* A name. One without a meaning so far is a label, which may follow later. */
static bool name(parser *p, context c, ptx_operand *out)
{
    uint32_t word;
    if (!parse_name(p, "an operand", &word, &out->at))
        return false;
    const char *spelling = p->atoms.at[word].text;
    const symbol *s = c.is_branch ? NULL : parse_lookup(p, word);
    if (s && s->kind == SYMBOL_REGISTER) {
        out->kind = PTX_OP_REG;
        out->reg = s->number;
        return component(p, out);
    }
    out->name = spelling;
    if (s && s->kind == SYMBOL_VAR) {
        out->kind = PTX_OP_VAR;
        out->var = s->var;
        return true;
    }
    if (s && s->kind == SYMBOL_FUNCTION) {
        out->kind = PTX_OP_FUNCTION;
        out->function = s->function;
        return true;
    }
    if (*spelling == '%') {
        if (!ptx_is_special(spelling))
            return parse_fail(p, out->at, "register %s is not declared", spelling);
        out->kind = PTX_OP_SPECIAL;
        return component(p, out);
    }
    out->kind = strcmp(spelling, "_") == 0 ? PTX_OP_SINK : PTX_OP_LABEL;
    if (out->kind == PTX_OP_SINK)
        out->name = NULL;
    out->target = word; /* a label: the number of the word, until its scope ends */
    return true;
}

/* [a + 4], [16], [a, {b, c}] */
static bool address(parser *p, context c, ptx_operand *out)
{
    size_t base = p->operands.count;
    bool has_items;
    ptx_operand first = {.at = p->tok.at};
    out->kind = PTX_OP_ADDRESS;
    if (parse_starts_constant(p)) {
        if (!number(p, &first))
            return false;
        if (first.kind != PTX_OP_INT)
            return parse_fail(p, first.at, "an address is no floating-point number");
        if (parse_is_sign(p, ']')) {
            out->offset = (int64_t)first.bits;
            return parse_advance(p);
        }
    } else if (!name(p, c, &first) || !parse_offset(p, &out->offset)) {
        return false;
    }
    if (!vec_push(&p->operands, first))
        return parse_memory(p);
    if (!parse_if_sign(p, ',', &has_items))
        return false;
    if (!has_items && !parse_is_sign(p, ']'))
        return parse_expected(p, "`]`");
    return items(p, c, base, ']', out);
}

static bool starts_brackets(const parser *p, context c)
{
    return parse_is_sign(p, '[') || parse_is_sign(p, '{') || (parse_is_sign(p, '(') && c.is_call);
}

static bool bracketed(parser *p, context c, ptx_operand *out)
{
    int sign = p->tok.sign;
    if (c.depth++ >= OPERAND_DEPTH)
        return parse_fail(p, p->tok.at, "operands with more than %d brackets inside each other", OPERAND_DEPTH);
    if (!parse_advance(p))
        return false;
    if (sign == '[')
        return address(p, c, out);
    out->kind = sign == '{' ? PTX_OP_VECTOR : PTX_OP_LIST;
    return items(p, c, p->operands.count, sign == '{' ? '}' : ')', out);
}

/* An operand that is no pair a|b. */
static bool single(parser *p, context c, ptx_operand *out)
{
    bool found;
    *out = (ptx_operand){.at = p->tok.at};
    if (starts_brackets(p, c))
        return bracketed(p, c, out);
    if (parse_starts_constant(p))
        return number(p, out);
    if (!parse_if_sign(p, '!', &found))
        return false;
    if (found && p->tok.kind != TOKEN_NAME)
        return parse_expected(p, "a predicate");
    if (!name(p, c, out))
        return false;
    out->negated = found;
    return out->kind != PTX_OP_VAR || parse_offset(p, &out->offset);
}

static bool operand(parser *p, context c, ptx_operand *out)
{
    ptx_operand pair[2];
    bool is_pair;
    if (!single(p, c, out) || !parse_if_sign(p, '|', &is_pair))
        return false;
    if (!is_pair)
        return true;
    pair[0] = *out;
    *out = (ptx_operand){.kind = PTX_OP_PAIR, .items = 2, .at = out->at};
    if (!single(p, c, &pair[1]))
        return false;
    out->item = (ptx_operand *)parse_copy(p, pair, 2, sizeof *pair);
    return out->item != NULL;
}

/* Remembers operands whose names are resolved later: labels, functions and variables that are only declared so far. */
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
    context c = {.is_call = strcmp(n->opcode, "call") == 0, .is_branch = strcmp(n->opcode, "bra") == 0};
    bool has_more = !parse_is_sign(p, ';');
    p->operands.count = 0;
    while (has_more) {
        ptx_operand next;
        if (!operand(p, c, &next))
            return false;
        if (!vec_push(&p->operands, next))
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

/* An instruction after its opcode; guard: register of the guard, or -1. */
static bool parse_instruction(parser *p, ptx_place at, uint32_t opcode, int32_t guard, bool negated)
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

/* A guarded instruction, from @ on. */
static bool parse_guarded(parser *p)
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

static bool add_var(parser *p, ptx_var *v)
{
    symbol s = {.kind = SYMBOL_VAR, .var = v, .at = v->at};
    return parse_atom(p, v->name, strlen(v->name), &s.atom) && parse_declare(p, s) &&
           parse_add_item(p, (ptx_item){.kind = PTX_ITEM_VAR, .at = v->at, .var = v});
}

/* Finds the outermost call that the place `at` is inlined into. The .loc of a place in an inlined function names the
 * call; if that call is itself inlined, its own .loc came shortly before. */
static void find_caller(parser *p, const uint32_t at[3], const uint32_t call_place[3])
{
    uint32_t outermost[3];
    memcpy(outermost, call_place ? call_place : at, sizeof outermost);
    for (uint32_t n = p->inlinings; call_place && n > 0 && p->inlinings - n < RECENT_INLININGS; n--) {
        const inlining *x = &p->inlined[(n - 1) % RECENT_INLININGS];
        if (memcmp(x->at, outermost, sizeof outermost) == 0)
            memcpy(outermost, x->call_place, sizeof outermost);
    }
    p->caller_file = outermost[0];
    p->caller_line = outermost[1];
    if (!call_place)
        return;
    inlining *x = &p->inlined[p->inlinings++ % RECENT_INLININGS];
    memcpy(x->at, at, sizeof x->at);
    memcpy(x->call_place, call_place, sizeof x->call_place);
}

/* .loc 1 17 2, function_name $L__info_string0, inlined_at 1 17 2. It does not end with a semicolon. The function name
 * is skipped, as are the debug sections that it refers to. */
static bool loc(parser *p, ptx_item *item)
{
    uint32_t *const numbers[] = {&p->source_file, &p->source_line, &p->source_column}, call_place[3];
    bool is_inlined = false;
    item->kind = PTX_ITEM_LOC;
    for (int i = 0; i < 3; i++) {
        if (p->tok.kind != TOKEN_INT || p->tok.bits > INT32_MAX)
            return parse_expected(p, "a file, a line and a column");
        *numbers[i] = (uint32_t)p->tok.bits;
        if (!parse_keep(p))
            return false;
    }
    while (parse_is_sign(p, ',')) {
        if (!parse_advance(p))
            return false;
        bool inlined = parse_is_name(p, "inlined_at");
        if (!inlined && !parse_is_name(p, "function_name"))
            return parse_expected(p, "function_name or inlined_at");
        if (!parse_advance(p))
            return false;
        for (int i = 0; i < (inlined ? 3 : 1); i++) {
            if (p->tok.kind != (inlined ? TOKEN_INT : TOKEN_NAME))
                return parse_expected(p, inlined ? "a file, a line and a column" : "a label");
            if (inlined)
                call_place[i] = (uint32_t)p->tok.bits;
            if (!parse_advance(p))
                return false;
        }
        is_inlined |= inlined;
        bool plus = false;
        if ((!inlined && !parse_if_sign(p, '+', &plus)) || (plus && !parse_advance(p)))
            return false;
    }
    find_caller(p, (uint32_t[]){p->source_file, p->source_line, p->source_column}, is_inlined ? call_place : NULL);
    return parse_kept(p, &item->words) && parse_add_item(p, *item);
}

static bool pragma(parser *p, ptx_item *item)
{
    item->kind = PTX_ITEM_PRAGMA;
    while (p->tok.kind == TOKEN_STRING || parse_is_sign(p, ','))
        if (!parse_keep(p))
            return false;
    if (!p->buffer.used)
        return parse_expected(p, "a string");
    return parse_kept(p, &item->words) && parse_sign(p, ';') && parse_add_item(p, *item);
}

static bool directive(parser *p)
{
    static const ptx_space spaces[] = {PTX_SPACE_param, PTX_SPACE_local, PTX_SPACE_shared, PTX_SPACE_global,
                                       PTX_SPACE_const};
    ptx_item item = {.at = p->tok.at};
    if (parse_is_dot(p, "loc"))
        return parse_advance(p) && loc(p, &item);
    if (parse_is_dot(p, "reg"))
        return parse_advance(p) && parse_registers(p);
    if (parse_is_dot(p, "pragma"))
        return parse_advance(p) && pragma(p, &item);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (parse_is_dot(p, ptx_space_name(spaces[i])))
            return parse_advance(p) && parse_vars(p, &(ptx_var){.space = spaces[i]}, add_var);
    return parse_expected(p, "an instruction, a label, or .reg, .param, .local, .shared, .loc or .pragma");
}

/* A list of labels or functions; the next token is the first of them. */
static bool targets(parser *p, bool is_calls, ptx_item *item)
{
    item->kind = PTX_ITEM_TARGETS;
    item->list = (ptx_operand){.kind = PTX_OP_LIST, .at = p->tok.at};
    bool has_more = true;
    p->operands.count = 0;
    while (has_more) {
        ptx_operand target;
        ptx_place at = p->tok.at;
        if (p->tok.kind != TOKEN_NAME)
            return parse_expected(p, is_calls ? "a function" : "a label");
        if (!operand(p, (context){.is_branch = !is_calls}, &target))
            return false;
        if (target.kind != (is_calls ? PTX_OP_FUNCTION : PTX_OP_LABEL))
            return parse_fail(p, at, "expected %s", is_calls ? "a function" : "a label");
        if (!vec_push(&p->operands, target))
            return parse_memory(p);
        if (!parse_if_sign(p, ',', &has_more))
            return false;
    }
    ptx_operand *list = (ptx_operand *)parse_copy(p, p->operands.at, p->operands.count, sizeof *list);
    if (!list)
        return false;
    item->list.items = (uint32_t)p->operands.count;
    item->list.item = list;
    for (uint32_t i = 0; !is_calls && i < item->list.items; i++)
        if (!parse_pending_label(p, &list[i], list[i].target))
            return false;
    return parse_sign(p, ';') && parse_add_item(p, *item);
}

/* A label, after `name :`. */
static bool label(parser *p, uint32_t word, ptx_place at)
{
    ptx_item item = {.kind = PTX_ITEM_LABEL, .name = p->atoms.at[word].text, .at = at};
    symbol s = {.kind = SYMBOL_TABLE, .atom = word, .number = (uint32_t)p->items.count, .at = at};
    bool is_branch = parse_is_dot(p, "branchtargets"), is_call = parse_is_dot(p, "calltargets");
    if (strcmp(item.name, "_") == 0)
        return parse_fail(p, at, "%s cannot be a label", item.name);
    if (is_branch || is_call)
        return parse_declare(p, s) && parse_advance(p) && targets(p, is_call, &item);
    if (parse_is_dot(p, "callprototype")) {
        item.kind = PTX_ITEM_PROTOTYPE;
        return parse_declare(p, s) && parse_advance(p) && parse_prototype(p, &item.prototype) &&
               parse_add_item(p, item);
    }
    s.kind = SYMBOL_LABEL;
    return parse_declare(p, s) && parse_add_item(p, item);
}

static bool open_brace(parser *p)
{
    return parse_scope_open(p, (uint32_t)p->items.count) &&
           parse_add_item(p, (ptx_item){.kind = PTX_ITEM_OPEN, .at = p->tok.at}) && parse_advance(p);
}

static bool close_brace(parser *p)
{
    uint32_t open = p->scopes.at[p->scopes.count - 1].open_item;
    p->items.at[open].match = (uint32_t)p->items.count;
    return parse_scope_close(p) &&
           parse_add_item(p, (ptx_item){.kind = PTX_ITEM_CLOSE, .at = p->tok.at, .match = open}) && parse_advance(p);
}

static bool statement(parser *p)
{
    uint32_t word;
    ptx_place at;
    bool is_label;
    if (parse_is_sign(p, '{'))
        return open_brace(p);
    if (parse_is_sign(p, '}'))
        return close_brace(p);
    if (parse_is_sign(p, '@'))
        return parse_guarded(p);
    if (p->tok.kind == TOKEN_DOT)
        return directive(p);
    if (!parse_name(p, "an instruction, a label, a declaration or `}`", &word, &at) ||
        !parse_if_sign(p, ':', &is_label))
        return false;
    return is_label ? label(p, word, at) : parse_instruction(p, at, word, -1, false);
}

bool parse_body(parser *p)
{
    size_t outer = p->scopes.count;
    p->source_file = p->source_line = p->source_column = p->caller_file = p->caller_line = 0;
    if (!parse_sign(p, '{'))
        return false;
    while (p->scopes.count > outer || !parse_is_sign(p, '}'))
        if (!statement(p))
            return false;
    p->function->items = (uint32_t)p->items.count;
    p->function->item = (ptx_item *)parse_copy(p, p->items.at, p->items.count, sizeof(ptx_item));
    p->function->registers = (uint32_t)p->registers.count;
    p->function->reg = (ptx_register *)parse_copy(p, p->registers.at, p->registers.count, sizeof(ptx_register));
    return p->function->item && p->function->reg && parse_advance(p);
}
