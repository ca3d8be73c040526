// The rows of a conversation: each entry is one, but steps that only look are put together, so that many of them read like one line.
import type { Kind } from '@codelab/protocol';
import type { CallModel, Entry } from '../../session/session-model.ts';

/** Entries from `start` up to, not including, `end`. `isTight`: a step that another one follows. */
export type ConversationRow = { key: string; start: number; end: number; isTight: boolean };

const leastGrouped = 3;

type Known = { calls: ReadonlyMap<string, CallModel>; kinds: ReadonlyMap<string, Kind> };

export function rowsOf(entries: readonly Entry[], known: Known): ConversationRow[] {
  const rows: ConversationRow[] = [];
  for (let start = 0; start < entries.length; ) {
    let end = start;
    while (end < entries.length && isLook(entries[end], known)) end++;
    const grouped = end - start >= leastGrouped ? end : start + 1;
    const isTight = entries[start]?.kind === 'call' && entries[grouped]?.kind === 'call';
    rows.push({ key: entries[start]?.key ?? String(start), start, end: grouped, isTight });
    start = grouped;
  }
  return rows;
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
