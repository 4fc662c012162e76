/* PTX text becomes a module. */
#ifndef PTX_MODULE_H
#define PTX_MODULE_H

#include "ptx/ptx.h"

/* `text` need not end with a NUL. On failure *out is NULL and err has line and column. */
gcast_status ptx_parse(const char *text, size_t size, ptx_module **out, gcast_error *err);
void ptx_free(ptx_module *m);

#endif
