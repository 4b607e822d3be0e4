--- :checkhealth rui
local server = require("rui.server")

local M = {}

local MINIMUM = "nvim-0.11"

--- Start a server, initialize it and shut it down.
---@param command string[]
---@return table? info `serverInfo`
---@return string problem
local function query_server_info(command)
  local function frame(message)
    message.jsonrpc = "2.0"
    local body = vim.json.encode(message)
    return ("Content-Length: %d\r\n\r\n%s"):format(#body, body)
  end
  local initialize = { id = 1, method = "initialize", params = { processId = vim.NIL, capabilities = vim.empty_dict() } }
  local input = frame(initialize) .. frame({ id = 2, method = "shutdown" }) .. frame({ method = "exit" })
  local ran, result = pcall(function()
    return vim.system(command, { stdin = input, timeout = 10000, cwd = server.working_directory() }):wait()
  end)
  if not ran then
    return nil, tostring(result)
  end
  local _, _, length, rest = (result.stdout or ""):find("Content%-Length: (%d+)\r\n.-\r\n(.*)")
  local body = length and rest:gsub("^\r\n", ""):sub(1, tonumber(length)) or ""
  local decoded, response = pcall(vim.json.decode, body)
  local info = decoded and vim.tbl_get(response, "result", "serverInfo") or nil
  local problem = vim.trim(result.stderr or "")
  if problem == "" then
    problem = ("exit code %d without an error message"):format(result.code)
  end
  return info, problem
end

local function check_python()
  for _, name in ipairs({ "python3", "python" }) do
    local path = server.find_program(name)
    if path then
      local print_version = "import platform; print(platform.python_version())"
      local version = vim.trim(vim.system({ path, "-I", "-c", print_version }):wait().stdout or "")
      local major, minor = version:match("^(%d+)%.(%d+)")
      if tonumber(major) == 3 and tonumber(minor) >= 11 then
        return vim.health.ok(("Python %s can run the server (%s)"):format(version, path))
      end
      vim.health.warn(("Python %s (%s) is too old. The server requires 3.11 or newer"):format(version, path))
    end
  end
  vim.health.warn("No Python 3.11 or newer was found on the PATH. The server requires it")
end

local function check_server()
  vim.health.start("RUI: language server")
  local command, reason = server.command()
  if not command then
    local lines = server.start_error(reason)
    vim.health.error(table.remove(lines, 1):gsub("^%l", string.upper), lines)
    return check_python()
  end
  vim.health.ok(("%s, %s"):format(table.concat(command, " "), reason))
  local info, problem = query_server_info(command)
  if info then
    vim.health.ok(("It responds: %s %s"):format(info.name, info.version or ""))
  else
    vim.health.error("It is not a language server: " .. problem, server.instructions())
    check_python()
  end
end

local function check_editor()
  vim.health.start("RUI: editor")
  vim.health.ok("Neovim " .. vim.split(tostring(vim.version()), "+")[1])
  if vim.filetype.match({ filename = "a.rui.json" }) == "rui-json" then
    vim.health.ok("The file type of *.rui.json is rui-json")
  else
    vim.health.error("The file type of *.rui.json is not rui-json", { "Add `vim.cmd('filetype plugin indent on')` to your init.lua." })
  end
  local loads, problem = pcall(vim.treesitter.language.add, "json")
  if not loads then
    vim.health.warn("The tree-sitter parser for JSON cannot be loaded: " .. tostring(problem))
  elseif problem and not vim.treesitter.query.get("json", "highlights") then
    vim.health.warn("The tree-sitter parser for JSON is installed, but queries/json/highlights.scm is missing")
  elseif problem then
    vim.health.ok("The tree-sitter parser for JSON is installed")
  else
    vim.health.info("No tree-sitter parser for JSON. The syntax file highlights documents (:TSInstall json installs a parser)")
  end
  if not vim.lsp.is_enabled("rui") then
    vim.health.warn("The server is not enabled", { "Remove `vim.g.rui_enable = false`, or call vim.lsp.enable('rui')." })
  end
end

local function check_clients()
  vim.health.start("RUI: open documents")
  local opened = 0
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].filetype == "rui-json" and vim.bo[bufnr].buftype == "" then
      opened = opened + 1
      local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ":~:.")
      local client = vim.lsp.get_clients({ bufnr = bufnr, name = "rui" })[1]
      if client then
        local count = #vim.diagnostic.get(bufnr)
        local format = "%s: attached (client %d, positions in %s), %d diagnostic%s"
        vim.health.ok(format:format(name, client.id, client.offset_encoding, count, count == 1 and "" or "s"))
      else
        vim.health.error(name .. ": no server is attached", { ":RuiRestart starts it", ":RuiLog opens its log" })
      end
    end
  end
  if opened == 0 then
    vim.health.info("None. Open a *.rui.json file or create one with :RuiNew")
  end
end

--- The report for a Neovim that is too old. Some versions have no `vim.health`.
local function check_too_old()
  local health = vim.health or require("health")
  local version = vim.version()
  local name = ("%d.%d.%d"):format(version.major, version.minor, version.patch)
  local fail = health.error or health.report_error
  fail("Neovim " .. name .. " is too old for this plugin, which requires 0.11", { ":help rui-older" })
end

function M.check()
  if vim.fn.has(MINIMUM) == 0 then
    return check_too_old()
  end
  check_server()
  check_editor()
  check_clients()
end

return M
