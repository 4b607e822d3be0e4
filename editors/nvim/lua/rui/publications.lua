--- Remembers the last publication of each document and service, in a file of Neovim's state folder.
local server = require("rui.server")

local M = {}

---@class rui.Publication
---@field specId string
---@field viewUrl string
---@field createdAt string

local function state_file()
  return vim.fs.joinpath(vim.fn.stdpath("state"), "rui", "publications.json")
end

--- Return all publications, by URI and service; nil, and notify the user, if the file cannot be read.
---@return table<string, table<string, rui.Publication>>?
local function read()
  if not vim.uv.fs_stat(state_file()) then
    return {}
  end
  local ok, value = pcall(function()
    return vim.json.decode(vim.fn.readblob(state_file()))
  end)
  if ok and type(value) == "table" then
    return value
  end
  server.notify(state_file() .. " cannot be read. Remove it: it has the addresses of published documents.", vim.log.levels.ERROR)
end

---@param uri string
---@param service string
---@return rui.Publication?
function M.find(uri, service)
  return vim.tbl_get(read() or {}, uri, service)
end

---@param uri string
---@param service string
---@param publication rui.Publication
function M.remember(uri, service, publication)
  local all = read()
  if not all then
    return
  end
  all[uri] = vim.tbl_extend("force", all[uri] or {}, { [service] = publication })
  local path = state_file()
  vim.fn.mkdir(vim.fs.dirname(path), "p")
  -- Another Neovim never reads a part of the file.
  local temporary = ("%s.%d"):format(path, vim.fn.getpid())
  local ok, problem = pcall(vim.fn.writefile, { vim.json.encode(all) }, temporary)
  if ok then
    _, problem = vim.uv.fs_rename(temporary, path)
  end
  if problem then
    server.notify("the publication is not remembered: " .. problem, vim.log.levels.WARN)
  end
end

return M
