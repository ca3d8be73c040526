/**
 * What a matched piece of a file becomes when it was matched by content: lines that the edit leaves alone stay
 * as the file has them, new ones take the line ending of the line above.
 */

import { diffLines, type LineChange } from '@codelab/protocol';
import { splitLines } from '../patch/lines.ts';
import { cutLine } from './cut-line.ts';

/** The matched text has as many lines as `wanted`. `ending` is for a matched text without any. */
export type Rewrite = (matched: string, ending: string) => string;

export function rewriteMatch(wanted: string, next: string): Rewrite {
  const wantedLines = splitLines(wanted).map(withLineFeed);
  const nextLines = splitLines(next).map(withLineFeed);
  const changes = diffLines(wantedLines, nextLines);
  return (matched, ending) => mergeLines(splitLines(matched), nextLines, changes, ending);
}

function withLineFeed(line: string): string {
  const { content, ending } = cutLine(line);
  return ending === '' ? line : `${content}\n`;
}

function mergeLines(matched: string[], next: string[], changes: LineChange[], ending: string): string {
  let result = '';
  let from = 0;
  let above = cutLine(matched[0] ?? '').ending || ending;
  const keepUntil = (end: number) => {
    result += matched.slice(from, end).join('');
    above = cutLine(matched[end - 1] ?? '').ending || above;
  };
  for (const change of changes) {
    keepUntil(change.oldStart);
    for (const line of next.slice(change.newStart, change.newEnd)) {
      result += line.endsWith('\n') ? line.slice(0, -1) + above : line;
    }
    from = change.oldEnd;
  }
  keepUntil(matched.length);
  return result;
}
