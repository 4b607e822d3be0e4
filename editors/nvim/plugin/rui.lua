if vim.g.loaded_rui then
  return
end
vim.g.loaded_rui = true

if vim.fn.has("nvim-0.11") == 0 then
  vim.notify_once(
    "RUI: this plugin requires Neovim 0.11 or newer. `:help rui-older` has a configuration for older versions.",
    vim.log.levels.WARN
  )
  return
end

vim.treesitter.language.register("json", "rui-json")

--- Return the buffer that a command is for: the current one or, in a window beside a document such as the quickfix list,
--- the document in the previous window.
local function target()
  local bufnr = vim.api.nvim_get_current_buf()
  local previous = vim.fn.winbufnr(vim.fn.winnr("#"))
  if vim.bo[bufnr].buftype ~= "" and previous ~= -1 and vim.bo[previous].filetype == "rui-json" then
    return previous
  end
  return bufnr
end

local function command(name, run, options)
  vim.api.nvim_create_user_command(name, function(params)
    require("rui.commands")[run](target(), params)
  end, options)
end

command("RuiPublish", "publish", { desc = "Store the RUI in the service and open its page" })
command("RuiOpenLast", "open_last", { desc = "Open the page of the RUI that was published last" })
command("RuiCompare", "compare", { desc = "Compare the RUI with the one that was published last" })
command("RuiPreview", "preview", { desc = "Open a preview of the RUI in the browser" })
command("RuiCheck", "check", { desc = "List the problems of all RUIs in the folder" })
command("RuiFix", "fix", { desc = "Apply all safe fixes to the RUI" })
command("RuiNew", "new", { nargs = "?", complete = "file", desc = "Create a RUI in a new buffer" })
command("RuiExplain", "explain", { nargs = "?", desc = "Explain a rule: the argument, or that of the error at the cursor" })
command("RuiRestart", "restart", { desc = "Restart the RUI language server" })
command("RuiLog", "log", { desc = "Open the log of the language servers" })

vim.api.nvim_create_autocmd("LspAttach", {
  group = vim.api.nvim_create_augroup("rui", {}),
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == "rui" then
      require("rui.attach").attach(client, event.buf)
    end
  end,
})

if vim.g.rui_enable ~= false then
  vim.lsp.enable("rui")
end
