// Random turns for the laws of a review: steps of an agent, of commands and of a user who edits the same files, and carrying them out.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import fc from 'fast-check';
import type { Workbench } from './workbench.ts';

const path = fc.constantFrom('a.txt', 'b.txt', 'd/c.txt', 'd/e/f.txt', 'new.txt', 'n/m/new.txt', 'link.txt');
const at = fc.nat(30);
const ending = fc.constantFrom('\n', '\r\n');

export const agentStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ who: fc.constant('edit' as const), path, at, count: fc.nat(3), ending }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ who: fc.constant('write' as const), path, isOpen: fc.boolean(), ending }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ who: fc.constant('delete' as const), path: fc.oneof(path, fc.constant('d')) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ who: fc.constant('move' as const), path, to: path, overwrite: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ who: fc.constant('undo' as const) }) },
);
export const userStep = fc.record({ who: fc.constant('user' as const), path, at, count: fc.nat(2), ending });
export const commandStep = fc.record({
  who: fc.constant('command' as const),
  path,
  to: path,
  pick: fc.nat(5),
});

export type Step =
  | (typeof agentStep extends fc.Arbitrary<infer T> ? T : never)
  | (typeof userStep extends fc.Arbitrary<infer T> ? T : never)
  | (typeof commandStep extends fc.Arbitrary<infer T> ? T : never);

let lastNumber = 0;

/** Never the same again, over all turns. */
export const unique = (): number => ++lastNumber;

const line = (who: string): string => `${who} ${unique()};`;

export function writeStartFiles(root: string): void {
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
  mkdirSync(join(root, 'd', 'e'), { recursive: true });
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`);
  writeFileSync(join(root, 'a.txt'), `${lines.join('\n')}\n`);
  writeFileSync(join(root, 'b.txt'), `\ufeff${lines.slice(0, 12).join('\r\n')}`, { mode: 0o755 });
  writeFileSync(join(root, 'd', 'c.txt'), 'one\ntwo\r\nthree');
  writeFileSync(join(root, 'd', 'e', 'f.txt'), '');
  symlinkSync('b.txt', join(root, 'link.txt'));
}

export function textAt(root: string, name: string): string {
  const file = join(root, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/));

export async function take(step: Step, bench: Workbench, session: string): Promise<void> {
  const call = (tool: string, args: Record<string, unknown>): Promise<Outcome> =>
    bench.call(tool, args, { session, turn: 1, id: `c${unique()}` });
  const fresh = (who: string, count: number, end: string): string[] =>
    Array.from({ length: count }, () => `${line(who)}${end}`);
  switch (step.who) {
    case 'edit': {
      const lines = linesOf(textAt(bench.root, step.path));
      const edited = lines.toSpliced(
        step.at % (lines.length + 1),
        step.at % 3,
        ...fresh('agent', step.count, step.ending),
      );
      await call('write_file', { path: step.path, content: edited.join('') });
      return;
    }
    case 'write': {
      const text = fresh('agent', 3, step.ending).join('');
      await call('write_file', { path: step.path, content: step.isOpen ? text.trimEnd() : text });
      return;
    }
    case 'delete':
      await call('delete_file', { path: step.path, recursive: true });
      return;
    case 'move':
      await call('move_file', { from: step.path, to: step.to, overwrite: step.overwrite });
      return;
    case 'undo':
      await call('undo', {});
      return;
    case 'command':
      await call('run_command', { command: commandOf(step) });
      return;
    case 'user': {
      const text = textAt(bench.root, step.path);
      const file = join(bench.root, step.path);
      if (!existsSync(file) || text.includes('\0')) return;
      const lines = linesOf(text);
      const edited = lines.toSpliced(
        step.at % (lines.length + 1),
        step.at % 2,
        ...fresh('user', step.count + 1, step.ending),
      );
      writeFileSync(file, edited.join(''));
    }
  }
}

function commandOf({ path: a, to: b, pick }: Extract<Step, { who: 'command' }>): string {
  const commands = [
    `printf '${line('agent')}\\n' >> ${a}`,
    `rm -f ${a}`,
    `mkdir -p d/e n/m && mv -f ${a} ${b}`,
    `chmod 600 ${a}`,
    `sed -i '1d' ${a}`,
    `printf 'x\\0${line('agent')}' > ${a}`,
  ];
  return `${commands[pick]}; true`;
}
