/** The extension: starts the server with the interpreter of the workspace, and shows its state. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { LanguageClient, State, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { missing, probe, serverCommand, type Command } from "./command";
import { onInterpreterChange, selectedInterpreter } from "./interpreter";

const SECTION = "shapecheck";
const run = promisify(execFile);

let client: LanguageClient | undefined;
let log: vscode.LogOutputChannel;
let status: vscode.StatusBarItem;
let restarting: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel("shapecheck", { log: true });
  status = vscode.window.createStatusBarItem("shapecheck", vscode.StatusBarAlignment.Right, 1);
  status.name = "shapecheck";
  status.command = "shapecheck.showLog";
  context.subscriptions.push(
    log,
    status,
    vscode.commands.registerCommand("shapecheck.restart", restart),
    vscode.commands.registerCommand("shapecheck.showLog", () => log.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const starts = ["enabled", "command", "interpreter"].map((one) => `${SECTION}.${one}`);
      if (starts.some((one) => event.affectsConfiguration(one))) {
        void restart();
      }
    }),
    await onInterpreterChange(() => void restart()),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** Starts the server again; one after the other, however often it is called. */
function restart(): Promise<void> {
  restarting = restarting.then(startAgain, startAgain);
  return restarting;
}

async function startAgain(): Promise<void> {
  await client?.stop().catch((error: unknown) => log.error(String(error)));
  client = undefined;
  const settings = vscode.workspace.getConfiguration(SECTION);
  if (!settings.get<boolean>("enabled", true)) {
    status.hide();
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const selected = await selectedInterpreter(folder);
  const command = serverCommand(settings.get("command", []), settings.get("interpreter", ""), selected);
  show("$(sync~spin)", "starting");
  if (await isMissing(command, folder)) {
    return;
  }
  client = new LanguageClient(SECTION, "shapecheck", serverOptions(command, folder), clientOptions());
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Running) {
      show("$(check)", [command.command, ...command.args].join(" "));
    } else if (newState === State.Stopped) {
      show("$(error)", "stopped");
    }
  });
  await client.start();
}

function serverOptions(command: Command, folder: vscode.Uri | undefined): ServerOptions {
  return { command: command.command, args: [...command.args], options: { cwd: folder?.fsPath } };
}

function clientOptions(): LanguageClientOptions {
  return {
    documentSelector: [
      { scheme: "file", language: "python" },
      { scheme: "untitled", language: "python" },
      { scheme: "vscode-notebook-cell", language: "python" },
    ],
    initializationOptions: vscode.workspace.getConfiguration(SECTION),
    synchronize: { configurationSection: SECTION },
    outputChannel: log,
  };
}

/** Whether the interpreter has no server; if so, says how to install it. */
async function isMissing(command: Command, folder: vscode.Uri | undefined): Promise<boolean> {
  const args = probe(command);
  if (args === undefined) {
    return false;
  }
  try {
    await run(command.command, [...args], { cwd: folder?.fsPath });
    return false;
  } catch (error) {
    const text = missing(command, String(error));
    log.error(text);
    show("$(warning)", text);
    const answer = await vscode.window.showWarningMessage(text, "Select Interpreter", "Show Log");
    if (answer === "Select Interpreter") {
      await vscode.commands.executeCommand("python.setInterpreter");
    } else if (answer === "Show Log") {
      log.show();
    }
    return true;
  }
}

function show(icon: string, detail: string): void {
  status.text = `${icon} shapecheck`;
  status.tooltip = detail;
  status.show();
}
