/* Statements of random programs as PTX. Temporaries: %t %u %g %q; labels have
 * the number of their node. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "property/program_print.h"

static const char letters[] = "awhfdp";

static void print_guard(printer *p, int guard)
{
    if (guard)
        text_printf(&p->out, "@%s%%p%d ", guard < 0 ? "!" : "", abs(guard) - 1);
}

static void print_source(printer *p, const source_operand *s, int kind)
{
    if (!s->immediate)
        text_printf(&p->out, "%%%c%d", letters[kind], s->reg);
    else if (kind == KIND_F)
        text_printf(&p->out, "0f%08" PRIX64, s->bits);
    else if (kind == KIND_D)
        text_printf(&p->out, "0d%016" PRIX64, s->bits);
    else
        text_printf(&p->out, "0x%" PRIx64, s->bits);
}

/* Text with $n for operands; each instruction gets the guard. */
static void print_template(printer *p, const node *n, const char *s, const char *shape)
{
    print_guard(p, n->guard);
    for (; *s; s++) {
        if (*s == '$') {
            int operand = *++s - '0';
            if (operand == 0)
                text_printf(&p->out, "%%%c%d", shape[0], n->d);
            else
                print_source(p, &n->source[operand - 1], kind_of(shape[operand]));
        } else if (*s == ';') {
            text_str(&p->out, ";\n");
            print_guard(p, n->guard);
            s++; /* the space */
        } else {
            text_printf(&p->out, "%c", *s);
        }
    }
    text_str(&p->out, ";\n");
}

/* The base of a space in %u2, or in %t2 where addresses have 32 bits. */
static bool print_base(printer *p, const node *n)
{
    static const char *const names[] = {"", "local", "shared", "shared", "const"};
    text *o = &p->out;
    bool wide = true;
    if (n->space == SPACE_GLOBAL) {
        text_str(o, "mov.u64 %u2, %own;\n");
        return true;
    }
    if (n->space == SPACE_SHARED || n->space == SPACE_OTHERS) {
        wide = n->generic;
        if (n->space == SPACE_SHARED)
            text_str(o, "mov.u32 %t2, %sown;\n");
        else
            text_printf(o, "rem.u32 %%t2, %%a%d, %%ntid_;\nmad.lo.u32 %%t2, %%t2, %d, %%sbase;\n",
                        (n->source[0].reg + 1) % REGISTERS, SHARED_BYTES);
        if (wide)
            text_str(o, "cvt.u64.u32 %u2, %t2;\n");
    } else {
        text_printf(o, "mov.u64 %%u2, %s;\n", n->space == SPACE_LOCAL ? "loc" : "table");
    }
    if (n->generic)
        text_printf(o, "cvta.%s.u64 %%u2, %%u2;\n", names[n->space]);
    return wide;
}

static void print_access(printer *p, const node *n)
{
    static const char *const names[] = {".global", ".local", ".shared", ".shared", ".const"};
    static const int bytes[] = {GLOBAL_BYTES, LOCAL_BYTES, SHARED_BYTES, SHARED_BYTES, CONST_BYTES};
    const tree_type *t = &tree_types[n->op];
    int unit = t->bytes * n->vector, space_bytes = bytes[n->space], offset = 0;
    text *o = &p->out;
    bool wide = print_base(p, n);
    if (n->fixed) {
        offset = (int)n->source[0].bits * unit % space_bytes;
    } else {
        text_printf(o, "and.b32 %%t1, %%a%d, %d;\n", n->source[0].reg, space_bytes / unit - 1);
        if (wide)
            text_printf(o, "mad.wide.u32 %%u2, %%t1, %d, %%u2;\n", unit);
        else
            text_printf(o, "mad.lo.u32 %%t2, %%t1, %d, %%t2;\n", unit);
    }
    char address[32], vector[16] = "", values[64] = "";
    snprintf(address, sizeof address, "[%%%s+%d]", wide ? "u2" : "t2", offset);
    if (n->vector > 1)
        snprintf(vector, sizeof vector, ".v%d", n->vector);
    for (int i = 0; i < n->vector; i++)
        snprintf(values + strlen(values), sizeof values - strlen(values), "%s%%%c%d", i ? ", " : "", letters[t->kind],
                 (n->d + i) % REGISTERS);
    print_guard(p, n->guard);
    text_printf(o, "%s%s%s.%s ", n->kind == NODE_LOAD ? "ld" : "st", n->generic ? "" : names[n->space], vector,
                t->name);
    const char *open = n->vector > 1 ? "{" : "", *close = n->vector > 1 ? "}" : "";
    if (n->kind == NODE_LOAD)
        text_printf(o, "%s%s%s, %s;\n", open, values, close, address);
    else
        text_printf(o, "%s, %s%s%s;\n", address, open, values, close);
}

