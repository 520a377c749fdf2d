-- The language server of shapecheck, for Neovim 0.11 or later.
--
-- Put this directory on the runtime path and enable it:
--
--     vim.opt.runtimepath:append("/path/to/shapecheck/editors/neovim")
--     vim.lsp.enable("shapecheck")
--     vim.lsp.inlay_hint.enable()

---@type vim.lsp.Config
return {
  cmd = { "shapecheck", "lsp" },
  filetypes = { "python" },
  root_markers = { "pyproject.toml", "setup.py", "setup.cfg", ".git" },
  init_options = {
    inlayHints = { enabled = true, dtype = false, parameters = true, results = true, assigned = true },
    syntaxErrors = true,
    codeLens = true,
  },
}
