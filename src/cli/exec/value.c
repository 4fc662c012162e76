#include "cli/exec/value.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/number.h"

static const value_type types[] = {
    {"u8", 1, 'u', 0, 0},   {"u16", 2, 'u', 0, 0},  {"u32", 4, 'u', 0, 0},  {"u64", 8, 'u', 0, 0},
    {"s8", 1, 's', 0, 0},   {"s16", 2, 's', 0, 0},  {"s32", 4, 's', 0, 0},  {"s64", 8, 's', 0, 0},
    {"b8", 1, 'b', 0, 0},   {"b16", 2, 'b', 0, 0},  {"b32", 4, 'b', 0, 0},  {"b64", 8, 'b', 0, 0},
    {"f16", 2, 'f', 5, 11}, {"bf16", 2, 'f', 8, 8}, {"f32", 4, 'f', 8, 24}, {"f64", 8, 'f', 11, 53},
};

const value_type *value_type_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0)
            return &types[i];
    return NULL;
}

uint64_t value_mask(const value_type *t)
{
    return UINT64_MAX >> (64 - 8 * t->bytes);
}

uint64_t value_load(const value_type *t, const void *data, size_t index)
{
    const unsigned char *p = (const unsigned char *)data + index * (size_t)t->bytes;
    uint64_t bits = 0;
    for (int i = 0; i < t->bytes; i++)
        bits |= (uint64_t)p[i] << 8 * i;
    return bits;
}

void value_store(const value_type *t, void *data, size_t index, uint64_t bits)
{
    unsigned char *p = (unsigned char *)data + index * (size_t)t->bytes;
    for (int i = 0; i < t->bytes; i++)
        p[i] = (unsigned char)(bits >> 8 * i);
}

/* The bits of infinity, without a sign. */
static uint64_t infinity_bits(const value_type *t)
{
    return (((uint64_t)1 << t->exponent_bits) - 1) << (t->precision - 1);
}

static uint64_t sign_bit(const value_type *t)
{
    return (uint64_t)1 << (8 * t->bytes - 1);
}

static int min_exponent(const value_type *t)
{
    return 2 - (1 << (t->exponent_bits - 1));
}

uint64_t value_of_double(const value_type *t, double v)
{
    uint64_t sign = signbit(v) ? sign_bit(t) : 0, infinite = infinity_bits(t);
    int exponent, min = min_exponent(t);
    if (isnan(v))
        return infinite | (uint64_t)1 << (t->precision - 2);
    if (isinf(v) || v == 0)
        return sign | (v == 0 ? 0 : infinite);
    frexp(v, &exponent);
    exponent = max_int(exponent - 1, min);
    /* the fields are added, not joined: the leading bit of a normal number adds one to the exponent, as does a carry */
    uint64_t digits = (uint64_t)nearbyint(ldexp(fabs(v), t->precision - 1 - exponent));
    uint64_t bits = digits + ((uint64_t)(exponent - min) << (t->precision - 1));
    return sign | min_u64(bits, infinite);
}

double value_to_double(const value_type *t, uint64_t bits)
{
    uint64_t hidden = (uint64_t)1 << (t->precision - 1), field = (bits & infinity_bits(t)) >> (t->precision - 1);
    uint64_t digits = bits & (hidden - 1);
    double v;
    if (value_is_nan(t, bits))
        return NAN;
    if (field == ((uint64_t)1 << t->exponent_bits) - 1)
        v = INFINITY;
    else
        v = ldexp((double)(field ? digits | hidden : digits),
                  (field ? (int)field - 1 : 0) + min_exponent(t) - (t->precision - 1));
    return bits & sign_bit(t) ? -v : v;
}

bool value_is_nan(const value_type *t, uint64_t bits)
{
    return (bits & (sign_bit(t) - 1)) > infinity_bits(t);
}

static bool parse_digits(const char *text, int base, uint64_t *v)
{
    char *end;
    if (!strchr("0123456789abcdefABCDEF", *text) || !*text)
        return false;
    errno = 0;
    *v = strtoull(text, &end, base);
    return end != text && !*end && !errno;
}

static bool parse_integer_bits(const value_type *t, const char *text, uint64_t *bits)
{
    bool negative = *text == '-', hex = strncmp(text + negative, "0x", 2) == 0;
    uint64_t v, half = sign_bit(t);
    if (!parse_digits(text + negative + (hex ? 2 : 0), hex ? 16 : 10, &v))
        return false;
    if (negative && (t->kind == 'u' || v > half))
        return false;
    if (!negative && v > (t->kind == 's' && !hex ? half - 1 : value_mask(t))) /* hex digits give the bits */
        return false;
    *bits = (negative ? 0 - v : v) & value_mask(t);
    return true;
}

/* PTX's 0f3f800000 and 0d3ff0000000000000, converted to the type. */
static bool parse_float_bits(const value_type *t, const char *text, uint64_t *bits)
{
    bool wide = text[1] == 'd' || text[1] == 'D';
    const value_type *given = wide ? value_type_find("f64", 3) : value_type_find("f32", 3);
    uint64_t v;
    if (strlen(text) != (wide ? 18 : 10) || !parse_digits(text + 2, 16, &v))
        return false;
    *bits = given == t ? v : value_of_double(t, value_to_double(given, v));
    return true;
}

bool value_parse(const value_type *t, const char *text, uint64_t *bits)
{
    if (t->kind != 'f')
        return parse_integer_bits(t, text, bits);
    if (text[0] == '0' && text[1] && strchr("fFdD", text[1]))
        return parse_float_bits(t, text, bits);
    if (!*text || strchr(" \t\n\r\v\f", *text))
        return false;
    char *end;
    double v =
        t->precision == 24 ? (double)number_parse_float(text, &end) : number_parse(text, &end); /* rounded once */
    *bits = value_of_double(t, v);
    return !*end && end != text;
}

/* Prints a whole number that a double holds exactly in plain digits; else the fewest digits that read back as the same
 * value. */
static void print_float(const value_type *t, uint64_t bits, char out[VALUE_TEXT])
{
    double v = value_to_double(t, bits);
    uint64_t read_back;
    if (fabs(v) <= (double)((uint64_t)1 << 53) && v == nearbyint(v)) {
        number_print(out, VALUE_TEXT, "%.0f", v);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        number_print(out, VALUE_TEXT, "%.*g", digits, v);
        if (value_parse(t, out, &read_back) && read_back == bits)
            return;
    }
}

void value_print(const value_type *t, uint64_t bits, char out[VALUE_TEXT])
{
    if (t->kind == 'u')
        snprintf(out, VALUE_TEXT, "%llu", (unsigned long long)bits);
    else if (t->kind == 's') /* shifts the sign bit to the top, then back with copies of it */
        snprintf(out, VALUE_TEXT, "%lld", (long long)((int64_t)(bits << (64 - 8 * t->bytes)) >> (64 - 8 * t->bytes)));
    else if (t->kind == 'b')
        snprintf(out, VALUE_TEXT, "0x%0*llx", 2 * t->bytes, (unsigned long long)bits);
    else if (value_is_nan(t, bits))
        snprintf(out, VALUE_TEXT, "nan");
    else
        print_float(t, bits, out);
}
