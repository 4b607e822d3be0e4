if vim.g.loaded_rui then
  return
end
vim.g.loaded_rui = true

if vim.fn.has("nvim-0.11") == 0 then
  vim.notify_once(
    "RUI: this plugin is for Neovim 0.11 or newer; `:help rui-older` has a few lines that do for older ones.",
    vim.log.levels.WARN
  )
  return
end

vim.treesitter.language.register("json", "rui-json")

local function command(name, run, options)
  vim.api.nvim_create_user_command(name, function(given)
    require("rui.commands")[run](0, given)
  end, options)
end

command("RuiPublish", "publish", { desc = "Store the RUI in the service and open its page" })
command("RuiPreview", "preview", { desc = "Open the RUI in the browser, as people will see it" })
command("RuiShowNormalized", "show_normalized", { desc = "Show the RUI as a service would store it" })
command("RuiFix", "fix", { desc = "Mend everything in the RUI that is safe to mend" })
command("RuiNew", "new", { nargs = "?", complete = "file", desc = "Begin a RUI, in a new file" })
command("RuiExplain", "explain", {
  nargs = "?",
  complete = function(lead)
    return require("rui.commands").rules_here(lead)
  end,
  desc = "Explain a rule: the given one, or the one that is broken at the cursor",
})
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
