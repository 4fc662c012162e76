/* gcast_workload_calibrate: sets durations of ops by their labels, {"Kernel 1": 1000000}. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "files/document.h"
#include "files/workload_formats.h"
#include "gridcast/read.h"
#include "model/workload/workload.h"

#define MAX_LOSSY 3 /* limit of the ops with a note */

/* The duration for a label, or for the label without the number of an iteration. */
static json_t *find_duration(const node *root, const char *label)
{
    json_t *value = json_object_get(root->value, label);
    return value ? value : json_object_getn(root->value, label, workload_label_stem(label));
}

/* Does one duration replace several, of which some were longer? */
static bool loses_longer(const gcast_op *op, int64_t ns)
{
    bool is_longer = op->max_ns != GCAST_UNKNOWN_NS && op->min_ns < op->max_ns && ns < op->max_ns;
    for (uint64_t b = 0; op->block_ns && b < op->blocks && !is_longer; b++)
        is_longer = ns < op->block_ns[b];
    return is_longer;
}

static void note_lost(gcast_workload *w, const node *root, const char *label)
{
    char note[300];
    snprintf(note, sizeof note,
             "%.200s: the calibration replaces several durations by one, and some of them are longer", label);
    node_fail_as(root, gcast_workload_add_note(w, note, root->doc->err));
}

/* Sets all durations; every label must belong to an op on the GPU. */
static void apply(gcast_workload *w, const node *root)
{
    const char *key;
    json_t *value;
    size_t lossy_count = 0;
    json_object_foreach(root->value, key, value)
    {
        node n = node_key(root, key);
        node_int(&n, 1, WORKLOAD_MAX_NS);
    }
    json_t *unused = json_copy(root->value); /* without memory the copy has fewer keys */
    if (json_object_size(unused) != json_object_size(root->value))
        node_fail_memory(root);
    for (size_t i = 0; i < w->op_count && root->doc->status == GCAST_OK; i++) {
        const char *label = w->ops[i].label;
        value = gcast_kind_on_gpu(w->ops[i].kind) ? find_duration(root, label) : NULL;
        if (!value)
            continue;
        bool is_lossy = loses_longer(&w->ops[i], json_integer_value(value));
        workload_set_op_duration(w, i, json_integer_value(value));
        if (is_lossy && lossy_count++ < MAX_LOSSY)
            note_lost(w, root, label);
        json_object_del(unused, label);
        json_object_deln(unused, label, workload_label_stem(label));
    }
    json_object_foreach(unused, key, value)
    {
        node n = node_key(root, key);
        node_fail(&n, "no kernel, copy or memset has the label %s", key);
        break;
    }
    json_decref(unused);
}

gcast_status gcast_workload_calibrate(gcast_workload *w, const char *text, size_t size, const char *file,
                                      gcast_error *err)
{
    if (!w || !text)
        return argument_missing(err);
    document doc;
    gcast_error own;
    if (document_open(&doc, text, size, file, err ? err : &own) == GCAST_OK) {
        node root = document_root(&doc);
        apply(w, &root);
        if (doc.status == GCAST_OK)
            node_fail_as(&root, workload_note_iterations(w, doc.err));
    }
    document_close(&doc);
    return doc.status;
}
