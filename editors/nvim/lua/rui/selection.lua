--- Extends and shrinks the selection by the ranges of the server. Neovim 0.12 has this built in.
local positions = require("rui.positions")

local M = {}

---@type table<integer, integer[][]> buffer → the selections that were extended: start row and column, end row and column
local history = {}

--- Return the selection, its end included.
local function selection()
  local first, last = vim.fn.getpos("v"), vim.fn.getpos(".")
  if first[2] > last[2] or (first[2] == last[2] and first[3] > last[3]) then
    first, last = last, first
  end
  return { first[2], first[3], last[2], last[3] }
end

local function select(range)
  vim.api.nvim_win_set_cursor(0, { range[1], range[2] - 1 })
  vim.cmd("normal! o")
  vim.api.nvim_win_set_cursor(0, { range[3], range[4] - 1 })
end

--- Return whether a range contains a selection and more.
local function is_larger(range, inner)
  local starts = range[1] < inner[1] or (range[1] == inner[1] and range[2] <= inner[2])
  local ends = range[3] > inner[3] or (range[3] == inner[3] and range[4] >= inner[4])
  return starts and ends and not vim.deep_equal(range, inner)
end

--- Convert a range of the server to a selection.
local function to_selection(bufnr, range, encoding)
  local column = positions.to_column(bufnr, range.start, encoding)
  local end_column = positions.to_column(bufnr, range["end"], encoding)
  return { range.start.line + 1, column + 1, range["end"].line + 1, math.max(end_column, 1) }
end

--- Select what surrounds the selection: the string, the property, the object …
function M.extend()
  local bufnr = vim.api.nvim_get_current_buf()
  local client = vim.lsp.get_clients({ bufnr = bufnr, name = "rui" })[1]
  if not client then
    return
  end
  local inner = selection()
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local position = { line = inner[1] - 1, character = 0 }
  local line = vim.api.nvim_buf_get_lines(bufnr, inner[1] - 1, inner[1], true)[1]
  position.character = vim.str_utfindex(line, client.offset_encoding, math.min(inner[2] - 1, #line))
  local request = { textDocument = params.textDocument, positions = { position } }
  local response = client:request_sync("textDocument/selectionRange", request, 1000, bufnr)
  local node = response and response.result and response.result[1]
  while node do
    local range = to_selection(bufnr, node.range, client.offset_encoding)
    if is_larger(range, inner) then
      history[bufnr] = history[bufnr] or {}
      table.insert(history[bufnr], inner)
      return select(range)
    end
    node = node.parent
  end
end

--- Select what was selected before.
function M.shrink()
  local last = table.remove(history[vim.api.nvim_get_current_buf()] or {})
  if last and is_larger(selection(), last) then
    select(last)
  end
end

---@param bufnr integer
function M.map(bufnr)
  if vim.lsp.buf.selection_range then
    return
  end
  local function map(keys, run, description)
    if vim.fn.maparg(keys, "x") == "" then
      vim.keymap.set("x", keys, run, { buffer = bufnr, desc = description })
    end
  end
  map("an", M.extend, "RUI: select what surrounds the selection")
  map("in", M.shrink, "RUI: select what was selected before")
end

return M
