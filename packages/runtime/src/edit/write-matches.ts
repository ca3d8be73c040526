/** What an edit puts in the places it hit, in the line endings of the file, and what was overlooked to hit them. */
import { endingsOf } from './endings-of.ts';
import type { Edit, EditMatch } from './match-edit.ts';
import { nameTolerances } from './name-tolerances.ts';
import { rewriteMatch } from './rewrite-match.ts';
import type { Span } from './span.ts';

export type WrittenMatches = { spans: Span[]; tolerant: string[] };

export function writeMatches(text: string, edit: Edit, { ranges, isTolerant }: EditMatch): WrittenMatches {
  const write = isTolerant ? lineWriter(text, edit) : contentWriter(text, edit);
  const names = new Set<string>();
  const spans = ranges.map(({ start, end }) => {
    const matched = text.slice(start, end);
    const replacement = write(matched, end);
    if (isTolerant) for (const name of nameTolerances(matched, edit.old_string)) names.add(name);
    else if (matched !== edit.old_string || replacement !== edit.new_string) names.add('line endings');
    return { start, end, replacement };
  });
  return { spans, tolerant: [...names] };
}

type Writer = (matched: string, end: number) => string;

/** A string that speaks of `\r` itself is taken literally. */
function contentWriter(text: string, edit: Edit): Writer {
  const { old_string: wanted, new_string: next } = edit;
  if (wanted.includes('\r') || next.includes('\r') || !text.includes('\r')) return () => next;
  if (wanted.includes('\n')) {
    const write = lineWriter(text, edit);
    return (matched, end) => (matched === wanted ? next : write(matched, end));
  }
  const endingAt = endingsOf(text);
  return (_, end) => next.replaceAll('\n', endingAt(end));
}

function lineWriter(text: string, { old_string: wanted, new_string: next }: Edit): Writer {
  const endingAt = endingsOf(text);
  const rewrite = rewriteMatch(wanted, next);
  return (matched, end) => rewrite(matched, endingAt(end));
}
