if vim.b.did_ftplugin then
  return
end
-- What holds for JSON, first of all that it has no comments; it sets b:did_ftplugin and b:undo_ftplugin.
vim.cmd("runtime! ftplugin/json.vim")
vim.bo.expandtab = true
vim.bo.shiftwidth = 2
vim.bo.softtabstop = 2
vim.b.undo_ftplugin = (vim.b.undo_ftplugin or "") .. " | setlocal expandtab< shiftwidth< softtabstop<"

-- Without a parser that loads, and queries for it, there is syntax/rui-json.vim.
local has_parser, loaded = pcall(vim.treesitter.language.add, "json")
if has_parser and loaded and vim.treesitter.query.get("json", "highlights") then
  vim.treesitter.start(0, "json")
  vim.b.undo_ftplugin = vim.b.undo_ftplugin .. " | lua vim.treesitter.stop()"
end
