// Restores what was held back from a call. The approval shows all of it, in every mode; the restored files are a change like any other,
// so undo removes them again.
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import {
  type Diff,
  type Effect,
  type Phrase,
  type PlanDraft,
  phrase,
  ToolError,
  type Touch,
} from '@codelab/protocol';
import { unifiedDiff } from '../patch/unified-diff.ts';
import { runInTurns } from '../platform/steps.ts';
import type { HeldBack } from '../process/held-back.ts';
import type { PlanContext, Planned } from '../tool/define-tool.ts';
import { ownerOf } from '../undo/find-changes.ts';
import { byteName, lossyName, readNamedEntries } from '../workspace/byte-names.ts';
import { type Change, fileStateAt, intentsOf, newTemp } from '../workspace/commit/change.ts';
import { type Directory, identity } from '../workspace/directory.ts';
import type { Located } from '../workspace/locate.ts';
import { foldPath } from '../workspace/paths.ts';
import { type DirectoryEntry, openItem } from '../workspace/quarantine/quarantine.ts';
import { decodeText } from '../workspace/text-files.ts';
import { insideOf } from '../workspace/trees/disk-bytes.ts';
import { findHeld, type HeldCall } from './find-held.ts';

type RestoreRequest = { call_id: string; session?: string | undefined; paths?: string[] | undefined };

export async function planRestore(request: RestoreRequest, context: PlanContext): Promise<Planned<Change[]>> {
  const files = chosenFiles(await findCall(request, context), request.paths);
  let items = 0;
  const restores: Restore[] = [];
  for (const file of files) restores.push(await restore(file, context, () => String(items++)));
  const changes = restores.map(({ change }) => change);
  return {
    plan: describe(request.call_id, files, restores, context),
    intents: intentsOf(changes),
    mustAsk: {
      rule: 'held-back',
      reason: phrase('call.heldBack'),
    },
    prepared: changes,
  };
}

/** A call of this session, or of another session of the same owner. */
async function findCall(
  { call_id, session }: RestoreRequest,
  { home, workspace, log, session: by }: PlanContext,
): Promise<HeldCall> {
  const heldSlots = findHeld(home, workspace.root.real).filter(
    (call) => call.callId === call_id && (session === undefined || call.session === session),
  );
  const ofSession = heldSlots.find((call) => call.session === by);
  if (ofSession !== undefined) return ofSession;
  const owner = await ownerOf(log, by);
  for (const call of heldSlots) if ((await ownerOf(log, call.session)) === owner) return call;
  throw new ToolError(
    'FILE_NOT_FOUND',
    `Call ${JSON.stringify(call_id)} has no files that were held back, or they have expired (14 days, 1 GiB). \`codelab held list\` lists the others.`,
    { reason: 'nothing' },
  );
}

function chosenFiles({ held, callId }: HeldCall, paths: readonly string[] | undefined): HeldBack[] {
  if (paths === undefined) return held;
  const unknown = paths.find((path) => !held.some((file) => file.path === path));
  if (unknown === undefined) return held.filter(({ path }) => paths.includes(path));
  const names = held.map(({ path }) => path).join(', ');
  throw new ToolError(
    'FILE_NOT_FOUND',
    `${unknown} was not held back after the call ${callId}. These were: ${names}.`,
    { path: unknown },
  );
}

type Restore = { change: Change; texts: ShownFile[]; now: string | null };

async function restore(
  { path, trash_id }: HeldBack,
  { workspace, home, signal }: PlanContext,
  item: () => string,
): Promise<Restore> {
  using keptItem = openItem(home, trash_id);
  using place = workspace.locate(path, {
    followLast: false,
    access: 'read',
    pathChars: Number.MAX_SAFE_INTEGER,
  });
  if (keptItem === undefined) throw new ToolError('STALE', `${path} is no longer kept.`, { path });
  const stat = lstatSync(keptItem.parent.at(keptItem.name), { bigint: true });
  if (place.stat?.isDirectory())
    throw new ToolError('STALE', `A folder ${path} exists now. Move it away, or restore other paths.`, {
      path,
    });
  const now = place.stat === undefined ? null : fileStateAt(place, place.stat);
  const inside =
    stat.isDirectory() && (await runInTurns(insideOf(keptItem.parent, byteName(keptItem.name)), { signal }));
  const intent: Effect = {
    op: now === null ? 'create' : 'update',
    path,
    before: now,
    after: { ...fileStateAt(asPlace(keptItem, path), stat), ...inside },
    ...(now !== null && { trashId: item() }),
  };
  const expected = place.stat === undefined ? 'absent' : identity(place.stat);
  const [current] = now?.type === 'file' ? showText(place, path) : [];
  return {
    change: { op: 'put', expected, temp: newTemp(), source: { kept: trash_id }, intent },
    texts: showText(keptItem, path),
    now: current?.text ?? null,
  };
}

