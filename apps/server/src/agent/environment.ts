// Where an agent works, told once at the end of what it is told first: what differs from turn to turn would make a provider read
// everything after it anew, so it is a picture of the session's start, and says so.
import { release, type } from 'node:os';
import { type PolicyMode, visibleLine } from '@codelab/protocol';
import { gitState, type Host } from '@codelab/runtime';

const known = new WeakMap<Host['workspace'], Map<string, Promise<string>>>();

type Where = { workingDir?: string | undefined; isElsewhere?: boolean | undefined };

/** The same text for as long as the session is open here. */
export async function describeEnvironment(host: Host, session: string, where: Where): Promise<string> {
  const sessions = known.get(host.workspace) ?? new Map<string, Promise<string>>();
  known.set(host.workspace, sessions);
  const key = JSON.stringify([session, host.rules.mode, where.workingDir]);
  const text = sessions.get(key) ?? describe(host, where);
  sessions.set(key, text);
  return await text;
}

async function describe(host: Host, { workingDir = '.', isElsewhere = false }: Where): Promise<string> {
  const { root } = host.workspace;
  const folder = workingDir === '.' ? root.real : `${root.real}/${workingDir}`;
  const lines = isElsewhere
    ? ['The files are on the user’s machine; tools run there.']
    : [
        `Folder: ${visibleLine(folder)}`,
        `System: ${type()} ${release()}, ${process.arch}; commands run in /bin/sh`,
      ];
  const ends = [
    `Mode ${host.rules.mode}: ${asked[host.rules.mode]}`,
    ...(isElsewhere ? [] : [sandbox[host.sandbox]]),
    `Date: ${new Date().toLocaleDateString('sv')}`,
    ...(isElsewhere ? [] : await describeGit(host)),
  ];
  return ['<environment>', ...lines, ...ends, '</environment>'].join('\n');
}

const asked: Readonly<Record<PolicyMode, string>> = {
  strict: 'reading runs unasked; every edit and every command is shown to the user first.',
  balanced:
    'reading, and commands that only read, run unasked; edits and other commands are shown to the user first.',
  review:
    'edits in the folder that can be undone, and commands that the sandbox holds, run unasked and are reviewed by the user after the turn; network, and what leaves the folder, is shown first.',
  trusted:
    'edits in the folder and known build and test commands run unasked; network, and what leaves the folder, is shown to the user first.',
};

const sandbox: Readonly<Record<Host['sandbox'], string>> = {
  auto: 'Commands run in a sandbox where the system has one: no network unless `network` asks for it, and only the folder is writable.',
  required:
    'Commands run in a sandbox: no network unless `network` asks for it, and only the folder is writable.',
  off: 'Commands run without a sandbox, with network.',
};

const patienceMs = 250;
const maxEntries = 10;

/** A large repository is not waited for: the model can ask for its status. */
async function describeGit({ workspace }: Host): Promise<string[]> {
  const state = await gitState(workspace, AbortSignal.timeout(patienceMs));
  if (state === undefined) return [];
  const { branch, entries } = state;
  const shown = entries
    .slice(0, maxEntries)
    .map(({ path, index, worktree }) => `${index}${worktree} ${visibleLine(path)}`);
  const more = entries.length > maxEntries ? [`and ${entries.length - maxEntries} more`] : [];
  const changes = entries.length === 0 ? 'nothing uncommitted' : [...shown, ...more].join(', ');
  return [`Git at the start of the session: branch ${branch ?? '(none)'}; ${changes}`];
}
