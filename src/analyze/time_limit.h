/* A limit on the time of an analysis. It counts the processor time of the thread that made it, so that the answer does
 * not depend on the load of the machine. A long loop asks now and then whether it has passed, and gives up. */
#ifndef ANALYZE_TIME_LIMIT_H
#define ANALYZE_TIME_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct time_limit {
    int64_t end_ms; /* of the thread's clock */
} time_limit;

/* A limit of max_ms from now; 0 or less: one minute. */
time_limit limit_from_now(int64_t max_ms);
bool limit_passed(const time_limit *l);
/* The time left, as the limit of a part of the work: at least 1, because 0 would mean a minute. */
int64_t limit_left_ms(const time_limit *l);

/* For tests: replaces the clock (milliseconds); NULL: the real clock. */
extern int64_t (*limit_test_clock)(void);

#endif
