return {
  name = "ilp_ffma", id = "K28",
  title = "Two sums, two products, a store",
  about = "Five instructions: two that need nobody, two that need one of "
    .. "them each, a store. With 10 cycles until a result can be used one "
    .. "warp leaves most cycles empty; more warps fill them.",
  topic = "latency",
  lessons = { "L07" },
  model = "latency",
  values = { program = "fragment", warps = 1, arithmetic = 10 },
}