static void print_atomic(printer *p, const node *n)
{
    bool counts = n->kind == NODE_COUNT, shared = n->space == SPACE_SHARED;
    const char *name = counts ? counter_names[n->op] : atomic_names[n->op], *where = shared ? ".shared" : ".global";
    text *o = &p->out;
    char base[16], value[32];
    snprintf(base, sizeof base, "%%%s", counts ? (shared ? "scount" : "count") : shared ? "sown" : "own");
    if (n->generic) {
        if (shared)
            text_printf(o, "cvt.u64.u32 %%u2, %s;\ncvta.shared.u64 %%u2, %%u2;\n", base);
        else
            text_printf(o, "mov.u64 %%u2, %s;\n", base);
        snprintf(base, sizeof base, "%%u2");
        where = "";
    }
    snprintf(value, sizeof value, "%%a%d", n->source[0].reg);
    if (counts && n->op == 6)
        snprintf(value, sizeof value, "1000");
    print_guard(p, n->guard);
    if (counts && n->form == 0)
        text_printf(o, "red%s.%s [%s+%d], %s;\n", where, name, base, 4 * n->op, value);
    else if (counts)
        text_printf(o, "atom%s.%s %s, [%s+%d], %s;\n", where, name, n->form == 1 ? "_" : "%unread", base, 4 * n->op,
                    value);
    else
        text_printf(o, "atom%s.%s %%a%d, [%s+%d], %s", where, name, n->d, base, 4 * n->source[2].reg, value);
    if (!counts && n->op == 2)
        text_printf(o, ", %%a%d", n->source[1].reg);
    if (!counts)
        text_str(o, ";\n");
}

static void print_if(printer *p, const node *n, int i)
{
    text *o = &p->out;
    bool swapped = n->form & 1;
    print_guard(p, swapped ? n->guard : -n->guard);
    text_printf(o, "bra E%d;\n", i);
    program_print_list(p, n->child[swapped ? 1 : 0]);
    text_printf(o, "bra J%d;\nE%d:\n", i, i);
    program_print_list(p, n->child[swapped ? 0 : 1]);
    text_printf(o, "J%d:\n", i);
}

static void print_loop(printer *p, const node *n, int i)
{
    text *o = &p->out;
    int outer = p->loop, c = n->level;
    p->loop = i;
    if (n->form & 2)
        text_printf(o, "mov.u32 %%c%d, %d;\n", c, n->form >> 2 & 7);
    else
        text_printf(o, "and.b32 %%c%d, %%a%d, 7;\n", c, n->source[0].reg);
    if (n->form & 1) {
        text_printf(o, "L%d:\n", i);
        program_print_list(p, n->child[0]);
        text_printf(o, "N%d:\nsub.u32 %%c%d, %%c%d, 1;\nsetp.gt.s32 %%q0, %%c%d, 0;\n@%%q0 bra L%d;\n", i, c, c, c, i);
    } else {
        text_printf(o, "N%d:\nsetp.eq.u32 %%q0, %%c%d, 0;\n@%%q0 bra J%d;\nsub.u32 %%c%d, %%c%d, 1;\n", i, c, i, c, c);
        program_print_list(p, n->child[0]);
        text_printf(o, "bra N%d;\n", i);
    }
    text_printf(o, "J%d:\n", i);
    p->loop = outer;
}

