--- Finds, starts and restarts the language server.
local M = {}

local INITIALIZE = 'Content-Length: 58\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
local SETTING = "or set its path: vim.g.rui_cmd = { '/path/to/rui', 'lsp' }"

--- A server that crashes is restarted at most MAX_RESTARTS times in RESTART_WINDOW seconds.
local MAX_RESTARTS = 3
local RESTART_WINDOW = 180
local restart_times = {} ---@type number[]

--- Milliseconds in which a server that is run once answers.
M.answer_timeout = 30000
local TIMED_OUT = 124 -- the exit code of vim.system

function M.notify(message, level)
  vim.notify("RUI: " .. message, level or vim.log.levels.INFO)
end

--- Return the checkout of the toolkit that contains this plugin, also if the plugin is a link to it; nil for a copy.
---@return string?
local function checkout()
  local folder = vim.uv.fs_realpath(debug.getinfo(1, "S").source:sub(2))
  for _ = 1, 5 do -- editors/nvim/lua/rui/server.lua
    folder = folder and vim.fs.dirname(folder)
  end
  return folder and vim.uv.fs_stat(vim.fs.joinpath(folder, "install.py")) and folder or nil
end

--- Return the `rui` that is installed in the checkout of the plugin; nil if there is none.
---@return string?
local function program_of_checkout()
  local program = vim.fn.has("win32") == 1 and "Scripts/rui.exe" or "bin/rui"
  local folder = checkout()
  local path = folder and vim.fs.joinpath(folder, ".venv", program)
  return path and vim.uv.fs_stat(path) and path or nil
end

--- Return how the server is installed.
local function install_instruction()
  local python = vim.fn.has("win32") == 1 and "py" or "python3"
  local folder = checkout()
  if folder then
    local program = vim.fn.shellescape(vim.fs.joinpath(folder, "install.py"))
    return ("Install it with Python 3.11 or newer: %s %s"):format(python, program)
  end
  return ("Install it with Python 3.11 or newer, in a checkout of the RUI toolkit: %s install.py"):format(python)
end

--- Return why a script cannot run, as after its Python is removed; nil if it can.
---@param path string
---@return string? problem
local function problem_of_script(path)
  local file = io.open(path, "rb")
  if not file then
    return nil
  end
  local head = file:read(1000) or ""
  file:close()
  -- pip writes the first form if the path of the Python is long or contains spaces.
  local interpreter = head:match("^#!/bin/sh\n'''exec' \"?(.-)\"? \"%$0\"") or head:match("^#![ \t]*([^%s]+)")
  if interpreter and vim.fn.executable(interpreter) == 0 then
    return ("%s needs %s, which does not exist."):format(path, interpreter)
  end
end

--- Return the absolute path of a program on the PATH, or nil. Relative folders of the PATH are not searched, so that no
--- program of the working directory is started. Neovim searches it on Windows.
---@param name string
---@return string?
function M.find_program(name)
  for folder in vim.gsplit(vim.env.PATH or "", vim.fn.has("win32") == 1 and ";" or ":", { plain = true }) do
    local path = vim.fn.isabsolutepath(folder) == 1 and vim.fn.exepath(vim.fs.joinpath(folder, name)) or ""
    if path ~= "" then
      return path
    end
  end
end

--- Return the program of a setting as an absolute path, or nil.
---@param program string
---@return string?
local function resolve(program)
  if vim.fn.isabsolutepath(program) == 1 then
    return vim.fn.executable(program) == 1 and program or nil
  end
  return not program:find("[/\\]") and M.find_program(program) or nil
end

--- The working directory of the server, outside of the user's folders.
function M.working_directory()
  return vim.env.VIMRUNTIME
end

--- Explain why the program of vim.g.rui_cmd cannot be executed.
local function describe_invalid_program(setting, program)
  if type(setting) == "string" then
    local words = vim.split(setting, "%s+", { trimempty = true })
    if #words > 1 then
      return ("%s is not a path. Write a command with arguments as a list: %s"):format(program, vim.inspect(words))
    end
  end
  if vim.fn.isabsolutepath(program) == 0 then
    return program .. " is neither an absolute path nor a program on the PATH."
  end
  return program .. (vim.uv.fs_stat(program) and " is not executable." or " does not exist.")
end

--- Return the command that starts the server: vim.g.rui_cmd, else `rui` of the plugin's checkout, else on the PATH.
---@return string[]? command nil if there is none
---@return string origin or, without a command, the reason
function M.command()
  local setting = vim.g.rui_cmd
  local path, origin = program_of_checkout(), "of the checkout of this plugin"
  if not path then
    path, origin = M.find_program("rui"), "found on the PATH"
  end
  local command = { path, "lsp" }
  if setting ~= nil then
    command, origin = type(setting) == "string" and { vim.fn.expand(setting), "lsp" } or setting, "set by vim.g.rui_cmd"
    if type(command) ~= "table" or type(command[1]) ~= "string" then
      return nil, "vim.g.rui_cmd must be a path or a list such as { '/path/to/rui', 'lsp' }, not " .. vim.inspect(setting)
    end
    local program = resolve(command[1])
    if not program then
      return nil, "vim.g.rui_cmd: " .. describe_invalid_program(setting, command[1])
    end
    command = { program, unpack(command, 2) }
  elseif not path then
    return nil, "it is not installed."
  end
  local problem = problem_of_script(command[1])
  if problem then
    return nil, problem
  end
  return command, origin
end

--- Return instructions for the user if the server cannot be started.
---@return string[]
function M.instructions()
  if vim.g.rui_cmd ~= nil then
    return { "Correct vim.g.rui_cmd in your init.lua, or remove it.", install_instruction() }
  end
  return { install_instruction(), SETTING }
