/* Formats by the names of files. */
#ifndef REPORT_FORMAT_NAMES_H
#define REPORT_FORMAT_NAMES_H

#include "gridcast/report.h"

/* By the ending of a file name; false where none fits. */
bool gcast_format_from_name(const char *name, gcast_format *f);
/* The error "a curve cannot be written as csv". */
gcast_status format_refused(const char *what, gcast_format format, gcast_error *err);

#endif
