#include "files/workload/launch_items.h"

#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"

typedef unsigned __int128 wide;

#define FRACTION_BITS 32 /* of logarithms */
#define ONE ((uint64_t)1 << 63)
#define MAX_WEIGHT_BITS 43 /* the weight of the smallest value is 2^43: the sum of 2^20 weights is below 2^64 */
#define MAX_SHOWN 20       /* limit of the characters of a word that an error shows */

uint64_t generator_draw(uint64_t seed, uint64_t index)
{
    uint64_t state = seed + index * UINT64_C(0x9e3779b97f4a7c15); /* the state after `index` steps */
    return splitmix_next(&state);
}

/* Maps a draw to a number from 0 to count - 1. */
static uint64_t scale(uint64_t draw, uint64_t count)
{
    return (uint64_t)((wide)draw * count >> 64);
}

bool generator_holds(uint32_t percent, uint64_t draw)
{
    return scale(draw, 100) < percent;
}

uint32_t generator_uniform(uint32_t min, uint32_t max, uint64_t draw)
{
    return min + (uint32_t)scale(draw, (uint64_t)max - min + 1);
}

/* The logarithm of k to base 2, with FRACTION_BITS binary places, rounded down. Each squaring gives one bit. */
static uint64_t log2_of(uint32_t k)
{
    unsigned whole = 31 - (unsigned)__builtin_clz(k);
    uint64_t log = whole, mantissa = (uint64_t)k << (63 - whole);
    for (int i = 0; i < FRACTION_BITS; i++) {
        wide square = (wide)mantissa * mantissa >> 63;
        unsigned bit = square >> 64 != 0;
        mantissa = (uint64_t)(square >> bit);
        log = log << 1 | bit;
    }
    return log;
}

/* The square root, rounded down. */
static uint64_t root_of(wide x)
{
    uint64_t root = 0;
    for (uint64_t bit = ONE; bit; bit >>= 1)
        if ((wide)(root | bit) * (root | bit) <= x)
            root |= bit;
    return root;
}

/* Sets power[i] to 2 to the power of -2^-(i + 1), in units of 2^-63. */
static void make_powers(uint64_t power[FRACTION_BITS])
{
    power[0] = root_of((wide)ONE * (ONE >> 1));
    for (int i = 1; i < FRACTION_BITS; i++)
        power[i] = root_of((wide)ONE * power[i - 1]);
}

/* 2 to the power of MAX_WEIGHT_BITS - x, rounded down; x has FRACTION_BITS binary places. */
static uint64_t weight_of(uint64_t x, const uint64_t power[FRACTION_BITS])
{
    uint64_t whole = x >> FRACTION_BITS, weight = ONE;
    if (whole > MAX_WEIGHT_BITS)
        return 0;
    for (int i = 0; i < FRACTION_BITS; i++)
        if (x >> (FRACTION_BITS - 1 - i) & 1)
            weight = (uint64_t)((wide)weight * power[i] >> 63);
    return weight >> (63 - MAX_WEIGHT_BITS + whole);
}

bool power_law_make(power_law *p, uint32_t min, uint32_t max, uint32_t exponent_percent)
{
    if (p->weight_sum && p->min == min && p->max == max && p->exponent_percent == exponent_percent)
        return true;
    size_t count = (size_t)(max - min) + 1;
    power_law_free(p);
    *p = (power_law){.min = min, .max = max, .exponent_percent = exponent_percent};
    if (!(p->weight_sum = malloc(count * sizeof *p->weight_sum)))
        return false;
    uint64_t power[FRACTION_BITS], sum = 0, log_min = log2_of(min);
    make_powers(power);
    for (size_t i = 0; i < count; i++) {
        uint64_t log = log2_of((uint32_t)(min + i)) - log_min;
        sum += weight_of(log * exponent_percent / 100, power);
        p->weight_sum[i] = sum;
    }
    return true;
}

void power_law_free(power_law *p)
{
    free(p->weight_sum);
    p->weight_sum = NULL;
}

uint32_t power_law_draw(const power_law *p, uint64_t draw)
{
    uint32_t low = 0, high = p->max - p->min;
    uint64_t wanted = scale(draw, p->weight_sum[high]);
    while (low < high) { /* finds the first value whose sum is larger */
        uint32_t middle = low + (high - low) / 2;
        if (p->weight_sum[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return p->min + low;
}

static bool is_separator(char c)
{
    return c == ' ' || c == ',' || (c >= '\t' && c <= '\r');
}

/* The end of the word that starts at p. */
static const char *word_end(const char *p, const char *end)
{
    while (p < end && !is_separator(*p) && *p != '#')
        p++;
    return p;
}

/* How much of a word an error shows: up to the first character that is not printable ASCII. */
static int shown(const char *word, const char *end)
{
    int length = 0;
    while (word + length < end && length < MAX_SHOWN && word[length] > ' ' && word[length] < 127)
        length++;
    return length;
}

static gcast_status word_error(const char *word, const char *end, gcast_error *err)
{
    const char *digit = word + (*word == '-');
    int length = shown(word, end);
    const char *more = end - word > MAX_SHOWN ? "..." : "";
    bool is_number = digit < end;
    for (; digit < end; digit++)
        is_number = is_number && *digit >= '0' && *digit <= '9';
    if (is_number && *word == '-')
        return gcast_error_set(err, GCAST_INPUT, NULL, "%.*s%s items: a launcher has 0 or more", length, word, more);
    if (is_number)
        return gcast_error_set(err, GCAST_INPUT, NULL, "%.*s%s items: a launcher has at most %u", length, word, more,
                               UINT32_MAX);
    if (length == 0)
        return gcast_error_set(err, GCAST_INPUT, NULL, "the byte 0x%02x is not of a whole number",
                               (unsigned)(unsigned char)*word);
    return gcast_error_set(err, GCAST_INPUT, NULL, "%.*s%s is not a whole number", length, word, more);
}

/* False: the word is not a number of items. */
static bool read_word(const char *word, const char *end, uint32_t *items)
{
    uint64_t value = 0;
    for (; word < end; word++) {
        if (*word < '0' || *word > '9')
            return false;
        value = value * 10 + (uint64_t)(*word - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *items = (uint32_t)value;
    return true;
}

gcast_status items_text_read(const char *text, size_t size, uint64_t max, item_list *items, gcast_error *err)
{
    const char *end = text + size, *line_start = text;
    gcast_status status = GCAST_OK;
    int line = 1;
    for (const char *p = text; p < end;) {
        if (*p == '#') {
            const char *newline = memchr(p, '\n', (size_t)(end - p));
            p = newline ? newline : end;
            continue;
        }
        if (is_separator(*p)) {
            if (*p++ == '\n') {
                line++;
                line_start = p;
            }
            continue;
        }
        const char *word = p;
        uint32_t value;
        p = word_end(p, end);
        if (!read_word(word, p, &value))
            status = word_error(word, p, err);
        else if (items->count == max)
            status = gcast_error_set(err, GCAST_INPUT, NULL, "there are more numbers than launchers: %llu",
                                     (unsigned long long)max);
        else if (!vec_push(items, value))
            return gcast_error_set_memory(err);
        if (status != GCAST_OK) {
            if (err) {
                err->line = line;
                err->column = (int)(word - line_start) + 1;
            }
            return status;
        }
    }
    return GCAST_OK;
}