end

--- Return the error message for a server that cannot be started, with instructions.
---@param reason string
---@return string[]
function M.start_error(reason)
  return { "the language server cannot be started: " .. reason, unpack(M.instructions()) }
end

function M.notify_start_error(reason)
  M.notify(table.concat(M.start_error(reason), "\n  "), vim.log.levels.ERROR)
end

--- Return whether there is a command. If not, notify the user, once for each reason.
function M.check_command()
  local command, reason = M.command()
  if command == nil then
    local lines = M.start_error(reason)
    lines[#lines + 1] = ":checkhealth rui shows more, :RuiRestart tries again."
    vim.schedule(function() -- Inside an autocommand the message would be shown as an error of the autocommand.
      vim.notify_once("RUI: " .. table.concat(lines, "\n  "), vim.log.levels.ERROR)
    end)
  end
  return command ~= nil
end

--- Run a server once. If it does not answer as a language server, return the last line of its standard error, or that it
--- did not answer in time.
---@param command string[]
---@return string? problem
function M.problem_of(command)
  local ok, result = pcall(function()
    local options = { stdin = INITIALIZE, text = true, timeout = M.answer_timeout, cwd = M.working_directory() }
    return vim.system(command, options):wait()
  end)
  if not ok then
    return tostring(result)
  end
  if not (result.stdout or ""):find('"capabilities"', 1, true) then
    if result.code == TIMED_OUT then
      return ("It did not answer within %d s."):format(M.answer_timeout / 1000)
    end
    return (result.stderr or ""):match("([^\n]*)%s*$")
  end
end

local function report_failed_start(cause)
  local detail = M.problem_of(assert(M.command())) or ""
  local reason = ("it exited immediately with %s%s"):format(cause, detail == "" and "." or (": " .. detail))
  M.notify_start_error(reason)
end

local function restart_after_crash(cause)
  local now = vim.uv.now() / 1000
  restart_times = vim.tbl_filter(function(time)
    return now - time < RESTART_WINDOW
  end, restart_times)
  if #restart_times >= MAX_RESTARTS then
    local message = "the language server crashed %d times in %d minutes (%s). :RuiRestart restarts it, :RuiLog opens its log."
    return M.notify(message:format(#restart_times + 1, RESTART_WINDOW / 60, cause), vim.log.levels.ERROR)
  end
  restart_times[#restart_times + 1] = now
  M.notify(("the language server crashed (%s) and is restarted."):format(cause), vim.log.levels.WARN)
  vim.lsp.enable("rui", true) -- for every open document
end

--- Return whether a RUI document is open.
local function has_documents()
  return vim.iter(vim.api.nvim_list_bufs()):any(function(bufnr)
    return vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].filetype == "rui-json"
  end)
end

--- The clients that a command has started without a document.
local started_by_command = {} ---@type table<integer, boolean>

--- Call a function when a client is initialized. If its server ends before, `M.on_exit` reports it.
---@param client vim.lsp.Client
---@param done fun(client: vim.lsp.Client)
local function when_initialized(client, done)
  if client.initialized then
    done(client)
  elseif not client:is_stopped() then
    vim.defer_fn(function()
      when_initialized(client, done)
    end, 20)
  end
end

--- Call a function with the client of a buffer or, for a buffer that is no document, with that of its folder, which is
--- started if necessary. If it cannot be started, notify the user.
---@param bufnr integer
---@param done fun(client: vim.lsp.Client)
function M.with_client(bufnr, done)
  local attached = vim.lsp.get_clients({ bufnr = bufnr, name = "rui" })[1]
  if attached then
    return done(attached)
  end
  local command, reason = M.command()
  if not command then
    return M.notify_start_error(reason)
  end
  local config = vim.deepcopy(vim.lsp.config.rui)
  config.root_dir = vim.fs.root(bufnr, ".git")
  local id = vim.lsp.start(config, { attach = false })
  if id then
    started_by_command[id] = true
    when_initialized(assert(vim.lsp.get_client_by_id(id)), done)
  end
end

--- Set the only workspace folder of a client without a root.
---@param client vim.lsp.Client
---@param folder string
function M.set_folder(client, folder)
  local before = client.workspace_folders or {}
  local added = { uri = vim.uri_from_fname(folder), name = folder }
  if #before ~= 1 or before[1].uri ~= added.uri then
    client.workspace_folders = { added }
    client:notify("workspace/didChangeWorkspaceFolders", { event = { added = { added }, removed = before } })
  end
end

--- Handle the end of a server: restart it after a crash, report a failed start, ignore a requested end.
function M.on_exit(code, signal, client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  local was_initialized = client ~= nil and client.initialized
  if vim.v.exiting ~= vim.NIL or signal == 15 or (was_initialized and code == 0 and signal == 0) then
    return
  end
  vim.schedule(function()
    local is_awaited = started_by_command[client_id] and not was_initialized
    if not has_documents() and not is_awaited then
      return -- The next document or command starts the server and reports errors.
    end
    local cause = signal ~= 0 and ("signal %d"):format(signal) or ("exit code %d"):format(code)
    if was_initialized then
      restart_after_crash(cause)
    else
      report_failed_start(cause)
    end
  end)
end

--- Stop the server if it is running, and start it.
function M.restart()
  restart_times = {}
  vim.lsp.enable("rui", false)
  vim.wait(3000, function()
    return #vim.lsp.get_clients({ name = "rui" }) == 0
  end, 20)
  for _, client in ipairs(vim.lsp.get_clients({ name = "rui" })) do
    client:stop(true)
  end
  local command, reason = M.command()
  if command then
    vim.lsp.enable("rui", true)
  else
    M.notify_start_error(reason)
  end
end

return M
