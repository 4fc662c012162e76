/* A cubin is an ELF file: .text.NAME has instructions of 16 bytes, whose low
 * nine bits are the opcode since Volta, and .nv_debug_line_sass a line table of
 * DWARF 2 whose sequences start at what its relocations name. */
#include "ptxas/cubin.h"

#include <string.h>

typedef struct section {
    const char *name;
    const unsigned char *at;
    size_t size;
    uint32_t type;
} section;

typedef struct cubin {
    const char *bytes;
    size_t size;
    const char *names;
    uint64_t headers;
    uint32_t count;
    cubin_line *line;
    size_t lines;
} cubin;

static uint64_t number(const unsigned char *at, int bytes)
{
    uint64_t x = 0;
    for (int i = bytes; i-- > 0;)
        x = x << 8 | at[i];
    return x;
}

static bool get_section(const cubin *c, uint32_t i, section *out)
{
    const unsigned char *h = (const unsigned char *)c->bytes + c->headers + (size_t)i * 64;
    uint64_t start = number(h + 24, 8), size = number(h + 32, 8);
    *out = (section){.name = c->names ? c->names + number(h, 4) : "", .type = (uint32_t)number(h + 4, 4)};
    if (out->type == 8) /* no bits */
        return true;
    out->at = (const unsigned char *)c->bytes + start;
    out->size = size;
    return start <= c->size && size <= c->size - start;
}

static bool find_section(const cubin *c, const char *name, section *out)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (get_section(c, i, out) && strcmp(out->name, name) == 0)
            return true;
    return false;
}

/* With halves HFMA2 may be any of these: the load of a constant, the sum x * 1 + y, or the product x * y + 0. */
static void count_half(cubin_line *counts, uint64_t low, uint64_t high)
{
    uint64_t form = low >> 9 & 7, immediate = low >> 32;
    bool is_zero_c = form != 2 && (high & 0xff) == 0xff, by_one = immediate == 0x3c003c00 || immediate == 0x3f803f80;
    if ((low >> 24 & 0xff) == 0xff)
        return;
    if (form == 4 && by_one)
        counts->sums++;
    else if (is_zero_c)
        counts->products++;
    else
        counts->fused++;
}

static void count(cubin *c, const unsigned char *instruction, int64_t line)
{
    if (line < 1 || (uint64_t)line > c->lines)
        return;
    cubin_line *counts = &c->line[line];
    uint64_t low = number(instruction, 8);
    switch (low & 0x1ff) {
    case 0x20: /* FMUL */
    case 0x28: /* DMUL */
    case 0x32: /* HMUL2 */
        counts->products++;
        break;
    case 0x21: /* FADD */
    case 0x29: /* DADD */
    case 0x30: /* HADD2 */
        counts->sums++;
        break;
    case 0x31: /* HFMA2 */
    case 0x35: /* HFMA2.MMA */
        count_half(counts, low, number(instruction + 8, 8));
        break;
    case 0x23: /* FFMA */
    case 0x2b: /* DFMA */
        counts->fused++;
        break;
    default:
        break;
    }
}

/* Instructions from address `start` up to `end` have this line. */
static void count_range(cubin *c, const section *code, uint64_t start, uint64_t end, int64_t line)
{
    for (uint64_t a = start; code->at && a + 16 <= end && a + 16 <= code->size; a += 16)
        count(c, code->at + a, line);
}

static uint64_t uleb(const unsigned char **at)
{
    uint64_t x = 0;
    int shift = 0;
    do {
        x |= (uint64_t)(**at & 0x7f) << shift;
        shift += 7;
    } while (*(*at)++ & 0x80 && shift < 64);
    return x;
}

static int64_t sleb(const unsigned char **at)
{
    const unsigned char *start = *at;
    uint64_t x = uleb(at);
    int bits = (int)(*at - start) * 7;
    return (*at)[-1] & 0x40 && bits < 64 ? (int64_t)(x | ~UINT64_C(0) << bits) : (int64_t)x;
}

/* The code that the address at this offset of the line table is of. */
static bool relocated(const cubin *c, uint64_t offset, section *code)
{
    section rel, symbols, strings;
    int entry = 24;
    char name[300] = ".text.";
    if (!find_section(c, ".rela.nv_debug_line_sass", &rel)) {
        entry = 16;
        if (!find_section(c, ".rel.nv_debug_line_sass", &rel))
            return false;
    }
    if (!find_section(c, ".symtab", &symbols) || !find_section(c, ".strtab", &strings))
        return false;
    for (size_t i = 0; i + (size_t)entry <= rel.size; i += (size_t)entry) {
        if (number(rel.at + i, 8) != offset)
            continue;
        const unsigned char *symbol = symbols.at + (number(rel.at + i + 8, 8) >> 32) * 24;
        const char *of = (const char *)strings.at + number(symbol, 4);
        if (strncmp(of, ".text.", 6) == 0)
            return find_section(c, of, code);
        strncat(name, of, sizeof name - 8);
        return find_section(c, name, code);
    }
    return false;
}

static void walk(cubin *c, const section *table, const unsigned char *at, const unsigned char *end,
                 const unsigned char *header)
{
    uint32_t step = header[10], range = header[13], base = header[14];
    int line_base = (signed char)header[12];
    uint64_t address = 0, last = 0;
    int64_t line = 1, last_line = 0;
    section code = {0};
    while (at < end) {
        unsigned op = *at++;
        bool row = false;
        if (op >= base) {
            address += (op - base) / range * step;
            line += line_base + (int)((op - base) % range);
            row = true;
        } else if (op == 0) {
            uint64_t size = uleb(&at);
            if (*at == 2) {
                if (!relocated(c, (uint64_t)(at + 1 - table->at), &code))
                    code = (section){0};
                address = last = number(at + 1, 8);
                last_line = 0;
            } else if (*at == 1) {
                count_range(c, &code, last, address, last_line);
                address = last = 0;
                line = 1;
                last_line = 0;
            }
            at += size;
        } else if (op == 1) {
            row = true;
        } else if (op == 2) {
            address += uleb(&at) * step;
        } else if (op == 3) {
            line += sleb(&at);
        } else if (op == 8) {
            address += (255 - base) / range * step;
        } else if (op == 9) {
            address += number(at, 2);
            at += 2;
        } else if (op == 4 || op == 5) {
            uleb(&at);
        }
        if (row) {
            count_range(c, &code, last, address, last_line);
            last = address;
            last_line = line;
        }
    }
}

bool cubin_lines(const char *bytes, size_t size, cubin_line *line, size_t lines)
{
    const unsigned char *b = (const unsigned char *)bytes;
    cubin c = {.bytes = bytes, .size = size, .line = line, .lines = lines};
    section names, table;
    if (size < 64 || memcmp(bytes, "\177ELF\2", 5) != 0)
        return false;
    c.headers = number(b + 40, 8);
    c.count = (uint32_t)number(b + 60, 2);
    if (c.headers > size || (uint64_t)c.count * 64 > size - c.headers ||
        !get_section(&c, (uint32_t)number(b + 62, 2), &names))
        return false;
    c.names = (const char *)names.at;
    memset(line, 0, (lines + 1) * sizeof *line);
    if (!find_section(&c, ".nv_debug_line_sass", &table))
        return false;
    for (size_t at = 0; at + 15 < table.size;) {
        const unsigned char *unit = table.at + at;
        size_t end = at + 4 + number(unit, 4);
        walk(&c, &table, unit + 10 + number(unit + 6, 4), table.at + (end < table.size ? end : table.size), unit);
        at = end;
    }
    return true;
}
