/* Values of kernels as people write and read them, by their PTX type. */
#ifndef CLI_EXEC_VALUE_H
#define CLI_EXEC_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct value_type {
    const char *name;
    int bytes;
    char kind;                    /* u unsigned, s signed, b bits, f float */
    int exponent_bits, precision; /* of a float; precision with the bit that is not stored */
} value_type;

/* The longest text of a value. */
#define VALUE_TEXT 40

/* NULL where `length` characters of `name` are no type. */
const value_type *value_type_find(const char *name, size_t length);

/* Whole numbers decimal or 0x..., and in the type's range; floats also as 0f and 0d with the digits of PTX, nan and
 * inf. False where it is none. */
bool value_parse(const value_type *t, const char *text, uint64_t *bits);
/* Floats in the fewest digits that give them back, but whole numbers up to 2^53 in all of theirs; bits as 0x.... */
void value_print(const value_type *t, uint64_t bits, char out[VALUE_TEXT]);

/* Of a float type: rounded to nearest even, and exact. */
uint64_t value_of_double(const value_type *t, double v);
double value_to_double(const value_type *t, uint64_t bits);
bool value_is_nan(const value_type *t, uint64_t bits);

/* Element `index` of little-endian bytes. */
uint64_t value_load(const value_type *t, const void *data, size_t index);
void value_store(const value_type *t, void *data, size_t index, uint64_t bits);

/* The low bits, as many as the type has. */
uint64_t value_mask(const value_type *t);

#endif
