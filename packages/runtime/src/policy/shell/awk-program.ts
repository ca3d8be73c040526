// Is an awk program one that only prints? Words that could do more are looked for anywhere, even in its strings.

const harmful: readonly [RegExp, string][] = [
  [/\bsystem\b/, 'system() starts a program'],
  [/\bgetline\b/, 'getline reads other files'],
  [/\|/, '| may start a program'],
  [/@/, '@ loads code or calls by name'],
  [/\b(ARGV|ARGC|SYMTAB|FUNCTAB|PROCINFO)\b/, 'it chooses its own files'],
  [/\\\r?\n/, 'its lines are broken up'],
  [/\b(close|fflush)\b/, 'it writes to other places'],
];

/** What it would do beyond printing; undefined when nothing. */
export function faultOfAwk(program: string): string | undefined {
  const code = program.replaceAll('||', '  ');
  const found = harmful.find(([pattern]) => pattern.test(code));
  if (found) return `In this awk program ${found[1]}.`;
  // `>` compares, except after print, where it writes a file.
  const print = code.search(/print/);
  return print >= 0 && code.lastIndexOf('>') > print
    ? 'In this awk program print may write a file.'
    : undefined;
}
