// One file for the extension host, with everything it needs but `vscode` itself. The same input gives the same bytes.
import { build } from "esbuild";

await build({
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  target: "node18",
  format: "cjs",
  external: ["vscode"],
  minify: true,
  legalComments: "inline",
  logLevel: "warning",
});
