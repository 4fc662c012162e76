#include "cli/exec/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text/text.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "gridcast/simt.h"

gcast_status exec_list_instructions(void)
{
    const char *name, *forms;
    for (uint32_t i = 0; gcast_simt_instruction(i, &name, &forms); i++)
        printf("%-12s %s\n", name, forms);
    return GCAST_OK;
}

/* Such as "u32", or "b8[12]" for a structure, in the form that --arg takes. */
static void put_param(text *t, const gcast_ptx *p, uint32_t kernel, uint32_t param)
{
    uint64_t elements = gcast_ptx_param_elements(p, kernel, param);
    text_printf(t, " %s", gcast_ptx_param_type(p, kernel, param));
    if (elements)
        text_printf(t, "[%llu]", (unsigned long long)elements);
}

gcast_status exec_list_kernels(const gcast_ptx *p)
{
    output out;
    text *t = &out.words;
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    for (uint32_t k = 0; k < gcast_ptx_kernels(p); k++) {
        text_terminal(t, gcast_ptx_kernel(p, k));
        for (uint32_t i = 0; i < gcast_ptx_params(p, k); i++)
            put_param(t, p, k, i);
        text_char(t, '\n');
    }
    return output_finish(&out, GCAST_OK, NULL);
}

gcast_status exec_print_program(const gcast_ptx *p)
{
    gcast_error err;
    output out;
    char *bytes;
    size_t size;
    if (gcast_ptx_print(p, &bytes, &size, &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = output_open(&out, "-", false);
    if (status == GCAST_OK) {
        if (isatty(STDOUT_FILENO)) /* names of files in it may have control characters */
            text_terminal_lines(&out.words, bytes, size);
        else
            output_write(&out, bytes, size);
        status = output_finish(&out, GCAST_OK, NULL);
    }
    free(bytes);
    return status;
}
