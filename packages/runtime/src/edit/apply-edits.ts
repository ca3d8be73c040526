/** Applies edits to a text, each to the result of the previous one; the first edit that does not apply refuses them all. */

import { editFailure } from './edit-failure.ts';
import { applySpans, composeSpans, type ReplacedSpan } from './spans.ts';
import { type EditMatch, matchEdit, type StringEdit } from './tolerant-match.ts';
import { writeMatches } from './write-matches.ts';

export type EditOptions = {
  /** Lets a string that is not found exactly match tolerantly. */
  tolerant?: boolean;
  /** Replacing a string by nothing also removes the newline that follows. */
  eatNewline?: boolean;
  /** The file does not exist yet: the first edit is its text and has an empty `old_string`. */
  isNewFile?: boolean;
};

/** The spans are offsets in the text before all edits; `occurrences` counts the replacements of each edit. */
export type AppliedEdits = {
  text: string;
  spans: ReplacedSpan[];
  replacements: number;
  occurrences: number[];
  /** Names of the differences that a tolerant match ignored. */
  tolerant: string[];
};

export function applyEdits(
  text: string,
  edits: readonly StringEdit[],
  options: EditOptions = {},
): AppliedEdits {
  const steps: ReplacedSpan[][] = [];
  const tolerant = new Set<string>();
  let current = text;
  for (const [index, edit] of edits.entries()) {
    const match = checkedMatch(current, edit, { options, number: index + 1, count: edits.length });
    const written = writeMatches(current, edit, match);
    const eats = options.eatNewline === true && edit.new_string === '' && !edit.old_string.endsWith('\n');
    const spans = eats ? eatNewlines(current, written.spans) : written.spans;
    for (const name of written.tolerant) tolerant.add(name);
    current = applySpans(current, spans);
    steps.push(spans);
  }
  const occurrences = steps.map((spans) => spans.length);
  const replacements = occurrences.reduce((sum, count) => sum + count, 0);
  return { text: current, spans: composeAll(steps), replacements, occurrences, tolerant: [...tolerant] };
}

type Place = { options: EditOptions; number: number; count: number };

function checkedMatch(text: string, edit: StringEdit, { options, number, count }: Place): EditMatch {
  const { old_string: oldText, new_string: next, replace_all: takesAll } = edit;
  const fail = (reason: 'same' | 'empty' | 'not_found' | 'not_unique', match?: EditMatch) =>
    editFailure({ reason, text, oldText, number, count, places: match?.ranges ?? [] });
  if (oldText === next) throw fail('same');
  if (oldText === '') {
    if (!options.isNewFile || number > 1) throw fail('empty');
    return { ranges: [{ start: 0, end: 0 }], isTolerant: false };
  }
  const match = matchEdit(text, edit, options.tolerant === true);
  if (match.ranges.length === 0) throw fail('not_found');
  const mustBeUnique = !takesAll || match.isTolerant;
  if (mustBeUnique && match.ranges.length > 1) throw fail('not_unique', match);
  return match;
}

function eatNewlines(text: string, spans: ReplacedSpan[]): ReplacedSpan[] {
  return spans.map((span, index) => {
    const isTaken = spans[index + 1]?.start === span.end;
    const length = text.startsWith('\r\n', span.end) ? 2 : text[span.end] === '\n' ? 1 : 0;
    return isTaken ? span : { ...span, end: span.end + length };
  });
}

/** Composes in halves, so many edits over many spans cost n log n rather than n². */
function composeAll(steps: ReplacedSpan[][]): ReplacedSpan[] {
  if (steps.length <= 1) return composeSpans([], steps[0] ?? []);
  const middle = steps.length >> 1;
  return composeSpans(composeAll(steps.slice(0, middle)), composeAll(steps.slice(middle)));
}
