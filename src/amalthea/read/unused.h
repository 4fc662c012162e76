/* Lists the elements and attributes that no reader used: each kind once, and none is dropped in silence. */
#ifndef AMALTHEA_READ_UNUSED_H
#define AMALTHEA_READ_UNUSED_H

#include "amalthea/model.h"
#include "amalthea/read/reader.h"
#include "amalthea/xml/xml_tree.h"

/* Fills the list of the model. */
bool list_unused(am_reader *r);

/* Is an element (`attribute` NULL), or an attribute of it, known to say nothing about times? */
bool is_harmless(const xml_node *n, const char *attribute);

#endif
