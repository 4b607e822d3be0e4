// Publishing. The workspace remembers the last publication of each document and service; documents contain nothing of it.
import * as vscode from "vscode";
import type { Server } from "./client";
import { type Pages, targetOf } from "./commands";

/** A stored spec: the last publication of a document. */
interface Publication {
  readonly specId: string;
  readonly viewUrl: string;
  readonly createdAt: string;
}

/** The result of `rui.publish`. */
interface PublishResult extends Partial<Publication> {
  readonly published: boolean;
  readonly unchanged?: boolean;
  readonly message?: string;
  /** The service, if it was used. */
  readonly server?: string;
  /** The id of the spec that the new one replaces, or "". */
  readonly replaces?: string;
}

const PUBLICATIONS = "rui.publications";

/** What has been published from this workspace: for each document, the last publication on each service. */
type Publications = Record<string, Record<string, Publication>>;

export class Publisher implements vscode.Disposable {
  private readonly renames = vscode.workspace.onDidRenameFiles(({ files }) =>
    files.forEach(({ oldUri, newUri }) => this.rename(keyOf(oldUri), keyOf(newUri))),
  );

  constructor(
    private readonly state: vscode.Memento,
    private readonly server: Server,
    private readonly pages: Pages,
  ) {}

  /** Publishes a document; asks first if it has been published before, or if a button of the editor was clicked. */
  async publish(argument: unknown): Promise<string | undefined> {
    const uri = targetOf(argument);
    if (uri === undefined) {
      void vscode.window.showInformationMessage("Open a RUI document (*.rui.json) to publish it.");
      return undefined;
    }
    const { address, last } = await this.lookUp(uri);
    if (last !== undefined) {
      return (await this.choose(uri, last))?.();
    }
    if (argument instanceof vscode.Uri && !(await isConfirmed(uri, address))) {
      return undefined;
    }
    return this.store(uri);
  }

  /** Shows the page of the last publication. */
  async openLast(argument: unknown): Promise<void> {
    const found = await this.findLast(argument);
    if (found !== undefined) {
      await vscode.env.openExternal(vscode.Uri.parse(found.last.viewUrl));
    }
  }

  /** Shows what has changed since the last publication. */
  async compare(argument: unknown): Promise<void> {
    const found = await this.findLast(argument);
    if (found !== undefined) {
      const { uri, last } = found;
      const options = { uri: uri.toString(), last: last.specId };
      const { text } = await this.server.request<{ text: string }>("rui.published", [options]);
      const page = this.pages.put(`${last.specId}/${nameOf(uri)}`, text);
      await vscode.commands.executeCommand("vscode.diff", page, uri, `${nameOf(uri)} (Published ${timeOf(last)} ↔ Now)`);
    }
  }

  dispose(): void {
    this.renames.dispose();
  }

  /** Returns the service of a document, and its last publication there. */
  private async lookUp(uri: vscode.Uri): Promise<{ address: string; last: Publication | undefined }> {
    const { server } = await this.server.request<{ server: string }>("rui.published", [{ uri: uri.toString() }]);
    return { address: server, last: this.publications()[keyOf(uri)]?.[server] };
  }

  private async findLast(argument: unknown): Promise<{ uri: vscode.Uri; last: Publication } | undefined> {
    const uri = targetOf(argument);
    if (uri === undefined) {
      return undefined;
    }
    const { address, last } = await this.lookUp(uri);
    if (last === undefined) {
      const state = `${nameOf(uri)} has not been published to ${address} from this workspace.`;
      void vscode.window.showInformationMessage(`${state} RUI: Publish… publishes it.`);
      return undefined;
    }
    return { uri, last };
  }

  private async choose(uri: vscode.Uri, last: Publication): Promise<(() => Promise<string | undefined>) | undefined> {
    const show = async (command: string) => vscode.commands.executeCommand<undefined>(command, uri);
    const choices = [
      { label: "Publish as New Version", description: `of ${timeOf(last)}`, run: () => this.store(uri, last) },
      { label: "Publish Separately", description: "without a reference to the last version", run: () => this.store(uri) },
      { label: "Compare with Last Version", run: () => show("rui.compareWithLastVersion") },
      { label: "Open Last Version", description: last.viewUrl, run: () => show("rui.openLastVersion") },
    ];
    return (await vscode.window.showQuickPick(choices, { title: `Publish ${nameOf(uri)}` }))?.run;
  }

