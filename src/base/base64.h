/* Writes numbers as base64: each has as many bytes as it needs, of seven bits, the lowest first. */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include "base/text.h"

typedef struct base64 {
    text *out;     /* where it is written */
    uint32_t bits; /* the bytes of an incomplete group of three, from the highest of 24 bits down */
    int count;     /* bytes in it: 0 to 2 */
    int column;    /* characters in this line */
} base64;

void base64_open(base64 *b, text *out);

void base64_number(base64 *b, uint64_t v);
/* A number of either sign: small ones, above or below 0, are short. */
void base64_signed(base64 *b, int64_t v);
/* Writes the incomplete group, padded. */
void base64_close(base64 *b);

#endif
