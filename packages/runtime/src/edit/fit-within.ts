/** Where in a line a shorter piece fits with the fewest changes (Sellers 1980); of equal fits, the one that begins first. */

const MAX_FOUND = 800;
const MAX_WANTED = 250;
const STRIDE = 8;

/** `changes` is how many characters of the `compared` ones differ. */
export type Fit = { start: number; end: number; changes: number; compared: number };

export function fitWithin(line: string, piece: string): Fit {
  const isShort = piece.length <= MAX_WANTED;
  const whole = isShort ? line.indexOf(piece) : -1;
  if (whole !== -1) {
    return { start: whole, end: whole + piece.length, changes: 0, compared: piece.length };
  }
  const from = line.length > MAX_FOUND ? likelyStart(line, piece) : 0;
  const found = line.slice(from, from + MAX_FOUND);
  const compared = Math.min(piece.length, MAX_WANTED);
  const fit = fewestChanges(found, piece.slice(0, compared));
  // Of a long piece only the beginning was compared, so nothing is known about where it ends.
  const end = isShort ? from + fit.end : line.length;
  return { start: from + fit.start, end, changes: fit.changes, compared };
}

/** In a very long line: near the first part of the piece that stands there literally. */
function likelyStart(line: string, piece: string): number {
  for (let at = 0; at + STRIDE <= piece.length && at < MAX_WANTED; at += STRIDE) {
    const place = line.indexOf(piece.slice(at, at + STRIDE));
    if (place !== -1) return Math.max(0, place - at - MAX_WANTED / 2);
  }
  return 0;
}

/** Row by row over the piece; `costs[i]` is the least for fits that end before character i, `starts[i]` their start. */
function fewestChanges(line: string, piece: string) {
  let costs = new Int32Array(line.length + 1);
  let starts = Int32Array.from({ length: line.length + 1 }, (_, at) => at);
  let nextCosts = new Int32Array(line.length + 1);
  let nextStarts = new Int32Array(line.length + 1);
  for (let row = 1; row <= piece.length; row++) {
    nextCosts[0] = row;
    nextStarts[0] = 0;
    for (let at = 1; at <= line.length; at++) {
      const isSame = line.charCodeAt(at - 1) === piece.charCodeAt(row - 1);
      const replaced = (costs[at - 1] as number) + (isSame ? 0 : 1);
      const missing = (costs[at] as number) + 1;
      const surplus = (nextCosts[at - 1] as number) + 1;
      const cost = Math.min(replaced, missing, surplus);
      nextCosts[at] = cost;
      nextStarts[at] = Math.min(
        cost === replaced ? (starts[at - 1] as number) : at,
        cost === missing ? (starts[at] as number) : at,
        cost === surplus ? (nextStarts[at - 1] as number) : at,
      );
    }
    [costs, nextCosts] = [nextCosts, costs];
    [starts, nextStarts] = [nextStarts, starts];
  }
  let end = 0;
  for (let at = 1; at <= line.length; at++) if ((costs[at] as number) < (costs[end] as number)) end = at;
  return { start: starts[end] as number, end, changes: costs[end] as number };
}
