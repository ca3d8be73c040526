// What a command would do, told without running it: every part judged, where it runs, what it is held in.
import {
  type CommandPart,
  type Confinement,
  highestRisk,
  type Plan,
  ToolError,
  type Touch,
} from '@codelab/protocol';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { hasProc } from '../platform/system.ts';
import type { LineReading } from '../policy/shell/read-line.ts';
import { shorten } from '../process/capture-output.ts';
import { checkVariables } from '../process/child-environment.ts';
import type { Unasked } from '../sandbox/unasked.ts';
import type { PlanContext, Planned } from '../tool/define-tool.ts';
import { type Directory, identity } from '../workspace/directory.ts';
import { guarded } from '../workspace/fault.ts';

export type Asked = {
  cwd: string;
  env: Readonly<Record<string, string>>;
  network: boolean;
  /** Names of programs that this caller never gets. */
  forbidden?: readonly string[] | undefined;
  /** What it reads from its standard input. */
  input?: string | undefined;
};

export type PreparedCommand = {
  cwd: string;
  env: Readonly<Record<string, string>>;
  input?: string;
  confinement: Confinement;
  /** What holds it when nobody was asked; undefined where it can't be held so. */
  held: Pick<Unasked, 'places' | 'repository'> | undefined;
  usesGit: boolean;
  /** Git itself may change the repository; a line in which it only reads can't, whatever else it starts. */
  writesGit: boolean;
  /** Proven to change nothing, on the condition that git does only what its own words say. */
  isReadOnly: boolean;
  /** What its words name to be written, made or removed. */
  writes: readonly string[];
};

type Where = { workspace: PlanContext['workspace']; cwd: string };

const maxWatched = 50;

export async function planCommand(
  line: string,
  read: (where: Where) => LineReading | Promise<LineReading>,
  asked: Asked,
  context: PlanContext,
): Promise<Planned<PreparedCommand>> {
  const { confinementOf } = await import('../sandbox/confine.ts');
  checkVariables(asked.env);
  using cwd = openCwd(asked.cwd, context);
  const { parts: found, touches, ...more } = await read({ workspace: context.workspace, cwd: cwd.path });
  checkForbidden(found, asked.forbidden ?? []);
  const judged = Object.keys(asked.env).length === 0 ? found : found.map(unproven);
  const { parts, notes, basis } = await printed(judged, context);
  const own = confinementOf(asked.network, context.sandbox);
  const hold = await holdOf(own, parts, context.workspace.root.real);
  const { confinement } = hold;
  const isReadOnly = parts.every(({ verdict }) => verdict === 'allow');
  const command = { line, cwd: cwd.path === '' ? '.' : cwd.path, parts, confinement };
  return {
    ...more,
    plan: {
      summary: `Run ${shorten(line)}`,
      ...riskOf(parts),
      touches,
      notes: [...notes, ...notesOf(asked, confinement)],
      command,
      basis: isReadOnly ? [] : [...versionsOf(touches, context), ...basis],
    },
    intents: [],
    // What is proven to change nothing need not be on the disk before it starts.
    isUnforeseeable: !isReadOnly,
    prepared: {
      cwd: asked.cwd,
      env: asked.env,
      ...(asked.input !== undefined && { input: asked.input }),
      ...hold,
      isReadOnly,
      usesGit: parts.some(startsGit),
      writesGit: parts.some(changesGit),
      writes: writesOf(touches),
    },
  };
}

// What is proven to change nothing does not pay for it.
async function printed(parts: CommandPart[], { workspace }: PlanContext): Promise<Fingerprint> {
  if (parts.every(({ verdict }) => verdict === 'allow')) return { parts, notes: [], basis: [] };
  const { fingerprint } = await import('../fingerprint/fingerprint.ts');
  return await fingerprint(parts, workspace);
}

/** Found before it is judged: what can't be held is asked about. */
export async function holdOf(
  confinement: Confinement,
  parts: readonly CommandPart[],
  root: string,
): Promise<Pick<PreparedCommand, 'confinement' | 'held'>> {
  if (confinement.sandbox === 'none') return { confinement, held: undefined };
  const { findHold } = await import('../sandbox/unasked.ts');
  const found = await findHold(root);
  const unheld = 'tooMany' in found ? found.tooMany : (mixingOf(found.places, parts) ?? unlimited(parts));
  if ('tooMany' in found || unheld !== undefined)
    return { confinement: { ...confinement, ...(unheld && { unheld }) }, held: undefined };
  return { confinement, held: found };
}

function mixingOf({ kept, hidden }: Unasked['places'], parts: readonly CommandPart[]): string | undefined {
  // Where git writes, so can whatever else the line starts, and a history that is gone is not brought back.
  if (parts.some(changesGit) && parts.some((part) => isProgram(part) && !startsGit(part)))
    return 'git would change the repository in one line with programs that may do the same; run them one by one';
  if (kept.length + hidden.length === 0 || !parts.some(replacesFiles)) return undefined;
  return 'git would replace some files and leave protected ones as they are';
}

