// Held-back files are restored only when a person agrees.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { armed, type HeldBench, heldBench } from '../support/held-bench.ts';
import { noSandbox } from '../support/sandbox-bench.ts';

let bench: HeldBench;
beforeEach(async () => {
  bench = await heldBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

describe.skipIf(noSandbox !== undefined)(
  `restored when a person agrees (${noSandbox ?? 'bubblewrap'})`,
  () => {
    test('in trusted mode a human is asked, is shown the text, and undo takes a file away again', async () => {
      await bench.unasked(`git init -q . && ${armed('.')} && echo 'use flake' > .envrc`);
      const questions: unknown[] = [];
      bench.human((approval) => {
        questions.push(approval.verdict?.rule, approval.plan.diff?.text, approval.plan.risk);
        return { kind: 'approve' };
      });
      const restored = await bench.call('restore_held_back', { call_id: 'call_1' });
      expect(restored).toMatchObject({
        status: 'completed',
        data: { call_id: 'call_1', restored: ['.envrc', '.git'] },
      });
      expect(questions[0]).toBe('protected-files');
      expect(questions[1]).toContain('+use flake');
      expect(questions[1]).toContain('fsmonitor');
      expect(readFileSync(join(bench.root, '.envrc'), 'utf8')).toBe('use flake\n');
      expect(bench.usersGit('.', 'status')).toBe(true);
      // A repository is taken away by nobody but a person; the rest is undone like any change.
      expect(await bench.call('undo', { paths: ['.envrc'] })).toMatchObject({ data: { refused: [] } });
      expect(existsSync(join(bench.root, '.envrc'))).toBe(false);
    });

    test('a person who refuses keeps it out; named paths are restored alone', async () => {
      await bench.unasked('echo a > .envrc; mkdir .vscode; echo b > .vscode/tasks.json; git init -q x');
      let answer: 'approve' | 'reject' = 'reject';
      bench.human(() => ({ kind: answer }));
      const refused = await bench.call('restore_held_back', { call_id: 'call_1', paths: ['x/.git'] });
      expect(refused).toMatchObject({ status: 'rejected' });
      expect(existsSync(join(bench.root, 'x/.git'))).toBe(false);
      answer = 'approve';
      const restored = await bench.call('restore_held_back', { call_id: 'call_1', paths: ['.vscode'] });
      expect(restored).toMatchObject({ data: { restored: ['.vscode'] } });
      expect(readFileSync(join(bench.root, '.vscode/tasks.json'), 'utf8')).toBe('b\n');
      expect(existsSync(join(bench.root, '.envrc'))).toBe(false);
      const wrong = await bench.call('restore_held_back', { call_id: 'call_1', paths: ['.vscode'] });
      expect(wrong).toMatchObject({ error: { code: 'FILE_NOT_FOUND' } });
    });

    test('a call of which nothing is held back is refused', async () => {
      expect(await bench.call('restore_held_back', { call_id: 'x' })).toMatchObject({
        error: { code: 'FILE_NOT_FOUND' },
      });
    });
  },
);
