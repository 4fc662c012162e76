#include "files/examiner/plugins/plugin.h"

#include <stdio.h>
#include <string.h>

#include "files/examiner/read/bench_ops.h"
#include "files/examiner/read/config_notes.h"

static void note_other(exam_bench *b, const char *text)
{
    static const char between[] = ".so is not one of the examiner's own benchmarks: ";
    size_t size = strlen(b->plugin) + sizeof between + strlen(text);
    char *note = arena_alloc(&b->memory, size);
    if (!note) {
        node_fail_as(b->at, gcast_error_set_memory(b->x->doc.err));
        return;
    }
    snprintf(note, size, "%s%s%s", b->plugin, between, text);
    examiner_note(b->x, note);
}

static void read_kernel(exam_bench *b)
{
    note_other(b, "taken as one kernel of the blocks and threads given; copies, shared memory and additional_info are "
                  "left out");
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    memcpy(op.grid, b->grid, sizeof op.grid);
    memcpy(op.block, b->block, sizeof op.block);
    op.stream = b->end_stream = bench_stream(b);
    op.mask = b->mask;
    bench_add(b, op, b->label, "");
}

static void read_nothing(exam_bench *b)
{
    note_other(b, "left out, since by its name it does not use the GPU");
}

const exam_plugin *examiner_plugin(exam_bench *b)
{
    static const exam_plugin kernel = {"", true, true, read_kernel}, cpu = {"", false, false, read_nothing};
    node filename = node_key(b->at, "filename");
    const char *text = node_text(&filename), *base = strrchr(text, '/');
    base = base ? base + 1 : text;
    size_t length = strlen(base);
    if (length <= 3 || strcmp(base + length - 3, ".so") != 0) {
        node_fail(&filename, "must be a plugin such as ./bin/timer_spin.so");
        return NULL;
    }
    char *stem = arena_alloc(&b->memory, length - 2);
    if (!stem) {
        node_fail_as(b->at, gcast_error_set_memory(b->x->doc.err));
        return NULL;
    }
    memcpy(stem, base, length - 3);
    stem[length - 3] = '\0';
    b->plugin = stem;
    for (const exam_plugin *p = b->x->plugins; p->name; p++)
        if (strcmp(stem, p->name) == 0)
            return p;
    return strncmp(stem, "cpu_", 4) == 0 ? &cpu : &kernel;
}
