/* A module as PTX text in a canonical form, which parses to the same module. */
#include "ptx/print/print.h"

#include <inttypes.h>

#include "ptx/print/print_item.h"
#include "ptx/print/print_var.h"

static void linking(ptx_link link, text *out)
{
    static const char *const words[] = {[PTX_LOCAL_LINK] = "",
                                        [PTX_VISIBLE] = ".visible ",
                                        [PTX_EXTERN] = ".extern ",
                                        [PTX_WEAK] = ".weak ",
                                        [PTX_COMMON] = ".common "};
    text_str(out, words[link]);
}

static void function(const ptx_function *f, const ptx_print_hooks *hooks, text *out)
{
    if (hooks && hooks->before)
        hooks->before(hooks->data, f, out);
    linking(f->link, out);
    text_str(out, f->is_entry ? ".entry " : ".func ");
    print_head(f, out);
    if (!f->has_body) {
        text_str(out, ";\n");
        return;
    }
    text_str(out, "\n{\n");
    if (!hooks || !hooks->body || !hooks->body(hooks->data, f, out))
        for (uint32_t i = 0; i < f->items; i++)
            print_item(f, &f->item[i], out);
    text_str(out, "}\n");
}

void ptx_print(const ptx_module *m, text *out)
{
    ptx_print_with(m, NULL, out);
}

void ptx_print_with(const ptx_module *m, const ptx_print_hooks *hooks, text *out)
{
    text_printf(out, ".version %d.%d\n.target %s\n.address_size %d\n", m->version_major, m->version_minor, m->target,
                m->address_bits);
    for (uint32_t i = 0; i < m->order_count; i++) {
        int32_t n = m->order[i];
        if (n < 0) {
            function(m->function[~n], hooks, out);
            continue;
        }
        linking(m->var[n]->link, out);
        print_var(m->var[n], out);
        text_str(out, ";\n");
    }
    for (uint32_t i = 0; i < m->functions; i++)
        if (m->function[i]->alias)
            text_printf(out, ".alias %s, %s;\n", m->function[i]->name, m->function[i]->alias);
    for (uint32_t i = 0; i < m->files; i++) {
        const ptx_file *f = &m->file[i];
        text_printf(out, ".file %" PRIu32 " \"%s\"", f->index, f->name);
        if (f->rest)
            text_printf(out, ", %s", f->rest);
        text_char(out, '\n');
    }
}
