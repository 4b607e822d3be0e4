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
  local message = "this is not a RUI document. Open a *.rui.json file, create one with :RuiNew, or :set filetype=rui-json."
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

--- Send a request and call a function with the result. If it fails, notify the user.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param done fun(result: table)
---@param bufnr? integer the buffer that the request is about
local function request(client, method, params, done, bufnr)
  client:request(method, params, function(err, result)
    if err then
      server.notify(err.message, vim.log.levels.ERROR)
    elseif not bufnr or vim.api.nvim_buf_is_valid(bufnr) then -- else it was closed meanwhile
      done(result)
    end
  end, bufnr)
end

--- Execute a command of the server for a document and call a function with the result.
---@param bufnr integer
---@param command string
---@param argument table
---@param done fun(result: table)
local function execute(bufnr, command, argument, done)
  local client = client_of(bufnr)
  if client then
    request(client, "workspace/executeCommand", { command = command, arguments = { argument } }, done, bufnr)
  end
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
  local path = vim.api.nvim_buf_get_name(bufnr)
  return path ~= "" and vim.fs.basename(path) or "the document"
end

--- Return the reason of a failed command of Neovim, without the place in the plugin.
local function reason_of(problem)
  return tostring(problem):match("E%d+:[^\n]*") or tostring(problem)
end

--- Write a modified buffer to its file: what is published is what the file contains. Return whether it is written.
local function save(bufnr)
  if not vim.bo[bufnr].modified then
    return true
  end
  local ok, problem = pcall(vim.api.nvim_buf_call, bufnr, function()
    vim.cmd("silent update")
  end)
  if not ok then
    local message = "%s is not published, as it cannot be saved: %s"
    server.notify(message:format(name_of(bufnr), reason_of(problem)), vim.log.levels.ERROR)
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
  if not client_of(bufnr) then
    return
  elseif vim.api.nvim_buf_get_name(bufnr) == "" then
    return server.notify("the document has no name. Save it first: :write NAME.rui.json", vim.log.levels.ERROR)
  end
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
    server.notify(("%s has not been published to %s from here. :RuiPublish publishes it."):format(name_of(bufnr), service), vim.log.levels.WARN)
  end)
end

function M.open_last(bufnr)
  require_last(bufnr, function(last)
    open(last.viewUrl, "published at " .. time_of(last))
  end)
end

--- Return the window of the tab page that shows a comparison, if there is one, and the document that it compares.
---@return integer? window
---@return integer? bufnr
local function find_comparison()
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local compared = vim.b[vim.api.nvim_win_get_buf(window)].rui_compared
    if compared then
      return window, compared
    end
  end
end

--- Return the window in which a document is compared: at its left, in diff mode. An earlier comparison makes room for it.
local function open_comparison(bufnr)
  local window, compared = find_comparison()
  if window and compared == bufnr then
    return window
  elseif window then
    vim.api.nvim_win_close(window, true)
  end
  local document = vim.fn.bufwinid(bufnr)
  if document == -1 then
    vim.cmd.buffer(bufnr)
  else
    vim.api.nvim_set_current_win(document)
  end
  vim.cmd.diffthis()
  vim.cmd("leftabove vnew")
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.syntax = "nofile", "wipe", "json"
  vim.b.rui_compared = bufnr
  vim.cmd.diffthis()
  window = vim.api.nvim_get_current_win()
  vim.cmd.wincmd("p")
  return window
end

