// The rows of a conversation: each entry is one, but steps that only look are put together, so that many of them read like one line.
import type { Kind } from '@codelab/protocol';
import type { CallModel, Entry, UnloadedEntry } from '../../session/session-model.ts';

/**
 * Entries from `start` up to, not including, `end`. `isTight`: a step that another one follows. `height`: when it was last shown, or of all
 * rows of a section that is unloaded.
 */
export type ConversationRow = {
  key: string;
  start: number;
  end: number;
  isTight: boolean;
  height?: number | undefined;
};

export const guessedHeight = 72;

const leastGrouped = 3;

type Known = { calls: ReadonlyMap<string, CallModel>; kinds: ReadonlyMap<string, Kind> };

export function rowsOf(entries: readonly Entry[], known: Known): ConversationRow[] {
  const rows: ConversationRow[] = [];
  let heights: Iterator<number> | undefined;
  for (let start = 0; start < entries.length; ) {
    const entry = entries[start];
    if (entry?.begins !== undefined) heights = entry.begins.heights?.values();
    const end = endOfLooks(entries, start, known);
    const grouped = end - start >= leastGrouped ? end : start + 1;
    const isTight = entry?.kind === 'call' && entries[grouped]?.kind === 'call';
    const height = entry?.kind === 'unloaded' ? heightOf(entry) : heights?.next().value;
    rows.push({ key: entry?.key ?? String(start), start, end: grouped, isTight, height });
    start = grouped;
  }
  return rows;
}

/** A section is never left in the middle of a row, so that it has the same rows without the others. */
function endOfLooks(entries: readonly Entry[], start: number, known: Known): number {
  let end = start;
  while (isLook(entries[end], known) && (end === start || entries[end]?.begins === undefined)) end++;
  return end;
}

function heightOf({ begins, count }: UnloadedEntry): number {
  return begins.heights?.reduce((sum, height) => sum + height, 0) ?? count * guessedHeight;
}

/** A step that changes nothing and needs nobody: reading, searching, thinking. */
function isLook(entry: Entry | undefined, { calls, kinds }: Known): boolean {
  if (entry?.kind !== 'call') return false;
  const call = calls.get(entry.callId);
  if (call === undefined || call.approval !== undefined || call.inner.length > 0) return false;
  const kind = kinds.get(call.call.tool);
  return (kind === 'read' || kind === 'search') && call.call.turn !== undefined;
}

export type GroupFacts = {
  files: number;
  folders: number;
  /** Other reads: the state of a repository, a process, a definition. */
  others: number;
  searches: number;
  failed: number;
  running: CallModel | undefined;
};

export function groupFacts(ids: readonly string[], { calls, kinds }: Known): GroupFacts {
  const views = ids.flatMap((id) => calls.get(id) ?? []);
  const read = { files: new Set<string>(), folders: new Set<string>(), others: new Set<string>() };
  for (const { call, outcome } of views)
    if (kinds.get(call.tool) === 'read') read[readOf(outcome)].add(String(call.args.path ?? call.id));
  return {
    files: read.files.size,
    folders: read.folders.size,
    others: read.others.size,
    searches: views.filter(({ call }) => kinds.get(call.tool) === 'search').length,
    failed: views.filter(({ outcome }) => outcome !== undefined && outcome.status !== 'completed').length,
    running: views.findLast(({ outcome }) => outcome === undefined),
  };
}

/** Only the outcome tells what a path was. Without one it counts as a file. */
function readOf(outcome: CallModel['outcome']): 'files' | 'folders' | 'others' {
  if (outcome?.status !== 'completed' || outcome.seen !== undefined) return 'files';
  return Array.isArray(outcome.data.entries) ? 'folders' : 'others';
}
