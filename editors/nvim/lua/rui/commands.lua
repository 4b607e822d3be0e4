--- The user commands. Each is a function of a buffer and the parameters of the command.
local publications = require("rui.publications")
local server = require("rui.server")

local M = {}

--- Return the client of a buffer. If there is none, notify the user.
---@param bufnr integer
---@return vim.lsp.Client?
local function client_of(bufnr)
  local client = vim.lsp.get_clients({ bufnr = bufnr, name = "rui" })[1]
  if client then
    return client
  end
  local message = "this is not a RUI document. Open a *.rui.json file or create one with :RuiNew."
  if vim.bo[bufnr].filetype == "rui-json" then
    local command, reason = server.command()
    if command then
      message = "the language server is not running for this buffer. :RuiRestart starts it."
    else
      message = table.concat(server.start_error(reason), "\n  ")
    end
  end
  server.notify(message, vim.log.levels.ERROR)
end

--- Execute a command of the server and call a function with the result.
---@param bufnr integer
---@param command string
---@param argument table
---@param done fun(result: table)
local function execute(bufnr, command, argument, done)
  local client = client_of(bufnr)
  if not client then
    return
  end
  client:request("workspace/executeCommand", { command = command, arguments = { argument } }, function(err, result)
    if err then
      server.notify(err.message, vim.log.levels.ERROR)
    else
      done(result)
    end
  end, bufnr)
end

--- Open a URL in the browser, and show it in a message.
local function open(url, message)
  message = ("%s: %s"):format(message, url)
  if vim.g.rui_open ~= false then
    local _, problem = vim.ui.open(url)
    if problem then
      message = message .. "\n  It could not be opened: " .. problem
    end
  end
  server.notify(message)
end

local function name_of(bufnr)
  return vim.fs.basename(vim.api.nvim_buf_get_name(bufnr))
end

--- Write a modified buffer to its file: what is published is what the file contains. Return whether it is written.
local function save(bufnr)
  if not vim.bo[bufnr].modified or vim.api.nvim_buf_get_name(bufnr) == "" then
    return true
  end
  local ok, problem = pcall(vim.api.nvim_buf_call, bufnr, function()
    vim.cmd("silent update")
  end)
  if not ok then
    local reason = tostring(problem):match("E%d+:[^\n]*") or tostring(problem)
    server.notify(("%s is not published, as it cannot be saved: %s"):format(name_of(bufnr), reason), vim.log.levels.ERROR)
  end
  return ok
end

--- Save and store a buffer: as a new version of a spec, if its id is given.
---@param bufnr integer
---@param last? string
local function store(bufnr, last)
  if not save(bufnr) then
    return
  end
  local uri = vim.uri_from_bufnr(bufnr)
  execute(bufnr, "rui.publish", { uri = uri, show = false, last = last }, function(result)
    if not result.published then
      return -- The server has shown the reason.
    end
    local publication = { specId = result.specId, viewUrl = result.viewUrl, createdAt = result.createdAt }
    publications.remember(uri, result.server, publication)
    if vim.fn.has("clipboard") == 1 then
      vim.fn.setreg("+", result.viewUrl)
    end
    if last and result.replaces == "" then
      server.notify("the service does not have the last version any more. The new one replaces none.", vim.log.levels.WARN)
    end
    open(result.viewUrl, "published " .. name_of(bufnr))
  end)
end

--- Call a function with the last publication of a buffer, or nil, and the service.
---@param bufnr integer
---@param done fun(last: rui.Publication?, service: string)
local function with_last(bufnr, done)
  local uri = vim.uri_from_bufnr(bufnr)
  execute(bufnr, "rui.published", { uri = uri }, function(result)
    done(publications.find(uri, result.server), result.server)
  end)
end

local function time_of(publication)
  return publication.createdAt:sub(1, 16):gsub("T", " ") .. " UTC"
end

--- Publish a buffer. If it was published before, the user chooses how.
function M.publish(bufnr)
  with_last(bufnr, function(last)
    if not last then
      return store(bufnr)
    end
    -- stylua: ignore
    local choices = {
      { "Publish as new version of " .. time_of(last), function() store(bufnr, last.specId) end },
      { "Publish separately, without a reference to it", function() store(bufnr) end },
      { "Compare with the last version", function() M.compare(bufnr) end },
      { "Open the last version", function() M.open_last(bufnr) end },
    }
    local options = {
      prompt = "Publish " .. name_of(bufnr),
      format_item = function(choice)
        return choice[1]
      end,
    }
    vim.ui.select(choices, options, function(choice)
      if choice then
        choice[2]()
      end
    end)
  end)
end

--- Call a function with the last publication of a buffer. If there is none, notify the user.
---@param bufnr integer
---@param done fun(last: rui.Publication)
local function require_last(bufnr, done)
  with_last(bufnr, function(last, service)
    if last then
      return done(last)
    end
    server.notify(("%s has not been published to %s from here."):format(name_of(bufnr), service), vim.log.levels.WARN)
  end)
end

function M.open_last(bufnr)
  require_last(bufnr, function(last)
    open(last.viewUrl, "published at " .. time_of(last))
  end)
end

