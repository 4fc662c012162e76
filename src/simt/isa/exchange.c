/* Lanes of a warp exchange values: shfl, vote, match, redux, elect. */
#include "simt/decode/decode.h"
#include "simt/isa/special.h"

enum { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };

/* As the PTX ISA writes it; c has the clamp in bits 0-4 and the segment mask in bits 8-12. */
static void run_shfl(core *c, warp *w, const op *o, uint32_t set)
{
    (void)c;
    const rows *r = &w->frame->rows;
    u32 *d = row(r, o->d);
    const u32 *a = row(r, o->a), *b = row(r, o->b), *cc = row(r, o->c);
    uint32_t out[LANES], valid = 0;
    EACH_SET(lane, set)
    {
        int32_t bval = b[lane] & 31, cval = cc[lane] & 31, segment = cc[lane] >> 8 & 31, at = (int32_t)lane;
        int32_t most = (at & segment) | (cval & ~segment), least = at & segment;
        int32_t from = at;
        bool ok = false;
        switch (o->what) {
        case SHUFFLE_UP:
            from = at - bval;
            ok = from >= most;
            break;
        case SHUFFLE_DOWN:
            from = at + bval;
            ok = from <= most;
            break;
        case SHUFFLE_BFLY:
            from = at ^ bval;
            ok = from <= most;
            break;
        default:
            from = least | (bval & ~segment);
            ok = from <= most;
            break;
        }
        if (!ok)
            from = at;
        valid |= (uint32_t)ok << lane;
        out[lane] = a[from & 31]; /* PTX leaves open what a lane that is not in the set gives */
    }
    EACH_SET(lane, set) d[lane] = out[lane];
    if (o->count == 2) {
        u32 *p = row(r, o->target);
        *p = (*p & ~set) | valid;
    }
}

/* Lanes without .sync: those that are active, all at once. */
static bool take_members(decoder *d, op *o, bool sync, const ptx_operand *mask)
{
    o->kind = OP_SYNC;
    if (sync)
        return source(d, mask, 'w', &o->e);
    op active = new_op(d, OP_SPECIAL, GCAST_SIMT_exchange);
    active.what = SPECIAL_activemask;
    active.hidden = true;
    if (!scratch(d, 'w', &active.d) || !emit(d, &active))
        return false;
    o->e = active.d;
    return true;
}

bool decode_shfl(decoder *d, op *o)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    bool sync = take(d, "sync");
    int mode = take_of(d, modes, 4);
    ptx_type t = take_type(d);
    if (mode < 0 || t != PTX_b32)
        return decode_fail(d, "shfl of such a kind is not supported");
    uint32_t n = sync ? 5 : 4;
    if (!all_taken(d) || !operands(d, n, n))
        return false;
    const ptx_operand *x = d->in->operand, *to = &x[0];
    o->what = (uint8_t)mode;
    o->count = 1;
    if (to->kind == PTX_OP_PAIR && to->items == 2) {
        o->count = 2;
        if (!destination(d, &to->item[1], 'p', &o->target))
            return false;
        to = &to->item[0];
    }
    o->run.sync = run_shfl;
    return destination(d, to, 'w', &o->d) && source(d, &x[1], 'w', &o->a) && source(d, &x[2], 'w', &o->b) &&
           source(d, &x[3], 'w', &o->c) && take_members(d, o, sync, sync ? &x[4] : NULL) && emit(d, o);
}

enum { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };

static void run_vote(core *c, warp *w, const op *o, uint32_t set)
{
    (void)c;
    const rows *r = &w->frame->rows;
    uint32_t holds = *(const u32 *)row(r, o->a) & set;
    if (o->what == VOTE_BALLOT) {
        u32 *d = row(r, o->d);
        EACH_SET(i, set) d[i] = holds;
        return;
    }
    bool x = o->what == VOTE_ALL ? holds == set : o->what == VOTE_ANY ? holds != 0 : holds == set || holds == 0;
    u32 *p = row(r, o->d);
    *p = x ? *p | set : *p & ~set;
}

bool decode_vote(decoder *d, op *o)
{
    static const char *const modes[] = {"all", "any", "uni", "ballot"};
    bool sync = take(d, "sync");
    int mode = take_of(d, modes, 4);
    ptx_type t = take_type(d);
    if (mode < 0 || t != (mode == VOTE_BALLOT ? PTX_b32 : PTX_pred))
        return decode_fail(d, "vote of such a kind is not supported");
    uint32_t n = sync ? 3 : 2;
    const ptx_operand *x = d->in->operand;
    o->what = (uint8_t)mode;
    o->run.sync = run_vote;
    return all_taken(d) && operands(d, n, n) && destination(d, &x[0], mode == VOTE_BALLOT ? 'w' : 'p', &o->d) &&
           source(d, &x[1], 'p', &o->a) && take_members(d, o, sync, sync ? &x[2] : NULL) && emit(d, o);
}

