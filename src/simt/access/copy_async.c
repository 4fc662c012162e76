/* cp.async: asynchronous copies from global to shared memory. Here they happen
 * at once, which PTX allows, as a hidden load and a store, so nothing is left
 * to wait for. */
#include <string.h>

#include "simt/access/access.h"
#include "simt/access/access_instructions.h"
#include "simt/decode/address.h"
#include "simt/decode/basic_lanes.h"
#include "simt/decode/emit.h"
#include "simt/decode/modifiers.h"
#include "simt/decode/operands.h"
#include "simt/decode/rows.h"
#include "simt/decode/state.h"
#include "simt/machine/fail.h"
#include "simt/machine/machine.h"
#include "simt/memory/access_counts.h"
#include "simt/memory/memory.h"

/* Loads as many bytes as row o->c says, and fills up with zeros. */
static bool load_part(core *c, warp *w, const op *o, uint32_t m)
{
    const rows *r = &w->frame->rows;
    const u32 *sizes = row(r, o->c);
    uint32_t copy_bytes = (uint32_t)o->bytes * o->count, reading = 0;
    uint64_t address[LANES];
    memory_addresses(w, o, m, address);
    EACH_SET(i, m)
    {
        uint32_t values[4] = {0}, size = sizes[i];
        if (size > copy_bytes)
            return machine_fail(c, w, o, (int)i, "copies %u of %u bytes", size, copy_bytes);
        if (address[i] % copy_bytes)
            return machine_fail(c, w, o, (int)i, "reads %u bytes at 0x%llx, which is misaligned", copy_bytes,
                                (unsigned long long)address[i]);
        for (uint32_t k = 0; k < size; k++) {
            const char *at = memory_pointer(c, w, o, i, address[i] + k, 1, false);
            if (!at)
                return false;
            memcpy((char *)values + k, at, 1);
        }
        reading |= (uint32_t)(size != 0) << i;
        for (uint32_t k = 0; k < o->count; k++)
            ((u32 *)row(r, o->list[k]))[i] = values[k];
    }
    if (c->machine->options->profile && reading)
        counts_access(c, w, o, reading);
    return true;
}

/* The fourth operand: how many bytes to read, or a predicate: whether to read none. */
static bool decode_size(decoder *d, op *load, const ptx_operand *x, uint32_t copy_bytes)
{
    load->run.memory = load_part;
    if (x->kind != PTX_OP_REG || d->fn->reg[x->reg].type != PTX_pred)
        return source(d, x, 'w', &load->c);
    op select = new_op(d, OP_LANES, GCAST_SIMT_compare);
    select.hidden = true;
    select.run.lanes = lanes_select_32;
    if (!scratch(d, 'w', &select.d) || !constant_row(d, 0, false, &select.a) ||
        !constant_row(d, copy_bytes, false, &select.b) || !source(d, x, 'p', &select.c) || !emit(d, &select))
        return false;
    load->c = select.d;
    return true;
}

static bool decode_copy(decoder *d, op *o)
{
    static const char *const hints[] = {"ca",     "cg",      "shared",   "shared::cta",
                                        "global", "L2::64B", "L2::128B", "L2::256B"};
    const ptx_operand *x = d->in->operand;
    uint64_t copy_bytes;
    take_hints(d, hints, sizeof hints / sizeof *hints);
    uint32_t min_operands = take(d, "L2::cache_hint") ? 4 : 3;
    if (!all_taken(d) || !has_operands(d, min_operands, min_operands + 1) || !immediate(d, &x[2], &copy_bytes))
        return false;
    if (copy_bytes != 4 && copy_bytes != 8 && copy_bytes != 16)
        return decode_fail(d, "cp.async copies 4, 8 or 16 bytes");
    op load = new_op(d, OP_MEMORY, GCAST_SIMT_global_memory);
    load.hidden = true;
    load.run.memory = memory_load;
    if (!decode_address(d, &x[1], PTX_SPACE_global, &load) || !decode_address(d, &x[0], PTX_SPACE_shared, o) ||
        (d->in->operands > min_operands && !decode_size(d, &load, &x[3], (uint32_t)copy_bytes)))
        return false;
    slot *words = arena_alloc_array(&d->program->memory, 4, sizeof *words);
    if (!words)
        return decode_fail_memory(d);
    for (uint64_t k = 0; k < copy_bytes / 4; k++)
        if (!scratch(d, 'w', &words[k]))
            return false;
    load.bytes = o->bytes = 4;
    load.count = o->count = (uint8_t)(copy_bytes / 4);
    load.e = o->e = 4;
    load.list = o->list = words;
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
    return all_taken(d) && has_operands(d, groups, groups) && emit(d, o);
}
