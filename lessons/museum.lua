-- Wings of the museum of mistakes, in the order of a visit: museum/NAME.lua each. README.md says how a room is written.
return {
  { name = "indices", title = "Indices and strides" },
}
