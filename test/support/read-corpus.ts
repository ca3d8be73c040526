// The lines of a corpus of commands. `class:` and `origin:` apply to the following lines; a line that begins with a quote is JSON.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type CorpusLine = { line: string; kind: string; origin: string };

export function readCorpus(name: string): CorpusLine[] {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'commands', name), 'utf8');
  const found: CorpusLine[] = [];
  let kind = '';
  let origin = '';
  for (const raw of text.split('\n')) {
    if (raw.startsWith('class: ')) kind = raw.slice(7);
    else if (raw.startsWith('origin: ')) origin = raw.slice(8);
    else if (raw !== '' && !raw.startsWith('# '))
      found.push({ line: raw.startsWith('"') ? (JSON.parse(raw) as string) : raw, kind, origin });
  }
  return found;
}
