/* Files with items of launchers: what reads is at most what was asked for, an error has a place in the text. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "files/workload/launch_items.h"

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
    item_list items = {0}, fewer = {0};
    gcast_error err = {0};
    gcast_status status = items_text_read((const char *)data, size, SIZE_MAX, &items, &err);
    check(items.count <= (size + 1) / 2, "more numbers than there is text for");
    if (status != GCAST_OK)
        check(err.message[0] && err.line > 0 && err.column > 0 && (size_t)err.column <= size,
              "an error without a place");
    else if (items.count)
        check(items_text_read((const char *)data, size, items.count - 1, &fewer, &err) == GCAST_INPUT && err.line > 0 &&
                  fewer.count == items.count - 1,
              "a number too many is read");
    vec_free(&items);
    vec_free(&fewer);
    return 0;
}
