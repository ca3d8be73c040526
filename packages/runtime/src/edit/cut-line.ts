/** A line apart from its terminator, which is `\r\n`, `\n`, `\r` or nothing. */
export function cutLine(line: string): { content: string; ending: string } {
  let end = line.length;
  if (line.charCodeAt(end - 1) === 10) end--;
  if (line.charCodeAt(end - 1) === 13) end--;
  return { content: line.slice(0, end), ending: line.slice(end) };
}
