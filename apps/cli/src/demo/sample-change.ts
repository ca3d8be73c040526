// The change the demo proposes: what an agent might write when asked to show how much is done.

export function sampleChange(before: string): string {
  return before
    .replaceAll('\r\n', '\n')
    .replace("const done = '[x]';", "const done = '[✓]';")
    .replace(
      "  return notes.map(formatNote).join('\\n');",
      `  const finished = notes.filter((note) => note.done).length;
  return [...notes.map(formatNote), \`\${finished} of \${notes.length} done\`].join('\\n');`,
    );
}
