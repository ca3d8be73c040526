/** Whether a line of a diff stands for bytes it does not show as text. */
export function isBinaryNotice(line: string): boolean {
  if (line.startsWith('GIT binary patch')) return line.trimEnd() === 'GIT binary patch';
  return line.startsWith('Binary files ') && line.trimEnd().endsWith(' differ');
}
