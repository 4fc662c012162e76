#include "amalthea/read/read_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amalthea/amalthea.h"
#include "amalthea/read/model_files.h"
#include "amalthea/read/reader.h"
#include "amalthea/read/unused.h"

/* A reading makes trees of files, symbols of trees, and a model of symbols. The order of the parts matters: each may
 * need those before it. */
static bool read_parts(am_reader *r)
{
    static bool (*const parts[])(am_reader *) = {read_definitions, read_units,  read_events,     read_stimuli,
                                                 read_software,    check_calls, read_schedulers, read_mapping,
                                                 read_chains,      read_limits, read_affinities, list_unused};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!parts[i](r))
            return false;
    return true;
}

static bool keep_files(am_reader *r)
{
    const char **names = reader_array(r, r->files.count, sizeof *names);
    uint32_t *crcs = reader_array(r, r->files.count, sizeof *crcs);
    if (!names || !crcs)
        return false;
    for (size_t i = 0; i < r->files.count; i++) {
        names[i] = r->files.at[i]->path;
        crcs[i] = r->files.at[i]->crc;
    }
    r->m->files = names;
    r->m->crcs = crcs;
    r->m->file_count = r->files.count;
    return true;
}

static void drop(am_reader *r)
{
    for (size_t i = 0; i < r->files.count; i++) {
        xml_free(&r->files.at[i]->tree);
        free(r->files.at[i]);
    }
    vec_free(&r->files);
    symbols_free(&r->symbols);
    vec_free(&r->calls);
    vec_free(&r->task_calls);
    vec_free(&r->unknown);
    index_free(&r->unknown_index);
}

/* The model is the first thing in its arena. */
static am_model *new_model(void)
{
    arena memory = {0};
    am_model *m = arena_alloc(&memory, sizeof *m);
    if (m)
        m->memory = memory;
    return m;
}

typedef struct read_source {
    const char *const *paths; /* files and folders */
    size_t path_count;
    const char *name, *text; /* a file in memory; with `again`, in place of the path of that name */
    size_t size;
    bool is_text; /* the file in memory is all there is */
    bool again;   /* the paths are all files of a model that was read before */
} read_source;

/* Opens all files of a model that was read before, one of them with other text. */
static bool open_again(am_reader *r, const read_source *source)
{
    for (size_t i = 0; i < source->path_count; i++) {
        const char *path = source->paths[i];
        if (!(strcmp(path, source->name) == 0 ? files_add_text(r, path, source->text, source->size)
                                              : files_open(r, &path, 1)))
            return false;
    }
    return true;
}

static bool open_source(am_reader *r, const read_source *source)
{
    if (source->again)
        return open_again(r, source);
    if (source->is_text)
        return files_add_text(r, source->name, source->text, source->size);
    return files_open(r, source->paths, source->path_count) && files_add_wanted(r);
}

static gcast_status read_source_of(const read_source *source, am_model **m, gcast_error *err)
{
    *m = NULL;
    am_model *model = new_model();
    if (!model)
        return gcast_error_set_memory(err);
    am_reader r = {.m = model, .memory = &model->memory, .err = err, .runnable = -1};
    bool good = open_source(&r, source) && keep_files(&r) && read_parts(&r);
    drop(&r);
    if (!good) {
        amalthea_free(model);
        return r.status;
    }
    *m = model;
    return GCAST_OK;
}

gcast_status amalthea_read(const char *const *paths, size_t path_count, am_model **m, gcast_error *err)
{
    return read_source_of(&(read_source){.paths = paths, .path_count = path_count}, m, err);
}

gcast_status amalthea_read_memory(const char *name, const char *text, size_t size, am_model **m, gcast_error *err)
{
    return read_source_of(&(read_source){.name = name, .text = text, .size = size, .is_text = true}, m, err);
}

gcast_status amalthea_read_again(const am_model *m, const char *path, const char *bytes, size_t size, am_model **again,
                                 gcast_error *err)
{
    read_source source = {
        .paths = m->files, .path_count = m->file_count, .name = path, .text = bytes, .size = size, .again = true};
    return read_source_of(&source, again, err);
}

void amalthea_free(am_model *m)
{
    if (!m)
        return;
    arena memory = m->memory;
    arena_free(&memory);
}
