#include "base/base64.h"

#define LINE 2048 /* characters: programs that show text do not like lines of megabytes */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_open(base64 *b, text *out)
{
    *b = (base64){.out = out};
}

static void put_group(base64 *b, int characters)
{
    char group[5];
    for (int i = 0; i < 4; i++)
        group[i] = i < characters ? digits[b->bits >> (18 - 6 * i) & 63] : '=';
    group[4] = '\n';
    b->column += 4;
    bool ends_line = b->column >= LINE;
    text_bytes(b->out, group, ends_line ? 5 : 4);
    if (ends_line)
        b->column = 0;
    b->bits = 0;
    b->count = 0;
}

static void base64_byte(base64 *b, uint8_t byte)
{
    b->bits |= (uint32_t)byte << (16 - 8 * b->count);
    if (++b->count == 3)
        put_group(b, 4);
}

void base64_number(base64 *b, uint64_t v)
{
    for (; v > 127; v >>= 7)
        base64_byte(b, (uint8_t)(v & 127) | 128);
    base64_byte(b, (uint8_t)v);
}

void base64_signed(base64 *b, int64_t v)
{
    base64_number(b, v < 0 ? ((uint64_t) - (v + 1) << 1) + 1 : (uint64_t)v << 1);
}

void base64_close(base64 *b)
{
    if (b->count)
        put_group(b, b->count + 1);
    text_char(b->out, '\n');
}
