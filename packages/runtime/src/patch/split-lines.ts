/** Cuts a text into lines, each with its own terminator: `\r\n`, `\n` or a lone `\r`. Joined, they are the text again. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  let feed = text.indexOf('\n');
  let carriage = text.indexOf('\r');
  while (feed !== -1 || carriage !== -1) {
    const end = endOfLine(feed, carriage);
    lines.push(text.slice(start, end));
    start = end;
    // Each search resumes only once its last hit is behind us, so the text is scanned once per terminator.
    if (feed !== -1 && feed < start) feed = text.indexOf('\n', start);
    if (carriage !== -1 && carriage < start) carriage = text.indexOf('\r', start);
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

function endOfLine(feed: number, carriage: number): number {
  if (carriage === -1) return feed + 1;
  if (feed === -1) return carriage + 1;
  return carriage + 1 === feed ? feed + 1 : Math.min(feed, carriage) + 1;
}
