-- The configuration of the language server for vim.lsp.enable("rui"). vim.lsp.config("rui", { … }) extends it.
return {
  -- The command is searched at each start, so that it can be installed while the editor is open.
  cmd = function(dispatchers, config)
    local command = require("rui.server").command()
    return vim.lsp.rpc.start(assert(command), dispatchers, {
      cwd = config and config.cmd_cwd,
      env = config and config.cmd_env,
    })
  end,
  filetypes = { "rui-json" },
  root_dir = function(bufnr, on_dir)
    if require("rui.server").check_command() then
      on_dir(vim.fs.root(bufnr, ".git"))
    end
  end,
  -- The first diagnostics use the settings, before the server requests them.
  before_init = function(params, config)
    params.initializationOptions = params.initializationOptions or config.settings
  end,
  capabilities = { experimental = { commands = { commands = { "editor.action.showReferences" } } } },
  commands = {
    ["editor.action.showReferences"] = function(command, context)
      require("rui.commands").show_references(context.bufnr, command.arguments[3])
    end,
    ["rui.publish"] = function(_, context)
      require("rui.commands").publish(context.bufnr)
    end,
    ["rui.explainRule"] = function(command, context)
      require("rui.commands").explain(context.bufnr, { args = command.arguments[1].rule })
    end,
  },
  handlers = {
    ["window/showMessage"] = function(_, params)
      local levels = { vim.log.levels.ERROR, vim.log.levels.WARN }
      require("rui.server").notify(params.message, levels[params.type])
    end,
  },
  on_exit = function(code, signal, client_id)
    require("rui.server").on_exit(code, signal, client_id)
  end,
}
