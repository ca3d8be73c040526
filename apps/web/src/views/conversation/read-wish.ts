// What is being completed at the caret: a command at the very beginning, or a file after an @.
export type Wish = { type: 'command' | 'file'; query: string; from: number; to: number };

export function readWish(text: string, caret: number): Wish | undefined {
  const before = text.slice(0, caret);
  if (/^\/[a-z]*$/.test(before)) return { type: 'command', query: before, from: 0, to: caret };
  const found = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (found === null) return undefined;
  const query = found[1] ?? '';
  return { type: 'file', query, from: caret - query.length - 1, to: caret };
}
