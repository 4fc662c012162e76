/* What is known, and says nothing about times. */
#ifndef AMALTHEA_READ_UNUSED_HARMLESS_H
#define AMALTHEA_READ_UNUSED_HARMLESS_H

#include "amalthea/model.h"
#include "amalthea/xml/xml_tree.h"

/* `attribute` is NULL for the element itself. */
bool is_harmless(const xml_node *n, const char *attribute);

/* What it can mean that an element, or an attribute of it, was not used. */
am_unused unused_meaning(const xml_node *n, const char *attribute);

#endif
