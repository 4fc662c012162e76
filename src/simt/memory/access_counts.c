/* Counts memory accesses as profilers do. Global memory: sectors of 32 bytes that a request touches. Shared memory:
 * wavefronts over 32 banks of 4 bytes, where different words of one bank need one wavefront each; 8-byte accesses take
 * half-warps one after the other, 16-byte accesses quarter-warps, and two of these can be merged. Atomics: rounds at
 * one address. */
#include "simt/memory/access_counts.h"

#include "base/integers.h"
#include "simt/memory/memory.h"
#include "simt/program/program.h"

#define SECTOR_BYTES 32
#define BANKS 32

static uint32_t count_sectors(const uint64_t address[LANES], uint32_t m, uint32_t bytes)
{
    uint64_t seen[LANES * 2];
    uint32_t n = 0;
    EACH_SET(i, m)
    for (uint64_t s = address[i] / SECTOR_BYTES; s <= (address[i] + bytes - 1) / SECTOR_BYTES; s++) {
        uint32_t k = 0;
        while (k < n && seen[k] != s)
            k++;
        if (k == n)
            seen[n++] = s;
    }
    return n;
}

/* The maximum of different words in one bank that these lanes access. */
static uint32_t bank_conflicts(const uint64_t address[LANES], uint32_t m, uint32_t bytes)
{
    uint64_t seen[LANES * 8];
    uint32_t n = 0, in_bank[BANKS] = {0}, max = 0;
    EACH_SET(i, m)
    for (uint64_t word = address[i] / 4; word <= (address[i] + bytes - 1) / 4; word++) {
        uint32_t k = 0;
        while (k < n && seen[k] != word)
            k++;
        if (k < n)
            continue;
        seen[n++] = word;
        max = max_u32(max, ++in_bank[word % BANKS]);
    }
    return max;
}

/* Does each lane have the address of the lane i XOR distance? */
static bool have_same_address(const uint64_t address[LANES], uint32_t m, uint32_t distance)
{
    EACH_SET(i, m)
    if (m >> (i ^ distance) & 1 && address[i ^ distance] != address[i])
        return false;
    return true;
}

/* Two parts of a warp are merged if each lane has the address of its neighbour, or each lane that of the lane at
 * distance two, as measured on an H200 (tests/data/bridge/l1-shared.txt). */
static uint32_t count_wavefronts(const uint64_t address[LANES], uint32_t m, uint32_t bytes)
{
    if (bytes <= 4)
        return bank_conflicts(address, m, bytes);
    uint32_t lanes = bytes <= 8 ? LANES / 2 : LANES / 4, total = 0;
    for (uint32_t first = 0; first < LANES; first += 2 * lanes) {
        uint32_t low = m & ((1u << lanes) - 1) << first, high = m & ((1u << lanes) - 1) << (first + lanes);
        if (have_same_address(address, low | high, 1) || have_same_address(address, low | high, 2))
            total += bank_conflicts(address, low | high, bytes);
        else
            total += bank_conflicts(address, low, bytes) + bank_conflicts(address, high, bytes);
    }
    return total;
}

static uint32_t count_rounds(const uint64_t address[LANES], uint32_t m)
{
    uint32_t max = 0;
    EACH_SET(i, m)
    {
        uint32_t same = 0;
        EACH_SET(k, m) same += address[k] == address[i];
        max = max_u32(max, same);
    }
    return max;
}

void counts_shape(const warp *w, const op *o, uint32_t m, access *out)
{
    bool atomic = o->mix == GCAST_SIMT_atomic;
    uint32_t bytes = atomic ? o->bytes : (uint32_t)o->bytes * o->count;
    out->global = out->shared = 0;
    memory_addresses(w, o, m, out->address);
    EACH_SET(i, m)
    {
        uint64_t at = out->address[i];
        bool in_window = at >> 32 == SHARED_WINDOW >> 32;
        bool is_shared = o->space == PTX_SPACE_shared || (o->space == PTX_SPACE_NONE && in_window);
        bool is_global = o->space == PTX_SPACE_global || (o->space == PTX_SPACE_NONE && at >= MEMORY_BASE);
        out->shared |= (uint32_t)is_shared << i;
        out->global |= (uint32_t)is_global << i;
    }
    out->atomic_rounds = atomic ? count_rounds(out->address, m) : 0;
    out->sectors = out->global ? count_sectors(out->address, out->global, bytes) : 0;
    out->wavefronts = out->shared ? count_wavefronts(out->address, out->shared, bytes) : 0;
}

void counts_access(core *c, const warp *w, const op *o, uint32_t m)
{
    op_counts *counts = &c->counts[o - c->machine->program->op];
    access a;
    counts_shape(w, o, m, &a);
    counts->atomic_rounds += a.atomic_rounds;
    counts->requests += a.global != 0;
    counts->sectors += a.sectors;
    counts->shared_requests += a.shared != 0;
    counts->wavefronts += a.wavefronts;
}
