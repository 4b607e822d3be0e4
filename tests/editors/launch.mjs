// Prints the command that starts the server: `node launch.mjs SERVER.CJS SETTINGS EXCLUDED PLATFORM`.
import { createRequire } from "node:module";

const [, , server, settings, excluded, platform] = process.argv;
Object.defineProperty(process, "platform", { value: platform });
const where = { excluded: JSON.parse(excluded), cwd: "/" };
const { resolveLaunch } = createRequire(import.meta.url)(server);
const defaults = { command: [], interpreter: "" };
resolveLaunch({ ...defaults, ...JSON.parse(settings) }, "/extension", where).then(
  (launch) => console.log(JSON.stringify(launch)),
  (error) => console.log(JSON.stringify({ error: error.message })),
);
