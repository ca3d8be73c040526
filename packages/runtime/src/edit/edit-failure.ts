/** Says why an edit was refused: Kode's sentence first, then where to look. */
import { ToolError } from '@codelab/protocol';
import { describeMiss } from './describe-miss.ts';
import { nearestCandidate } from './nearest-candidate.ts';
import type { Range } from './tolerant-match.ts';

export type FailedEdit = {
  reason: 'same' | 'empty' | 'not_found' | 'not_unique';
  /** As the edits before this one left it. */
  text: string;
  wanted: string;
  /** Counts from 1. */
  number: number;
  count: number;
  places: readonly Range[];
};

export function editFailure(failed: FailedEdit): ToolError {
  const { reason, number, places } = failed;
  const { sentence, details } = explain(failed);
  const which = failed.count > 1 ? ` (Edit ${number} of ${failed.count}; none of them was made.)` : '';
  const [first, ...rest] = sentence.split('\n');
  const message = [`${first}${which}`, ...rest].join('\n');
  return new ToolError('INVALID_ARGUMENTS', message, {
    edit: number,
    matches: places.length,
    reason,
    ...details,
  });
}

function explain(failed: FailedEdit): { sentence: string; details?: Record<string, unknown> } {
  switch (failed.reason) {
    case 'same':
      return { sentence: 'No changes to make: old_string and new_string are exactly the same.' };
    case 'empty':
      return { sentence: 'Cannot create new file - file already exists.' };
    case 'not_unique':
      return explainMany(failed);
    case 'not_found': {
      const nearest = nearestCandidate(failed.text, failed.wanted);
      const numbered = hasLineNumbers(failed.wanted)
        ? '\nIts lines begin with line numbers, which are no part of the file: leave them out.'
        : '';
      const sentence = `String to replace not found in file.${numbered}\n${describeMiss(nearest, failed.text)}`;
      return { sentence, details: { nearest } };
    }
  }
}

/** As read_file and `cat -n` show them. */
function hasLineNumbers(wanted: string): boolean {
  const lines = wanted.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.every((line) => /^\s*\d+(\t|→|: |\s?\|)/.test(line));
}

const MAX_PLACES = 10;

function explainMany({ text, places }: FailedEdit) {
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (const { start } of places.slice(0, MAX_PLACES)) {
    for (let feed = text.indexOf('\n', from); feed !== -1 && feed < start; feed = text.indexOf('\n', from)) {
      line++;
      from = feed + 1;
    }
    lines.push(line);
  }
  const more = places.length > MAX_PLACES ? ', …' : '';
  const sentence = [
    `Found ${places.length} matches of the string to replace. Add lines around it to old_string until it fits one place only, or set replace_all to change them all.`,
    `The matches begin in lines ${lines.join(', ')}${more}.`,
  ].join('\n');
  return { sentence, details: { lines } };
}
