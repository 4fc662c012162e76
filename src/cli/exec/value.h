/* Values of PTX types: read from text, printed, stored and converted. */
#ifndef CLI_EXEC_VALUE_H
#define CLI_EXEC_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct value_type {
    const char *name;  /* as in PTX, without its point */
    int bytes;         /* of one value */
    char kind;         /* u unsigned, s signed, b bits, f float */
    int exponent_bits; /* of a float */
    int precision;     /* of a float, in bits, with the leading one that is not stored */
} value_type;

#define VALUE_TEXT 40 /* the size of a buffer for any printed value */

/* NULL: the first `length` characters of `name` are no type. */
const value_type *value_type_find(const char *name, size_t length);

/* Reads a value: whole numbers as decimal digits or 0x..., within the type's range; floats also as nan, inf, and with
 * PTX's 0f and 0d. False: it is no value of this type. */
bool value_parse(const value_type *t, const char *text, uint64_t *bits);
/* Prints a float with the fewest digits that read back as the same value, but whole numbers up to 2^53 with all digits;
 * bits as 0x.... */
void value_print(const value_type *t, uint64_t bits, char out[VALUE_TEXT]);

/* Conversions to and from a float type: the first rounds to nearest even, the second is exact. */
uint64_t value_of_double(const value_type *t, double v);
double value_to_double(const value_type *t, uint64_t bits);
bool value_is_nan(const value_type *t, uint64_t bits);

/* Element `index` of an array in little-endian bytes. */
uint64_t value_load(const value_type *t, const void *data, size_t index);
void value_store(const value_type *t, void *data, size_t index, uint64_t bits);

/* Ones in the low bits that the type has. */
uint64_t value_mask(const value_type *t);

#endif
