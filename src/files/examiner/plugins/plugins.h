/* The plugins of the examiner, with those that launch one kernel per iteration. What each does is from its .cu file.
 * The copies that fetch block times are left out: they are the examiner's own book-keeping. */
#ifndef FILES_EXAMINER_PLUGINS_PLUGINS_H
#define FILES_EXAMINER_PLUGINS_PLUGINS_H

#include "files/examiner/read/state.h"

extern const exam_plugin examiner_plugins[]; /* the last has a NULL name */

#endif
