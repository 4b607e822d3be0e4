// Drives Firefox through the pages of a service, and prints what they show as JSON:
// `node firefox.mjs FOLDER FIREFOX REQUESTS`, where FOLDER has puppeteer-core installed.
import { createRequire } from "node:module";

const [, , folder, firefox, requests] = process.argv;
const puppeteer = createRequire(`${folder}/package.json`)("puppeteer-core");
const { front, text, spec, next } = JSON.parse(requests);
const options = { browser: "firefox", executablePath: firefox, headless: true, defaultViewport: { width: 1280, height: 900 } };
const browser = await puppeteer.launch(options);
const page = await browser.newPage();
const facts = { messages: [] };
page.on("console", (message) => facts.messages.push(message.text()));
page.on("pageerror", (error) => facts.messages.push(String(error)));

const shown = (selector) => page.evaluate((it) => document.querySelector(it)?.innerText ?? "", selector);
const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim());

async function until(selector, part) {
  const end = Date.now() + 60_000;
  while (!(await shown(selector).catch(() => "")).includes(part)) {
    if (Date.now() > end) throw new Error(`${selector} never contained ${part}, but ${await shown(selector)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return shown(selector);
}

async function withControl(key) {
  await page.keyboard.down("Control");
  await page.keyboard.press(key);
  await page.keyboard.up("Control");
}

// Lets `act` use a text field that is no part of the page, and returns its text.
async function inField(value, act) {
  await page.evaluate((it) => {
    const field = Object.assign(document.createElement("textarea"), { id: "TEST-FIELD", value: it });
    document.body.prepend(field);
    field.select();
  }, value);
  await act();
  return page.evaluate(() => {
    const field = document.querySelector("#TEST-FIELD");
    field.remove();
    return field.value;
  });
}

async function editText() {
  await page.goto(front);
  await until("#STATUS", "Valid");
  await inField(text, () => withControl("c"));
  await (await page.$("#EDITOR >>> .cm-content")).focus();
  await withControl("a");
  await withControl("v");
  facts.pasted = await until("#STATUS", "error");
  await page.click("#FIX-ALL");
  facts.fixed = await until("#STATUS", "Valid");
  await page.click("#STORE");
  facts.stored = await until("#NOTE", "/specs/");
}

async function writeNote() {
  await page.goto(spec);
  await page.click("#NOTES > button");
  await until(".notes-panel", "Press what a note is about");
  await page.click("#W-orders .cells li:nth-child(2)");
  facts.label = await until("dialog label", "Note on");
  await page.keyboard.type("Shorter");
  await page.keyboard.press("Escape");
  await page.reload();
  await until("#NOTES > button", "1 draft");
  await page.click("#NOTES > button");
  await until(".notes-panel", "Drafts");
  await page.click("#W-orders .cells li:nth-child(2)");
  await until("dialog label", "Note on");
  await withControl("Enter");
  await until("#NOTES > button", "Notes (1)");
  await page.keyboard.press("Tab");
  facts.afterNote = await focused();
  await page.keyboard.press("Enter");
  do facts.copied = await inField("", () => withControl("v")); // "Copied" is shown for a short time
  while (!facts.copied.includes("Shorter"));
  await page.goto(next);
  facts.answers = await until("#ANSWERS", "followed");
}

async function find() {
  await page.goto(spec);
  await page.type("#Q", "shipped");
  facts.found = await until("#FOUND", "shipped");
  await page.focus("#W-orders .to");
  for (const key of ["ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  facts.where = await until("#WHERE", "Order");
  await page.keyboard.press("Escape");
  await page.click("#W-orders .to");
  await until("#W-orders .to-tree", "Copy link");
  facts.place = page.url();
}

try {
  for (const flow of [editText, writeNote, find]) await flow();
  console.log(JSON.stringify(facts));
} finally {
  await browser.close();
}
