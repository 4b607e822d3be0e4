// Bundles the extension into one file for Node.js and one for browsers. The same input gives the same bytes.
import { build } from "esbuild";

// The client checks the version of VS Code. The editor already checks "engines" of package.json, so semver is omitted.
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
