-- One room of the museum as a short lesson: find the mistake, see what the checks say, see the cure.

local museum = use "museum"
local text = use "text"

local title, says, result = museum.walk(room_wish())
coroutine.yield { kind = "end", title = title, text = text.flow(says), claim = result }
