/* Labels of operations: a kernel's short name is the last part of its name, without templates and arguments. Kernels
 * that differ only in these get .2, .3 and so on; launches of one kernel #2, #3 and so on. */
#include "profile/make/kernel_labels.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "profile/make/making.h"

static const char anonymous[] = "(anonymous namespace)";

/* The end of the brackets that open at `p`; NULL: they are not closed. */
static const char *skip_brackets(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        depth += strchr("<([{", *p) != NULL;
        if (strchr(">)]}", *p) && !(*p == '>' && p[-1] == '-') && --depth == 0)
            return p + 1;
    }
    return NULL;
}

/* Copies the name up to its arguments, without templates; false: it does not have this form. */
static bool flatten(const char *name, char *out, size_t size)
{
    size_t used = 0;
    for (const char *p = name; *p && used + 1 < size;) {
        bool is_anonymous = strncmp(p, anonymous, sizeof anonymous - 1) == 0;
        if (*p == '(' && !is_anonymous)
            break;
        if (strchr("<([{", *p)) {
            p = skip_brackets(p);
            if (!p)
                return false;
            continue;
        }
        out[used++] = *p++;
    }
    out[used] = '\0';
    return used > 0;
}

void short_name(const char *name, char out[SHORT_NAME_SIZE])
{
    char flat[4096];
    const char *last = name;
    if (flatten(name, flat, sizeof flat)) {
        char *end = flat + strlen(flat);
        while (end > flat && end[-1] == ' ')
            *--end = '\0';
        last = end;
        while (last > flat && last[-1] != ' ' && last[-1] != ':')
            last--;
    }
    if (!*last)
        last = *name ? name : "kernel";
    size_t size = strlen(last);
    if (size >= SHORT_NAME_SIZE) {
        size = SHORT_NAME_SIZE - 1;
        while (size > 0 && ((unsigned char)last[size] & 0xc0) == 0x80)
            size--; /* does not cut a UTF-8 character */
    }
    memcpy(out, last, size);
    out[size] = '\0';
}

/* A name of the trace and its label. */
typedef struct labelled {
    const char *name;  /* in the trace; equal names are equal pointers */
    const char *label; /* without the number of the launch */
    uint64_t launches; /* so far */
} labelled;

typedef struct labeller {
    making *m;
    VEC(labelled) names;
    hash_index by_name;       /* finds names[] by pointer */
    hash_index by_label;      /* finds labels[] by text */
    VEC(const char *) labels; /* all labels, with and without numbers */
} labeller;

static bool is_taken(const labeller *l, const char *label)
{
    for (index_probe p = index_start(&l->by_label, index_hash_text(label)); index_next(&l->by_label, &p);)
        if (strcmp(l->labels.at[p.value], label) == 0)
            return true;
    return false;
}

static const char *keep(labeller *l, const char *label)
{
    const char *copy = arena_strdup(&l->m->memory, label);
    return copy && vec_push(&l->labels, copy) &&
                   index_add(&l->by_label, index_hash_text(copy), (uint32_t)(l->labels.count - 1))
               ? copy
               : NULL;
}

static labelled *find_name(labeller *l, const char *name, const char *base)
{
    uint64_t hash = index_hash(&name, sizeof name);
    for (index_probe p = index_start(&l->by_name, hash); index_next(&l->by_name, &p);)
        if (l->names.at[p.value].name == name)
            return &l->names.at[p.value];
    char label[SHORT_NAME_SIZE + 32];
    snprintf(label, sizeof label, "%s", base);
    for (uint64_t n = 2; is_taken(l, label); n++)
        snprintf(label, sizeof label, "%s.%llu", base, (unsigned long long)n);
    labelled x = {.name = name, .label = keep(l, label)};
    if (!x.label || !vec_push(&l->names, x) || !index_add(&l->by_name, hash, (uint32_t)(l->names.count - 1)))
        return NULL;
    return &l->names.at[l->names.count - 1];
}

static const char *label_of(labeller *l, const char *name, const char *base)
{
    labelled *x = find_name(l, name, base);
    char label[SHORT_NAME_SIZE + 64];
    if (!x)
        return NULL;
    if (++x->launches == 1)
        return x->label;
    do
        snprintf(label, sizeof label, "%s#%llu", x->label, (unsigned long long)x->launches);
    while (is_taken(l, label) && ++x->launches);
    return keep(l, label);
}

static bool label_ops(labeller *l)
{
    making *m = l->m;
    static const char *const copies[] = {"h2d", "d2h", "d2d", "copy"};
    for (size_t i = 0; i < m->ops.count; i++) {
        const prof_op *op = trace_op(m, i);
        char base[SHORT_NAME_SIZE];
        const char *name = op->name;
        if (op->kind == GCAST_KIND_KERNEL) {
            short_name(name, base);
        } else {
            name = op->kind == GCAST_KIND_COPY ? copies[op->direction] : "memset";
            snprintf(base, sizeof base, "%s", name);
        }
        m->ops.at[i].label = label_of(l, name, base);
        if (!m->ops.at[i].label)
            return false;
    }
    return true;
}

static bool label_items(labeller *l)
{
    static const char *const waits[] = {[ITEM_STREAM_SYNC] = "stream-sync",
                                        [ITEM_DEVICE_SYNC] = "device-sync",
                                        [ITEM_FREE] = "free",
                                        [ITEM_MALLOC] = "malloc"};
    for (size_t i = 0; i < l->m->items.count; i++) {
        made_item *item = &l->m->items.at[i];
        if (item->kind == ITEM_OPS && !item->graph)
            continue;
        const char *name = item->graph ? l->m->graphs.at[item->graph - 1] : waits[item->kind];
        item->label = label_of(l, name, name);
        if (!item->label)
            return false;
    }
    return true;
}

gcast_status make_labels(making *m)
{
    labeller l = {.m = m};
    bool ok = label_ops(&l) && label_items(&l);
    vec_free(&l.names);
    vec_free(&l.labels);
    index_free(&l.by_name);
    index_free(&l.by_label);
    return ok ? GCAST_OK : gcast_error_set_memory(m->err);
}
