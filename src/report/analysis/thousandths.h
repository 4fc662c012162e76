/* A number that is given in thousandths, as text. */
#ifndef REPORT_ANALYSIS_THOUSANDTHS_H
#define REPORT_ANALYSIS_THOUSANDTHS_H

#include <stdint.h>
#include <stdio.h>

#define THOUSANDTHS_SIZE 32

/* "273.067"; of numbers of 0 or more. Returns out. */
static inline const char *thousandths_text(int64_t n, char out[THOUSANDTHS_SIZE])
{
    snprintf(out, THOUSANDTHS_SIZE, "%lld.%03lld", (long long)(n / 1000), (long long)(n % 1000));
    return out;
}

#endif
