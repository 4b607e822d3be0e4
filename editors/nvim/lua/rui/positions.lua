--- Positions of the protocol.
local M = {}

--- Return the byte column of a position in a buffer.
---@param bufnr integer
---@param position lsp.Position
---@param encoding string
function M.to_column(bufnr, position, encoding)
  local line = vim.api.nvim_buf_get_lines(bufnr, position.line, position.line + 1, false)[1] or ""
  return vim.str_byteindex(line, encoding, position.character, false)
end

return M