/* o->what: all lanes must agree; o->bytes: 4 or 8. */
static void run_match(core *c, warp *w, const op *o, uint32_t set)
{
    (void)c;
    const rows *r = &w->frame->rows;
    uint64_t a[LANES];
    uint32_t out[LANES], *d = row(r, o->d);
    bool agree = true;
    EACH_SET(i, set) a[i] = o->bytes == 8 ? ((const u64 *)row(r, o->a))[i] : ((const u32 *)row(r, o->a))[i];
    EACH_SET(i, set)
    {
        out[i] = 0;
        EACH_SET(k, set) out[i] |= (uint32_t)(a[k] == a[i]) << k;
        agree &= out[i] == set;
    }
    EACH_SET(i, set) d[i] = !o->what ? out[i] : agree ? set : 0;
    if (o->count == 2) {
        u32 *p = row(r, o->b);
        *p = agree ? *p | set : *p & ~set;
    }
}

bool decode_match(decoder *d, op *o)
{
    static const char *const modes[] = {"any", "all"};
    int mode = take_of(d, modes, 2);
    bool sync = take(d, "sync");
    ptx_type t = take_type(d);
    if (mode < 0 || !sync || (t != PTX_b32 && t != PTX_b64))
        return decode_fail(d, "match of such a kind is not supported");
    if (!all_taken(d) || !operands(d, 3, 3))
        return false;
    const ptx_operand *x = d->in->operand, *to = &x[0];
    o->what = (uint8_t)mode;
    o->bytes = (uint8_t)ptx_type_bytes(t);
    o->count = 1;
    if (to->kind == PTX_OP_PAIR && to->items == 2 && mode == 1) {
        o->count = 2;
        if (!destination(d, &to->item[1], 'p', &o->b))
            return false;
        to = &to->item[0];
    }
    o->run.sync = run_match;
    return destination(d, to, 'w', &o->d) && source(d, &x[1], shape_of(t), &o->a) && take_members(d, o, true, &x[2]) &&
           emit(d, o);
}

enum { REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_AND, REDUX_OR, REDUX_XOR };

/* o->count: signed. */
static void run_redux(core *c, warp *w, const op *o, uint32_t set)
{
    (void)c;
    const rows *r = &w->frame->rows;
    const u32 *a = row(r, o->a);
    uint32_t *d = row(r, o->d), x = a[__builtin_ctz(set)];
    EACH_SET(i, set & (set - 1))
    {
        bool less = o->count ? (int32_t)a[i] < (int32_t)x : a[i] < x;
        switch (o->what) {
        case REDUX_ADD:
            x += a[i];
            break;
        case REDUX_MIN:
            x = less ? a[i] : x;
            break;
        case REDUX_MAX:
            x = less ? x : a[i];
            break;
        case REDUX_AND:
            x &= a[i];
            break;
        case REDUX_OR:
            x |= a[i];
            break;
        default:
            x ^= a[i];
            break;
        }
    }
    EACH_SET(i, set) d[i] = x;
}

bool decode_redux(decoder *d, op *o)
{
    static const char *const modes[] = {"add", "min", "max", "and", "or", "xor"};
    bool sync = take(d, "sync");
    int mode = take_of(d, modes, 6);
    ptx_type t = take_type(d);
    bool logic = mode >= REDUX_AND;
    if (mode < 0 || !sync || (logic ? t != PTX_b32 : t != PTX_u32 && t != PTX_s32))
        return decode_fail(d, "redux of such a kind is not supported");
    const ptx_operand *x = d->in->operand;
    o->what = (uint8_t)mode;
    o->count = t == PTX_s32;
    o->run.sync = run_redux;
    return all_taken(d) && operands(d, 3, 3) && destination(d, &x[0], 'w', &o->d) && source(d, &x[1], 'w', &o->a) &&
           take_members(d, o, true, &x[2]) && emit(d, o);
}

/* The lowest lane is the one. */
static void run_elect(core *c, warp *w, const op *o, uint32_t set)
{
    (void)c;
    const rows *r = &w->frame->rows;
    u32 *d = row(r, o->d), *p = row(r, o->b);
    uint32_t first = set & (0 - set);
    EACH_SET(i, set) d[i] = (uint32_t)__builtin_ctz(set);
    *p = (*p & ~set) | first;
}

bool decode_elect(decoder *d, op *o)
{
    bool sync = take(d, "sync");
    if (!sync || !all_taken(d) || !operands(d, 2, 2))
        return d->status == GCAST_OK ? decode_fail(d, "elect without .sync is not supported") : false;
    const ptx_operand *to = &d->in->operand[0];
    if (to->kind != PTX_OP_PAIR || to->items != 2)
        return decode_fail(d, "elect.sync wants d|p");
    o->run.sync = run_elect;
    return destination(d, &to->item[0], 'w', &o->d) && destination(d, &to->item[1], 'p', &o->b) &&
           take_members(d, o, true, &d->in->operand[1]) && emit(d, o);
}

bool decode_activemask(decoder *d, op *o)
{
    o->kind = OP_SPECIAL;
    o->what = SPECIAL_activemask;
    return take_type(d) == PTX_b32 && all_taken(d) && operands(d, 1, 1) &&
           destination(d, &d->in->operand[0], 'w', &o->d) && emit(d, o);
}
