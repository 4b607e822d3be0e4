// Bundles the extension into one file. The same input gives the same bytes.
import { build } from "esbuild";

// The client checks the version of VS Code. The editor already checks "engines" of package.json, so semver is omitted.
const noVersions = {
  name: "no-versions",
  setup: ({ onLoad }) =>
    onLoad({ filter: /node_modules[\\/]semver[\\/]functions[\\/](parse|satisfies)\.js$/ }, () => ({
      contents: "module.exports = () => true;",
    })),
};

// Neither the server nor the document selector has globs, so minimatch is omitted.
const noGlobs = {
  name: "no-globs",
  setup: ({ onLoad }) => onLoad({ filter: /node_modules[\\/]minimatch[\\/]/ }, () => ({ contents: "" })),
};

await build({
  bundle: true,
  format: "cjs",
  external: ["vscode"],
  minify: true,
  legalComments: "inline",
  logLevel: "warning",
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  platform: "node",
  target: "node20",
  plugins: [noVersions, noGlobs],
});
