/* Reads custom properties and parameters of schedulers, with every kind of value as text. */
#ifndef AMALTHEA_READ_PROPERTY_H
#define AMALTHEA_READ_PROPERTY_H

#include "amalthea/read/reader.h"

typedef VEC(am_property) am_property_list;

/* A value of any class as text; NULL without memory. */
const char *property_text(am_reader *r, xml_node *value);
/* Reads the customProperties of an element. */
bool properties_read(am_reader *r, xml_node *n, const am_property **list, size_t *count);
/* Adds children with this tag, a key and a value: customProperties or parameterExtensions. */
bool properties_add(am_reader *r, xml_node *n, const char *tag, am_property_list *list);
/* Adds schedulingParameters, in both styles: a key that refers to a definition (since 2.0.0), or attributes. */
bool parameters_add(am_reader *r, xml_node *n, am_property_list *list);
/* Copies the list into the model, and frees it, also on failure. */
bool properties_keep(am_reader *r, am_property_list *list, const am_property **out, size_t *count);

#endif
