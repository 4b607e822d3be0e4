--- :checkhealth rui
local server = require("rui.server")

local M = {}

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
  local problem = server.problem_of(command)
  if problem then
    vim.health.error("It is not a language server. " .. problem, server.instructions())
    return check_python()
  end
  vim.health.ok("It is a language server")
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
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].filetype == "rui-json" and vim.bo[bufnr].buftype == "" then
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
  if vim.fn.has("nvim-0.11") == 0 then
    return check_too_old()
  end
  check_server()
  check_editor()
  check_clients()
end

return M
