/**
 * Interns the lines of a block to integers and keeps only those that occur on both sides.
 * A line without a counterpart cannot match, so leaving it out shortens the search and not its answer.
 */
import type { LineChange } from './line-change.ts';

/** `oldAt[i]` is the place in the file of the line whose number is `oldIds[i]`; likewise for new. */
export type SharedLines = {
  oldIds: Int32Array;
  oldAt: Int32Array;
  newIds: Int32Array;
  newAt: Int32Array;
};

export function sharedLines(
  oldLines: readonly string[],
  newLines: readonly string[],
  block: LineChange,
): SharedLines {
  const idOfLine = new Map<string, number>();
  for (let at = block.newStart; at < block.newEnd; at++) {
    const line = newLines[at] as string;
    if (!idOfLine.has(line)) idOfLine.set(line, idOfLine.size);
  }
  const isInOld = new Uint8Array(idOfLine.size);
  const oldSide = keep(block.oldStart, block.oldEnd, (at) => {
    const id = idOfLine.get(oldLines[at] as string) ?? -1;
    if (id !== -1) isInOld[id] = 1;
    return id;
  });
  const newSide = keep(block.newStart, block.newEnd, (at) => {
    const id = idOfLine.get(newLines[at] as string) as number;
    return isInOld[id] === 1 ? id : -1;
  });
  return { oldIds: oldSide.ids, oldAt: oldSide.at, newIds: newSide.ids, newAt: newSide.at };
}

function keep(start: number, end: number, idAt: (at: number) => number) {
  const ids = new Int32Array(end - start);
  const places = new Int32Array(end - start);
  let count = 0;
  for (let at = start; at < end; at++) {
    const id = idAt(at);
    if (id === -1) continue;
    ids[count] = id;
    places[count] = at;
    count++;
  }
  return { ids: ids.subarray(0, count), at: places.subarray(0, count) };
}
