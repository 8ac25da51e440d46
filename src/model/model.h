// model.h: everything of model/ at once: pure functions of events, and the counters.
#ifndef LS_MODEL_MODEL_H
#define LS_MODEL_MODEL_H

#include "model/arch.h"
#include "model/atomic.h"
#include "model/bank.h"
#include "model/bounds.h"
#include "model/coal.h"
#include "model/counter.h"
#include "model/latency.h"
#include "model/occ.h"
#include "model/rate.h"
#include "model/roofline.h"
#include "model/sentence.h"
#include "model/wavechart.h"
#include "model/waves.h"

#endif
