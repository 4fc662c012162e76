/* Lanes of a warp exchange values: shfl, vote, match, redux, elect. */
#include "ptx/ptx.h"
#include "simt/isa/decoder.h"
#include "simt/isa/operands.h"
#include "simt/machine/machine.h"
#include "simt/machine/special_registers.h"
#include "simt/program/program.h"

enum { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };

/* shfl as the PTX ISA defines it: row c has the clamp in bits 0 to 4 and the segment mask in bits 8 to 12. */
static void run_shfl(core *c, warp *w, const op *o, uint32_t members)
{
    (void)c;
    const rows *r = &w->frame->rows;
    u32 *d = row(r, o->d);
    const u32 *a = row(r, o->a), *b = row(r, o->b), *cc = row(r, o->c);
    uint32_t out[LANES], valid = 0;
    EACH_SET(lane, members)
    {
        int32_t bval = b[lane] & 31, cval = cc[lane] & 31, segment = cc[lane] >> 8 & 31, at = (int32_t)lane;
        int32_t max_lane = (at & segment) | (cval & ~segment), min_lane = at & segment;
        int32_t source_lane;
        bool ok = false;
        switch (o->variant) {
        case SHUFFLE_UP:
            source_lane = at - bval;
            ok = source_lane >= max_lane;
            break;
        case SHUFFLE_DOWN:
            source_lane = at + bval;
            ok = source_lane <= max_lane;
            break;
        case SHUFFLE_BFLY:
            source_lane = at ^ bval;
            ok = source_lane <= max_lane;
            break;
        default:
            source_lane = min_lane | (bval & ~segment);
            ok = source_lane <= max_lane;
            break;
        }
        if (!ok)
            source_lane = at;
        valid |= (uint32_t)ok << lane;
        out[lane] = a[source_lane & 31]; /* PTX does not define the value of a lane outside of the member mask */
    }
    EACH_SET(lane, members) d[lane] = out[lane];
    if (o->count == 2) {
        u32 *p = row(r, o->target);
        *p = (*p & ~members) | valid;
    }
}

/* Decodes the member mask; without .sync it is the mask of active lanes. */
static bool take_members(decoder *d, op *o, bool sync, const ptx_operand *mask)
{
    o->kind = OP_SYNC;
    if (sync)
        return source(d, mask, 'w', &o->e);
    op active = new_op(d, OP_SPECIAL, GCAST_SIMT_exchange);
    active.variant = SPECIAL_activemask;
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
    int mode = take_any_of(d, modes, 4);
    ptx_type t = take_type(d);
    if (mode < 0 || t != PTX_b32)
        return decode_fail(d, "shfl of such a kind is not supported");
    uint32_t n = sync ? 5 : 4;
    if (!all_taken(d) || !has_operands(d, n, n))
        return false;
    const ptx_operand *x = d->in->operand, *result = &x[0];
    o->variant = (uint8_t)mode;
    o->count = 1;
    if (result->kind == PTX_OP_PAIR && result->items == 2) {
        o->count = 2;
        if (!destination(d, &result->item[1], 'p', &o->target))
            return false;
        result = &result->item[0];
    }
    o->run.sync = run_shfl;
    return destination(d, result, 'w', &o->d) && source(d, &x[1], 'w', &o->a) && source(d, &x[2], 'w', &o->b) &&
           source(d, &x[3], 'w', &o->c) && take_members(d, o, sync, sync ? &x[4] : NULL) && emit(d, o);
}

enum { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };

static void run_vote(core *c, warp *w, const op *o, uint32_t members)
{
    (void)c;
    const rows *r = &w->frame->rows;
    uint32_t holds = *(const u32 *)row(r, o->a) & members;
    if (o->variant == VOTE_BALLOT) {
        u32 *d = row(r, o->d);
        EACH_SET(i, members) d[i] = holds;
        return;
    }
    bool x = o->variant == VOTE_ALL   ? holds == members
             : o->variant == VOTE_ANY ? holds != 0
                                      : holds == members || holds == 0;
    u32 *p = row(r, o->d);
    *p = x ? *p | members : *p & ~members;
}

bool decode_vote(decoder *d, op *o)
{
    static const char *const modes[] = {"all", "any", "uni", "ballot"};
    bool sync = take(d, "sync");
    int mode = take_any_of(d, modes, 4);
    ptx_type t = take_type(d);
    if (mode < 0 || t != (mode == VOTE_BALLOT ? PTX_b32 : PTX_pred))
        return decode_fail(d, "vote of such a kind is not supported");
    uint32_t n = sync ? 3 : 2;
    const ptx_operand *x = d->in->operand;
    o->variant = (uint8_t)mode;
    o->run.sync = run_vote;
    return all_taken(d) && has_operands(d, n, n) && destination(d, &x[0], mode == VOTE_BALLOT ? 'w' : 'p', &o->d) &&
           source(d, &x[1], 'p', &o->a) && take_members(d, o, sync, sync ? &x[2] : NULL) && emit(d, o);
}

