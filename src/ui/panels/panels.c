// panels.c: the table of panels, one row for each command that opens one.
#include "ui/panels/panel.h"

const SesPanelRow panels[] = {
#define COMMAND(...)
#define PANEL(ID, name, ...) {CMD_##ID, &panel_##name},
#include "app/commands.def"
    {CMD_NONE, NULL},
};
