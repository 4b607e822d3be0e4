// Completion, hover texts and quick fixes, all answered by the service.

const COMPLETES_AFTER = /["{[:,\w./-]$/;
const VALID_FOR = /^"?[\w./-]*$/;
const MAX_SHOWN_FIXES = 4;

function completion(service) {
  const source = async (context) => {
    const { doc } = context.state;
    const before = doc.sliceString(Math.max(0, context.pos - 1), context.pos);
    if (!context.explicit && !COMPLETES_AFTER.test(before)) return null;
    const abort = new AbortController();
    context.addEventListener("abort", () => abort.abort());
    const answer = await service.ask("complete", doc, { from: context.pos, signal: abort.signal }).catch(() => null);
    if (!answer?.items.length) return null;
    const comma = answer.commaAt && offsetOf(doc, ...answer.commaAt);
    return {
      ...spanOf(doc, answer.range),
      options: answer.items.map((item, index) => option(item, index, answer.inString, comma)),
      validFor: VALID_FOR,
    };
  };
  return CM.autocompletion({ override: [source], icons: false, activateOnTypingDelay: 60, tooltipClass: () => "completions" });
}

function option(item, index, isInString, comma) {
  return {
    label: isInString ? `"${item.label}"` : item.label,
    displayLabel: item.label,
    detail: item.detail,
    boost: -index / 100,
    info: () => (item.text ? create("div", { className: "docs" }, ...parse(item.text)) : null),
    apply: (view, completion, from, to) => {
      let shift = 0;
      if (comma !== undefined && comma <= from) {
        view.dispatch({ changes: { from: comma, insert: "," }, userEvent: "input.complete" });
        shift = 1;
      }
      CM.snippet(template(item.parts))(view, completion, from + shift, to + shift);
    },
  };
}

// The parts of a snippet as CodeMirror writes one: `${1:text}` is a tab stop.
function template(parts) {
  let number = 0;
  return parts.map((part) => {
    if (typeof part === "string") return part.replace(/([#$])\{/g, "$1\\{");
    if (part.isFinal) return "${}";
    if (/[{}]/.test(part.default)) return part.default;
    number += 1;
    return `\${${number}:${part.default}}`;
  }).join("");
}

// Hover -----------------------------------------------------------------------------------------------------------------

function diagnosticsAt(state, offset) {
  const found = [];
  CM.forEachDiagnostic(state, (diagnostic, from, to) => {
    if (from <= offset && offset <= to) found.push({ ...diagnostic, from, to });
  });
  return found;
}

function faultElement(diagnostic) {
  const element = create("div", { className: "fault" });
  element.append(create("p", {}, create("span", { className: "code", textContent: diagnostic.source }), " ", diagnostic.message));
  if (diagnostic.hint) element.append(create("p", { className: "hint" }, ...withCode(diagnostic.hint)));
  return element;
}

function hover(service) {
  return CM.hoverTooltip(async (view, offset) => {
    const { doc } = view.state;
    const faults = diagnosticsAt(view.state, offset);
    const ask = (action) => service.ask(action, doc, { from: offset }).catch(() => ({}));
    const [documentation, actions] = await Promise.all([ask("hover"), faults.length ? ask("fixes") : {}]);
    if (!faults.length && !documentation.text) return null;
    const span = documentation.range ? spanOf(doc, documentation.range) : faults[0];
    const dom = create("div", {}, ...faults.map(faultElement));
    for (const fix of (actions.fixes ?? []).slice(0, MAX_SHOWN_FIXES)) {
      const button = create("button", { type: "button", textContent: fix.title });
      button.addEventListener("click", () => applyEdits(view, doc, fix.edits) && view.focus());
      dom.append(button);
    }
    if (documentation.text) dom.append(create("div", { className: "docs" }, ...parse(documentation.text)));
    return { pos: Math.min(span.from, offset), end: Math.max(span.to, offset), above: true, create: () => ({ dom }) };
  }, { hoverTime: 250 });
}

// The menu of fixes -----------------------------------------------------------------------------------------------------

const setMenu = CM.StateEffect.define();

const menuField = CM.StateField.define({
  create: () => null,
  update(menu, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMenu)) return effect.value;
    return transaction.docChanged ? null : menu;
  },
  provide: (field) => CM.showTooltip.from(field),
});

// Opens the menu of fixes at the cursor; `say` gets a sentence where there are none.
async function openMenu(view, service, say) {
  const { doc, selection } = view.state;
  const { from, to } = selection.main;
  let answer;
  try {
    answer = await service.ask("fixes", doc, { from, to });
  } catch (error) {
    return say(error.message);
  }
  const actions = answer.fixes;
  if (view.state.doc !== doc) return undefined;
  if (!actions.length) return say("There is no fix for this place. The hint of the fault describes what to write.");
  const close = () => {
    view.dispatch({ effects: setMenu.of(null) });
    view.focus();
  };
  const dom = menuElement(actions, (action) => applyEdits(view, doc, action.edits), close);
  const tooltip = { pos: from, above: false, arrow: false, create: () => ({ dom, mount: () => first("button", dom).focus() }) };
  return view.dispatch({ effects: setMenu.of(tooltip) });
}

function menuElement(actions, choose, close) {
  const list = create("ul", { className: "fixes", role: "menu", ariaLabel: "Fixes" });
  for (const action of actions) {
    const button = create("button", { type: "button", role: "menuitem", textContent: action.title });
    button.addEventListener("click", () => {
      choose(action);
      close();
    });
    list.append(create("li", { role: "none" }, button));
  }
  list.addEventListener("keydown", (event) => {
    const buttons = every("button", list);
    const at = buttons.indexOf(list.getRootNode().activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) buttons.at(next % buttons.length).focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  list.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !list.contains(event.relatedTarget)) close();
  });
  return create("div", {}, list);
}

function assistance(service, say) {
  const run = (view) => {
    openMenu(view, service, say);
    return true;
  };
  return [completion(service), hover(service), menuField, CM.Prec.high(CM.keymap.of([{ key: "Mod-.", run }]))];
}