/* o->variant: 1 for match.all; o->bytes: 4 or 8. */
static void run_match(core *c, warp *w, const op *o, uint32_t members)
{
    (void)c;
    const rows *r = &w->frame->rows;
    uint64_t a[LANES];
    uint32_t out[LANES], *d = row(r, o->d);
    bool agree = true;
    EACH_SET(i, members) a[i] = lane_read(r, o->a, i, o->bytes == 8);
    EACH_SET(i, members)
    {
        out[i] = 0;
        EACH_SET(k, members) out[i] |= (uint32_t)(a[k] == a[i]) << k;
        agree &= out[i] == members;
    }
    EACH_SET(i, members) d[i] = !o->variant ? out[i] : agree ? members : 0;
    if (o->count == 2) {
        u32 *p = row(r, o->b);
        *p = agree ? *p | members : *p & ~members;
    }
}

bool decode_match(decoder *d, op *o)
{
    static const char *const modes[] = {"any", "all"};
    int mode = take_any_of(d, modes, 2);
    bool sync = take(d, "sync");
    ptx_type t = take_type(d);
    if (mode < 0 || !sync || (t != PTX_b32 && t != PTX_b64))
        return decode_fail(d, "match of such a kind is not supported");
    if (!all_taken(d) || !has_operands(d, 3, 3))
        return false;
    const ptx_operand *x = d->in->operand, *result = &x[0];
    o->variant = (uint8_t)mode;
    o->bytes = (uint8_t)ptx_type_bytes(t);
    o->count = 1;
    if (result->kind == PTX_OP_PAIR && result->items == 2 && mode == 1) {
        o->count = 2;
        if (!destination(d, &result->item[1], 'p', &o->b))
            return false;
        result = &result->item[0];
    }
    o->run.sync = run_match;
    return destination(d, result, 'w', &o->d) && source(d, &x[1], shape_of(t), &o->a) &&
           take_members(d, o, true, &x[2]) && emit(d, o);
}

enum { REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_AND, REDUX_OR, REDUX_XOR };

/* o->count: the values are signed. */
static void run_redux(core *c, warp *w, const op *o, uint32_t members)
{
    (void)c;
    const rows *r = &w->frame->rows;
    const u32 *a = row(r, o->a);
    uint32_t *d = row(r, o->d), x = a[__builtin_ctz(members)];
    EACH_SET(i, members & (members - 1))
    {
        bool less = o->count ? (int32_t)a[i] < (int32_t)x : a[i] < x;
        switch (o->variant) {
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
    EACH_SET(i, members) d[i] = x;
}

bool decode_redux(decoder *d, op *o)
{
    static const char *const modes[] = {"add", "min", "max", "and", "or", "xor"};
    bool sync = take(d, "sync");
    int mode = take_any_of(d, modes, 6);
    ptx_type t = take_type(d);
    bool logic = mode >= REDUX_AND;
    if (mode < 0 || !sync || (logic ? t != PTX_b32 : t != PTX_u32 && t != PTX_s32))
        return decode_fail(d, "redux of such a kind is not supported");
    const ptx_operand *x = d->in->operand;
    o->variant = (uint8_t)mode;
    o->count = t == PTX_s32;
    o->run.sync = run_redux;
    return all_taken(d) && has_operands(d, 3, 3) && destination(d, &x[0], 'w', &o->d) && source(d, &x[1], 'w', &o->a) &&
           take_members(d, o, true, &x[2]) && emit(d, o);
}

/* The lowest lane is elected. */
static void run_elect(core *c, warp *w, const op *o, uint32_t members)
{
    (void)c;
    const rows *r = &w->frame->rows;
    u32 *d = row(r, o->d), *p = row(r, o->b);
    uint32_t first = members & (0 - members);
    EACH_SET(i, members) d[i] = (uint32_t)__builtin_ctz(members);
    *p = (*p & ~members) | first;
}

bool decode_elect(decoder *d, op *o)
{
    bool sync = take(d, "sync");
    if (!sync || !all_taken(d) || !has_operands(d, 2, 2))
        return d->status == GCAST_OK ? decode_fail(d, "elect without .sync is not supported") : false;
    const ptx_operand *result = &d->in->operand[0];
    if (result->kind != PTX_OP_PAIR || result->items != 2)
        return decode_fail(d, "elect.sync wants d|p");
    o->run.sync = run_elect;
    return destination(d, &result->item[0], 'w', &o->d) && destination(d, &result->item[1], 'p', &o->b) &&
           take_members(d, o, true, &d->in->operand[1]) && emit(d, o);
}

bool decode_activemask(decoder *d, op *o)
{
    o->kind = OP_SPECIAL;
    o->variant = SPECIAL_activemask;
    return take_type(d) == PTX_b32 && all_taken(d) && has_operands(d, 1, 1) &&
           destination(d, &d->in->operand[0], 'w', &o->d) && emit(d, o);
}