static void print_switch(printer *p, const node *n, int i)
{
    text *o = &p->out;
    text_printf(o, "and.b32 %%t1, %%a%d, 3;\nT%d: .branchtargets C%d_0, C%d_1, C%d_2, C%d_3;\nbrx.idx %%t1, T%d;\n",
                n->source[0].reg, i, i, i, i, i, i);
    for (int k = 0; k < 4; k++) {
        text_printf(o, "C%d_%d:\n", i, k);
        program_print_list(p, n->child[k]);
        if (!(n->form >> k & 1))
            text_printf(o, "bra J%d;\n", i);
    }
    text_printf(o, "J%d:\n", i);
}

static void print_leave(printer *p, const node *n, int i)
{
    text *o = &p->out;
    if (n->kind != NODE_EXIT) {
        print_guard(p, n->guard);
        text_printf(o, "bra %c%d;\n", n->kind == NODE_BREAK ? 'J' : 'N', p->loop);
    } else if (!n->form || p->function == 0) {
        print_guard(p, n->guard);
        text_str(o, n->form ? "ret;\n" : "exit;\n");
    } else {
        print_guard(p, -n->guard);
        text_printf(o, "bra J%d;\nst.param.b32 [result], %%a0;\nret;\nJ%d:\n", i, i);
    }
}

/* PTX wants st.param right before the call, ld.param right behind it, and neither guarded. */
static void print_call(printer *p, const node *n, int i)
{
    text *o = &p->out;
    const char *guard = n->form == 1 ? "@%q0 " : "";
    text_str(o, "setp.ne.u32 %q0, %depth, 0;\n");
    if (n->form != 1)
        text_printf(o, "@!%%q0 bra J%d;\n", i);
    text_str(o, "{\n.param .b32 to_x;\n.param .b32 to_n;\n.param .b64 to_m;\n.param .b64 to_k;\n.param .b32 from;\n"
                "sub.u32 %t1, %depth, 1;\n");
    if (n->form == 2)
        text_printf(
            o,
            "mov.u64 %%u1, f%d;\nmov.u64 %%u2, f%d;\nselp.b64 %%u1, %%u2, %%u1, %%p0;\n"
            "P%d: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _, .param .b64 _, .param .b64 _);\n",
            n->op, FUNCTIONS - n->op, i);
    text_printf(o,
                "st.param.b32 [to_x], %%a%d;\nst.param.b32 [to_n], %%t1;\n"
                "st.param.b64 [to_m], %%own;\nst.param.b64 [to_k], %%count;\n",
                n->source[0].reg);
    if (n->form == 2)
        text_printf(o, "call (from), %%u1, (to_x, to_n, to_m, to_k), P%d;\n", i);
    else
        text_printf(o, "%scall (from), f%d, (to_x, to_n, to_m, to_k);\n", guard, n->op);
    text_printf(o, "ld.param.b32 %%t1, [from];\n}\n%smov.b32 %%a%d, %%t1;\n", guard, n->d);
    if (n->form != 1)
        text_printf(o, "J%d:\n", i);
}

static void print_barrier(printer *p, int form)
{
    static const char *const forms[] = {"bar.sync 0;\n", "bar.sync 1;\n", "barrier.sync 0;\n",
                                        "barrier.cta.sync.aligned 2;\n"};
    if (form % 5 < 4)
        text_str(&p->out, forms[form % 5]);
    else if (p->tree->block % 32 || p->tree->exits)
        text_str(&p->out, forms[0]);
    else
        text_printf(&p->out, "bar.sync 3, %u;\n", p->tree->block);
}

static void print_exchange(printer *p, const node *n)
{
    static const char *const shuffles[] = {"idx", "up", "down", "bfly"};
    static const char *const reds[] = {"popc.u32", "and.pred", "or.pred"};
    text *o = &p->out;
    int form = p->tree->block % 32 ? n->form & 1 : n->form & 3, red = n->form % 3;
    if (n->kind == NODE_AGREE) {
        text_printf(o, "bar.red.%s %%%s, 4, %%p%d;\n", reds[red], red ? "q0" : "t1", n->source[1].reg);
        if (red)
            text_str(o, "selp.u32 %t1, 1, 0, %q0;\n");
        text_printf(o, "mov.u32 %%a%d, %%t1;\n", n->d);
        return;
    }
    if (form == 0)
        text_printf(o, "rem.u32 %%t1, %%a%d, %%lanes;\n", n->source[1].reg);
    else
        text_printf(o, "mov.u32 %%t1, %%a%d;\n", n->source[1].reg);
    text_printf(o, "shfl.sync.%s.b32 %%a%d|%%p%d, %%a%d, %%t1, %d, -1;\n", shuffles[form], n->d, n->d, n->source[0].reg,
                form == 1 ? 0 : 31);
}

