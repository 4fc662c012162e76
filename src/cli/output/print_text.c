#include "cli/output/print_text.h"

#include <stdlib.h>

#include "cli/output/output.h"
#include "cli/say.h"

gcast_status print_text(text *t, gcast_status status)
{
    size_t size;
    if (status != GCAST_OK) {
        text_drop(t);
        return status;
    }
    char *bytes = text_take(t, &size);
    if (!bytes)
        return say_no_memory();
    status = output_bytes("-", false, bytes, size);
    free(bytes);
    return status;
}
