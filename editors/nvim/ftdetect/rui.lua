-- A pattern, because ".rui.json" has two dots.
vim.filetype.add({ pattern = { [".*%.rui%.json"] = "rui-json" } })
