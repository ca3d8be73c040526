// What a terminal shows: a long-running process, or one command of a session; as a word that fits into a tab.
export type TerminalSource =
  | { kind: 'process'; id: string }
  | { kind: 'command'; session: string; call: string };

export function spellSource(source: TerminalSource): string {
  return source.kind === 'process' ? `process/${source.id}` : `command/${source.session}/${source.call}`;
}

export function readSource(word: string): TerminalSource {
  const [kind = '', first = '', ...rest] = word.split('/');
  if (kind === 'command') return { kind, session: first, call: rest.join('/') };
  return { kind: 'process', id: [first, ...rest].join('/') };
}
