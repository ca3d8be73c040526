// The agent's environment, at the end of its system text. It describes the start of the session, and says so: if it changed from turn to
// turn, a provider would process everything after it again.
import { release, type } from 'node:os';
import { type PolicyMode, visibleLine } from '@codelab/protocol';
import { type Host, tryReadStatus } from '@codelab/runtime';

const cache = new WeakMap<Host['workspace'], Map<string, Promise<string>>>();

type Where = { workingDir?: string | undefined; isElsewhere?: boolean | undefined };

/** The same text for as long as the session is open here. */
export async function describeEnvironment(host: Host, session: string, location: Where): Promise<string> {
  const sessions = cache.get(host.workspace) ?? new Map<string, Promise<string>>();
  cache.set(host.workspace, sessions);
  const mode = host.rules.modeOf(await host.session(session));
  const key = JSON.stringify([session, mode, location.workingDir]);
  const text = sessions.get(key) ?? describe(host, mode, location);
  sessions.set(key, text);
  return await text;
}

async function describe(
  host: Host,
  mode: PolicyMode,
  { workingDir = '.', isElsewhere = false }: Where,
): Promise<string> {
  const { root } = host.workspace;
  const folder = workingDir === '.' ? root.real : `${root.real}/${workingDir}`;
  const lines = isElsewhere
    ? ['The files are on the user’s machine; tools run there.']
    : [
        `Folder: ${visibleLine(folder)}`,
        `System: ${type()} ${release()}, ${process.arch}; commands run in /bin/sh`,
      ];
  const ends = [
    `Mode ${mode}: ${askedAbout[mode]}`,
    ...(isElsewhere ? [] : [sandbox[host.sandbox]]),
    `Date: ${localDate(new Date())}`,
    ...(isElsewhere ? [] : await describeGit(host)),
  ];
  return ['<environment>', ...lines, ...ends, '</environment>'].join('\n');
}

/** Loading the names of a locale would add 15 ms to every start. */
function localDate(now: Date): string {
  const part = (value: number): string => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${part(now.getMonth() + 1)}-${part(now.getDate())}`;
}

const askedAbout: Readonly<Record<PolicyMode, string>> = {
  strict: 'reading runs unasked; every edit and every command is shown to the user first.',
  balanced:
    'reading, and commands that only read, run unasked; edits and other commands are shown to the user first.',
  review:
    'edits in the folder that can be undone, and commands that the sandbox holds, run unasked and are reviewed by the user after the turn; network, and what leaves the folder, is shown first.',
  trusted:
    'edits in the folder that can be undone, commands that the sandbox holds, and skills of the folder run unasked; network, and what leaves the folder, is shown to the user first.',
};

const sandbox: Readonly<Record<Host['sandbox'], string>> = {
  auto: 'Commands run in a sandbox where the system has one: no network unless `network` asks for it, and only the folder and /tmp are writable. What can’t work there needs `sandbox: "off"`, and the user is asked.',
  required:
    'Commands run in a sandbox: no network unless `network` asks for it, and only the folder and /tmp are writable. What can’t work there needs `sandbox: "off"`, and the user is asked.',
  off: 'Commands run without a sandbox, with network.',
};

const patienceMs = 250;
const maxEntries = 10;

/** The status of a large repository is not waited for: the model can ask for it. */
async function describeGit({ workspace }: Host): Promise<string[]> {
  const state = await tryReadStatus(workspace, AbortSignal.timeout(patienceMs));
  if (state === undefined) return [];
  const { branch, entries } = state;
  const shownEntries = entries
    .slice(0, maxEntries)
    .map(({ path, index, worktree }) => `${index}${worktree} ${visibleLine(path)}`);
  const overflowNote = entries.length > maxEntries ? [`and ${entries.length - maxEntries} more`] : [];
  const changes =
    entries.length === 0 ? 'nothing uncommitted' : [...shownEntries, ...overflowNote].join(', ');
  return [`Git at the start of the session: branch ${branch ?? '(none)'}; ${changes}`];
}
