// The lines a hunk takes away and those it puts there, each with its line feed but for a last one without.

export function hunkSides(lines: readonly string[]): { before: string[]; after: string[] } {
  const before: string[] = [];
  const after: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('\\')) continue;
    const text = lines[at + 1]?.startsWith('\\') ? line.slice(1) : `${line.slice(1)}\n`;
    if (!line.startsWith('+')) before.push(text);
    if (!line.startsWith('-')) after.push(text);
  }
  return { before, after };
}
