// One file for the extension host, and one for a browser's, each with all it needs but `vscode` itself. The same input gives the same bytes.
import { build } from "esbuild";

// The client asks which version of VS Code this is; the editor itself has held that against "engines" of package.json.
const noVersions = {
  name: "no-versions",
  setup: ({ onLoad }) =>
    onLoad({ filter: /node_modules[\\/]semver[\\/]functions[\\/](parse|satisfies)\.js$/ }, () => ({
      contents: "module.exports = () => true;",
    })),
};

const common = {
  bundle: true,
  format: "cjs",
  external: ["vscode"],
  minify: true,
  legalComments: "inline",
  logLevel: "warning",
};

await build({
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  platform: "node",
  target: "node20",
  plugins: [noVersions],
});

await build({ ...common, entryPoints: ["src/web.ts"], outfile: "dist/web.js", platform: "browser", target: "es2022" });
