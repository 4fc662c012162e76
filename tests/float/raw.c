#include "float/raw.h"

#include <stdlib.h>
#include <string.h>

#include "simt/float/soft.h"

void raw_write(FILE *f, const float_case *c, const uint64_t *out, uint32_t count)
{
    const int bytes = float_case_bits(c) / 8;
    fprintf(f, "%s %u %d\n", c->name, count, bytes);
    for (uint32_t i = 0; i < count; i++)
        for (int b = 0; b < bytes; b++)
            putc((int)(out[i] >> (8 * b) & 0xff), f);
}

uint32_t raw_read(FILE *f, float_case *c, uint64_t *out, uint32_t max_count)
{
    char name[64];
    unsigned count;
    int bytes;
    if (fscanf(f, "%63s %u %d", name, &count, &bytes) != 3 || getc(f) != '\n' || count > max_count ||
        !float_case_parse(name, c))
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        out[i] = 0;
        for (int b = 0; b < bytes; b++)
            out[i] |= (uint64_t)(getc(f) & 0xff) << (8 * b);
    }
    return count;
}

uint64_t raw_hash(const uint64_t *out, uint32_t count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ out[i]) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
    }
    return hash;
}

static bool has_nan(const float_case *c, const uint64_t *in)
{
    for (int i = 0; i < c->operands; i++) {
        if (c->from >= FLOAT_f16 && soft_is_nan(c->from, in[i]))
            return true;
        if (c->packed && soft_is_nan(c->from, in[i] >> 16))
            return true;
    }
    return false;
}

/* Distance on the line of all floats of a type. */
static uint64_t distance(float_type t, uint64_t a, uint64_t b)
{
    const uint64_t sign = soft_sign_bit(t), x = a & (sign - 1), y = b & (sign - 1);
    return (a ^ b) & sign ? x + y : x > y ? x - y : y - x;
}

void raw_compare(const float_case *c, const uint64_t *out, uint32_t count)
{
    enum { SHOWN = 6 };
    uint32_t wrong_count = 0, of_nan = 0, shown[2] = {0, 0};
    uint64_t furthest = 0;
    char text[2 * SHOWN * 120] = "";
    for (uint32_t i = 0; i < count; i++) {
        uint64_t in[3];
        float_case_inputs(c, i, in);
        const uint64_t simulated = float_case_apply(c, in);
        if (simulated == out[i])
            continue;
        const bool nan = has_nan(c, in);
        wrong_count++;
        of_nan += nan;
        if (!nan && c->to >= FLOAT_f16 && !c->packed && distance(c->to, simulated, out[i]) > furthest)
            furthest = distance(c->to, simulated, out[i]);
        if (shown[nan]++ < SHOWN)
            snprintf(text + strlen(text), 120, "  %llx %llx %llx: GPU %llx, here %llx\n", (unsigned long long)in[0],
                     (unsigned long long)in[1], (unsigned long long)in[2], (unsigned long long)out[i],
                     (unsigned long long)simulated);
    }
    printf("%s: %u of %u differ, %u of them with NaN; furthest %llu\n%s", c->name, wrong_count, count, of_nan,
           (unsigned long long)furthest, text);
}