function asPlace({ parent, name }: DirectoryEntry, path: string): Located {
  return {
    parent,
    name,
    path,
    asked: path,
    missing: [],
    links: [],
    stat: undefined,
    [Symbol.dispose]: () => undefined,
  };
}

function describe(
  callId: string,
  heldFiles: readonly HeldBack[],
  restores: readonly Restore[],
  { limits, home }: PlanContext,
): PlanDraft {
  const diff = diffOf(restores, limits.diffBytes);
  const silent = restores.flatMap(({ texts }) => texts.filter(({ text }) => text === undefined));
  return {
    summary: phrase('plan.restore', { call: callId, paths: heldFiles.map(({ path }) => path).join(', ') }),
    risk: 'critical',
    riskReason: phrase('risk.decidesWhatRuns'),
    touches: heldFiles.flatMap(({ path }) => touchOf(path)),
    notes: [
      ...heldFiles.map((file) => restoreNote(file, home)),
      ...silent.map(({ path, size }) => phrase('note.notShown', { path, bytes: Number(size) })),
    ],
    ...(diff && { diff }),
    basis: restores.map(({ change }) => ({
      path: change.intent.path,
      print: 'expected' in change ? change.expected : '',
    })),
  };
}

// The rules that deny git's own files and ours apply to tools that create them; here a human decides about what is shown.
function touchOf(path: string): Touch[] {
  const isDenied = foldPath(path)
    .split('/')
    .some((name) => name === '.git' || name === '.codelab');
  return isDenied ? [] : [{ asked: path, path, access: 'write' }];
}

function restoreNote({ path, why, trash_id }: HeldBack, home: string): Phrase {
  using item = openItem(home, trash_id);
  if (item === undefined || !lstatSync(item.parent.at(item.name)).isSymbolicLink())
    return phrase('note.restore', { path, why });
  return phrase('note.restoreLink', { path, target: readlinkSync(item.parent.at(item.name)), why });
}

function diffOf(restores: readonly Restore[], maxBytes: number): Diff | undefined {
  const total: Diff = { text: '', additions: 0, deletions: 0, hunks: 0, truncated: false };
  for (const { texts, now } of restores)
    for (const { path, text } of texts) {
      if (text === undefined) continue;
      const bytesLeft = Math.max(0, maxBytes - total.text.length);
      const diff = unifiedDiff({
        path,
        before: texts.length === 1 ? now : null,
        after: text,
        maxBytes: bytesLeft,
      });
      total.text += diff.text;
      total.additions += diff.additions;
      total.deletions += diff.deletions;
      total.hunks += diff.hunks;
      total.truncated ||= diff.truncated;
    }
  return total.text === '' ? undefined : total;
}

// The held-back files with their texts, for the approval. The objects of a repository are left out: nothing executes them.

/** `text` is undefined when it is too long or not text. */
type ShownFile = { path: string; text: string | undefined; size: number };

const maxFiles = 200;
const maxFileBytes = 256 * 1024;

function showText(spot: DirectoryEntry, path: string): ShownFile[] {
  const files: ShownFile[] = [];
  collectTexts(spot.parent, spot.name, path, files);
  return files;
}

function collectTexts(parent: Directory, name: string, path: string, files: ShownFile[]): void {
  if (files.length >= maxFiles) return;
  const stat = lstatSync(parent.at(byteName(name)));
  if (stat.isDirectory()) {
    using folder = parent.openBelow(byteName(name));
    const entries = readNamedEntries(folder).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const isRepository = entries.some((entry) => entry.name === 'HEAD');
    for (const entry of entries)
      if (!(isRepository && (entry.name === 'objects' || /\.sample$/.test(entry.name))))
        collectTexts(folder, entry.name, `${path}/${entry.name}`, files);
    return;
  }
  const isShort = stat.isFile() && stat.size <= maxFileBytes;
  // The samples that `git init` creates start nothing.
  if (/\/hooks\/[^/]+\.sample$/.test(path)) return;
  files.push({
    path: lossyName(path),
    text: isShort ? textOf(parent.at(byteName(name)), path) : undefined,
    size: stat.size,
  });
}

function textOf(at: string | Buffer, path: string): string | undefined {
  try {
    return decodeText(readFileSync(at), path).text;
  } catch {
    return undefined;
  }
}
