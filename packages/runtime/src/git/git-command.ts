// A change git would make, as policy and people read commands.
import type { Command, Risk } from '@codelab/protocol';

const why = 'git runs without hooks, filters, signing and network.';

export function gitCommand(words: readonly string[], judged: { risk: Risk; reason: string }): Command {
  const all = ['git', ...words];
  const line = all.map(quote).join(' ');
  const verdict = { verdict: 'ask', isDynamic: false, mustAsk: false } as const;
  return {
    line,
    cwd: '.',
    parts: [{ text: line, words: all, ...verdict, ...judged }],
    confinement: { sandbox: 'none', network: false, why },
  };
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
