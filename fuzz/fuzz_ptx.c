/* Any text as PTX: what parses must print, and parse again to the same program. */
#include <stdio.h>
#include <stdlib.h>

#include "gridcast/ptx.h"
#include "ptx/public.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_ptx *p, *reparsed;
    gcast_error err;
    char *printed;
    if (gcast_ptx_parse((const char *)data, size, "fuzz", &p, &err) != GCAST_OK) {
        check(!p && err.message[0] && err.line > 0 && err.column > 0, "a failure without a message or a place");
        return 0;
    }
    check(gcast_ptx_print(p, &printed, &size, &err) == GCAST_OK, err.message);
    check(gcast_ptx_parse(printed, size, "again", &reparsed, &err) == GCAST_OK, err.message);
    check(gcast_ptx_same(p, reparsed), "printed and parsed again it differs");
    for (uint32_t i = 0; i < gcast_ptx_kernels(p); i++)
        for (uint32_t j = 0; j < gcast_ptx_params(p, i); j++)
            check(gcast_ptx_param_type(p, i, j)[0], "a parameter without a type");
    free(printed);
    gcast_ptx_free(p);
    gcast_ptx_free(reparsed);
    return 0;
}
