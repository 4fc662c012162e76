#include "cli/measure/preset.h"

#include <string.h>

#include "cli/say.h"
#include "gridcast/read.h"

gcast_status preset_of_title(const char *title, gcast_gpu **gpu)
{
    gcast_error err;
    *gpu = NULL;
    for (size_t i = 0; i < gcast_preset_count(); i++) {
        gcast_gpu *preset;
        if (gcast_gpu_preset(gcast_preset_name(i), &preset, &err) != GCAST_OK)
            return say_error(&err);
        if (strcmp(preset->title, title) == 0) {
            *gpu = preset;
            return GCAST_OK;
        }
        gcast_gpu_free(preset);
    }
    return GCAST_OK;
}
