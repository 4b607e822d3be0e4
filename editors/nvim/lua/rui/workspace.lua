--- Starts the language server before a document is opened, if the working directory contains one. Importing the server
--- takes some tenths of a second, which the first document then does not wait for.
local server = require("rui.server")

local M = {}

local SUFFIX = ".rui.json"
local SKIPPED = { node_modules = true, __pycache__ = true }

--- Maximum number of directory entries that are read.
local MAX_ENTRIES = 5000

--- Search a folder and its subfolders, breadth first, without blocking the editor.
---@param root string
---@param on_found fun(path: string) called with the first document, if there is one within MAX_ENTRIES
local function find_document(root, on_found)
  local folders = { root }
  local entries = 0
  local function search_next()
    local folder = table.remove(folders, 1)
    if not folder or entries >= MAX_ENTRIES then
      return
    end
    vim.uv.fs_scandir(folder, function(_, request)
      while request do
        local name, kind = vim.uv.fs_scandir_next(request)
        if not name then
          break
        end
        entries = entries + 1
        local path = folder .. "/" .. name
        if kind == "file" and name:sub(-#SUFFIX) == SUFFIX then
          return on_found(path)
        end
        if kind == "directory" and name:sub(1, 1) ~= "." and not SKIPPED[name] then
          folders[#folders + 1] = path
        end
      end
      search_next()
    end)
  end
  search_next()
end

--- Start the server if the working directory contains a document. The home directory is not searched.
function M.start_if_documents()
  local folder = vim.fs.normalize(vim.fn.getcwd(-1, -1))
  if folder == "/" or folder == vim.fs.normalize("~") then
    return
  end
  find_document(folder, vim.schedule_wrap(server.start_for_file))
end

return M
