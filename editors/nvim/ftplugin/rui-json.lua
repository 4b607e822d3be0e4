if vim.b.did_ftplugin then
  return
end
-- The settings of JSON. They also set b:did_ftplugin and b:undo_ftplugin.
vim.cmd("runtime! ftplugin/json.vim")
vim.bo.expandtab = true
vim.bo.shiftwidth = 2
vim.bo.softtabstop = 2
vim.b.undo_ftplugin = (vim.b.undo_ftplugin or "") .. " | setlocal expandtab< shiftwidth< softtabstop<"

-- Without a parser and queries, syntax/rui-json.vim highlights the document.
local has_parser, loaded = pcall(vim.treesitter.language.add, "json")
if has_parser and loaded and vim.treesitter.query.get("json", "highlights") then
  vim.treesitter.start(0, "json")
  vim.b.undo_ftplugin = vim.b.undo_ftplugin .. " | lua vim.treesitter.stop()"
end
