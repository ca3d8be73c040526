// A found line cut to what stands around its match, so that the match is in sight in a narrow column.
import type { SearchMatch } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';

const mostBefore = 16;
const mostAfter = 200;

export function aroundMatch({ text, column, match }: SearchMatch): {
  before: string;
  match: string;
  after: string;
} {
  // A column may count bytes of a line with wide characters: the text itself tells.
  const at = text.startsWith(match, column - 1) ? column - 1 : Math.max(0, text.indexOf(match));
  const lead = text.slice(0, at).trimStart();
  const before = lead.length > mostBefore ? `…${lead.slice(-mostBefore)}` : lead;
  const after = text.slice(at + match.length, at + match.length + mostAfter);
  return { before: visibleLine(before), match: visibleLine(match), after: visibleLine(after.trimEnd()) };
}
