// Compares the log with its anchors: every seal in an anchor must be in the log.
import { type Anchor, anchorName } from '../../config/anchor.ts';
import { readAnchor } from './anchors.ts';
import type { Anchored, NotedLog, SealNote } from './seal-note.ts';

export type AnchorCheck = {
  anchor: string;
  /** `unread`: the anchor can't be read back, or nothing was written to it yet. */
  status: 'matches' | 'differs' | 'unread';
  /** The latest seal there. */
  seal: number | null;
  problem?: string;
};

/** `log`: the name that the seals give the log; empty when there are none. */
type Seals = Pick<NotedLog, 'hashOf'> & { log: string };

/** Anchors used before count as well: a setting in the state folder may have been removed together with a part of the log. */
export async function compareAnchors(
  seals: Seals,
  { note, anchors }: { note: SealNote | undefined; anchors: readonly Anchor[] },
): Promise<AnchorCheck[]> {
  const noted = note?.anchors ?? [];
  const known = new Map<string, Anchored>(anchors.map((anchor) => [anchorName(anchor), { anchor }]));
  for (const note of noted) known.set(anchorName(note.anchor), note);
  const log = note?.log ?? seals.log;
  return await Promise.all([...known.values()].map((note) => compare({ ...seals, log }, note)));
}

async function compare({ log, hashOf }: Seals, { anchor, n, problem }: Anchored): Promise<AnchorCheck> {
  const check = { anchor: anchorName(anchor), seal: n ?? null };
  const failed =
    problem === undefined ? {} : { problem: `The latest attempt to write it failed: ${problem}.` };
  try {
    const lines = await readAnchor(anchor, log);
    if (lines === undefined) return { ...check, status: 'unread', ...failed };
    const hashes = await Promise.all(lines.map(async (line) => await hashOf(line.n)));
    const wrong = lines.find((line, i) => hashes[i] !== line.hash);
    const last = lines.reduce((highest, line) => Math.max(highest, line.n), 0);
    if (wrong !== undefined)
      return {
        ...check,
        seal: last,
        status: 'differs',
        problem: `Seal ${wrong.n} is there, but not in the log.`,
      };
    if (last < (n ?? 0))
      return {
        ...check,
        seal: last,
        status: 'differs',
        problem: `Seal ${n} was written there, but is missing now.`,
      };
    if (last === 0) return { ...check, status: 'unread', problem: 'It has no seal of this log.', ...failed };
    return { ...check, seal: last, status: 'matches', ...failed };
  } catch (error) {
    return { ...check, status: 'unread', problem: error instanceof Error ? error.message : String(error) };
  }
}
