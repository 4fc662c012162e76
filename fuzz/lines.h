/* A mutator of lines: programs that still parse come of lines that are moved, repeated and left out. Included by the
 * one source of a fuzzer. */
#ifndef FUZZ_LINES_H
#define FUZZ_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) __attribute__((weak)); /* not there in a replay */

typedef struct span {
    size_t at, size;
} span;

/* A line, with its end; chosen by a place in the text. */
static span line_at(const uint8_t *data, size_t size, size_t place)
{
    size_t first = place, end = place;
    while (first > 0 && data[first - 1] != '\n')
        first--;
    while (end < size && data[end] != '\n')
        end++;
    return (span){first, (end < size ? end + 1 : end) - first};
}

/* Puts `by` in the place of a span. */
static size_t replace(uint8_t *data, size_t size, size_t max_size, span place, const uint8_t *by, size_t count)
{
    if (size - place.size + count > max_size)
        return size;
    memmove(data + place.at + count, data + place.at + place.size, size - place.at - place.size);
    memcpy(data + place.at, by, count);
    return size - place.size + count;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint8_t line[256];
    uint64_t r = seed * 0x9e3779b97f4a7c15u + 1;
    if (LLVMFuzzerMutate && (size == 0 || r >> 60 < 5))
        return LLVMFuzzerMutate(data, size, max_size);
    span from = line_at(data, size, (r >> 20) % size), to = line_at(data, size, (r >> 36) % size);
    if (from.size > sizeof line)
        return size;
    memcpy(line, data + from.at, from.size);
    switch (r >> 61) {
    case 0: /* away with it */
        return replace(data, size, max_size, from, line, 0);
    case 1: /* in the place of the other */
    case 2:
        return replace(data, size, max_size, to, line, from.size);
    case 3: { /* with other bytes */
        size_t count = LLVMFuzzerMutate ? LLVMFuzzerMutate(line, from.size, sizeof line) : from.size;
        return replace(data, size, max_size, from, line, count);
    }
    default: /* once more */
        to.size = 0;
        return replace(data, size, max_size, to, line, from.size);
    }
}

#endif
