-- Wings of the museum of mistakes, in the order of a visit: museum/NAME.lua each. README.md says how a room is written.
return {
  { name = "indices", title = "Indices, strides and grids" },
  { name = "order", title = "Who comes first" },
  { name = "cards", title = "Cards: what does not run" },
}