  /** Saves and stores a document; with `last`, as a new version of it. Returns the address of the page. */
  private async store(uri: vscode.Uri, last?: Publication): Promise<string | undefined> {
    if (!(await isSaved(uri))) {
      return undefined;
    }
    const options = { uri: uri.toString(), show: false, report: false, ...(last && { last: last.specId }) };
    const result = await this.server.request<PublishResult>("rui.publish", [options]);
    const { published, unchanged, server, specId, viewUrl, createdAt } = result;
    if (server === undefined || specId === undefined || viewUrl === undefined || createdAt === undefined) {
      showRefusal(result);
      return undefined;
    }
    if (unchanged) {
      showAddress(`Unchanged since ${timeOf({ createdAt })}`, viewUrl);
      return viewUrl;
    }
    if (published) {
      await this.remember(keyOf(uri), server, { specId, viewUrl, createdAt });
      showAddress(last && !result.replaces ? "The service does not have the last version any more. Published" : "Published", viewUrl);
    }
    return viewUrl;
  }

  private publications(): Publications {
    return this.state.get<Publications>(PUBLICATIONS, {});
  }

  private async remember(key: string, server: string, publication: Publication): Promise<void> {
    const all = this.publications();
    await this.state.update(PUBLICATIONS, { ...all, [key]: { ...all[key], [server]: publication } });
  }

  /** Follows a file, or the files of a folder, to another name. */
  private rename(from: string, to: string): void {
    const all = Object.entries(this.publications());
    const renamed = all.map(([key, value]) => [key === from || key.startsWith(`${from}/`) ? to + key.slice(from.length) : key, value]);
    void this.state.update(PUBLICATIONS, Object.fromEntries(renamed));
  }
}

/** Returns the key of a document. A new document has that of the file under which it will be saved. */
function keyOf(uri: vscode.Uri): string {
  return (uri.scheme === "untitled" ? uri.with({ scheme: "file" }) : uri).toString();
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.split("/").pop() ?? "";
}

function timeOf({ createdAt }: { createdAt: string }): string {
  return new Date(createdAt).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** Asks before one click on the button of an editor publishes. */
async function isConfirmed(uri: vscode.Uri, address: string): Promise<boolean> {
  const question = `Publish ${nameOf(uri)} to ${address}?`;
  return (await vscode.window.showInformationMessage(question, { modal: true }, "Publish")) === "Publish";
}

/** Saves the document, so that what is published is what the file contains. If it cannot be saved, the user is asked. */
async function isSaved(uri: vscode.Uri): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (!document.isDirty || (!document.isUntitled && (await document.save()))) {
    return true;
  }
  const publish = "Publish without Saving";
  const message = `${nameOf(uri)} is not published: it is not saved to a file.`;
  return (await vscode.window.showWarningMessage(message, publish)) === publish;
}

function showAddress(words: string, url: string): void {
  void vscode.window.showInformationMessage(`${words}: ${url}`, "Open", "Copy Address").then((choice) => {
    if (choice === "Open") {
      void vscode.env.openExternal(vscode.Uri.parse(url));
    } else if (choice === "Copy Address") {
      void vscode.env.clipboard.writeText(url);
    }
  });
}

function showRefusal({ message, server }: PublishResult): void {
  const settings = "Change Address";
  const problems = "Show Problems";
  const action = server === undefined ? problems : settings;
  void vscode.window.showErrorMessage(message ?? "The document is not published.", action).then((choice) => {
    if (choice === settings) {
      void vscode.commands.executeCommand("workbench.action.openSettings", "rui.server.url");
    } else if (choice === problems) {
      void vscode.commands.executeCommand("workbench.actions.view.problems");
    }
  });
}
