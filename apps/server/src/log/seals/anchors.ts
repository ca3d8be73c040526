// Tells the anchors of a new seal: a file, a git ref or an address of the user's choice.

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { ToolError } from '@codelab/protocol';
import { mustGit, runGit, Workspace } from '@codelab/runtime';
import { type Anchor, type AnchorLine, anchorName, readAnchorLines } from '../../config/anchor.ts';
import { fingerprintOf } from './audit-key.ts';
import type { Written } from './seal.ts';
import { type Anchored, isInLog, type NotedLog, readNote, writeNote } from './seal-note.ts';

/** Sends a seal to every anchor, each once and within bounded time, and records beside the key how far each of them got. */
const mostMs = 5000;

type Options = { anchors: readonly Anchor[]; tell(error: unknown): void };

export async function tellAnchors(
  store: NotedLog,
  { seal, hash, signature }: Written,
  { anchors, tell }: Options,
): Promise<void> {
  const { log, n, time, key } = seal;
  const line = { log, n, hash, time, key: fingerprintOf(key), signature };
  const results = await Promise.all(
    anchors.map(async (anchor): Promise<Anchored> => {
      try {
        // A file of a network that is gone would never answer.
        const timeout = wait(mostMs, undefined, { ref: false }).then(() => {
          throw new Error('it took too long');
        });
        await Promise.race([publish(anchor, line), timeout]);
        return { anchor, n, time: Date.now() };
      } catch (error) {
        const problem = reasonOf(error);
        tell(new Error(`the anchor ${anchorName(anchor)} could not be written: ${problem}`));
        return { anchor, problem };
      }
    }),
  );
  await noteAnchors(store, results);
}

async function noteAnchors(store: NotedLog, results: readonly Anchored[]): Promise<void> {
  const found = readNote(store.keys, store.file);
  if (found === undefined || !(await isInLog(store, found))) return;
  // Another process may have noted a later seal meanwhile.
  const note = readNote(store.keys, store.file) ?? found;
  const known = new Map(note.anchors.map((entry) => [anchorName(entry.anchor), entry]));
  for (const result of results) {
    const name = anchorName(result.anchor);
    const { n, time } = known.get(name) ?? {};
    known.set(name, { ...(n !== undefined && { n }), ...(time !== undefined && { time }), ...result });
  }
  writeNote(store.keys, store.file, { ...note, anchors: [...known.values()] });
}

// `fetch` says only that it failed; the reason is in its cause.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

/** Writes the latest seal to an anchor, and reads it back. */
const timeoutMs = 3000;
const { O_APPEND, O_CREAT, O_RDONLY, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** One attempt of bounded time: the next seal includes everything in this one. */
async function publish(anchor: Anchor, line: AnchorLine): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  if ('file' in anchor) await appendLine(anchor.file, `${JSON.stringify(line)}\n`);
  else if ('git_ref' in anchor) await publishToGit(anchor, line, signal);
  else await post(anchor.url, line, signal);
}

/** Undefined when the anchor can't be read back. */
export async function readAnchor(anchor: Anchor, log: string): Promise<AnchorLine[] | undefined> {
  if ('file' in anchor) return readAnchorLines(await readRegular(anchor.file), log);
  if ('git_ref' in anchor) return readAnchorLines(await readFromGit(anchor), log);
  return undefined;
}

/** A pipe in the place of the file must not make the reader wait for ever. */
async function readRegular(file: string): Promise<string> {
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile())
      throw new ToolError('NOT_REGULAR_FILE', `${file} is not a regular file.`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

async function appendLine(file: string, line: string): Promise<void> {
  const handle = await open(file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    await handle.appendFile(line);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function post(url: string, line: AnchorLine, signal: AbortSignal): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(line);
  const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
  await answer.body?.cancel();
  if (!answer.ok) throw new ToolError('IO_ERROR', `It answered ${answer.status}.`);
}

/** An anchor in a git repository: a ref whose commits, each with the one before as its parent, hold a seal each as their message. */
type GitAnchor = Extract<Anchor, { git_ref: string }>;

const readMs = 30_000;
const newestLines = 10_000;
const who = 'CodeLab <audit@codelab.invalid>';

async function publishToGit(
  { git_ref: ref, repository }: GitAnchor,
  line: AnchorLine,
  signal: AbortSignal,
): Promise<void> {
  using workspace = Workspace.open(repository);
  const change = { workspace, signal, isChange: true } as const;
  const parent = await commitAt(workspace, ref, signal);
  const tree = await mustGit({ ...change, args: ['hash-object', '-w', '-t', 'tree', '--stdin'], input: '' });
  // Written by hand: `git commit-tree` requires a name and an address that a machine may not have.
  const seconds = Math.floor(line.time / 1000);
  const commit = [
    `tree ${textOf(tree)}`,
    ...(parent === undefined ? [] : [`parent ${parent}`]),
    `author ${who} ${seconds} +0000`,
    `committer ${who} ${seconds} +0000`,
    '',
    JSON.stringify(line),
    '',
  ].join('\n');
  const commitHash = await mustGit({
    ...change,
    args: ['hash-object', '-w', '-t', 'commit', '--stdin'],
    input: commit,
  });
  // Git refuses when the ref was moved meanwhile; an empty old value means that it does not exist yet.
  const old = parent ?? '0'.repeat(textOf(commitHash).length);
  await mustGit({ ...change, args: ['update-ref', '--no-deref', ref, textOf(commitHash), old] });
}

async function readFromGit({ git_ref: ref, repository }: GitAnchor): Promise<string> {
  using workspace = Workspace.open(repository);
  const signal = AbortSignal.timeout(readMs);
  if ((await commitAt(workspace, ref, signal)) === undefined)
    throw new ToolError('FILE_NOT_FOUND', `There is no ${ref} in ${repository}.`);
  const args = ['log', '--format=%B', `--max-count=${newestLines}`, ref] as const;
  return (await mustGit({ workspace, signal, args })).stdout.toString('utf8');
}

async function commitAt(workspace: Workspace, ref: string, signal: AbortSignal): Promise<string | undefined> {
  const found = await runGit({
    workspace,
    signal,
    args: ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`],
  });
  return found.exitCode === 0 ? textOf(found) : undefined;
}

function textOf({ stdout }: { stdout: Buffer }): string {
  return stdout.toString('utf8').trim();
}
