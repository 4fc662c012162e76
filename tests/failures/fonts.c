#include "fonts.h"

#ifdef FAILURES_CAIRO
#include <cairo.h>

const bool fonts_available = true;

void fonts_load(void)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 8, 8);
    cairo_t *cr = cairo_create(surface);
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_show_text(cr, "text");
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
}
#else
const bool fonts_available = false;

void fonts_load(void)
{
}
#endif
