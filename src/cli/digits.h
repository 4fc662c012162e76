/* Whole numbers at the start of a text. */
#ifndef CLI_DIGITS_H
#define CLI_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

/* Reads decimal digits and moves *at behind them. False: there is no digit, or the number does not fit. */
bool read_digits(const char **at, uint64_t *number);

#endif
