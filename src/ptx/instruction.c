/* Words of an instruction, and what it reads, writes and does, by its opcode. */
#include "ptx/instruction.h"

#include "ptx/ptx.h"

bool ptx_is_any(const ptx_instruction *in, const char *const *opcodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ptx_is(in, opcodes[i]))
            return true;
    return false;
}

bool ptx_has(const ptx_instruction *in, const char *word)
{
    for (uint32_t i = 0; i < in->mods; i++)
        if (ptx_same_word(in->mod[i], word))
            return true;
    return false;
}

ptx_type ptx_first_type(const ptx_instruction *in)
{
    ptx_type t = PTX_NO_TYPE;
    for (uint32_t i = 0; i < in->mods && t == PTX_NO_TYPE; i++)
        t = ptx_type_of(in->mod[i]);
    return t;
}

ptx_type ptx_last_type(const ptx_instruction *in)
{
    ptx_type t = PTX_NO_TYPE;
    for (uint32_t i = in->mods; i-- > 0 && t == PTX_NO_TYPE;)
        t = ptx_type_of(in->mod[i]);
    return t;
}

/* The first operand is the result, except for instructions that have none. */
static bool has_result(const ptx_instruction *in)
{
    static const char *const none[] = {
        "st",      "red",  "bra",   "brx",       "ret",        "exit",     "trap",           "brkpt",    "membar",
        "fence",   "call", "cp",    "prefetch",  "prefetchu",  "pmevent",  "griddepcontrol", "sust",     "discard",
        "barrier", "bar",  "wgmma", "nanosleep", "setmaxnreg", "multimem", "applypriority",  "stmatrix",
    };
    if (in->operands == 0)
        return false;
    if (ptx_is(in, "bar") || ptx_is(in, "barrier"))
        return ptx_has(in, "red");
    if (ptx_is(in, "mbarrier"))
        return !ptx_has(in, "init") && !ptx_has(in, "inval") && in->operand[0].kind != PTX_OP_ADDRESS;
    return !PTX_IS_ANY(in, none);
}

static void visit_all(const ptx_operand *x, ptx_visit *visit, void *data)
{
    if (x->kind == PTX_OP_REG)
        visit(data, x->reg, x->component != 0);
    for (uint32_t i = 0; i < x->items; i++)
        visit_all(&x->item[i], visit, data);
}

void ptx_each_write(const ptx_instruction *in, ptx_visit *visit, void *data)
{
    if (ptx_is(in, "call")) {
        if (in->operands > 1 && in->operand[0].kind == PTX_OP_LIST)
            visit_all(&in->operand[0], visit, data);
    } else if (has_result(in)) {
        visit_all(&in->operand[0], visit, data);
    }
}

void ptx_each_read(const ptx_instruction *in, ptx_visit *visit, void *data)
{
    bool result = ptx_is(in, "call") ? in->operands > 1 && in->operand[0].kind == PTX_OP_LIST : has_result(in);
    if (in->guard >= 0)
        visit(data, (uint32_t)in->guard, false);
    for (uint32_t i = result; i < in->operands; i++)
        visit_all(&in->operand[i], visit, data);
}

bool ptx_has_effect(const ptx_instruction *in)
{
    static const char *const effects[] = {"atom", "call",  "bar",   "barrier", "mbarrier", "shfl",
                                          "vote", "match", "redux", "elect",   "cp"};
    if (!has_result(in) || PTX_IS_ANY(in, effects) || ptx_has(in, "cc"))
        return true;
    return ptx_is(in, "ld") &&
           (ptx_has(in, "volatile") || ptx_has(in, "acquire") || ptx_has(in, "relaxed") || ptx_has(in, "mmio"));
}

bool ptx_is_jump(const ptx_instruction *in)
{
    static const char *const jumps[] = {"bra", "brx", "ret", "exit", "trap", "brkpt"};
    return PTX_IS_ANY(in, jumps);
}
