// A command line of readers in the sandbox: nothing can be written, and files that may hold secrets are empty. So it changes nothing
// whatever its words turn out to be, and a folder may be read whole: the secrets in it are left out instead of asked about.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  because,
  type CommandPart,
  type Confinement,
  type Phrase,
  type Phrases,
  phrase,
  phraseOf,
  reasonPhrases,
  type Touch,
} from '@codelab/protocol';
import { secretsInGit } from '../policy/shell/git/git-settings.ts';
import { isReading } from '../policy/shell/judgement.ts';
import type { LineReading } from '../policy/shell/read-line.ts';
import { shorten } from '../process/capture-output.ts';
import { showTracked } from '../sandbox/mounts/show-tracked.ts';
import type { SandboxHold } from '../sandbox/sandbox-hold.ts';
import type { Workspace } from '../workspace/workspace.ts';

type Hold = { confinement: Confinement; held: Pick<SandboxHold, 'places' | 'repository'> | undefined };

export type HeldReading = Pick<LineReading, 'parts' | 'touches' | 'within'> & {
  /** Workspace paths that are empty for the command. */
  leftOut: string[];
  /** The hidden files that the command would have read, as far as its words show. */
  missed: string[];
  /** The judgement holds only where nothing can be written. */
  mustHold: boolean;
};

const maxShown = 20;

export function holdReaders(reading: LineReading, hold: Hold, workspace: Workspace): HeldReading {
  const { parts, touches, within, secrets } = reading;
  const isUnclear = parts.some(({ onlyReads }) => onlyReads === true);
  const hidden = (isUnclear || secrets.length > 0) && hiddenFrom(reading, hold, workspace);
  if (hidden === false || hidden === undefined) return asRead(reading);
  const isHidden = ({ path }: Touch): boolean =>
    hidden.some((place) => path === place || path.startsWith(`${place}/`));
  if (!secrets.every(isHidden)) return asRead(reading);
  const leftOut = isUnclear ? hidden : secrets.map(({ path }) => path);
  const mayRead = parts.some(({ onlyReads, isDynamic }) => onlyReads === true && isDynamic);
  const missed = mayRead ? hidden : secrets.map(({ path }) => path);
  return { parts: parts.map(allowedPart), touches, within, leftOut, missed, mustHold: true };
}

// These programs query the kernel or a service, and the sandbox has its own view of both.
const lookingAround =
  /^(ps|pgrep|top|ss|netstat|lsof|ip|ifconfig|docker|podman|systemctl|hostnamectl|timedatectl)$/;

/** The model is told, so that it does not take an empty file or list for the real content. */
export function readingNotes(
  missed: readonly string[],
  parts: readonly CommandPart[],
  { sandbox }: Confinement,
): Phrase[] {
  const isApart = sandbox !== 'none' && parts.some(({ words }) => lookingAround.test(words[0] ?? ''));
  return [...leftOutNotes(missed), ...(isApart ? [phrase('note.apart')] : [])];
}

/** Notes for people about the request itself. */
export function requestNotes(
  { env, input }: { env: Readonly<Record<string, string>>; input?: string | undefined },
  { sandbox, why }: Confinement,
): Phrases[] {
  return [
    ...Object.entries(env).map(([name, value]) =>
      phrase('note.sets', { name, value: JSON.stringify(shorten(value)) }),
    ),
    ...(input === undefined ? [] : [phrase('note.hook')]),
    ...(sandbox === 'none'
      ? [[phrase('note.outsideSandbox'), ...(why === undefined ? [] : [phraseOf(why)])]]
      : []),
  ];
}

function leftOutNotes(leftOut: readonly string[]): Phrase[] {
  if (leftOut.length === 0) return [];
  const paths = leftOut.slice(0, maxShown).join(', ');
  const count = leftOut.length - maxShown;
  return [count > 0 ? phrase('note.leftOutMore', { paths, count }) : phrase('note.leftOut', { paths })];
}

function asRead({ parts, touches, within, secrets }: LineReading): HeldReading {
  return {
    parts,
    touches: [...touches, ...secrets.slice(0, maxShown)],
    within: [...within, ...secrets.slice(maxShown)],
    leftOut: [],
    missed: [],
    mustHold: false,
  };
}

function allowedPart(part: CommandPart): CommandPart {
  if (part.verdict === 'allow') return part;
  const { onlyReads: _, sandboxHolds: __, ...rest } = part;
  const reason = because([...reasonPhrases(part), phrase('command.onlyReads')]);
  return { ...rest, verdict: 'allow', mustAsk: false, risk: 'low', ...reason };
}

/** The places of the workspace that the sandbox hides from this command; undefined where it can't be confined that way. */
function hiddenFrom(
  { parts }: LineReading,
  { confinement, held }: Hold,
  workspace: Workspace,
): string[] | undefined {
  // With the network granted, what is read could be sent.
  if (held === undefined || confinement.network || !parts.every(isReading)) return undefined;
  const root = workspace.root.real;
  const { places, repository } = held;
  // A repository around the workspace is visible unchanged.
  const gitFolders = repository.flatMap(({ path }) => [path, join(path, '.git')]);
  if (gitFolders.some((git) => gitSecrets(git).length > 0)) return undefined;
  const inWorkspace = (path: string): string => path.slice(root.length + 1);
  const inGit = places.gits.flatMap((git) => gitSecrets(git).map((name) => inWorkspace(join(git, name))));
  if (!parts.some(({ words }) => /(^|\/)git$/.test(words[0] ?? '')))
    return [...places.hidden.map(inWorkspace), ...inGit];
  // git needs its settings and sees tracked files unchanged, so those cannot be hidden.
  const { hidden } = showTracked(places, workspace, true).places;
  return inGit.length > 0 || hidden.length < places.hidden.length ? undefined : hidden.map(inWorkspace);
}

function gitSecrets(git: string): string[] {
  try {
    return existsSync(join(git, 'HEAD')) ? secretsInGit(git) : [];
  } catch {
    return ['.'];
  }
}
