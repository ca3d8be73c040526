import { closeSync, openSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import type { Tty } from '../../terminal/open-terminal.ts';
import { openAttention } from './attention.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** The output of a turn that takes this many milliseconds, with or without a bell. */
function writtenBy(ms: number, isOn: boolean): string {
  vi.useFakeTimers({ toFake: ['Date'] });
  const fd = openSync('/dev/null', 'w');
  let written = '';
  const output = { write: (text: string) => (written += text) };
  const terminal = {
    input: new PassThrough(),
    output,
    fds: { input: fd, output: fd },
  } as unknown as Tty;
  const attention = openAttention(terminal, { isOn, name: 'shop; rm\x1b' });
  attention.hear({ type: 'status', status: 'thinking' });
  vi.setSystemTime(Date.now() + ms);
  attention.hear({ type: 'ended', turn: 1, end: 'completed' });
  attention[Symbol.dispose]();
  closeSync(fd);
  return written;
}

const bell = '\x07\x1b]9;CodeLab: the turn has ended\x07\x1b]777;notify;CodeLab;the turn has ended\x07';

test('a turn of more than ten seconds rings at its end, a shorter one and one with notifications off do not', () => {
  expect(writtenBy(11_000, true)).toContain(bell);
  expect(writtenBy(9000, true)).not.toContain('\x1b]9;');
  expect(writtenBy(11_000, false)).not.toContain('\x1b]9;');
});

test('the title says what goes on, and a name can’t end it', () => {
  expect(writtenBy(1, true)).toBe(
    '\x1b[22;0t\x1b]2;CodeLab: shop, rm␛\x07\x1b]2;CodeLab: shop, rm␛ · working\x07\x1b]2;CodeLab: shop, rm␛\x07',
  );
});
