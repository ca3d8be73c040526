/** A line without the blanks and tabs at its end; a loop, since a pattern takes quadratic time on long runs. */
export function trimBlanks(content: string): string {
  let end = content.length;
  while (end > 0 && (content[end - 1] === ' ' || content[end - 1] === '\t')) end--;
  return content.slice(0, end);
}
