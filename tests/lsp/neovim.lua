-- Opens a file in Neovim, with the configuration of editors/neovim, and prints what a person would see as JSON lines.
local file, command = vim.env.SHAPECHECK_FILE, vim.json.decode(vim.env.SHAPECHECK_COMMAND)

local function say(what, value)
  io.stdout:write(vim.json.encode({ what = what, value = value }) .. "\n")
end

local function wait(condition)
  if not vim.wait(30000, condition, 50) then
    say("late", debug.traceback())
    vim.cmd("qall!")
  end
end

vim.opt.runtimepath:append(vim.env.SHAPECHECK_EDITOR)
vim.lsp.config("shapecheck", { cmd = command })
vim.lsp.enable("shapecheck")
vim.cmd("filetype on")
vim.cmd.edit(file)
vim.bo.filetype = "python"
local buffer = vim.api.nvim_get_current_buf()
vim.api.nvim_create_autocmd("LspAttach", {
  callback = function() vim.lsp.inlay_hint.enable(true, { bufnr = buffer }) end,
})

local function diagnostics()
  return vim.tbl_map(function(one)
    return { line = one.lnum + 1, code = one.code, message = one.message }
  end, vim.diagnostic.get(buffer))
end

local function hints()
  local found = vim.lsp.inlay_hint.get({ bufnr = buffer })
  return vim.tbl_map(function(one)
    return { line = one.inlay_hint.position.line + 1, label = one.inlay_hint.label }
  end, found)
end

wait(function() return #vim.diagnostic.get(buffer) > 0 and #hints() > 0 end)
say("diagnostics", diagnostics())
say("hints", hints())

-- the quick fix that is preferred, at the finding
local finding = vim.diagnostic.get(buffer)[1]
vim.api.nvim_win_set_cursor(0, { finding.lnum + 1, finding.col })
vim.lsp.buf.code_action({
  apply = true,
  filter = function(action) return action.isPreferred end,
})
wait(function() return #vim.diagnostic.get(buffer) == 0 end)
say("fixed", vim.api.nvim_buf_get_lines(buffer, 0, -1, false))

-- an edit that nobody saves
local before = vim.json.encode(hints())
local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
for number, line in ipairs(lines) do
  lines[number] = line:gsub("hidden=256", "hidden=32")
end
vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
wait(function() return vim.json.encode(hints()) ~= before and #hints() > 0 and vim.json.encode(hints()):find("32") end)
say("hints after an edit", hints())
vim.cmd("qall!")
