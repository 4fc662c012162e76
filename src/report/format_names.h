/* Formats by the names of files. */
#ifndef REPORT_FORMAT_NAMES_H
#define REPORT_FORMAT_NAMES_H

#include "gridcast/report.h"

/* By the ending of a file name; false where none fits. */
bool gcast_format_from_name(const char *name, gcast_format *f);

#endif