--- Show the last publication beside the buffer, in diff mode.
function M.compare(bufnr)
  require_last(bufnr, function(last)
    execute(bufnr, "rui.published", { uri = vim.uri_from_bufnr(bufnr), last = last.specId }, function(result)
      local window = open_comparison(bufnr)
      vim.wo[window].statusline = ("%s, published at %s"):format(name_of(bufnr), time_of(last)):gsub("%%", "%%%%")
      local shown = vim.api.nvim_win_get_buf(window)
      vim.bo[shown].modifiable = true
      vim.api.nvim_buf_set_lines(shown, 0, -1, false, vim.split(vim.trim(result.text), "\n"))
      vim.bo[shown].modifiable = false
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

--- Return "1 problem" or "2 problems".
local function counted(count, word)
  return ("%d %s%s"):format(count, word, count == 1 and "" or "s")
end

--- Show the diagnostics of the documents in a folder.
local function show_problems(folder, reports, encoding)
  local items = {}
  local documents = 0
  for _, report in ipairs(reports) do
    documents = documents + (#(report.items or {}) > 0 and 1 or 0)
    for _, item in ipairs(report.items or {}) do
      local where = vim.lsp.util.locations_to_items({ { uri = report.uri, range = item.range } }, encoding)[1]
      where.text = item.message
      where.type = ({ "E", "W", "I", "N" })[item.severity or 1]
      items[#items + 1] = where
    end
  end
  local title = "RUI documents in " .. folder
  local is_shown = vim.fn.getqflist({ title = 0 }).title == title
  vim.fn.setqflist({}, is_shown and "r" or " ", { title = title, items = items })
  if #items > 0 then
    vim.cmd("botright copen")
    return server.notify(("%s in %s"):format(counted(#items, "problem"), counted(documents, "document")))
  end
  if is_shown then
    vim.cmd.cclose()
  end
  -- The server also has an empty report for a document that has vanished.
  local checked = vim.tbl_filter(function(report)
    return vim.uv.fs_stat(vim.uri_to_fname(report.uri)) ~= nil or vim.fn.bufloaded(vim.uri_to_fname(report.uri)) == 1
  end, reports)
  if #checked == 0 then
    return server.notify(("there is no *.rui.json in %s. :cd changes the folder, :RuiNew creates a document."):format(folder))
  end
  server.notify(("no problems in %s (%s)"):format(folder, counted(#checked, "document")))
end

--- List the diagnostics of all documents in the folder, open or not: the repository, else the working directory.
function M.check(bufnr)
  server.with_client(bufnr, function(client)
    local folder = client.root_dir
    if not folder then
      folder = vim.fn.getcwd()
      server.set_folder(client, folder)
    end
    request(client, "workspace/diagnostic", { previousResultIds = {} }, function(result)
      show_problems(folder, result.items, client.offset_encoding)
    end)
  end)
end

--- Apply all safe fixes. The server shows a message if there is none.
function M.fix(bufnr)
  if not client_of(bufnr) then
    return
  elseif not vim.bo[bufnr].modifiable then
    return server.notify(("%s is not fixed: the buffer is not modifiable."):format(name_of(bufnr)), vim.log.levels.ERROR)
  end
  execute(bufnr, "rui.fixAll", { uri = vim.uri_from_bufnr(bufnr) }, function(result)
    if result.fixed > 0 then
      server.notify(("%s fixed in %s"):format(counted(result.fixed, "error"), name_of(bufnr)))
    end
  end)
end

--- Return the rule of the diagnostic at the cursor, else of the first diagnostic in the line.
local function rule_at_cursor()
  local line, column = unpack(vim.api.nvim_win_get_cursor(0))
  local diagnostics = vim.tbl_filter(function(one)
    return one.source == "rui"
  end, vim.diagnostic.get(0, { lnum = line - 1 }))
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
  server.with_client(bufnr, function(client)
    local params_of_command = { command = "rui.explainRule", arguments = { { rule = rule } } }
    request(client, "workspace/executeCommand", params_of_command, function(result)
      local lines = vim.split(vim.trim(result.markdown .. "\n" .. result.url), "\n")
      vim.lsp.util.open_floating_preview(lines, "markdown", { border = "rounded", focus_id = "rui.explain", wrap = true })
    end)
  end)
end

--- Return an unused file name for a new document.
---@param folder string "" for the working directory, else a path with a slash at its end
local function unused_name(folder)
  local number = 1
  local name = folder .. "new.rui.json"
  while vim.uv.fs_stat(name) or vim.fn.bufexists(name) == 1 do
    number = number + 1
    name = ("%snew-%d.rui.json"):format(folder, number)
  end
  return name
end

--- Return the file name of a new document for the argument of the command: a name, a folder, or "".
local function name_of_new(argument)
  local expanded = vim.fn.expand(argument)
  local name = (expanded == "" or expanded:find("\n")) and argument or expanded
  if name == "" or name:find("[/\\]$") then
    return unused_name(name)
  elseif vim.fn.isdirectory(name) == 1 then
    return unused_name(name .. "/")
  elseif name:match("%.rui%.json$") then
    return name
  end
  return name:gsub("%.json$", "") .. ".rui.json"
end

function M.new(_, params)
  local name = name_of_new(params.args)
  local folder = vim.fs.dirname(name)
  if vim.uv.fs_stat(name) then
    return server.notify(name .. " exists already. :edit opens it.", vim.log.levels.ERROR)
  elseif vim.fn.isdirectory(folder) == 0 then
    return server.notify(("the folder %s does not exist. :call mkdir('%s', 'p') creates it."):format(folder, folder), vim.log.levels.ERROR)
  end
  local ok, problem = pcall(vim.cmd.edit, vim.fn.fnameescape(name))
  if not ok then -- for example if the current buffer is modified, and may not be hidden
    return server.notify(("%s is not created: %s"):format(name, reason_of(problem)), vim.log.levels.ERROR)
  end
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
  vim.cmd("tab drop " .. vim.fn.fnameescape(require("vim.lsp.log").get_filename()))
end

return M
