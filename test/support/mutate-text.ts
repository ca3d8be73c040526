// Changes a text as people do: lines replaced, dropped, added, moved, doubled; now and then its last newline.
import type { Random } from './random.ts';

export function mutateText(text: string, random: Random, donor: string): string {
  const lines = text.split(/(?<=\n)/);
  const foreign = donor.split(/(?<=\n)/);
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  for (let edits = 1 + random.below(8); edits > 0; edits--) {
    const at = random.below(lines.length);
    const count = 1 + random.below(random.chance(0.2) ? 12 : 3);
    const from = random.below(foreign.length);
    const added = foreign.slice(from, from + count).map((line) => line.replace(/\r?\n?$/, ending));
    const removed = random.chance(0.4) ? [] : lines.splice(at, count);
    if (random.chance(0.7)) lines.splice(at, 0, ...added);
    // Moved or doubled elsewhere.
    else lines.splice(random.below(lines.length + 1), 0, ...removed);
  }
  const result = lines.join('');
  if (random.chance(0.15)) return result.replace(/\r?\n$/, '');
  return random.chance(0.1) ? result + ending : result;
}
