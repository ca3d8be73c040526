/**
 * All places of a string in a text, literally. The engine's own search is fast but can take minutes on long
 * repetitive strings, so past a budget of comparisons Knuth, Morris and Pratt finish the work in linear time.
 */
const PROBE = 250;

/** `overlapping` counts `aa` twice in `aaa`; otherwise the search goes on behind each hit. */
export function findOccurrences(text: string, wanted: string, overlapping: boolean): number[] {
  // Up to 250 characters the engine keeps full shift tables, hence only the beginning is left to it.
  const probe = wanted.slice(0, PROBE);
  const found: number[] = [];
  let comparisons = 4 * text.length;
  let at = text.indexOf(probe);
  while (at !== -1) {
    const isHit = wanted.length === probe.length || text.slice(at, at + wanted.length) === wanted;
    if (isHit) found.push(at);
    comparisons -= wanted.length - probe.length;
    if (comparisons < 0) return findInLinearTime(text, wanted, overlapping);
    at = text.indexOf(probe, isHit && !overlapping ? at + wanted.length : at + 1);
  }
  return found;
}

function findInLinearTime(text: string, wanted: string, overlapping: boolean): number[] {
  const borders = bordersOf(wanted);
  const found: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] as number;
    if (wanted.charCodeAt(matched) === unit) matched++;
    if (matched < wanted.length) continue;
    found.push(at + 1 - wanted.length);
    matched = overlapping ? (borders[matched - 1] as number) : 0;
  }
  return found;
}

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function bordersOf(wanted: string): Int32Array {
  const borders = new Int32Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    const unit = wanted.charCodeAt(at);
    while (length > 0 && wanted.charCodeAt(length) !== unit) length = borders[length - 1] as number;
    if (wanted.charCodeAt(length) === unit) length++;
    borders[at] = length;
  }
  return borders;
}
