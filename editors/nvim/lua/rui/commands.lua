--- The commands, each a function of a buffer (0: the current one) and, if it has any, its arguments.
local server = require("rui.server")

local M = {}

---@type table<integer, string> buffer → address of the file that its preview is in
local previews = {}

--- The server that looks after a buffer; without one the user is told what to do.
---@param bufnr integer
---@return vim.lsp.Client?
local function client_of(bufnr)
  local client = vim.lsp.get_clients({ bufnr = bufnr, name = "rui" })[1]
  if client then
    return client
  end
  if vim.bo[bufnr].filetype ~= "rui-json" then
    server.tell("this is no RUI; open a *.rui.json, or begin one with :RuiNew.", vim.log.levels.ERROR)
  else
    local command, reason = server.command()
    reason = command and "it is not running here; :RuiRestart starts it." or reason
    server.tell(table.concat(command and { reason } or server.advice(reason), "\n  "), vim.log.levels.ERROR)
  end
end

--- Have the server do something, then call a function with what it answers.
---@param bufnr integer
---@param command string
---@param argument table
---@param done fun(result: table)
local function execute(bufnr, command, argument, done)
  bufnr = bufnr == 0 and vim.api.nvim_get_current_buf() or bufnr
  local client = client_of(bufnr)
  if not client then
    return
  end
  client:request("workspace/executeCommand", { command = command, arguments = { argument } }, function(failure, result)
    if failure then
      server.tell(failure.message, vim.log.levels.ERROR)
    else
      done(result)
    end
  end, bufnr)
end

--- Open an address outside of the editor, and say it: whoever has no browser here can still copy it.
local function open(address, what)
  local opener, problem = nil, nil
  if vim.g.rui_open ~= false then
    opener, problem = vim.ui.open(address)
  end
  server.tell(("%s: %s%s"):format(what, address, problem and ("\n  It could not be opened: " .. problem) or ""))
  return opener
end

local function name_of(bufnr)
  return vim.fs.basename(vim.api.nvim_buf_get_name(bufnr))
end

function M.publish(bufnr)
  bufnr = bufnr == 0 and vim.api.nvim_get_current_buf() or bufnr
  execute(bufnr, "rui.publish", { uri = vim.uri_from_bufnr(bufnr), show = false }, function(result)
    if result.published then -- Otherwise the server has said why.
      if vim.fn.has("clipboard") == 1 then
        vim.fn.setreg("+", result.viewUrl)
      end
      open(result.viewUrl, name_of(bufnr) .. " is published")
    end
  end)
end

function M.preview(bufnr)
  bufnr = bufnr == 0 and vim.api.nvim_get_current_buf() or bufnr
  execute(bufnr, "rui.preview", { uri = vim.uri_from_bufnr(bufnr), show = false }, function(result)
    previews[bufnr] = result.uri
    open(result.uri, "preview of " .. name_of(bufnr))
  end)
end

--- Write the preview anew, if there is one, for whoever reloads it.
function M.refresh_preview(bufnr)
  if previews[bufnr] and vim.lsp.get_clients({ bufnr = bufnr, name = "rui" })[1] then
    execute(bufnr, "rui.preview", { uri = vim.uri_from_bufnr(bufnr), show = false }, function(result)
      previews[bufnr] = result.uri
    end)
  end
end

--- Show lines in a split of their own, which belongs to no file.
local function show(name, lines, filetype)
  local bufnr = vim.fn.bufadd(name)
  vim.bo[bufnr].buftype = "nofile" -- First of all: no server looks after what is no file.
  vim.fn.bufload(bufnr)
  vim.bo[bufnr].swapfile = false
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].filetype = filetype
  local window = vim.fn.bufwinid(bufnr)
  if window ~= -1 then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd.sbuffer({ bufnr, mods = { vertical = true } })
  end
end