--- Show the last publication beside the buffer, in diff mode.
function M.compare(bufnr)
  require_last(bufnr, function(last)
    execute(bufnr, "rui.published", { uri = vim.uri_from_bufnr(bufnr), last = last.specId }, function(result)
      vim.cmd.buffer(bufnr)
      vim.cmd.diffthis()
      vim.cmd("leftabove vnew")
      vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(vim.trim(result.text), "\n"))
      vim.bo.buftype, vim.bo.bufhidden, vim.bo.modifiable, vim.bo.syntax = "nofile", "wipe", false, "json"
      vim.cmd.diffthis()
      vim.cmd.wincmd("p")
    end)
  end)
end

function M.preview(bufnr)
  execute(bufnr, "rui.preview", { uri = vim.uri_from_bufnr(bufnr), show = false }, function(result)
    M.follow_cursor(bufnr)
    open(result.uri, "preview of " .. name_of(bufnr))
  end)
end

--- Send the position of the cursor to the preview, when it moves.
function M.follow_cursor(bufnr)
  local function send()
    local client = vim.lsp.get_clients({ bufnr = bufnr, name = "rui" })[1]
    if client and vim.api.nvim_get_current_buf() == bufnr then
      local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
      client:request("workspace/executeCommand", { command = "rui.previewCursor", arguments = { params } }, function() end, bufnr)
    end
  end
  vim.api.nvim_create_autocmd({ "CursorMoved", "CursorMovedI", "BufEnter" }, {
    group = vim.api.nvim_create_augroup("rui.preview." .. bufnr, {}),
    buffer = bufnr,
    callback = send,
  })
  vim.api.nvim_buf_call(bufnr, send)
end

--- List the diagnostics of all documents in the folder, open or not: the repository, else the working directory.
function M.check(bufnr)
  local client = client_of(bufnr)
  if not client then
    return
  end
  local folder = client.root_dir
  if not folder then
    folder = vim.fn.getcwd()
    vim.lsp.buf.add_workspace_folder(folder)
  end
  client:request("workspace/diagnostic", { previousResultIds = {} }, function(err, result)
    if err then
      return server.notify(err.message, vim.log.levels.ERROR)
    end
    local items = {}
    local documents = 0
    for _, report in ipairs(result.items) do
      documents = documents + (#(report.items or {}) > 0 and 1 or 0)
      for _, item in ipairs(report.items or {}) do
        local where = vim.lsp.util.locations_to_items({ { uri = report.uri, range = item.range } }, client.offset_encoding)[1]
        where.text = item.message
        where.type = ({ "E", "W", "I", "N" })[item.severity or 1]
        items[#items + 1] = where
      end
    end
    vim.fn.setqflist({}, " ", { title = "RUI documents in " .. folder, items = items })
    if #items == 0 then
      return server.notify("no problems in " .. folder)
    end
    vim.cmd("botright copen")
    server.notify(("%d problem%s in %d document%s"):format(#items, #items == 1 and "" or "s", documents, documents == 1 and "" or "s"))
  end)
end

function M.fix(bufnr)
  if client_of(bufnr) then
    vim.lsp.buf.code_action({ context = { only = { "source.fixAll" }, diagnostics = {} }, apply = true })
  end
end

--- Return the rule of the diagnostic at the cursor, else of the first diagnostic in the line.
local function rule_at_cursor()
  local line, column = unpack(vim.api.nvim_win_get_cursor(0))
  local diagnostics = vim.diagnostic.get(0, { lnum = line - 1 })
  local here = vim.iter(diagnostics):find(function(one)
    return one.col <= column and column < math.max(one.end_col, one.col + 1)
  end)
  local diagnostic = here or diagnostics[1]
  return diagnostic and (vim.tbl_get(diagnostic, "user_data", "lsp", "data", "rule") or diagnostic.code)
end

function M.explain(bufnr, params)
  local rule = params.args ~= "" and params.args or rule_at_cursor()
  if not rule then
    return server.notify("no error in this line. Add a rule: :RuiExplain R7", vim.log.levels.WARN)
  end
  execute(bufnr, "rui.explainRule", { rule = rule }, function(result)
    local lines = vim.split(vim.trim(result.markdown .. "\n" .. result.url), "\n")
    vim.lsp.util.open_floating_preview(lines, "markdown", { border = "rounded", focus_id = "rui.explain", wrap = true })
  end)
end

--- Return an unused file name for a new document.
local function unused_name()
  local number = 1
  local name = "new.rui.json"
  while vim.uv.fs_stat(name) or vim.fn.bufexists(name) == 1 do
    number = number + 1
    name = ("new-%d.rui.json"):format(number)
  end
  return name
end

function M.new(_, params)
  local name = params.args ~= "" and vim.fn.expand(params.args) or unused_name()
  if not name:match("%.rui%.json$") then
    name = name:gsub("%.json$", "") .. ".rui.json"
  end
  if vim.uv.fs_stat(name) then
    return server.notify(name .. " exists already. :edit opens it.", vim.log.levels.ERROR)
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

--- Call a function when the server is attached to a buffer.
function M.when_attached(bufnr, callback)
  local client = vim.lsp.get_clients({ bufnr = bufnr, name = "rui" })[1]
  if client and client.initialized then
    return callback()
  end
  vim.api.nvim_create_autocmd("LspAttach", {
    buffer = bufnr,
    callback = function(event)
      local attached = vim.lsp.get_client_by_id(event.data.client_id)
      if attached and attached.name == "rui" then
        vim.schedule(callback)
        return true
      end
    end,
  })
end

M.restart = server.restart

function M.log()
  vim.cmd.tabedit(vim.fn.fnameescape(require("vim.lsp.log").get_filename()))
end

return M
