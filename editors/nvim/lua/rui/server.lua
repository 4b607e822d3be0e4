--- Finding the language server, and what becomes of it.
local M = {}

local INSTALL = "Install it (Python 3.11 or newer is needed): pipx install 'rui-toolkit[lsp]'"
local SETTING = "or say where it is: vim.g.rui_cmd = { '/path/to/rui', 'lsp' }"

--- How often, in how many seconds, a server that dies is started again.
local RESTARTS, SECONDS = 3, 180
local restarts = {} ---@type number[]

local function tell(message, level)
  vim.notify("RUI: " .. message, level or vim.log.levels.INFO)
end

M.tell = tell

--- The interpreter that a script names, if it is not there: pipx leaves such a `rui` when its Python is removed.
---@param path string
---@return string?
local function lost_interpreter(path)
  local file = io.open(vim.fn.exepath(path), "rb")
  local start = file and file:read(500) or ""
  if file then
    file:close()
  end
  local interpreter = start:match("^#![ \t]*([^%s]+)")
  return interpreter and vim.fn.executable(interpreter) == 0 and interpreter or nil
end

--- Why what the setting names is no program.
local function why_not(set, name)
  local words = type(set) == "string" and vim.split(set, "%s+", { trimempty = true }) or {}
  if #words > 1 then
    return "which is no path of a program; a command with arguments is a list: " .. vim.inspect(words)
  end
  return vim.uv.fs_stat(name) and "which is no program that may be run." or "and there is no such program."
end

--- What keeps a program from being run, if anything does.
---@param path string
---@return string?
local function problem_of(path)
  local lost = lost_interpreter(path)
  return lost and ("%s needs %s, which is not there. `pipx reinstall rui-toolkit` mends it."):format(path, lost) or nil
end

--- The command that starts the server: vim.g.rui_cmd, else `rui` on the PATH.
---@return string[]? command nil if there is none
---@return string reason where it was found, or why there is none
function M.command()
  local set = vim.g.rui_cmd
  if set ~= nil then
    local command = type(set) == "string" and { vim.fn.expand(set), "lsp" } or set
    if type(command) ~= "table" or type(command[1]) ~= "string" then
      return nil, "vim.g.rui_cmd is to be a path, or a list such as { '/path/to/rui', 'lsp' }, not " .. vim.inspect(set)
    end
    if vim.fn.executable(command[1]) == 0 then
      return nil, ("vim.g.rui_cmd names %s, %s"):format(command[1], why_not(set, command[1]))
    end
    local problem = problem_of(command[1])
    if problem then
      return nil, problem
    end
    return command, "set by vim.g.rui_cmd"
  end
  local path = vim.fn.exepath("rui")
  if path == "" then
    return nil, "there is no `rui` on the PATH."
  end
  local problem = problem_of(path)
  if problem then
    return nil, problem
  end
  return { path, "lsp" }, "found on the PATH"
end

--- What to do when there is no server.
---@return string[]
function M.remedies()
  if vim.g.rui_cmd ~= nil then
    return { "Correct it in your init.lua, or leave it out to use the `rui` on the PATH.", INSTALL }
  end
  return { INSTALL, SETTING }
end

--- Why there is no server, and what to do.
---@param reason string
---@return string[]
function M.advice(reason)
  return { "the language server cannot be started: " .. reason, unpack(M.remedies()) }
end

--- Whether there is a server; if not, the user is told, once for every reason.
function M.found_or_said()
  local command, reason = M.command()
  if command == nil then
    local lines = M.advice(reason)
    lines[#lines + 1] = ":checkhealth rui says more; :RuiRestart tries again."
    vim.schedule(function() -- In an autocommand the message would look like a fault of it.
      vim.notify_once("RUI: " .. table.concat(lines, "\n  "), vim.log.levels.ERROR)
    end)
  end
  return command ~= nil
end

--- What a server says that ends as soon as it is started: the end of its standard error.
local function last_words()
  local command = M.command()
  local ran, done = pcall(function()
    return vim.system(assert(command), { stdin = "", text = true, timeout = 5000 }):wait()
  end)
  local lines = ran and vim.split(vim.trim(done.stderr or ""), "\n") or { tostring(done) }
  return lines[#lines]
end

--- A server has ended (`on_exit`). One that was asked to is of no interest; one that died is started again.
function M.ended(code, signal, client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  local was_started = client ~= nil and client.initialized
  if vim.v.exiting ~= vim.NIL or signal == 15 or (was_started and code == 0 and signal == 0) then
    return
  end
  vim.schedule(function()
    local how = signal ~= 0 and ("signal %d"):format(signal) or ("exit code %d"):format(code)
    if not was_started then
      local said = last_words()
      local lines = M.advice(("it ended at once, with %s%s"):format(how, said == "" and "." or (": " .. said)))
      return tell(table.concat(lines, "\n  "), vim.log.levels.ERROR)
    end
    local now = vim.uv.now() / 1000
    restarts = vim.tbl_filter(function(when)
      return now - when < SECONDS
    end, restarts)
    if #restarts >= RESTARTS then
      local often = "the language server has died %d times in %d minutes (%s). :RuiRestart starts it again, :RuiLog shows why."
      return tell(often:format(#restarts + 1, SECONDS / 60, how), vim.log.levels.ERROR)
    end
    restarts[#restarts + 1] = now
    tell(("the language server has died (%s); it is started again."):format(how), vim.log.levels.WARN)
    M.start()
  end)
end

--- Start the server for every open RUI, as opening the file would.
function M.start()
  vim.lsp.enable("rui", true)
end

--- End the server, if there is one, and start it again.
function M.restart()
  restarts = {}
  local clients = vim.lsp.get_clients({ name = "rui" })
  vim.lsp.enable("rui", false)
  local deadline = vim.uv.now() + 3000
  local function try()
    local alive = vim.tbl_filter(function(client)
      return vim.lsp.get_client_by_id(client.id) ~= nil
    end, clients)
    if #alive > 0 and vim.uv.now() < deadline then
      return vim.defer_fn(try, 20)
    end
    for _, client in ipairs(alive) do
      client:stop(true)
    end
    local command, reason = M.command()
    if command then
      M.start()
    else
      tell(table.concat(M.advice(reason), "\n  "), vim.log.levels.ERROR)
    end
  end
  try()
end

return M
