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

local function command(name, run, options)
  vim.api.nvim_create_user_command(name, function(params)
    require("rui.commands")[run](0, params)
  end, options)
end

command("RuiPublish", "publish", { desc = "Store the RUI in the service and open its page" })
command("RuiPreview", "preview", { desc = "Open a preview of the RUI in the browser" })
command("RuiCheck", "check", { desc = "List the problems of all RUIs in the folder" })
command("RuiFix", "fix", { desc = "Apply all safe fixes to the RUI" })
command("RuiNew", "new", { nargs = "?", complete = "file", desc = "Create a RUI in a new buffer" })
command("RuiExplain", "explain", {
  nargs = "?",
  complete = function(prefix)
    return require("rui.commands").reported_rules(prefix)
  end,
  desc = "Explain a rule: the argument, or the rule of the error at the cursor",
})
command("RuiRestart", "restart", { desc = "Restart the RUI language server" })
command("RuiLog", "log", { desc = "Open the log of the language servers" })

local group = vim.api.nvim_create_augroup("rui", {})

vim.api.nvim_create_autocmd("LspAttach", {
  group = group,
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

local function start_if_documents()
  if vim.g.rui_enable ~= false and vim.g.rui_start ~= "open" then
    require("rui.workspace").start_if_documents()
  end
end

vim.api.nvim_create_autocmd("DirChanged", { group = group, pattern = "global", callback = start_if_documents })
if vim.v.vim_did_enter == 1 then
  start_if_documents()
else
  vim.api.nvim_create_autocmd("VimEnter", { group = group, once = true, callback = start_if_documents })
end
