/* The body of a function: declarations, labels, scopes, .loc and .pragma, and
 * the instructions between them. */
#include "ptx/grammar/statement.h"

#include <string.h>

#include "ptx/grammar/declaration.h"
#include "ptx/grammar/function_head.h"
#include "ptx/grammar/instruction.h"
#include "ptx/parse/operand.h"
#include "ptx/parse/parser.h"
#include "ptx/parse/scopes.h"
#include "ptx/type.h"

static bool add_var(parser *p, ptx_var *v)
{
    symbol s = {.kind = SYMBOL_VAR, .var = v, .at = v->at};
    return parse_atom(p, v->name, strlen(v->name), &s.atom) && parse_declare(p, s) &&
           parse_add_item(p, (ptx_item){.kind = PTX_ITEM_VAR, .at = v->at, .var = v});
}

/* Finds the outermost call that a place is inlined into. A place in an inlined function names the call that it was
 * inlined into; if that call is itself inlined, its own .loc came shortly before. */
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
        if (!parse_operand(p, false, !is_calls, &target))
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
