// Plans a command without running it: every part judged, where it runs, and how it is confined.
import {
  because,
  type CommandPart,
  type Confinement,
  englishText,
  highestRisk,
  type Plan,
  type PlanDraft,
  phrase,
  reasonPhrases,
  ToolError,
  type Touch,
} from '@codelab/protocol';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { hasProc } from '../platform/system.ts';
import type { LineContext, LineReading } from '../policy/shell/read-line.ts';
import { shorten } from '../process/capture-output.ts';
import { checkVariables } from '../process/child-environment.ts';
import type { SandboxHold } from '../sandbox/sandbox-hold.ts';
import type { PlanContext, Planned } from '../tool/define-tool.ts';
import { type Directory, identity } from '../workspace/directory.ts';
import { guarded } from '../workspace/fault.ts';
import type { OwnTmp } from '../workspace/own-tmp.ts';
import { changesGit, isProgram, replacesFiles, startsGit } from './git-words.ts';
import { holdReaders, readingNotes, requestNotes } from './hold-readers.ts';

export type CommandRequest = {
  cwd: string;
  env: Readonly<Record<string, string>>;
  network: boolean;
  /** With the network granted: the only hosts the command can reach; undefined means all. */
  hosts?: readonly string[];
  /** `off`: run outside the sandbox, which a human decides each time. */
  sandbox?: 'auto' | 'off' | undefined;
  /** Names of programs that this caller may not run. */
  forbidden?: readonly string[] | undefined;
  /** Standard input of the command. */
  input?: string | undefined;
};

export type PreparedCommand = {
  cwd: string;
  env: Readonly<Record<string, string>>;
  input?: string;
  confinement: Confinement;
  /** How the command is confined when it is unasked; undefined where that is not possible. */
  held: Pick<SandboxHold, 'places' | 'repository'> | undefined;
  /** Folders and files of the workspace that are empty for the command, because they may hold secrets. */
  leftOut: readonly string[];
  /** Notes for whoever reads the output. */
  outputNotes: readonly string[];
  /** The judgement holds only if the command can change nothing, so it runs read-only even after a person approved it. */
  mustHold: boolean;
  usesGit: boolean;
  /** git itself may change the repository; a command line in which git only reads cannot, whatever else it starts. */
  writesGit: boolean;
  /** Proven to change nothing, on the condition that git does only what its own words say. */
  isReadOnly: boolean;
  /** Paths that its words name to be written, created or deleted. */
  writes: readonly string[];
};

const maxWatched = 50;

export async function planCommand(
  line: string,
  read: (lineContext: LineContext) => LineReading | Promise<LineReading>,
  request: CommandRequest,
  context: PlanContext,
): Promise<Planned<PreparedCommand>> {
  const { confinementOf } = await import('../sandbox/confine.ts');
  checkVariables(request.env);
  using cwd = openCwd(request.cwd, context);
  const initial = confinementOf(request.network, context.sandbox, request.sandbox, request.hosts);
  const tmp = await sessionTmpFor(initial, context);
  const reading = await read({ workspace: context.workspace, cwd: cwd.path, tmp });
  if (reading.torn) throw reading.torn;
  checkForbidden(reading.parts, request.forbidden ?? []);
  const hasEnv = Object.keys(request.env).length > 0;
  const lossChecked = await askedAboutLosses(reading, context);
  const judged = { ...reading, parts: hasEnv ? lossChecked.map(unproven) : lossChecked };
  const hold = await sandboxHoldFor(initial, judged.parts, context.workspace.root.real);
  const { touches, within, ...confined } = holdReaders(judged, hold, context.workspace);
  const free = request.sandbox === 'off' ? confined.parts.map(outside) : confined.parts;
  const { parts, notes, basis } = await printed(free, context, tmp);
  const { confinement } = hold;
  const outputNotes = readingNotes(confined.missed, parts, confinement);
  const isReadOnly = parts.every(({ verdict }) => verdict === 'allow');
  const command = { line, cwd: cwd.path === '' ? '.' : cwd.path, parts, confinement };
  return {
    within,
    plan: {
      summary: phrase('plan.run', { line: shorten(line) }),
      ...riskOf(parts),
      touches,
      notes: [...notes, ...outputNotes, ...requestNotes(request, confinement)],
      command,
      basis: isReadOnly ? [] : [...versionsOf(touches, context), ...basis],
    },
    intents: [],
    // The start of a command that is proven to change nothing need not be on the disk first.
    isUnforeseeable: !isReadOnly,
    prepared: {
      cwd: request.cwd,
      env: request.env,
      ...(request.input !== undefined && { input: request.input }),
      ...hold,
      leftOut: confined.leftOut,
      outputNotes: outputNotes.map(englishText),
      mustHold: confined.mustHold,
      isReadOnly,
      usesGit: parts.some(startsGit),
      writesGit: parts.some(changesGit),
      writes: writesOf(touches),
    },
  };
}

