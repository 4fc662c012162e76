/* Reads the data that each job uses from gridcast.job-data/1, which docs/formats.md describes. */
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/compare.h"
#include "base/vec.h"
#include "files/document.h"
#include "gridcast/plan.h"
#include "gridcast/read.h"
#include "model/plan/affinity.h"

#define SCHEMA "gridcast.job-data/1"

typedef VEC(uint32_t) number_list;
typedef VEC(uint64_t) key_list;

/* Reads the items of a job, sorts them, and adds them to the list. `keys` is scratch memory: an item, and its index in
 * the file. */
static void read_job(const node *n, number_list *items, key_list *keys)
{
    size_t count = node_count(n);
    keys->count = 0;
    if (!vec_reserve(keys, count) || !vec_reserve(items, items->count + count))
        node_fail_memory(n);
    for (size_t i = 0; i < count && n->doc->status == GCAST_OK; i++) {
        node item = node_item(n, i);
        keys->at[keys->count++] = (uint64_t)node_int(&item, 0, UINT32_MAX) << 32 | i;
    }
    if (keys->count)
        qsort(keys->at, keys->count, sizeof *keys->at, compare_u64);
    for (size_t i = 0; i < keys->count && n->doc->status == GCAST_OK; i++) {
        uint32_t number = (uint32_t)(keys->at[i] >> 32);
        if (i > 0 && number == keys->at[i - 1] >> 32) {
            node item = node_item(n, (uint32_t)keys->at[i]);
            node_fail(&item, "item %u is listed twice", number);
        }
        items->at[items->count++] = number;
    }
}

static void read_jobs(const node *root, number_list *items, number_list *first)
{
    node jobs = node_key(root, "jobs");
    size_t count = node_count(&jobs);
    key_list keys = {0};
    if (root->doc->status == GCAST_OK && (count == 0 || count > GCAST_PLAN_MAX_JOBS))
        node_fail(&jobs, "must have from 1 to %d jobs, not %zu", GCAST_PLAN_MAX_JOBS, count);
    for (size_t j = 0; j <= count && root->doc->status == GCAST_OK; j++) {
        if (!vec_push(first, (uint32_t)items->count))
            node_fail_memory(root);
        node job = node_item(&jobs, j);
        if (j < count)
            read_job(&job, items, &keys);
        if (items->count > UINT32_MAX)
            node_fail(&jobs, "more than %u items in all", UINT32_MAX);
    }
    vec_free(&keys);
}

static gcast_job_data *read_root(document *doc)
{
    static const char *const keys[] = {"schema", "jobs", NULL};
    node root = document_root(doc), schema = node_key(&root, "schema");
    number_list items = {0}, first = {0};
    gcast_job_data *data = NULL;
    if (strcmp(node_text(&schema), SCHEMA) != 0)
        node_fail(&schema, "must be \"" SCHEMA "\"");
    node_known(&root, keys);
    if (doc->status == GCAST_OK)
        read_jobs(&root, &items, &first);
    if (doc->status == GCAST_OK && !(data = calloc(1, sizeof *data)))
        node_fail_memory(&root);
    if (!data) {
        vec_free(&items);
        vec_free(&first);
        return NULL;
    }
    *data = (gcast_job_data){.jobs = (uint32_t)first.count - 1, .first = first.at, .item = items.at};
    return data;
}

gcast_status gcast_job_data_read(const char *text, size_t size, const char *file, gcast_job_data **out,
                                 gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!text || !out)
        return argument_missing(err);
    document doc;
    gcast_status status = document_open(&doc, text, size, file, err);
    if (status == GCAST_OK) {
        *out = read_root(&doc);
        status = doc.status;
    }
    document_close(&doc);
    return status;
}

gcast_status gcast_job_data_load(const char *path, gcast_job_data **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!path || !out)
        return argument_missing(err);
    char *text;
    size_t size;
    gcast_status status = gcast_file_read(path, &text, &size, err);
    if (status != GCAST_OK)
        return status;
    status = gcast_job_data_read(text, size, strcmp(path, "-") == 0 ? "standard input" : path, out, err);
    free(text);
    return status;
}
