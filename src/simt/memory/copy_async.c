/* cp.async: copies from global to shared memory that a thread does not wait
 * for. Here they are done at once, which PTX allows: a load that is part of the
 * instruction, and a store. So there is nothing left to wait for. */
#include <string.h>

#include "simt/decode/decode.h"
#include "simt/memory/memory.h"
#include "simt/report/access_counts.h"

/* Reads as many bytes as o->c says, at most all; zeros follow. */
static bool load_part(core *c, warp *w, const op *o, uint32_t m)
{
    const rows *r = &w->frame->rows;
    const u32 *sizes = row(r, o->c);
    uint32_t whole = (uint32_t)o->bytes * o->count, reading = 0;
    uint64_t address[LANES];
    memory_addresses(w, o, m, address);
    EACH_SET(i, m)
    {
        uint32_t values[4] = {0}, size = sizes[i];
        if (size > whole)
            return machine_fail(c, w, o, (int)i, "copies %u of %u bytes", size, whole);
        if (address[i] % whole)
            return machine_fail(c, w, o, (int)i, "reads %u bytes at 0x%llx, which is misaligned", whole,
                                (unsigned long long)address[i]);
        for (uint32_t k = 0; k < size; k++) {
            const char *at = memory_at(c, w, o, i, address[i] + k, 1, false);
            if (!at)
                return false;
            memcpy((char *)values + k, at, 1);
        }
        reading |= (uint32_t)(size != 0) << i;
        for (uint32_t k = 0; k < o->count; k++)
            ((u32 *)row(r, o->more[k]))[i] = values[k];
    }
    if (c->machine->options->profile && reading)
        counts_access(c, w, o, reading);
    return true;
}

/* The fourth operand: how much to read, or whether to read nothing. */
static bool decode_size(decoder *d, op *load, const ptx_operand *x, uint32_t whole)
{
    load->run.memory = load_part;
    if (x->kind != PTX_OP_REG || d->fn->reg[x->reg].type != PTX_pred)
        return source(d, x, 'w', &load->c);
    op select = new_op(d, OP_LANES, GCAST_SIMT_compare);
    select.hidden = true;
    select.run.lanes = lanes_select_32;
    if (!scratch(d, 'w', &select.d) || !constant_row(d, 0, false, &select.a) ||
        !constant_row(d, whole, false, &select.b) || !source(d, x, 'p', &select.c) || !emit(d, &select))
        return false;
    load->c = select.d;
    return true;
}

static bool decode_copy(decoder *d, op *o)
{
    static const char *const hints[] = {"ca",     "cg",      "shared",   "shared::cta",
                                        "global", "L2::64B", "L2::128B", "L2::256B"};
    const ptx_operand *x = d->in->operand;
    uint64_t whole;
    take_hints(d, hints, sizeof hints / sizeof *hints);
    uint32_t most = take(d, "L2::cache_hint") ? 4 : 3;
    if (!all_taken(d) || !operands(d, most, most + 1) || !immediate(d, &x[2], &whole))
        return false;
    if (whole != 4 && whole != 8 && whole != 16)
        return decode_fail(d, "cp.async copies 4, 8 or 16 bytes");
    op load = new_op(d, OP_MEMORY, GCAST_SIMT_global_memory);
    load.hidden = true;
    load.run.memory = memory_load;
    if (!decode_address(d, &x[1], PTX_SPACE_global, &load) || !decode_address(d, &x[0], PTX_SPACE_shared, o) ||
        (d->in->operands > most && !decode_size(d, &load, &x[3], (uint32_t)whole)))
        return false;
    slot *more = arena_alloc_array(&d->program->memory, 4, sizeof *more);
    if (!more)
        return decode_fail_memory(d);
    for (uint64_t k = 0; k < whole / 4; k++)
        if (!scratch(d, 'w', &more[k]))
            return false;
    load.bytes = o->bytes = 4;
    load.count = o->count = (uint8_t)(whole / 4);
    load.e = o->e = 4;
    load.more = o->more = more;
    o->kind = OP_MEMORY;
    o->run.memory = memory_store;
    return emit(d, &load) && emit(d, o);
}

bool decode_cp(decoder *d, op *o)
{
    if (!take(d, "async") || (d->in->mods > 1 && strncmp(d->in->mod[1], "bulk", 4) == 0))
        return decode_unknown(d);
    if (take(d, "mbarrier"))
        return decode_copy_arrive(d, o);
    uint32_t groups = take(d, "wait_group");
    if (!groups && !take(d, "commit_group") && !take(d, "wait_all"))
        return decode_copy(d, o);
    o->kind = OP_NOTHING;
    o->mix = GCAST_SIMT_barrier;
    return all_taken(d) && operands(d, groups, groups) && emit(d, o);
}