async function askedAboutLosses(reading: LineReading, context: PlanContext): Promise<CommandPart[]> {
  if (reading.replaced.length === 0) return reading.parts;
  const { askAboutLosses } = await import('../snapshot/not-kept.ts');
  return await askAboutLosses(reading, context);
}

// A command that is proven to change nothing is not printed.
async function printed(
  parts: CommandPart[],
  { workspace }: PlanContext,
  tmp: OwnTmp | undefined,
): Promise<Fingerprint> {
  if (parts.every(({ verdict }) => verdict === 'allow')) return { parts, notes: [], basis: [] };
  const { fingerprint } = await import('../fingerprint/fingerprint.ts');
  return await fingerprint(parts, workspace, tmp);
}

/** The /tmp the command would have; undefined where it would have the machine's own. */
export async function sessionTmpFor(
  { sandbox }: Confinement,
  { home, session, workspace, shows }: Pick<PlanContext, 'home' | 'session' | 'workspace' | 'shows'>,
): Promise<OwnTmp | undefined> {
  if (sandbox === 'none' || sandbox === 'seatbelt') return undefined;
  const { ownTmp } = await import('../sandbox/session-tmp.ts');
  return ownTmp({ home, session, root: workspace.root.real }, shows);
}

/** Determined before the command is judged: a command that cannot be confined is asked about. */
export async function sandboxHoldFor(
  confinement: Confinement,
  parts: readonly CommandPart[],
  root: string,
): Promise<Pick<PreparedCommand, 'confinement' | 'held'>> {
  if (confinement.sandbox === 'none') return { confinement, held: undefined };
  const { findHold } = await import('../sandbox/sandbox-hold.ts');
  const found = await findHold(root);
  const unheld =
    'tooMany' in found ? found.tooMany : (mixingOf(found.places, parts, root) ?? unlimited(parts));
  if ('tooMany' in found || unheld !== undefined)
    return { confinement: { ...confinement, ...(unheld && { unheld }) }, held: undefined };
  return { confinement, held: found };
}

function mixingOf(
  { kept, hidden }: SandboxHold['places'],
  parts: readonly CommandPart[],
  root: string,
): string | undefined {
  // Where git can write, so can everything else on the command line, and a deleted history cannot be restored.
  if (parts.some(changesGit) && parts.some((part) => isProgram(part) && !startsGit(part)))
    return 'git would change the repository in one line with programs that may do the same; run them one by one';
  const places = [...kept, ...hidden];
  if (places.length === 0 || !parts.some((part) => replacesFiles(part, root, places))) return undefined;
  return 'git would replace some files and leave protected ones as they are';
}

// Limits are enforced by sampling processes. A command that is proven to change nothing also runs without a sandbox.
function unlimited(parts: readonly CommandPart[]): string | undefined {
  if (hasProc() || parts.every(({ verdict }) => verdict === 'allow')) return undefined;
  return 'nothing limits the memory, the processes and the processor time it takes on this system';
}

// A program's effect may depend on its variables, so a rule about its words no longer applies.
function unproven(part: CommandPart): CommandPart {
  if (part.verdict !== 'allow') return { ...part, isDynamic: true };
  return {
    ...part,
    isDynamic: true,
    verdict: 'ask',
    risk: highestRisk([part.risk, 'medium']),
    ...because(phrase('command.ownVariables')),
  };
}

// Nothing confines the command outside the sandbox, so no mode and no rule lets it run: a human decides each time.
function outside(part: CommandPart): CommandPart {
  if (part.verdict === 'deny') return part;
  const { sandboxHolds: _, onlyReads: __, ...rest } = part;
  const reason = because([phrase('command.outsideSandbox'), ...reasonPhrases(part)]);
  return { ...rest, verdict: 'ask', mustAsk: true, risk: highestRisk([part.risk, 'high']), ...reason };
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

export function riskOf(parts: readonly CommandPart[]): Pick<PlanDraft, 'risk' | 'riskReason'> {
  const risk = highestRisk(parts.map((part) => part.risk));
  const worst = parts.find((part) => part.risk === risk);
  return { risk, riskReason: worst?.phrases ?? worst?.reason ?? phrase('risk.nothing') };
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

// The folder a command starts in: an existing one inside the workspace, held open so that the checked folder is the one entered.

/** `path` is relative to the workspace, `''` for its root. */
export type OpenCwd = Disposable & { path: string; directory: Directory };

export function openCwd(folder: string, { workspace, limits }: PlanContext): OpenCwd {
  using place = workspace.locate(folder, { followLast: true, access: 'read', pathChars: limits.pathChars });
  if (place.stat === undefined) throw new ToolError('FILE_NOT_FOUND', `Directory not found: ${folder}`);
  if (!place.stat.isDirectory()) throw new ToolError('NOT_A_DIRECTORY', `${folder} is not a directory.`);
  const directory = guarded(folder, () =>
    place.name === '.' ? place.parent.again() : place.parent.openBelow(place.name),
  );
  const path = place.path === '.' ? '' : place.path;
  return { path, directory, [Symbol.dispose]: () => directory[Symbol.dispose]() };
}
