import type { Command } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { commandRows } from './approval-text.ts';

const part = { words: [] as string[], isDynamic: false, mustAsk: false };

const command: Command = {
  line: 'ls\nrm \u001b[8mx',
  cwd: 'src',
  parts: [
    { ...part, text: 'ls', verdict: 'allow', risk: 'low', reason: 'Only reads.' },
    {
      ...part,
      text: 'rm \u001b[8mx',
      isDynamic: true,
      verdict: 'ask',
      risk: 'high',
      reason: 'It removes a file.',
    },
  ],
  confinement: { sandbox: 'none', network: true, why: 'bwrap is not installed.' },
};

test('every line, every part with its reason, and what holds it in, without anything hidden', () => {
  expect(commandRows(command)).toEqual([
    ['line', 'ls'],
    ['', 'rm ␛[8mx'],
    ['in folder', 'src'],
    ['starts', 'ls'],
    ['', '  only reads, low risk: Only reads.'],
    ['', 'rm ␛[8mx'],
    ['', '  to decide, high risk: It removes a file. Some of it is known only when it runs.'],
    ['sandbox', 'NOT SANDBOXED: it can do anything you can. bwrap is not installed.'],
    ['network', 'yes, it can reach everything this machine can'],
  ]);
});

test('a sandbox is said to be one', () => {
  const confinement = { sandbox: 'bubblewrap', network: false } as const;
  expect(commandRows({ ...command, confinement }).slice(-2)).toEqual([
    ['sandbox', 'yes (bubblewrap): writes only in the workspace and a private /tmp'],
    ['network', 'no'],
  ]);
});
