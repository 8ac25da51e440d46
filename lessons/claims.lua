-- Topics of the claims, in the order of the lectures: claims/NAME.lua each. README.md says how a claim is written.
return {
  { name = "blocks", title = "Blocks, warps, multiprocessors" },
  { name = "occupancy", title = "Occupancy and resources" },
  { name = "latency", title = "Latency, issue, parallelism" },
  { name = "waves", title = "Waves and tails" },
  { name = "global", title = "Global memory" },
  { name = "shared", title = "Shared memory" },
  { name = "rates", title = "Times and rates" },
  { name = "limits", title = "Limits of devices" },
}
