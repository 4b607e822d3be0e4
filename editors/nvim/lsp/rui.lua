-- The configuration of the language server for vim.lsp.enable("rui"). vim.lsp.config("rui", { … }) extends it.
return {
  -- The command is searched at each start, so that it can be installed while the editor is open.
  cmd = function(dispatchers, config)
    local server = require("rui.server")
    return vim.lsp.rpc.start(assert(server.command()), dispatchers, {
      cwd = config and config.cmd_cwd or server.working_directory(),
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
  handlers = {
    ["window/showMessage"] = function(_, params)
      local levels = { vim.log.levels.ERROR, vim.log.levels.WARN }
      require("rui.server").notify(params.message, levels[params.type])
    end,
  },
  on_init = function(client)
    require("rui.attach").synchronize_policies(client)
  end,
  on_exit = function(code, signal, client_id)
    require("rui.server").on_exit(code, signal, client_id)
  end,
}
