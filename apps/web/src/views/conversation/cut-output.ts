// The beginning of a text: so many lines, so many characters at most.
type Cut = { text: string; isCut: boolean };

export function cutOutput(whole: string, most: { lines: number; characters: number }): Cut {
  const text = whole.slice(0, most.characters);
  const lines = text.split('\n', most.lines);
  const kept = lines.join('\n').trimEnd();
  return { text: kept, isCut: kept.length < whole.trimEnd().length };
}
