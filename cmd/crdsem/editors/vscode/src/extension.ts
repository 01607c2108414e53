import * as vscode from "vscode";
import { LanguageClient, ServerOptions } from "vscode-languageclient/node";

/** The scheme of texts that show what would be stored. */
const scheme = "crdsem-stored";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const stored = new StoredObjects();
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(scheme, stored),
    vscode.commands.registerCommand("crdsem.showStored", () => stored.show()),
    vscode.commands.registerCommand("crdsem.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("crdsem")) return restart();
    }),
  );
  await restart();
}

export function deactivate(): Promise<void> | undefined {
  return client?.stop();
}

/** Starts the server with the settings of now. */
async function restart(): Promise<void> {
  await client?.stop();
  const settings = vscode.workspace.getConfiguration("crdsem");
  const server: ServerOptions = {
    command: settings.get("path", "crdsem"),
    args: ["lsp", ...settings.get<string[]>("arguments", [])],
  };
  client = new LanguageClient("crdsem", "crdsem", server, {
    documentSelector: [
      { scheme: "file", language: "yaml" },
      { scheme: "untitled", language: "yaml" },
      { scheme: "file", language: "json" },
      { scheme: "file", language: "helm" },
    ],
  });
  try {
    await client.start();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(
      `crdsem does not start (${text}): install it, or let the setting crdsem.path name it`,
    );
  }
}

/** Shows objects as the server would store them. */
class StoredObjects implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? "";
  }

  /** Shows the object under the cursor. */
  async show(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !client) return;
    const { document, selection } = editor;
    let text: string;
    try {
      text = await client.sendRequest("workspace/executeCommand", {
        command: "crdsem.stored",
        arguments: [document.uri.toString(), selection.active.line],
      });
    } catch (error) {
      void vscode.window.showWarningMessage(error instanceof Error ? error.message : String(error));
      return;
    }
    const uri = vscode.Uri.from({ scheme, path: `${document.uri.path}.stored.yaml` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    const shown = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(shown, vscode.ViewColumn.Beside, true);
  }
}
