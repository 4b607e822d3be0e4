// Connects the preview in a browser to the language server: the server announces changes of the text and movements of the
// caret, and gets the clicks. preview.js follows in the same file.
globalThis.previewHost = (() => {
  const LOST = "The connection to the editor is lost. This is the last text.";
  const RETRY = 2000;
  const KEY = location.pathname;

  /** The last position of the caret, for the next page. */
  let caret;
  let isStale = false;
  let isUpdating = false;
  let events;

  const status = document.createElement("p");
  status.className = "live-status";
  status.setAttribute("role", "status");

  /** Shows a sentence in a strip over the page; "" hides it. */
  function showStatus(text) {
    status.textContent = text;
    status.hidden = text === "";
    document.body.append(status); // preview.js replaces the contents of the body.
  }

  function deliver(data) {
    window.dispatchEvent(new MessageEvent("message", { data }));
  }

  /** Fetches the page of the current text. At most one request runs at a time; the last text is always shown. */
  async function update() {
    isStale = true;
    if (isUpdating) {
      return;
    }
    isUpdating = true;
    try {
      while (isStale) {
        isStale = false;
        await fetchPage();
      }
    } catch {
      showStatus(LOST);
    } finally {
      isUpdating = false;
    }
  }

  async function fetchPage() {
    const response = await fetch(location.pathname, { cache: "no-store" });
    const text = await response.text();
    if (!response.ok) {
      showStatus(text);
      return;
    }
    deliver({ kind: "page", html: text, uri: KEY });
    document.title = new DOMParser().parseFromString(text, "text/html").title;
    showStatus("");
    if (caret !== undefined) {
      deliver(caret);
    }
  }

  function receive(message) {
    if (message.kind === "changed") {
      void update();
    } else {
      caret = message;
      deliver(message);
    }
  }

  /** A hidden page has no connection: browsers allow few connections to one server. */
  function connect() {
    events?.close();
    if (document.hidden) {
      return;
    }
    events = new EventSource("events");
    events.addEventListener("message", ({ data }) => receive(JSON.parse(data)));
    events.addEventListener("error", () => {
      showStatus(LOST);
      if (events.readyState === EventSource.CLOSED) {
        setTimeout(connect, RETRY); // The browser has given up.
      }
    });
  }

  async function send(offset) {
    try {
      const response = await fetch(`clicked/${offset}`, { method: "POST" });
      showStatus(response.ok ? "" : await response.text());
    } catch {
      showStatus(LOST);
    }
  }

  document.addEventListener("visibilitychange", connect);

  return {
    getState() {
      try {
        return JSON.parse(sessionStorage.getItem(KEY)) ?? undefined;
      } catch {
        return undefined; // Storage is off.
      }
    },
    setState(state) {
      try {
        sessionStorage.setItem(KEY, JSON.stringify(state));
      } catch {
        // The next page begins at the top.
      }
    },
    postMessage(message) {
      if (message.kind === "ready") {
        connect();
      } else if (message.kind === "clicked") {
        void send(message.start);
      }
    },
  };
})();
