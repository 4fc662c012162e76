/* What text must be before it is parsed: UTF-8, and within limits that keep parsers from running for hours. */
#ifndef AMALTHEA_XML_XML_CHECK_H
#define AMALTHEA_XML_XML_CHECK_H

#include <stddef.h>

#include "gridcast/error.h"

gcast_status xml_check(const char *file, const char *text, size_t size, gcast_error *err);

#endif
