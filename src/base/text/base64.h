/* Bytes as base64, written as they come: numbers of variable length, seven bits a byte, the lowest first. */
#ifndef BASE_TEXT_BASE64_H
#define BASE_TEXT_BASE64_H

#include "base/text/text.h"

typedef struct base64 {
    text *out;     /* where it is written */
    uint32_t bits; /* bytes that wait for others: the last `count` of them */
    int count;     /* 0 to 2 */
    int column;    /* characters in this line */
} base64;

void base64_open(base64 *b, text *out);
void base64_byte(base64 *b, uint8_t byte);
void base64_number(base64 *b, uint64_t v);
/* A number of either sign: small ones, above or below 0, are short. */
void base64_signed(base64 *b, int64_t v);
/* Writes what waits, padded. */
void base64_close(base64 *b);

#endif