function M.show_normalized(bufnr)
  bufnr = bufnr == 0 and vim.api.nvim_get_current_buf() or bufnr
  execute(bufnr, "rui.showNormalized", { uri = vim.uri_from_bufnr(bufnr), show = false }, function(result)
    local text = result.text:gsub("\n$", "")
    show("rui://normalized/" .. name_of(bufnr), vim.split(text, "\n"), "rui-json")
    local stored = result.valid and "a service would store it so" or "it is not valid, no service would store it"
    server.tell(("contentHash %s; %s."):format(result.contentHash, stored))
  end)
end

function M.fix(bufnr)
  if client_of(bufnr == 0 and vim.api.nvim_get_current_buf() or bufnr) then
    vim.lsp.buf.code_action({ context = { only = { "source.fixAll" }, diagnostics = {} }, apply = true })
  end
end

--- The rules that are broken here, for the command line.
function M.rules_here(lead)
  local names = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    local data = vim.tbl_get(diagnostic, "user_data", "lsp", "data") or {}
    for _, name in ipairs({ data.rule, diagnostic.code }) do
      names[tostring(name)] = vim.startswith(tostring(name):lower(), lead:lower()) or nil
    end
  end
  local found = vim.tbl_keys(names)
  table.sort(found)
  return found
end

--- The rule of the diagnostic at the cursor, else of the first one in its line.
local function rule_at_cursor()
  local position = vim.api.nvim_win_get_cursor(0)
  local found
  for _, diagnostic in ipairs(vim.diagnostic.get(0, { lnum = position[1] - 1 })) do
    local is_here = diagnostic.col <= position[2] and position[2] < math.max(diagnostic.end_col, diagnostic.col + 1)
    if is_here or not found then
      found = vim.tbl_get(diagnostic, "user_data", "lsp", "data", "rule") or diagnostic.code
    end
    if is_here then
      break
    end
  end
  return found
end

function M.explain(bufnr, given)
  local rule = given.args ~= "" and given.args or rule_at_cursor()
  if not rule then
    return server.tell("nothing is wrong in this line; name a rule: :RuiExplain R7", vim.log.levels.WARN)
  end
  execute(bufnr, "rui.explainRule", { rule = rule }, function(result)
    local lines = vim.split(vim.trim(result.markdown) .. "\n\n" .. result.url, "\n")
    vim.lsp.util.open_floating_preview(lines, "markdown", { border = "rounded", focus_id = "rui.explain", wrap = true })
  end)
end

--- A name for a new document that no file has.
local function free_name()
  local number, name = 1, "new.rui.json"
  while vim.uv.fs_stat(name) or vim.fn.bufexists(name) == 1 do
    number = number + 1
    name = ("new-%d.rui.json"):format(number)
  end
  return name
end

function M.new(_, given)
  local name = given.args ~= "" and vim.fn.expand(given.args) or free_name()
  if not name:match("%.rui%.json$") then
    name = name:gsub("%.json$", "") .. ".rui.json"
  end
  if vim.uv.fs_stat(name) then
    return server.tell(name .. " is there already; :edit opens it.", vim.log.levels.ERROR)
  end
  vim.cmd.edit(vim.fn.fnameescape(name))
  local bufnr = vim.api.nvim_get_current_buf()
  M.when_attached(bufnr, function()
    execute(bufnr, "rui.newDocument", vim.empty_dict(), function(result)
      local text = result.text:gsub("\n$", "")
      if vim.deep_equal(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), { "" }) then
        vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.split(text, "\n"))
      end
    end)
  end)
end

--- Call a function as soon as the server looks after a buffer; never, if there is no server.
function M.when_attached(bufnr, call)
  local client = vim.lsp.get_clients({ bufnr = bufnr, name = "rui" })[1]
  if client and client.initialized then
    return call()
  end
  vim.api.nvim_create_autocmd("LspAttach", {
    buffer = bufnr,
    callback = function(event)
      local attached = vim.lsp.get_client_by_id(event.data.client_id)
      if attached and attached.name == "rui" then
        vim.schedule(call)
        return true
      end
    end,
  })
end

function M.restart()
  server.restart()
end

function M.log()
  vim.cmd.tabedit(vim.fn.fnameescape(require("vim.lsp.log").get_filename()))
end

return M
