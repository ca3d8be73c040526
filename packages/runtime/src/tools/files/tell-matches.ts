// Matches as a model reads them: by file, one line each, with the requested lines around them, as grep shows them.
import { visibleLine } from '@codelab/protocol';

type Match = {
  file: string;
  line: number;
  text: string;
  before?: string[] | undefined;
  after?: string[] | undefined;
};

export function tellMatches(matches: readonly Match[]): string[] {
  const isWide = matches.some(({ before, after }) => before !== undefined || after !== undefined);
  return isWide
    ? withContext(matches)
    : matches.map(({ file, line, text }) => `${visibleLine(file)}:${line}: ${text}`);
}

/** Lines that stand between two matches are shown once; `--` is where some are left out. */
function withContext(matches: readonly Match[]): string[] {
  const files = new Map<string, Map<number, string>>();
  for (const match of matches) {
    const lines = files.get(match.file) ?? new Map<number, string>();
    files.set(match.file, lines);
    const { line, before = [], after = [] } = match;
    for (const [i, text] of before.entries()) add(lines, line - before.length + i, '-', text);
    for (const [i, text] of after.entries()) add(lines, line + 1 + i, '-', text);
    add(lines, line, ':', match.text);
  }
  return [...files].flatMap(([file, lines]) => [visibleLine(file), ...inOrder(lines)]);
}

function add(lines: Map<number, string>, line: number, mark: ':' | '-', text: string): void {
  if (mark === ':' || !lines.has(line)) lines.set(line, `${line}${mark} ${text}`);
}

function inOrder(lines: ReadonlyMap<number, string>): string[] {
  let last = 0;
  return [...lines]
    .sort(([a], [b]) => a - b)
    .flatMap(([line, text]) => {
      const isGap = last > 0 && line > last + 1;
      last = line;
      return isGap ? ['--', text] : [text];
    });
}
