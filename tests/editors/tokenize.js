// Reads a text and writes its tokens for each grammar: [text, scopes]. Arguments: folder of modules, grammars.
const { readFileSync } = require("node:fs");
const [modules, ...grammars] = process.argv.slice(2);
const { INITIAL, Registry, parseRawGrammar } = require(`${modules}/vscode-textmate`);
const oniguruma = require(`${modules}/vscode-oniguruma`);

async function tokens(path, text) {
  const raw = parseRawGrammar(readFileSync(path, "utf8"), path);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (string) => new oniguruma.OnigString(string),
    }),
    loadGrammar: async () => raw,
  });
  const grammar = await registry.loadGrammar(raw.scopeName);
  let stack = INITIAL;
  return text.split("\n").flatMap((line) => {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    return result.tokens.map((token) => [line.slice(token.startIndex, token.endIndex), token.scopes.slice(1)]);
  });
}

(async () => {
  await oniguruma.loadWASM(readFileSync(`${modules}/vscode-oniguruma/release/onig.wasm`));
  const text = readFileSync(0, "utf8");
  process.stdout.write(JSON.stringify(await Promise.all(grammars.map((path) => tokens(path, text)))));
})();
