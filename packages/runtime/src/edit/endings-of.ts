/** Finds the line ending that belongs to a place: of its own line, or of the line above when it is the last. */
export function endingsOf(text: string): (end: number) => string {
  if (!text.includes('\r')) return () => '\n';
  const terminator = /\r\n?|\n/g;
  // Places are asked for in rising order; the last answer is kept, so that many of them cost one scan.
  let ending = '\n';
  let endsAt = -1;
  return (end) => {
    if (endsAt >= end) return ending;
    terminator.lastIndex = end;
    const found = terminator.exec(text);
    ending = found?.[0] ?? lastEnding(text);
    endsAt = found?.index ?? Number.POSITIVE_INFINITY;
    return ending;
  };
}

function lastEnding(text: string): string {
  const feed = text.lastIndexOf('\n');
  if (text.lastIndexOf('\r') > feed) return '\r';
  return text[feed - 1] === '\r' ? '\r\n' : '\n';
}
