-- The journey in a headless Neovim: offer, run, hover, accept, save, and a second search cancelled. From Neovim 0.7 on.
--
--   JOURNEY_CONFIGURATION=… JOURNEY_FILE=… nvim --headless -u NONE -c "luafile journey.lua"
--
-- Everything is done the way a user does it: code actions are chosen from the list that vim.lsp.buf.code_action shows.
-- Prints one line per step, and ends at the first that does not hold, or with exit code 0.

local function check(step, held, seen)
  io.stdout:write(held and "ok    " or "FAIL  ", step, seen and (": " .. tostring(seen)) or "", "\n")
  if not held then error(step, 0) end
end

local function wait(condition, seconds) return vim.wait((seconds or 100) * 1000, condition, 50) end

local function journey()
  local said, progressed = {}, {}
  vim.lsp.handlers["window/showMessage"] = function(_, result) table.insert(said, result.message); return vim.NIL end
  local show_progress = vim.lsp.handlers["$/progress"]
  vim.lsp.handlers["$/progress"] = function(err, result, ...)
    table.insert(progressed, result.value.kind)
    if show_progress then return show_progress(err, result, ...) end
  end

  dofile(vim.env.JOURNEY_CONFIGURATION)
  vim.cmd("edit " .. vim.env.JOURNEY_FILE)
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo.filetype = "python"
  local id
  check("attached", wait(function()
    for _, each in pairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
      if each.name == "certo" then id = each.id; return true end
    end
  end))
  local function client() return vim.lsp.get_client_by_id(id) end
  check("initialize", wait(function() return client() and client().initialized ~= false and client().server_capabilities end))

  -- Where the user's eyes and cursor are: on the function's name.
  local function go_to(name) vim.api.nvim_win_set_cursor(0, { vim.fn.search("def " .. name), 5 }) end
  go_to("change")

  local titles, wanted = {}, nil
  vim.ui.select = function(items, options, choose)
    titles = {}
    for _, item in ipairs(items) do
      local title = options.format_item(item)
      table.insert(titles, title)
      if wanted and title:find(wanted, 1, true) then return choose(item) end
    end
    return choose(nil)
  end
  local function code_action(title)
    titles, wanted = {}, title
    vim.lsp.buf.code_action()
    return wait(function() return #titles > 0 end, 5)
  end
  local function offered(part)
    code_action(nil)
    for _, title in ipairs(titles) do if title:find(part, 1, true) then return title end end
  end
  local function request(method)
    local answers = vim.lsp.buf_request_sync(buffer, method, vim.lsp.util.make_position_params(0, client().offset_encoding), 5000)
    return answers and answers[id] and answers[id].result
  end

  check("offer", offered("repair `change` until its tests pass"), titles[1])
  check("write tests", offered("write tests for `change`"), table.concat(titles, " | "))
  code_action("repair `change`")
  check("result", wait(function() return #said > 0 end), said[1])
  check("progress", progressed[1] == "begin" and progressed[#progressed] == "end", #progressed .. " reports")

  local hover = request("textDocument/hover")
  check("hover", hover and hover.contents.value:find("verified by", 1, true), hover and hover.contents.value:match("[^\n]+"))
  local lenses = request("textDocument/codeLens")
  check("lens", lenses and #lenses > 0, lenses and lenses[1] and lenses[1].command.title)

  check("candidate", offered("accept #1"), titles[1])
  local before = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
  code_action("accept #1")
  check("accepted", wait(function()
    return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") ~= before
  end))
  vim.cmd("write")
  check("saved", table.concat(vim.fn.readfile(vim.env.JOURNEY_FILE), "\n") ~= before)
  check("gone", wait(function() return not offered("accept #1") end, 10))
  vim.cmd("silent undo")
  check("one undo step", table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") == before)

  go_to("weight")
  code_action("repair `weight`")
  check("running", wait(function() return offered("cancel (running") end))
  local searching = request("textDocument/hover")
  check("hover while it runs", searching and searching.contents.value:find("Searching for weight", 1, true))
  code_action("cancel (running")
  check("cancelled", wait(function() return offered("Certo: retry") end), table.concat(titles, " | "))

  if vim.fn.has("nvim-0.11") == 1 then client():stop() else client().stop() end
  check("shut down", wait(function() local left = client(); return not left or (vim.fn.has("nvim-0.11") == 0 and left.is_stopped()) end))
end

local held, trouble = xpcall(journey, debug.traceback)
if not held then io.stdout:write(tostring(trouble), "\n") end
vim.cmd(held and "qall!" or "cquit! 1")
