/* How well two names fit: the words that they share. */
#ifndef AMALTHEA_LOWER_DOUBTS_NAME_FIT_H
#define AMALTHEA_LOWER_DOUBTS_NAME_FIT_H

#include <stdint.h>

/* Shared words of all words of both, in millionths; letter case and how words are joined do not matter. */
int64_t name_fit(const char *a, const char *b);

#endif
