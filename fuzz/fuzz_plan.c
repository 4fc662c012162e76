/* gridcast.plan/1: what reads is a plan, and must be written and read back the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/gridcast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

/* Numbers of 8 to 10 digits may stand for gigabytes of jobs: too much for one input of a fuzzer. */
static bool is_small(const uint8_t *data, size_t size)
{
    int digits = 0;
    for (size_t i = 0; i <= size; i++) {
        bool is_digit = i < size && data[i] >= '0' && data[i] <= '9';
        if (!is_digit && digits >= 8 && digits <= 10)
            return false;
        digits = is_digit ? digits + (digits < 11) : 0;
    }
    return true;
}

static bool same(const gcast_plan *a, const gcast_plan *b)
{
    return a->mapping == b->mapping && a->steal == b->steal && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           a->jobs == b->jobs && a->sms == b->sms && a->queues == b->queues &&
           memcmp(a->workers, b->workers, a->sms * sizeof *a->workers) == 0 &&
           memcmp(a->first, b->first, (a->queues + 1) * sizeof *a->first) == 0 &&
           memcmp(a->job, b->job, a->jobs * sizeof *a->job) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_plan *p, *reread;
    gcast_error err;
    char *text, *rewritten;
    if (!is_small(data, size))
        return 0;
    if (gcast_plan_read((const char *)data, size, "fuzz", &p, &err) != GCAST_OK) {
        check(p == NULL && err.message[0] && err.code != GCAST_OK, "a failure without a message");
        return 0;
    }
    check(gcast_plan_check(p, &err) == GCAST_OK, err.message);
    check(gcast_plan_write(p, &text, &err) == GCAST_OK, err.message);
    check(gcast_plan_read(text, strlen(text), "written", &reread, &err) == GCAST_OK, err.message);
    check(same(p, reread), "another plan was written");
    check(gcast_plan_write(reread, &rewritten, &err) == GCAST_OK, err.message);
    check(strcmp(text, rewritten) == 0, "another text is written");
    free(text);
    free(rewritten);
    gcast_plan_free(reread);
    gcast_plan_free(p);
    return 0;
}
