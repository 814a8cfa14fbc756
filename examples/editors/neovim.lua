-- certo in Neovim: put this into init.lua, or into a file that it loads.

if vim.lsp.config then
  -- Neovim 0.11 or newer.
  vim.lsp.config("certo", {
    cmd = { "certo", "serve" },
    filetypes = { "python" },
    root_markers = { "pyproject.toml", ".git" },
  })
  vim.lsp.enable("certo")
else
  -- Neovim 0.7 to 0.10: one client for each project.
  local clients = {}
  vim.api.nvim_create_autocmd("FileType", {
    pattern = "python",
    callback = function(event)
      local here = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(event.buf), ":p:h")
      local marker = vim.fn.findfile("pyproject.toml", here .. ";")
      local root = marker == "" and here or vim.fn.fnamemodify(marker, ":p:h")
      clients[root] = clients[root] or vim.lsp.start_client({ name = "certo", cmd = { "certo", "serve" }, root_dir = root })
      vim.lsp.buf_attach_client(event.buf, clients[root])
    end,
  })
end
