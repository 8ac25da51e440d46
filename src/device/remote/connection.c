// connection.c: keeps the link of a run that is done for the next one.
#include "device/remote/connection.h"

#include <stdlib.h>

#include "base/mem.h"

struct DevConnection { Link *link; };

DevConnection *dev_connection_new(void) { return ls_alloc(sizeof(DevConnection)); }

void dev_connection_free(DevConnection *connection) {
  if (connection) link_close(connection->link);
  free(connection);
}

Link *connection_take(DevConnection *connection, const LinkOptions *options, LsErr *err) {
  Link *link = connection ? connection->link : NULL;
  if (!link) return link_open(options, LS_VERSION, err);
  connection->link = NULL;
  link_hand_over(link, options);
  return link;
}

bool connection_give(DevConnection *connection, Link *link) {
  static const LinkOptions nobody = {.time_limit = DEV_TIME_LIMIT};
  if (!connection || connection->link) return false;
  link_hand_over(link, &nobody);
  connection->link = link;
  return true;
}
