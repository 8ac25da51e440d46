-- Scripts run without io, os and the like; the helpers are those of kernels/README.md and lessons/README.md.
std = {
  read_globals = {
    "assert", "cdiv", "error", "expect", "f32", "gcd", "getmetatable", "ipairs", "log2i", "next", "pairs", "pcall", "popcount",
    "rawequal", "rawget", "rawlen", "rawset", "rup", "select", "tonumber", "tostring", "type",
    all = { fields = { "add_up", "count", "max", "min", "sorted", "sum" } },
    each = { fields = { "abs", "at", "equal", "f32", "index", "less", "max", "min", "pick", "product", "sqrt" } },
    coroutine = { fields = { "create", "isyieldable", "resume", "running", "status", "wrap", "yield" } },
    math = { fields = { "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge", "log", "max", "maxinteger", "min",
                        "mininteger", "modf", "pi", "rad", "random", "sin", "sqrt", "tan", "tointeger", "type", "ult" } },
    string = { fields = { "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "rep", "reverse", "sub", "upper" } },
    table = { fields = { "concat", "insert", "pack", "remove", "sort", "unpack" } },
    utf8 = { fields = { "char", "charpattern", "codepoint", "codes", "len", "offset" } },
  },
}
max_line_length = 140

-- What words mean, a line each.
files["lessons/glossary.lua"] = { read_globals = { "stressed", "term" }, max_line_length = false }
-- The words of lua/lesson.lua.
files["lua/*.lua"] = { read_globals = { "course_place", "drill", "drill_wish", "lesson_line", "model_facts", "question_bank", "use" } }
files["lessons/*.lua"] = {
  read_globals = { "check", "compare", "counted", "explain", "finish", "focus", "hide", "lanes_of", "make", "mask", "measure", "model", "modify", "parsons",
                   "percent", "picture", "predict", "recall", "recite", "rubric", "run", "say", "show", "trace", "try", "use" },
}
files["lua/claims.lua"] = { globals = { "claim", "device" }, read_globals = { "claim_file", "claim_topics", "device_facts" } }
files["lua/claim.lua"] = { globals = { "measure", "model", "picture", "show" }, read_globals = { "claim_wish" } }
files["lua/museum.lua"] = {
  globals = { "card", "room" },
  read_globals = { "compare", "explain", "hide", "measure", "museum_file", "museum_wings", "predict", "show" },
}
files["lua/room.lua"] = { read_globals = { "room_wish" } }
files["lua/demo.lua"] = {
  globals = { "ask", "demo", "keep", "reveal", "scene", "whatif" }, read_globals = { "demo_file", "demo_names", "demo_wish" },
}
files["lessons/demos/*.lua"] = {
  read_globals = { "ask", "counted", "demo", "keep", "lanes_of", "mask", "percent", "reveal", "scene", "use", "whatif" },
}
files["lua/families.lua"] = { globals = { "family" }, read_globals = { "family_file" } }
files["lua/quiz.lua"] = { read_globals = { "ask_skills", "finish", "quiz_wish", "rubric", "skill_states" } }
files["lua/exam.lua"] = { read_globals = { "ask_like", "exam_wish", "rubric" } }
files["lessons/families.lua"] = {
  read_globals = { "counted", "family", "measure", "picture", "predict", "rubric", "show", "trace", "try" },
}
files["lessons/museum/*.lua"] = { read_globals = { "card", "room" } }
files["lessons/claims/*.lua"] = { read_globals = { "claim", "device", "measure", "model", "picture", "show" } }
files["lessons/questions/*.lua"] = { read_globals = { "counted", "lanes_of", "mask", "measure", "model", "percent", "skill" } }
