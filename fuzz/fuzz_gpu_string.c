/* Any text as a GPU in one line; what is accepted must pass the check, and
 * occupancy on it must not break. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/gridcast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_gpu *gpu;
    gcast_error err;
    gcast_occupancy o;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (gcast_gpu_read_string(text, &gpu, &err) == GCAST_OK) {
        gcast_block_shape shape = {
            .threads = (int)(size * 7 % 2048) + 1, .registers = (int)(size % 300), .static_smem = 5000};
        if (gcast_gpu_check(gpu, &err) != GCAST_OK ||
            gcast_occupancy_compute(&gpu->limits, &shape, (int)(size % 102) - 1, &o, &err) != GCAST_OK)
            abort();
        gcast_gpu_free(gpu);
    }
    free(text);
    return 0;
}
