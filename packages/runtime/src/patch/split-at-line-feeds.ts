/**
 * Cuts a text after each `\n` only, as git and patch do: there a lone `\r` is content.
 * Hunks that must apply byte for byte need these lines, since a hunk line always stands for one `\n`.
 */
export function splitAtLineFeeds(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let feed = text.indexOf('\n'); feed !== -1; feed = text.indexOf('\n', start)) {
    lines.push(text.slice(start, feed + 1));
    start = feed + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}