// Limits are held by looking at processes. What is proven to change nothing also runs where there is no sandbox at all.
function unlimited(parts: readonly CommandPart[]): string | undefined {
  if (hasProc() || parts.every(({ verdict }) => verdict === 'allow')) return undefined;
  return 'nothing limits the memory, the processes and the processor time it takes on this system';
}

// What a program does may hang on its variables, so no rule about its words fits any more.
function unproven(part: CommandPart): CommandPart {
  if (part.verdict !== 'allow') return { ...part, isDynamic: true };
  return {
    ...part,
    isDynamic: true,
    verdict: 'ask',
    risk: highestRisk([part.risk, 'medium']),
    reason: 'It is given variables of its own, which may change what it does.',
  };
}

function checkForbidden(parts: readonly CommandPart[], forbidden: readonly string[]): void {
  for (const { words } of parts) {
    const name = words[0]?.split('/').at(-1) ?? '';
    if (forbidden.includes(name))
      throw new ToolError('COMMAND_NOT_ALLOWED', `Command '${name}' is not allowed for security reasons`, {
        program: name,
      });
  }
}

export function riskOf(parts: readonly CommandPart[]): Pick<Plan, 'risk' | 'riskReason'> {
  const risk = highestRisk(parts.map((part) => part.risk));
  const worst = parts.find((part) => part.risk === risk);
  return { risk, riskReason: worst?.reason ?? 'It starts nothing.' };
}

function notesOf({ env, input }: Asked, { sandbox, why }: Confinement): string[] {
  return [
    ...Object.entries(env).map(([name, value]) => `sets ${name}=${JSON.stringify(shorten(value))}`),
    ...(input === undefined ? [] : ['It is a hook: it reads `input` from its standard input.']),
    ...(sandbox === 'none' ? [`It is not held in a sandbox. ${why ?? ''}`.trim()] : []),
  ];
}

function writesOf(touches: readonly Touch[]): string[] {
  return [...new Set(touches.filter(({ access }) => access !== 'read').map(({ path }) => path))];
}

// A script that changes after somebody looked at it is another command.
function versionsOf(touches: readonly Touch[], { workspace, limits }: PlanContext): Plan['basis'] {
  const read = [...new Set(touches.filter(({ access }) => access === 'read').map(({ path }) => path))];
  return read.slice(0, maxWatched).flatMap((path) => {
    try {
      using place = workspace.locate(path, { followLast: true, access: 'read', pathChars: limits.pathChars });
      return place.stat?.isFile() ? [{ path, print: identity(place.stat) }] : [];
    } catch {
      return [];
    }
  });
}

// The folder a command starts in: an existing one inside the workspace, held open so that what was looked at is what is entered.

/** `path` is relative to the workspace, `''` its root. */
export type OpenCwd = Disposable & { path: string; directory: Directory };

export function openCwd(asked: string, { workspace, limits }: PlanContext): OpenCwd {
  using place = workspace.locate(asked, { followLast: true, access: 'read', pathChars: limits.pathChars });
  if (place.stat === undefined) throw new ToolError('FILE_NOT_FOUND', `Directory not found: ${asked}`);
  if (!place.stat.isDirectory()) throw new ToolError('NOT_A_DIRECTORY', `${asked} is not a directory.`);
  const directory = guarded(asked, () =>
    place.name === '.' ? place.parent.again() : place.parent.openBelow(place.name),
  );
  const path = place.path === '.' ? '' : place.path;
  return { path, directory, [Symbol.dispose]: () => directory[Symbol.dispose]() };
}

/** A program that may change something, or a variable that decides what runs. */
function isProgram({ verdict, words }: CommandPart): boolean {
  return verdict !== 'allow' && words.length > 0;
}

function changesGit(part: CommandPart): boolean {
  return startsGit(part) && part.verdict !== 'allow';
}

/** What the words of a line say about git: whether it is started, and whether it would write over files of the workspace. */
type Words = Pick<CommandPart, 'words'>;

function startsGit({ words }: Words): boolean {
  return /(^|\/)git$/.test(words[0] ?? '');
}

// Those that put other versions of files in the place of what is there.
const replacing = new Set([
  ...['checkout', 'switch', 'merge', 'rebase', 'pull', 'stash', 'restore', 'cherry-pick', 'revert', 'am'],
  ...['apply', 'bisect', 'read-tree', 'checkout-index', 'sparse-checkout', 'filter-branch', 'submodule'],
  ...['worktree', 'mv', 'rm', 'clean'],
]);

/** Where some files are read-only, git would stop in the middle and leave a mixture of two versions. */
function replacesFiles(part: Words): boolean {
  if (!startsGit(part)) return false;
  const [command = '', ...rest] = afterOptions(part.words.slice(1));
  if (command === 'reset') return rest.some((word) => /^--(hard|merge|keep)$/.test(word));
  const isNewBranch = rest.length === 2 && /^-[bc]$/.test(rest[0] ?? '');
  return replacing.has(command) && !(isNewBranch && /^(checkout|switch)$/.test(command));
}

function afterOptions(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  if (!first.startsWith('-')) return words;
  return afterOptions(/^(-C|-c|--git-dir|--work-tree|--namespace)$/.test(first) ? rest.slice(1) : rest);
}
