/* What an instruction reads and writes, by its opcode: the first operand is the
 * result, but for those that have none. */
#include <string.h>

#include "ptx/graph/graph.h"

static bool among(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, list[i]) == 0)
            return true;
    return false;
}
#define AMONG(word, list) among(word, list, sizeof list / sizeof *list)

bool ptx_has(const ptx_instruction *in, const char *word)
{
    for (uint32_t i = 0; i < in->mods; i++)
        if (strcmp(in->mod[i], word) == 0)
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

static bool has_result(const ptx_instruction *in)
{
    static const char *const none[] = {
        "st",      "red",  "bra",   "brx",       "ret",        "exit",     "trap",           "brkpt",    "membar",
        "fence",   "call", "cp",    "prefetch",  "prefetchu",  "pmevent",  "griddepcontrol", "sust",     "discard",
        "barrier", "bar",  "wgmma", "nanosleep", "setmaxnreg", "multimem", "applypriority",  "stmatrix",
    };
    const char *op = in->opcode;
    if (in->operands == 0)
        return false;
    if (strcmp(op, "bar") == 0 || strcmp(op, "barrier") == 0)
        return ptx_has(in, "red");
    if (strcmp(op, "mbarrier") == 0)
        return !ptx_has(in, "init") && !ptx_has(in, "inval") && in->operand[0].kind != PTX_OP_ADDRESS;
    return !AMONG(op, none);
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
    if (strcmp(in->opcode, "call") == 0) {
        if (in->operands > 1 && in->operand[0].kind == PTX_OP_LIST)
            visit_all(&in->operand[0], visit, data);
    } else if (has_result(in)) {
        visit_all(&in->operand[0], visit, data);
    }
}

void ptx_each_read(const ptx_instruction *in, ptx_visit *visit, void *data)
{
    bool result =
        strcmp(in->opcode, "call") == 0 ? in->operands > 1 && in->operand[0].kind == PTX_OP_LIST : has_result(in);
    if (in->guard >= 0)
        visit(data, (uint32_t)in->guard, false);
    for (uint32_t i = result; i < in->operands; i++)
        visit_all(&in->operand[i], visit, data);
}

bool ptx_has_effect(const ptx_instruction *in)
{
    static const char *const effects[] = {"atom", "call",  "bar",   "barrier", "mbarrier", "shfl",
                                          "vote", "match", "redux", "elect",   "cp"};
    if (!has_result(in) || AMONG(in->opcode, effects) || ptx_has(in, "cc"))
        return true;
    return strcmp(in->opcode, "ld") == 0 &&
           (ptx_has(in, "volatile") || ptx_has(in, "acquire") || ptx_has(in, "relaxed") || ptx_has(in, "mmio"));
}

bool ptx_is_jump(const ptx_instruction *in)
{
    static const char *const jumps[] = {"bra", "brx", "ret", "exit", "trap", "brkpt"};
    return AMONG(in->opcode, jumps);
}
