// Takes what was found out of the workspace, one by one, and puts back what it replaced.
import { writeFileSync } from 'node:fs';
import type { HeldBack } from '../process/held-back.ts';
import type { BeforeSlot } from '../snapshot/kept-before.ts';
import type { RunContext } from '../tool/define-tool.ts';
import { lossyName } from '../workspace/byte-names.ts';
import { newTemp } from '../workspace/commit/change.ts';
import { heldListName } from './find-held.ts';
import { type OldContent, putBack, takeOut } from './take-out.ts';

/** `notes` name what could not be held back or inspected. */
export type HoldBackResult = { held: HeldBack[]; notes: string[] };

export type HeldBackFile = {
  path: string;
  change: HeldBack['change'];
  why: string;
  old?: OldContent | undefined;
};

type FileToTake = HeldBackFile & { item: string; temp: string };

/** Takes each of them, parents first, and records what was taken and what could not be. */
export async function takeEach(
  context: RunContext,
  keep: BeforeSlot,
  heldFiles: readonly HeldBackFile[],
  holding: HoldBackResult,
): Promise<void> {
  if (heldFiles.length === 0) return;
  const { root } = context.workspace;
  const heldPaths = new Set(holding.held.map(({ path }) => path));
  const takings = heldFiles.map((file): FileToTake => ({ ...file, item: keep.item(), temp: newTemp() }));
  noteList(keep, [...takings]);
  for (const taking of takings.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    if (isHeld(heldPaths, taking.path)) continue;
    try {
      const movedPath = await takeOut(root, taking.path, keep.slot(), taking);
      if (movedPath === undefined) continue;
      const { change, why } = taking;
      heldPaths.add(movedPath);
      if (movedPath !== taking.path) noteList(keep, [{ ...taking, path: movedPath }]);
      holding.held.push({
        path: lossyName(movedPath),
        change,
        why,
        trash_id: `${context.slot}/${taking.item}`,
      });
      if (taking.old !== undefined && movedPath === taking.path)
        putBack(root, movedPath, taking.old, keep.slot(), newTemp());
      else if (change === 'changed')
        holding.notes.push(`${movedPath} is gone: its content before the command was not stored.`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      holding.notes.push(`${taking.path} could not be held back (${reason}). Check it before you continue.`);
    }
  }
}

// Written before anything is moved: after a crash, the next start finds everything through this list.
function noteList(keep: BeforeSlot, takings: readonly FileToTake[]): void {
  const lines = takings.map(({ path, change, why, item, temp }) =>
    JSON.stringify({ path, change, why, item, temp }),
  );
  writeFileSync(keep.slot().at(heldListName), `${lines.join('\n')}\n`, { mode: 0o600, flag: 'a' });
}

/** Whether a path, or a folder above it, was held back. */
export function isHeld(heldPaths: ReadonlySet<string>, path: string): boolean {
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1))
    if (heldPaths.has(path.slice(0, at))) return true;
  return false;
}