/* With a guard, lanes vote for which it holds: on a path of their own, or on that of all. */
static void print_vote(printer *p, const node *n, int i)
{
    node v = *n;
    char words[100];
    v.source[0].reg = n->source[1].reg;
    v.source[1].reg = n->source[0].reg;
    snprintf(words, sizeof words, "%s", vote_texts[n->op]);
    char *mask = strstr(words, "-1");
    if (n->guard) {
        text_printf(&p->out, "vote.sync.ballot.b32 %%t3, %s%%p%d, -1;\n", n->guard < 0 ? "!" : "", abs(n->guard) - 1);
        snprintf(mask, sizeof words - (size_t)(mask - words), "%%t3%s", strstr(vote_texts[n->op], "-1") + 2);
    }
    if (n->guard && n->form & 1) {
        print_guard(p, -n->guard);
        text_printf(&p->out, "bra J%d;\n", i);
        v.guard = 0;
    }
    print_template(p, &v, words, "apa");
    if (n->guard && n->form & 1)
        text_printf(&p->out, "J%d:\n", i);
}

static void print_together(printer *p, const node *n, int i)
{
    text *o = &p->out;
    if (n->kind == NODE_REPEAT) {
        text_printf(o, "mov.u32 %%c%d, %d;\nL%d:\n", n->level, 1 + n->form % 3, i);
        program_print_list(p, n->child[0]);
        text_printf(o, "sub.u32 %%c%d, %%c%d, 1;\nsetp.ne.u32 %%q0, %%c%d, 0;\n@%%q0 bra L%d;\n", n->level, n->level,
                    n->level, i);
    } else if (n->kind == NODE_HALF) {
        text_printf(o, "mov.u32 %%t1, %%ctaid.x;\nand.b32 %%t1, %%t1, 1;\nsetp.eq.u32 %%q0, %%t1, 0;\n@%%q0 bra E%d;\n",
                    i);
        program_print_list(p, n->child[0]);
        text_printf(o, "bra J%d;\nE%d:\n", i, i);
        program_print_list(p, n->child[1]);
        text_printf(o, "J%d:\n", i);
    } else if (n->kind == NODE_PHASE) {
        print_barrier(p, n->form);
        program_print_list(p, n->child[0]);
        print_barrier(p, n->form >> 4);
    } else if (n->kind == NODE_VOTE) {
        print_vote(p, n, i);
    } else {
        print_exchange(p, n);
    }
}

void program_print_list(printer *p, int first)
{
    static void (*const branches[])(printer *, const node *, int) = {
        [NODE_IF] = print_if,       [NODE_LOOP] = print_loop,      [NODE_SWITCH] = print_switch,
        [NODE_BREAK] = print_leave, [NODE_CONTINUE] = print_leave, [NODE_EXIT] = print_leave,
        [NODE_CALL] = print_call,
    };
    for (int i = first; i >= 0; i = p->tree->node[i].next) {
        const node *n = &p->tree->node[i];
        if (n->skipped)
            continue;
        if (n->kind == NODE_OP)
            print_template(p, n, tree_ops[n->op].text, tree_ops[n->op].shape);
        else if (n->kind == NODE_LOAD || n->kind == NODE_STORE)
            print_access(p, n);
        else if (n->kind == NODE_ATOMIC || n->kind == NODE_COUNT)
            print_atomic(p, n);
        else if (n->kind >= NODE_REPEAT)
            print_together(p, n, i);
        else
            branches[n->kind](p, n, i);
    }
}
