// The address of *View as a page* carries the document, as *Share* does: `?do=inspect#rui=…`, and the place on the page as `&at=…`.
// Who opens it gets the front page, which sends the document back as a page. inspector.js precedes this in the same file.

const PLACE = "at"; // the parameter with the id of an element of the page

// The page of a document that is not stored: keeps its address complete, also after a link to a place on it.
async function carryDocument(text) {
  const home = one("form:has([name=rui][type=hidden])").getAttribute("action");
  const code = await packed(LINK, text);
  const keep = (place) => history.replaceState(null, "", `${home}?do=inspect${place && `&${PLACE}=${encodeURIComponent(place)}`}${code}`);
  const place = new URLSearchParams(location.search).get(PLACE) ?? decodedOf(location.hash.slice(1));
  if (document.getElementById(place)) location.replace(`#${encodeURIComponent(place)}`);
  keep(place);
  addEventListener("hashchange", () => {
    if (packedIn(location.hash, LINK) === null) keep(decodedOf(location.hash.slice(1)));
  });
}

// The front page: sends the document of its address. The page that comes back has the address again.
async function sendDocument(form, parameters) {
  const text = await unpacked(packedIn(location.hash, LINK));
  if (text === null) return; // The editor says so.
  const place = parameters.get(PLACE);
  history.replaceState(history.state, "", location.pathname); // for Back
  const data = document.createElement("form");
  Object.assign(data, { method: "post", enctype: "multipart/form-data", action: `${form.getAttribute("action")}${place ? `?${PLACE}=${encodeURIComponent(place)}` : ""}` });
  for (const [name, value] of [["rui", text], ["do", "inspect"]]) {
    const field = document.createElement("textarea");
    Object.assign(field, { name, value });
    data.append(field);
  }
  data.hidden = true;
  document.body.append(data);
  data.submit();
}

function decodedOf(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return "";
  }
}

{
  const own = one("[name=rui][type=hidden]");
  const parameters = new URLSearchParams(location.search);
  const hasDocument = packedIn(location.hash, LINK) !== null;
  if (own && globalThis.CompressionStream) carryDocument(own.value);
  else if (one("#FORM") && hasDocument && !globalThis.DecompressionStream) {
    one("#FORM").before(alertOf("This browser cannot read the text of the link. Ask for the file, or open the link in a newer browser."));
  } else if (one("#FORM") && hasDocument && parameters.get("do") === "inspect") sendDocument(one("#FORM"), parameters);
}
