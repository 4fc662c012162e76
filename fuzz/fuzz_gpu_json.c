/* Any bytes as a GPU file; what is accepted must be written and read again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/gridcast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_gpu *gpu, *reread;
    gcast_error err;
    char *text;
    size_t length;
    if (gcast_gpu_read_json((const char *)data, size, "fuzz", &gpu, &err) != GCAST_OK)
        return 0;
    if (gcast_gpu_write_json(gpu, &text, &length, &err) != GCAST_OK ||
        gcast_gpu_read_json(text, length, "written", &reread, &err) != GCAST_OK ||
        memcmp(&gpu->limits, &reread->limits, sizeof gpu->limits) != 0)
        abort();
    free(text);
    gcast_gpu_free(reread);
    gcast_gpu_free(gpu);
    return 0;
}
