// connection.h: a link that goes from one run to the next.
#ifndef LS_DEVICE_CONNECTION_H
#define LS_DEVICE_CONNECTION_H

#include "device/device.h"
#include "device/remote/kept.h"
#include "device/remote/link.h"

// The link that is free, else a new one. connection NULL: a new one. NULL: it could not be started.
Link *connection_take(DevConnection *connection, const LinkOptions *options, LsErr *err);
// After DONE, for the next run. False: there is no connection, and the caller closes the link.
bool connection_give(DevConnection *connection, Link *link);
// What the last run on the free link left: for the one that takes it. NULL: nothing.
const ProtoKept *connection_kept(const DevConnection *connection);
// Of a run that gave its link: what it left, if no other run came in between. run: connection_run, when it gave it.
uint64_t connection_run(const DevConnection *connection);
ProtoKept *connection_keep(DevConnection *connection, uint64_t run);

#endif
