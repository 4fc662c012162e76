/* gridcast.launch/1: what reads is a launch, and must be written and read back the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/gridcast.h"
#include "model/launch_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same(const gcast_launch_file *a, const gcast_launch_file *b)
{
    if (!same_text(a->name, b->name) || !same_text(a->ptx, b->ptx) || !same_text(a->kernel, b->kernel) ||
        memcmp(a->grid, b->grid, sizeof a->grid) != 0 || memcmp(a->block, b->block, sizeof a->block) != 0 ||
        a->shared_bytes != b->shared_bytes || a->registers != b->registers || a->arg_count != b->arg_count ||
        a->job_ns_count != b->job_ns_count || a->time_count != b->time_count)
        return false;
    for (size_t i = 0; i < a->arg_count; i++)
        if (!same_text(a->args[i], b->args[i]))
            return false;
    for (size_t i = 0; i < a->job_ns_count; i++)
        if (a->job_ns[i] != b->job_ns[i])
            return false;
    for (size_t i = 0; i < a->time_count; i++)
        if (a->times[i].workers != b->times[i].workers || a->times[i].sms != b->times[i].sms ||
            a->times[i].ns != b->times[i].ns)
            return false;
    return true;
}

/* What users of a launch rely on. */
static void check_ranges(const gcast_launch_file *l)
{
    check(l->name && l->name[0] && l->ptx && l->ptx[0] && l->file, "a name is missing");
    check((uint64_t)l->block[0] * l->block[1] * l->block[2] <= 1024, "too many threads");
    for (int i = 0; i < 3; i++)
        check(l->grid[i] && l->block[i], "a dimension of 0");
    for (size_t i = 0; i < l->job_ns_count; i++)
        check(l->job_ns[i] > 0, "a job without time");
    for (size_t i = 0; i < l->time_count; i++)
        for (size_t j = 0; j < i; j++)
            check(l->times[i].workers != l->times[j].workers || l->times[i].sms != l->times[j].sms, "two times");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_launch_file *l, *reread;
    gcast_error err;
    char *text, *rewritten;
    if (gcast_launch_file_read((const char *)data, size, "fuzz", &l, &err) != GCAST_OK) {
        check(l == NULL && err.message[0] && err.code != GCAST_OK, "a failure without a message");
        return 0;
    }
    check_ranges(l);
    check(gcast_launch_file_write(l, &text, &err) == GCAST_OK, err.message);
    check(gcast_launch_file_read(text, strlen(text), "written", &reread, &err) == GCAST_OK, err.message);
    check(same(l, reread), "another launch was written");
    check(gcast_launch_file_write(reread, &rewritten, &err) == GCAST_OK, err.message);
    check(strcmp(text, rewritten) == 0, "another text is written");
    free(text);
    free(rewritten);
    gcast_launch_file_free(reread);
    gcast_launch_file_free(l);
    return 0;
}
