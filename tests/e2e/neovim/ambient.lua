-- A headless Neovim whose user asks for nothing: a save leads to a hint and a lens, and a code action takes the fix.
--
--   CERTO_AMBIENT__ENABLED=true JOURNEY_CONFIGURATION=… JOURNEY_FILE=… nvim --headless -u NONE -c "luafile ambient.lua"

local function check(step, held, seen)
  io.stdout:write(held and "ok    " or "FAIL  ", step, seen and (": " .. tostring(seen)) or "", "\n")
  if not held then error(step, 0) end
end

local function wait(condition, seconds) return vim.wait((seconds or 100) * 1000, condition, 50) end

local function journey()
  local said = {}
  vim.lsp.handlers["window/showMessage"] = function(_, result) table.insert(said, result.message); return vim.NIL end
  dofile(vim.env.JOURNEY_CONFIGURATION)
  vim.cmd("edit " .. vim.env.JOURNEY_FILE)
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo.filetype = "python"
  local id
  check("attached", wait(function()
    for _, each in pairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
      if each.name == "certo" then id = each.id; return each.initialized ~= false and each.server_capabilities end
    end
  end))

  local line = vim.fn.search("while due > coin:")
  vim.api.nvim_buf_set_lines(buffer, line - 1, line, false, { "        while due > coin + 0:" })
  vim.cmd("write")
  check("hint", wait(function() return #vim.diagnostic.get(buffer) == 1 end, tonumber(vim.env.JOURNEY_SECONDS)))
  local hint = vim.diagnostic.get(buffer)[1]
  check("its words", hint.message:find("verified one%-line fix is ready"), hint.message)
  check("its line", hint.lnum == line - 1 and hint.severity == vim.diagnostic.severity.HINT, hint.lnum)

  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer) }
  local lenses = vim.lsp.buf_request_sync(buffer, "textDocument/codeLens", params, 5000)[id].result
  check("lens", lenses[1].command.title:find("verified one%-line fix ready"), lenses[1].command.title)

  vim.ui.select = function(items, options, choose)
    for _, item in ipairs(items) do
      if options.format_item(item):find("accept the verified", 1, true) then return choose(item) end
    end
    return choose(nil)
  end
  vim.api.nvim_win_set_cursor(0, { line, 8 })
  vim.lsp.buf.code_action()
  check("accepted", wait(function()
    return vim.api.nvim_buf_get_lines(buffer, line - 1, line, false)[1]:find(">=", 1, true)
  end))
  check("the hint goes", wait(function() return #vim.diagnostic.get(buffer) == 0 end))
  vim.cmd("write")
  check("nothing was said", #said == 0, said[1])
end

local held, trouble = xpcall(journey, debug.traceback)
if not held then io.stdout:write(tostring(trouble), "\n") end
vim.cmd(held and "qall!" or "cquit! 1")
