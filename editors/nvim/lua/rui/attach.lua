--- Enables features in a buffer when the server is attached to it.
local M = {}

local METHOD = "textDocument/onTypeFormatting"

--- Match proposals like the server, which ignores case: "m" proposes "Metric". The user's other flags stay.
---@param bufnr integer
---@param is_auto boolean
local function set_completeopt(bufnr, is_auto)
  if vim.bo[bufnr].completeopt ~= "" then
    return
  end
  local flags = vim.go.completeopt
  -- With Neovim's default, the label of a single candidate is inserted before the user accepts it.
  if flags == vim.api.nvim_get_option_info2("completeopt", { scope = "global" }).default then
    flags = is_auto and "menuone,noselect,popup" or "menuone,noinsert,popup"
  end
  vim.bo[bufnr].completeopt = vim.list_contains(vim.split(flags, ","), "fuzzy") and flags or flags .. ",fuzzy"
end

--- Neovim inserts a proposal before the text after the cursor, also if its edit replaces that text. So leave out what
--- stands there already, such as the closing quote.
---@param item lsp.CompletionItem
---@param encoding string
---@return table
local function without_rest(item, encoding)
  local edit = item.textEdit
  if not edit or not edit.range then
    return {}
  end
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local line = vim.api.nvim_get_current_line()
  local last = edit.range["end"]
  local stop = last.line == row - 1 and vim.str_byteindex(line, encoding, last.character, false) or column
  local rest = line:sub(column + 1, stop)
  if rest == "" or not vim.endswith(edit.newText, rest) then
    return {}
  end
  edit.newText = edit.newText:sub(1, -#rest - 1)
  last.character = vim.str_utfindex(line, encoding, column, false)
  if item.insertTextFormat == vim.lsp.protocol.InsertTextFormat.Snippet then
    return {}
  end
  return { word = edit.newText }
end

---@param client vim.lsp.Client
---@param bufnr integer
function M.attach(client, bufnr)
  -- Without it, CTRL-X CTRL-O inserts plain words: no commas, no expanded snippets.
  if vim.g.rui_completion ~= false then
    local is_auto = vim.g.rui_completion == "auto"
    vim.lsp.completion.enable(true, client.id, bufnr, {
      autotrigger = is_auto,
      convert = function(item)
        return without_rest(item, client.offset_encoding)
      end,
    })
    set_completeopt(bufnr, is_auto)
  end
  if vim.g.rui_on_type ~= false and client.server_capabilities.documentOnTypeFormattingProvider then
    M.format_on_new_lines(client, bufnr)
  end
  -- Neovim's own mapping reads the file, which an unsaved buffer does not have.
  if vim.fn.maparg("<C-]>", "n") == "" then
    vim.keymap.set("n", "<C-]>", vim.lsp.buf.definition, { buffer = bufnr, desc = "RUI: go to the definition" })
  end
  if vim.lsp.linked_editing_range and vim.g.rui_linked_editing ~= false then
    vim.lsp.linked_editing_range.enable(true, { client_id = client.id })
  end
end

--- Request on-type formatting for each new line, which adds a missing comma after a value. Neovim 0.12 has this built in.
---@param client vim.lsp.Client
---@param bufnr integer
function M.format_on_new_lines(client, bufnr)
  if vim.lsp.on_type_formatting then
    return vim.lsp.on_type_formatting.enable(true, { client_id = client.id })
  end
  local lines = vim.api.nvim_buf_line_count(bufnr)
  local group = vim.api.nvim_create_augroup("rui.on_type." .. bufnr, {})
  vim.api.nvim_create_autocmd({ "TextChangedI", "InsertEnter" }, {
    group = group,
    buffer = bufnr,
    callback = function()
      local previous = lines
      lines = vim.api.nvim_buf_line_count(bufnr)
      if lines == previous + 1 then
        M.request_formatting(client, bufnr)
      end
    end,
  })
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedP", "InsertLeave" }, {
    group = group,
    buffer = bufnr,
    callback = function()
      lines = vim.api.nvim_buf_line_count(bufnr)
    end,
  })
end

--- Send the server the text of each rui.toml that is open, which counts before it is saved.
---@param client vim.lsp.Client
function M.synchronize_policies(client)
  local opened = {}
  local function open(bufnr)
    if opened[bufnr] or client:is_stopped() or vim.fs.basename(vim.api.nvim_buf_get_name(bufnr)) ~= "rui.toml" then
      return
    end
    opened[bufnr] = true
    local uri = vim.uri_from_bufnr(bufnr)
    local function text()
      local lines = vim.api.nvim_buf_get_lines(bufnr, 0, -1, true)
      local is_empty = #lines == 1 and lines[1] == ""
      return is_empty and "" or table.concat(lines, "\n") .. (vim.bo[bufnr].endofline and "\n" or "")
    end
    local function change()
      if client:is_stopped() then
        return true -- This detaches it.
      end
      local document = { uri = uri, version = vim.api.nvim_buf_get_changedtick(bufnr) }
      client:notify("textDocument/didChange", { textDocument = document, contentChanges = { { text = text() } } })
    end
    local version = vim.api.nvim_buf_get_changedtick(bufnr)
    local document = { uri = uri, languageId = "toml", version = version, text = text() }
    client:notify("textDocument/didOpen", { textDocument = document })
    vim.api.nvim_buf_attach(bufnr, false, {
      on_lines = change,
      on_reload = change,
      on_detach = function()
        opened[bufnr] = nil
        client:notify("textDocument/didClose", { textDocument = { uri = uri } })
      end,
    })
  end
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) then
      open(bufnr)
    end
  end
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" }, {
    group = vim.api.nvim_create_augroup("rui.policies." .. client.id, {}),
    pattern = "rui.toml",
    callback = function(event)
      open(event.buf)
      return client:is_stopped() -- This removes it.
    end,
  })
end

---@param client vim.lsp.Client
---@param bufnr integer
function M.request_formatting(client, bufnr)
  if client:is_stopped() or not vim.lsp.buf_is_attached(bufnr, client.id) then
    return
  end
  local params = vim.lsp.util.make_formatting_params() --[[@as table]]
  params.position = vim.lsp.util.make_position_params(0, client.offset_encoding).position
  params.ch = "\n"
  local tick = vim.api.nvim_buf_get_changedtick(bufnr)
  client:request(METHOD, params, function(_, edits)
    -- Ignore the edits if the text has changed since the request.
    if edits and vim.api.nvim_buf_is_loaded(bufnr) and vim.api.nvim_buf_get_changedtick(bufnr) == tick then
      vim.lsp.util.apply_text_edits(edits, bufnr, client.offset_encoding)
    end
  end, bufnr)
end

return M
