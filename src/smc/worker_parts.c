#include "smc/worker_parts.h"

#include <string.h>

void smc_worker_template(const smc_kernel *k, const char *lines, text *out)
{
    bool is_modern = k->module->sm >= 70 && k->module->version_major >= 6;
    for (const char *at = lines; *at;) {
        size_t size = strcspn(at, "~");
        text_bytes(out, at, size);
        at += size;
        if (!*at)
            break;
        if (at[1] == 'K')
            text_str(out, k->fn->name);
        else if (at[1] == 'B')
            text_uint(out, k->barrier);
        else if (at[1] == 'S')
            text_str(out, is_modern ? "bar.warp.sync -1;\n\tbar.sync" : "bar.sync");
        else if (at[1] == 'F')
            text_str(out, is_modern ? "fence.acq_rel.gpu" : "membar.gl");
        else if (at[1] == '[' && !k->records)
            at = strstr(at, "~]");
        at += 2;
    }
}
