// One file for the extension host, with everything it needs but `vscode` itself. The same input gives the same bytes.
import { build } from "esbuild";

// The client asks which version of VS Code this is; the editor itself has held that against "engines" of package.json.
const noVersions = {
  name: "no-versions",
  setup: ({ onLoad }) =>
    onLoad({ filter: /node_modules[\\/]semver[\\/]functions[\\/](parse|satisfies)\.js$/ }, () => ({
      contents: "module.exports = () => true;",
    })),
};

await build({
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  minify: true,
  plugins: [noVersions],
  legalComments: "inline",
  logLevel: "warning",
});
