/* How long an analysis may take, in processor time of its thread, so that what is answered does not hang on what else
 * the machine does. A loop that can take long asks now and then, and gives up. A limit is of the thread that made it.
 */
#ifndef ANALYZE_TIME_LIMIT_H
#define ANALYZE_TIME_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct time_limit {
    int64_t end_ms; /* of the thread's clock */
} time_limit;

/* A limit that passes max_ms from now; 0 or less: a minute. */
time_limit limit_from_now(int64_t max_ms);
bool limit_passed(const time_limit *l);
/* What is left, as the limit of a part of the work; at least 1, as 0 would be a minute. */
int64_t limit_left_ms(const time_limit *l);

/* For tests: a function that stands for the clock, in milliseconds; NULL: the clock itself. */
extern int64_t (*limit_test_clock)(void);

#endif
