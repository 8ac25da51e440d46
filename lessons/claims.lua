-- Topics of the claims, in the order of the lectures: claims/NAME.lua each. README.md says how a claim is written.
return {
  { name = "blocks", title = "Blocks, warps, multiprocessors" },
  { name = "occupancy", title = "Occupancy and resources" },
}
