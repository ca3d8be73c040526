// What a shell line would do. Characters that shells and screens read in different ways are not run at all.
import { type CommandPart, ToolError } from '@codelab/protocol';
import { checkArgv } from '../policy/shell/argv-list.ts';
import { checkText } from '../policy/shell/check-text.ts';
import { readArgv, readLine } from '../policy/shell/read-line.ts';
import { findProgram } from '../process/child-environment.ts';
import type { PlanContext, Planned } from '../tool/define-tool.ts';
import { type CommandRequest, type PreparedCommand, planCommand } from './plan-command.ts';

export async function planLine(
  line: string,
  asked: CommandRequest,
  context: PlanContext,
): Promise<Planned<PreparedCommand>> {
  const fault = checkText(line);
  if (fault !== undefined) throw new ToolError('INVALID_ARGUMENTS', fault, { field: 'command' });
  return await planCommand(line, (where) => readLine(line, where), asked, context);
}

/** What a program with its arguments would do, started without any shell: every word is taken as it is. */
export type PreparedArgv = PreparedCommand & { argv: string[] };

export async function planArgv(
  [name = '', ...args]: readonly string[],
  asked: CommandRequest,
  context: PlanContext,
): Promise<Planned<PreparedArgv>> {
  for (const word of [name, ...args]) {
    // A backslash at the end joins lines in a shell; here it is a character like any other.
    const fault = checkText(`${word} `);
    if (fault !== undefined) throw new ToolError('INVALID_ARGUMENTS', fault, { field: 'args' });
  }
  checkArgv(name, args);
  const program = findProgram(name, context.workspace.root.real);
  const line = [name, ...args].map(quoteWord).join(' ');
  const planned = await planCommand(line, (where) => readArgv([name, ...args], where), asked, context);
  return { ...planned, prepared: { ...planned.prepared, argv: [program, ...args] } };
}

// A word as a shell would have to be given it, for showing an argument list to people.
function quoteWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** What starting a long-running process would do: the same as running its line, and it goes on after the call. */
type Prepared = PreparedCommand & { isInterpreter: boolean };

export async function planPersistent(
  line: string,
  { ready_port: port, ...asked }: CommandRequest & { ready_port?: number | undefined },
  context: PlanContext,
): Promise<Planned<Prepared>> {
  const planned = await planLine(line, asked, context);
  const { confinement } = planned.prepared;
  if (port !== undefined && !confinement.network)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'The sandbox has a network of its own, where nobody can reach `ready_port`. Ask for `network: true`, or use `ready_pattern`.',
      { field: 'ready_port' },
    );
  const notes = [
    ...planned.plan.notes,
    'It goes on after this call; what it changes is not recorded for undo.',
  ];
  const parts = planned.plan.command?.parts ?? [];
  return {
    ...planned,
    isUnforeseeable: true,
    plan: { ...planned.plan, summary: planned.plan.summary.replace(/^Run/, 'Start'), notes },
    prepared: { ...planned.prepared, isInterpreter: isInterpreter(parts) },
  };
}

/** Whether what is written to a running command would be carried out as code: then writing is running a command. */
const shells =
  /^(?:.*sh|fish|pwsh|busybox|nu|xonsh|screen|tmux|script|expect|su|sudo|ssh|docker|kubectl|podman|nc|socat|telnet)$/;
const interpreters =
  /^(?:python|pypy|ipython|node|nodejs|deno|bun|tsx|ruby|irb|perl|php|lua|luajit|R|Rscript|julia|ghci|scala|jshell|elixir|iex|erl|clojure|sbcl|guile|racket|tclsh|wish|awk|gawk|mawk|bc|dc|gdb|lldb|psql|mysql|mariadb|sqlite3?|mongo|mongosh|redis-cli|ed|ex|vim?|nvim|emacs|xargs|parallel|make|at|batch)[\d.]*$/;

function isInterpreter(parts: readonly CommandPart[]): boolean {
  // What only running would tell may be anything; a wrapper such as `env` or `timeout` has it further back.
  return parts.some(({ words, isDynamic }) => isDynamic || words.length === 0 || words.some(takesCode));
}

function takesCode(word: string): boolean {
  const name = word.split('/').at(-1) ?? '';
  return shells.test(name) || interpreters.test(name);
}
