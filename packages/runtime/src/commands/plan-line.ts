// Plans a shell line. A line with characters that shells and screens interpret differently is refused.
import { type CommandPart, englishText, phrase, ToolError } from '@codelab/protocol';
import { checkText } from '../policy/shell/check-text.ts';
import { checkArgv } from '../policy/shell/git/reading-git.ts';
import { readArgv, readLine } from '../policy/shell/read-line.ts';
import { shorten } from '../process/capture-output.ts';
import { findProgram } from '../process/child-environment.ts';
import type { PlanContext, Planned } from '../tool/define-tool.ts';
import { type CommandRequest, type PreparedCommand, planCommand } from './plan-command.ts';

export async function planLine(
  line: string,
  request: CommandRequest,
  context: PlanContext,
): Promise<Planned<PreparedCommand>> {
  const fault = checkText(line);
  if (fault !== undefined) throw new ToolError('INVALID_ARGUMENTS', englishText(fault), { field: 'command' });
  return await planCommand(line, (place) => readLine(line, place), request, context);
}

/** A program with its arguments, started without a shell: every word is taken literally. */
export type PreparedArgv = PreparedCommand & { argv: string[] };

export async function planArgv(
  [name = '', ...args]: readonly string[],
  request: CommandRequest,
  context: PlanContext,
): Promise<Planned<PreparedArgv>> {
  for (const word of [name, ...args]) {
    // A backslash at the end joins lines in a shell; here it is a character like any other.
    const fault = checkText(`${word} `);
    if (fault !== undefined) throw new ToolError('INVALID_ARGUMENTS', englishText(fault), { field: 'args' });
  }
  checkArgv(name, args);
  const program = findProgram(name, context.workspace.root.real);
  const line = [name, ...args].map(quoteWord).join(' ');
  const planned = await planCommand(line, (place) => readArgv([name, ...args], place), request, context);
  return { ...planned, prepared: { ...planned.prepared, argv: [program, ...args] } };
}

// Quotes a word as for a shell, to show an argument list to people.
function quoteWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Starting a supervised process does what its command line does, and the process goes on after the call. */
type Prepared = PreparedCommand & { isInterpreter: boolean };

export async function planPersistent(
  line: string,
  { ready_port: port, ...request }: CommandRequest & { ready_port?: number | undefined },
  context: PlanContext,
): Promise<Planned<Prepared>> {
  const planned = await planLine(line, request, context);
  const { confinement } = planned.prepared;
  if (port !== undefined && !confinement.network)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'The sandbox has its own network, where `ready_port` is unreachable. Set `network: true`, or use `ready_pattern`.',
      { field: 'ready_port' },
    );
  const notes = [...planned.plan.notes, phrase('note.goesOn')];
  const summary = phrase('plan.start', { line: shorten(line) });
  const { command } = planned.plan;
  const parts = command?.parts ?? [];
  const unrecorded = planned.prepared.isReadOnly ? {} : { unrecorded: true as const };
  return {
    ...planned,
    isUnforeseeable: true,
    plan: {
      ...planned.plan,
      ...(command && { command: { ...command, confinement: { ...confinement, ...unrecorded } } }),
      summary,
      notes,
    },
    prepared: { ...planned.prepared, isInterpreter: isInterpreter(parts) },
  };
}

/** Whether input to a running command would be executed as code: then writing is running a command. */
const shells =
  /^(?:.*sh|fish|pwsh|busybox|nu|xonsh|screen|tmux|script|expect|su|sudo|ssh|docker|kubectl|podman|nc|socat|telnet)$/;
const interpreters =
  /^(?:python|pypy|ipython|node|nodejs|deno|bun|tsx|ruby|irb|perl|php|lua|luajit|R|Rscript|julia|ghci|scala|jshell|elixir|iex|erl|clojure|sbcl|guile|racket|tclsh|wish|awk|gawk|mawk|bc|dc|gdb|lldb|psql|mysql|mariadb|sqlite3?|mongo|mongosh|redis-cli|ed|ex|vim?|nvim|emacs|xargs|parallel|make|at|batch)[\d.]*$/;

function isInterpreter(parts: readonly CommandPart[]): boolean {
  // A word that is known only at run time may be anything; a wrapper such as `env` or `timeout` has the program further back.
  return parts.some(({ words, isDynamic }) => isDynamic || words.length === 0 || words.some(takesCode));
}

function takesCode(word: string): boolean {
  const name = word.split('/').at(-1) ?? '';
  return shells.test(name) || interpreters.test(name);
}
