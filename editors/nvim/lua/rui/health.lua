--- :checkhealth rui
local server = require("rui.server")

local M = {}

local MINIMUM = "nvim-0.11"

--- What a server says of itself: it is started, greeted and sent away.
---@param command string[]
---@return table? info `serverInfo`
---@return string problem
local function greet(command)
  local function frame(message)
    message.jsonrpc = "2.0"
    local body = vim.json.encode(message)
    return ("Content-Length: %d\r\n\r\n%s"):format(#body, body)
  end
  local hello = { id = 1, method = "initialize", params = { processId = vim.NIL, capabilities = vim.empty_dict() } }
  local input = frame(hello) .. frame({ id = 2, method = "shutdown" }) .. frame({ method = "exit" })
  local ran, done = pcall(function()
    return vim.system(command, { stdin = input, timeout = 10000 }):wait()
  end)
  if not ran then
    return nil, tostring(done)
  end
  local _, _, length, rest = (done.stdout or ""):find("Content%-Length: (%d+)\r\n.-\r\n(.*)")
  local read, answer = pcall(vim.json.decode, length and rest:gsub("^\r\n", ""):sub(1, tonumber(length)) or "")
  local info = read and vim.tbl_get(answer, "result", "serverInfo")
  local said = vim.trim(done.stderr or "")
  return info or nil, said ~= "" and said or ("it ended with %d and said nothing"):format(done.code)
end

local function check_python()
  for _, name in ipairs({ "python3", "python" }) do
    local path = vim.fn.exepath(name)
    if path ~= "" then
      local version = vim.trim(vim.system({ path, "-c", "import platform; print(platform.python_version())" }):wait().stdout or "")
      local major, minor = version:match("^(%d+)%.(%d+)")
      if tonumber(major) == 3 and tonumber(minor) >= 11 then
        return vim.health.ok(("Python %s is there to install the server with (%s)"):format(version, path))
      end
      vim.health.warn(("Python %s (%s) is too old; the server needs 3.11 or newer"):format(version, path))
    end
  end
  vim.health.warn("No Python 3.11 or newer is on the PATH; the server needs one")
end

local function check_server()
  vim.health.start("RUI: language server")
  local command, reason = server.command()
  if not command then
    local advice = server.advice(reason)
    vim.health.error(table.remove(advice, 1):gsub("^%l", string.upper), advice)
    return check_python()
  end
  vim.health.ok(("%s, %s"):format(table.concat(command, " "), reason))
  local info, problem = greet(command)
  if info then
    vim.health.ok(("It answers: %s %s"):format(info.name, info.version or ""))
  else
    vim.health.error("It does not answer as a language server: " .. problem, server.remedies())
    check_python()
  end
end

local function check_editor()
  vim.health.start("RUI: editor")
  vim.health.ok("Neovim " .. vim.split(tostring(vim.version()), "+")[1])
  if vim.filetype.match({ filename = "a.rui.json" }) == "rui-json" then
    vim.health.ok("*.rui.json is known as rui-json")
  else
    vim.health.error("*.rui.json is not known as rui-json", { "Put `filetype plugin indent on` into your init.lua." })
  end
  local loads, problem = pcall(vim.treesitter.language.add, "json")
  if not loads then
    vim.health.warn("The tree-sitter parser for JSON cannot be loaded: " .. tostring(problem))
  elseif problem and not vim.treesitter.query.get("json", "highlights") then
    vim.health.warn("The tree-sitter parser for JSON is there, but no queries/json/highlights.scm")
  elseif problem then
    vim.health.ok("The tree-sitter parser for JSON is there")
  else
    vim.health.info("No tree-sitter parser for JSON; highlighting is that of the syntax file (:TSInstall json gets one)")
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
        local found = #vim.diagnostic.get(bufnr)
        local what = "%s: attached (client %d, positions in %s), %d finding%s"
        vim.health.ok(what:format(name, client.id, client.offset_encoding, found, found == 1 and "" or "s"))
      else
        vim.health.error(name .. ": no server is attached", { ":RuiRestart starts it", ":RuiLog shows what it said" })
      end
    end
  end
  if opened == 0 then
    vim.health.info("None; open a *.rui.json, or begin one with :RuiNew, to see the server at work")
  end
end

--- All that can be said in a Neovim that is too old, some of which have no `vim.health`.
local function check_too_old()
  local health = vim.health or require("health")
  local version = vim.version()
  local name = ("%d.%d.%d"):format(version.major, version.minor, version.patch)
  local fail = health.error or health.report_error
  fail("Neovim " .. name .. " is too old for this plugin, which needs 0.11", { ":help rui-older" })
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
