-- Opens a file in Neovim with the configuration of editors/neovim, and prints the cells of its screen as JSON lines.
local function wait(condition)
  if not vim.wait(60000, condition, 50) then
    io.stderr:write(debug.traceback(), "\n")
    vim.cmd("cquit!")
  end
end

local function put_cells(rows, grid, top, left)
  for row = 0, vim.o.lines - 1 do
    for column = 0, vim.o.columns - 1 do
      local is_cell, cell = pcall(vim.api.nvim__inspect_cell, grid, row, column)
      if is_cell and cell[1] and rows[top + row + 1] and rows[top + row + 1][left + column + 1] then
        rows[top + row + 1][left + column + 1] = { cell[1], cell[2] }
      end
    end
  end
end

-- Without a user interface, a window that floats is a grid of its own, which nothing puts on the screen.
local function print_screen(name)
  vim.cmd("redraw!")
  local rows = {}
  for row = 1, vim.o.lines do
    rows[row] = {}
    for column = 1, vim.o.columns do
      rows[row][column] = { " ", vim.empty_dict() }
    end
  end
  put_cells(rows, 1, 0, 0)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      local top, left = unpack(vim.api.nvim_win_get_position(window))
      for grid = 2, 20 do
        put_cells(rows, grid, top, left)
      end
    end
  end
  io.stdout:write(vim.json.encode({ name = name, rows = rows }) .. "\n")
end

local function place(text)
  vim.fn.cursor(1, 1)
  vim.fn.search("\\V" .. text)
end

local function float(lines, title)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  local width = math.max(unpack(vim.tbl_map(vim.fn.strdisplaywidth, lines)))
  local size = { width = width, height = #lines, border = "rounded", style = "minimal", title = title }
  vim.api.nvim_open_win(buffer, false, vim.tbl_extend("error", size, { relative = "cursor", row = 1, col = 0 }))
end

vim.o.columns, vim.o.lines, vim.o.termguicolors = 122, 28, true
vim.o.laststatus, vim.o.ruler, vim.o.showcmd = 0, false, false
vim.opt.shortmess:append("F")
vim.opt.runtimepath:append(vim.env.SHAPECHECK_EDITOR)
vim.lsp.config("shapecheck", { cmd = vim.json.decode(vim.env.SHAPECHECK_COMMAND) })
vim.lsp.enable("shapecheck")
vim.diagnostic.config({ virtual_text = true })
vim.cmd("syntax on")
vim.api.nvim_set_hl(0, "LspInlayHint", { fg = "#8ab4d8", italic = true }) -- the default is hardly legible in a picture
vim.cmd.edit(vim.env.SHAPECHECK_FILE)
vim.bo.filetype = "python"
local buffer = vim.api.nvim_get_current_buf()
vim.lsp.inlay_hint.enable(true, { bufnr = buffer })

wait(function()
  return #vim.diagnostic.get(buffer) > 0 and #vim.lsp.inlay_hint.get({ bufnr = buffer }) > 0
end)
print_screen("hints")

place("q = self.q")
vim.lsp.buf.hover({ border = "rounded" })
wait(function() return #vim.api.nvim_list_wins() > 1 end)
print_screen("hover")
vim.cmd("silent! fclose!")

-- the menu of Neovim itself waits for a key; pickers replace it in the same way
local is_open = false
vim.ui.select = function(items, options)
  local lines = {}
  for number, item in ipairs(items) do
    lines[number] = (" %d: %s "):format(number, options.format_item(item))
  end
  float(lines, " Code actions ")
  is_open = true
end
local finding = vim.diagnostic.get(buffer)[1]
vim.api.nvim_win_set_cursor(0, { finding.lnum + 1, finding.col })
vim.lsp.buf.code_action()
wait(function() return is_open end)
print_screen("quick fix")
vim.cmd("qall!")
