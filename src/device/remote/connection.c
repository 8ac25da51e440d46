// connection.c: keeps the link of a run that is done for the next one.
#include "device/remote/connection.h"

#include <stdlib.h>

#include "base/mem.h"

struct DevConnection {
  Link *link;
  ProtoKept kept;
  uint64_t runs, kept_of;          // runs that gave their link; the one that `kept` is of
};

DevConnection *dev_connection_new(void) { return ls_alloc(sizeof(DevConnection)); }

void dev_connection_free(DevConnection *connection) {
  if (connection) link_close(connection->link), proto_kept_free(&connection->kept);
  free(connection);
}

Link *connection_take(DevConnection *connection, const LinkOptions *options, LsErr *err) {
  Link *link = connection ? connection->link : NULL;
  if (!link && connection) connection->kept_of = 0;   // a server that has not run anything
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
  connection->runs++;
  return true;
}

uint64_t connection_run(const DevConnection *connection) { return connection->runs; }

const ProtoKept *connection_kept(const DevConnection *connection) {
  return connection && connection->runs && connection->kept_of == connection->runs ? &connection->kept : NULL;
}

ProtoKept *connection_keep(DevConnection *connection, uint64_t run) {
  if (!connection->link || run != connection->runs) return NULL;
  connection->kept_of = run;
  return &connection->kept;
}
