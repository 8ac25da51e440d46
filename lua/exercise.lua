-- What an exercise draws its cases and data with. The same name and number give the same draws on every machine.

local draw = use "draw"

-- name: of the exercise; number: of what is drawn, an integer.
return function(name, number)
  local d = draw.new(number, name, 0, 0)

  -- A list of n whole numbers from lo to hi; never fewer than one, since a buffer has an element.
  function d.numbers(n, lo, hi)
    local list = {}
    for i = 1, math.max(n, 1) do
      list[i] = d.integer(lo, hi)
    end
    return list
  end

  -- 0 to n - 1 in any order.
  function d.permutation(n)
    local list = {}
    for i = 1, n do
      list[i] = i - 1
    end
    return d.shuffle(list)
  end

  return d
end
