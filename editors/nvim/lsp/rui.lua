-- The configuration of the language server, for vim.lsp.enable("rui"); vim.lsp.config("rui", { … }) adds to it.
return {
  -- Found when it is started, so that it may be installed while the editor is open.
  cmd = function(dispatchers, config)
    local command = require("rui.server").command()
    return vim.lsp.rpc.start(assert(command), dispatchers, {
      cwd = config and config.cmd_cwd,
      env = config and config.cmd_env,
    })
  end,
  filetypes = { "rui-json" },
  root_dir = function(bufnr, on_dir)
    if require("rui.server").found_or_said() then
      on_dir(vim.fs.root(bufnr, ".git"))
    end
  end,
  -- Settings count from the first diagnostics on, before the server has asked for them.
  before_init = function(params, config)
    params.initializationOptions = params.initializationOptions or config.settings
  end,
  commands = {
    ["rui.publish"] = function(_, context)
      require("rui.commands").publish(context.bufnr)
    end,
  },
  handlers = {
    ["window/showMessage"] = function(_, params)
      require("rui.server").tell(params.message, ({ vim.log.levels.ERROR, vim.log.levels.WARN })[params.type])
    end,
  },
  on_exit = function(code, signal, client_id)
    require("rui.server").ended(code, signal, client_id)
  end,
}
