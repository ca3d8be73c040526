// The source of a terminal's output, a long-running process or a command of a session, as the parameter of a tab.
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
