-- A pattern, as ".rui.json" is no single extension.
vim.filetype.add({ pattern = { [".*%.rui%.json"] = "rui-json" } })
