/** How the server is started. Nothing here needs VS Code, so that it is tested without it. */

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The command of the server: the configured one, else the server in an interpreter.
 *
 * @param configured the setting `shapecheck.command`
 * @param interpreter the setting `shapecheck.interpreter`
 * @param selected the interpreter that the Python extension has selected, if it is known
 */
export function serverCommand(configured: readonly string[], interpreter: string, selected: string | undefined): Command {
  const [command, ...args] = configured;
  if (command !== undefined && command !== "") {
    return { command, args };
  }
  return { command: interpreter || selected || "python", args: ["-m", "shapecheck", "lsp"] };
}

/** Arguments with which the interpreter of a command shows whether it has the server; undefined if there is none to ask. */
export function probe(command: Command): readonly string[] | undefined {
  const module = command.args.indexOf("shapecheck");
  return module > 0 && command.args[module - 1] === "-m" ? ["-c", "import shapecheck.lsp, pygls"] : undefined;
}

/** What to tell a user whose interpreter does not have the server. */
export function missing(command: Command, error: string): string {
  const install = `${command.command} -m pip install "torch-shapecheck[lsp]"`;
  const what = /No module named '(pygls|lsprotocol)/.test(error) ? "pygls" : "shapecheck";
  return `${what} is not installed in ${command.command}. Install it with: ${install}`;
}
