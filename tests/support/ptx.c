#include "support/ptx.h"

#include <string.h>

#include "ptx/module.h"
#include "support/support.h"

ptx_module *support_ptx(const char *source)
{
    ptx_module *m;
    gcast_error err;
    gcast_status status = ptx_parse(source, strlen(source), &m, &err);
    if (status != GCAST_OK)
        fail_msg("%d:%d: %s\n%s", err.line, err.column, err.message, source);
    return m;
}

void support_ptx_error(const char *source, int line, int column, const char *part)
{
    ptx_module *m;
    gcast_error err;
    gcast_status status = ptx_parse(source, strlen(source), &m, &err);
    assert_null(m);
    assert_int_equal(status, GCAST_INPUT);
    if (err.line != line || err.column != column || !strstr(err.message, part))
        fail_msg("%d:%d: %s\nexpected %d:%d: ... %s\n%s", err.line, err.column, err.message, line, column, part,
                 source);
}

const ptx_instruction *support_ptx_instruction(const ptx_module *m, uint32_t index)
{
    const ptx_function *f = NULL;
    for (uint32_t i = 0; i < m->functions; i++)
        if (m->function[i]->has_body)
            f = m->function[i];
    assert_non_null(f);
    for (uint32_t i = 0; i < f->items; i++)
        if (f->item[i].kind == PTX_ITEM_INSTRUCTION && index-- == 0)
            return f->item[i].instruction;
    fail_msg("there are not so many instructions");
    return NULL;
}
