/* How long an analysis may take. Whoever goes through a loop that can last looks here now and
 * then, and gives up. */
#ifndef ANALYZE_TIME_LIMIT_H
#define ANALYZE_TIME_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct time_limit {
    int64_t until_ms; /* of a clock that never goes back */
} time_limit;

/* From now on; 0 or less: a minute. */
time_limit limit_from_now(int64_t max_ms);
bool limit_passed(const time_limit *l);
/* What is left, for a part of the work; at least 1, as 0 would be a minute. */
int64_t limit_left_ms(const time_limit *l);

/* For tests: milliseconds that are taken for the clock's; NULL: the clock. */
extern int64_t (*limit_test_clock)(void);

#endif
