--- Linked editing: while the definition of a name is typed, its references change. Neovim 0.12 has this built in.
local positions = require("rui.positions")

local M = {}

local METHOD = "textDocument/linkedEditingRange"
local namespace = vim.api.nvim_create_namespace("rui.linked_editing")

--- What a name may not contain: typing it ends the link.
local NOT_IN_NAME = '["\\\n]'

---@class rui.Link
---@field mark integer the extmark at the cursor
---@field others integer[] the other extmarks
---@field text string what all of them contain

---@type table<integer, rui.Link> buffer → its link
local links = {}

local function clear(bufnr)
  links[bufnr] = nil
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
end

--- Return the range of an extmark: row, column, end row, end column.
local function range_of(bufnr, mark)
  local row, column, details = unpack(vim.api.nvim_buf_get_extmark_by_id(bufnr, namespace, mark, { details = true }))
  return row, column, details.end_row, details.end_col
end

local function text_of(bufnr, mark)
  local row, column, end_row, end_column = range_of(bufnr, mark)
  return table.concat(vim.api.nvim_buf_get_text(bufnr, row, column, end_row, end_column, {}), "\n")
end

local function is_at_cursor(bufnr, mark)
  local row, column, end_row, end_column = range_of(bufnr, mark)
  local cursor = vim.api.nvim_win_get_cursor(0)
  return row == cursor[1] - 1 and end_row == row and column <= cursor[2] and cursor[2] <= end_column
end

--- Start a link from the ranges of the server, the one at the cursor first.
---@param client vim.lsp.Client
local function start(client, bufnr, ranges)
  local mark
  local others = {}
  for _, range in ipairs(ranges) do
    local id = vim.api.nvim_buf_set_extmark(
      bufnr,
      namespace,
      range.start.line,
      positions.to_column(bufnr, range.start, client.offset_encoding),
      {
        end_row = range["end"].line,
        end_col = positions.to_column(bufnr, range["end"], client.offset_encoding),
        right_gravity = false,
        end_right_gravity = true,
      }
    )
    if not mark and is_at_cursor(bufnr, id) then
      mark = id
    else
      others[#others + 1] = id
    end
  end
  if mark then
    links[bufnr] = { mark = mark, others = others, text = text_of(bufnr, mark) }
  else
    clear(bufnr)
  end
end

---@param client vim.lsp.Client
local function request(client, bufnr)
  local tick = vim.api.nvim_buf_get_changedtick(bufnr)
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  client:request(METHOD, params, function(_, result)
    local is_current = vim.api.nvim_get_current_buf() == bufnr and vim.api.nvim_buf_get_changedtick(bufnr) == tick
    if result and is_current and not links[bufnr] then
      start(client, bufnr, result.ranges)
    end
  end, bufnr)
end

--- Copy what was typed to the other ranges, as a part of the same change.
local function copy(bufnr)
  local link = links[bufnr]
  local text = link and text_of(bufnr, link.mark)
  if not link or text == link.text then
    return
  end
  if text:find(NOT_IN_NAME) or not is_at_cursor(bufnr, link.mark) then
    return clear(bufnr)
  end
  link.text = text
  for _, other in ipairs(link.others) do
    if text_of(bufnr, other) ~= text then
      local row, column, end_row, end_column = range_of(bufnr, other)
      pcall(vim.cmd.undojoin) -- After an undo it fails, and there is no change to join.
      vim.api.nvim_buf_set_text(bufnr, row, column, end_row, end_column, { text })
    end
  end
end

---@param client vim.lsp.Client
---@param bufnr integer
function M.enable(client, bufnr)
  if vim.lsp.linked_editing_range then
    return vim.lsp.linked_editing_range.enable(true, { client_id = client.id })
  end
  local group = vim.api.nvim_create_augroup("rui.linked_editing." .. bufnr, {})
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI", "TextChangedP" }, {
    group = group,
    buffer = bufnr,
    callback = function()
      copy(bufnr)
    end,
  })
  vim.api.nvim_create_autocmd({ "CursorMoved", "CursorMovedI" }, {
    group = group,
    buffer = bufnr,
    callback = function()
      local link = links[bufnr]
      if link and is_at_cursor(bufnr, link.mark) then
        return
      end
      clear(bufnr)
      if not client:is_stopped() then
        request(client, bufnr)
      end
    end,
  })
end

return M
