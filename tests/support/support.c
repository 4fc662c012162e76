#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

void support_assert_ok(gcast_status status, const gcast_error *err, const char *file, int line)
{
    if (status == GCAST_OK)
        return;
    print_error("%s:%d: %s%s%s (%s)\n", file, line, err->file, err->file[0] ? ": " : "", err->message, err->path);
    _fail(file, line);
}

char *support_read(const char *path, size_t *size)
{
    char full_path[1024];
    gcast_error err;
    char *data;
    snprintf(full_path, sizeof full_path, "%s/%s", SOURCE_DIR, path);
    assert_ok(gcast_file_read(full_path, &data, size, &err), &err);
    return data;
}

uint64_t support_next(support_random *r)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state;
}

int64_t support_between(support_random *r, int64_t lo, int64_t hi)
{
    uint64_t count = (uint64_t)hi - (uint64_t)lo + 1; /* 0: any number */
    return (int64_t)((uint64_t)lo + (count ? support_next(r) % count : support_next(r)));
}

uint64_t support_number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

uint64_t support_runs(uint64_t otherwise)
{
    uint64_t runs = support_number("GRIDCAST_PROPERTY_RUNS", otherwise);
    assert_true(runs > 0);
    return runs;
}
