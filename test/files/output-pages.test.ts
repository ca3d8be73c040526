// A result that is too long for the model is shown in part, and every byte of it can be read by the id of its call.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { estimateTokens } from '@codelab/agent';
import type { Outcome } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { playTurn } from '../support/agent-bench.ts';
import { codeOf } from '../support/code-of.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

function dataOf(outcome: Outcome): Record<string, unknown> {
  return outcome.status === 'completed' ? outcome.data : { failed: outcome.error };
}

/** Reads a whole output page by page, as each page says how to continue. */
async function readAll(bench: Workbench, id: string): Promise<string> {
  let text = '';
  for (let path: unknown = `output:${id}`; path !== undefined; ) {
    const { content, next, size } = dataOf(await bench.call('read_file', { path }));
    text += content;
    path = next;
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(Number(size));
  }
  return text;
}

const kinds = {
  'many lines': Array.from({ length: 30_000 }, (_, at) => `line ${at} of the log`).join('\n'),
  'one line of base64': 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3ODk'.repeat(9000),
  Chinese: '这是一个很长的中文文本，用来测试窗口。'.repeat(9000),
  'emoji off the edges of pages': `x${'😀👩‍💻'.repeat(20_000)}`,
};

describe('a long result', () => {
  test.each(Object.entries(kinds))(
    '%s: a model reads all of it, page by page, as it is told',
    async (name, text) => {
      await using bench = await workbench({ files: { 'a.txt': text }, mode: 'balanced' });
      const shownTexts: string[] = [];
      let told = '';
      const model = scriptedModel(
        ({ messages }, step) => {
          const last = messages.at(-1);
          if (step === 0) return { calls: [['read_file', { path: 'a.txt' }, 'first']] };
          if (last?.role !== 'tool') return {};
          told = last.text;
          expect(estimateTokens(told)).toBeLessThanOrEqual(10_100);
          if (step > 1) shownTexts.push(told.slice(0, told.lastIndexOf('\n[Bytes ')));
          const next = step === 1 ? 'output:first' : /read_file (output:\S+)\]$/.exec(told)?.[1];
          return next === undefined ? { text: 'Done.' } : { calls: [['read_file', { path: next }]] };
        },
        { contextTokens: 1_000_000 },
      );
      const { toolTexts: results } = await playTurn(bench, model);
      const leftOut = /\n\[… \d+ bytes left out\. Read on: read_file output:first@\d+ …\]\n/;
      const nextLine = /\n\[Lines 1 to \d+ of 30000\. To go on: start_line \d+\.\]$/;
      expect(results[0]).toMatch(name === 'many lines' ? nextLine : leftOut);
      expect(shownTexts.join('') === (await readAll(bench, 'first'))).toBe(true);
      expect(shownTexts.join('').endsWith(text.slice(-100))).toBe(true);
    },
  );

  test('10 MB that a command prints are all there, from any byte on', async () => {
    await using bench = await workbench({ files: {} });
    bench.human(approveAll);
    const command = `node -e "for (let i = 0; i < 640000; i++) console.log('line ' + String(i).padStart(10, '0'))"`;
    expect(dataOf(await bench.call('run_command', { command }, { id: 'big' }))).toMatchObject({
      truncated: true,
      exit_code: 0,
    });
    const expected = Array.from(
      { length: 640_000 },
      (_, at) => `line ${String(at).padStart(10, '0')}\n`,
    ).join('');
    // From the beginning, from an odd place, across what the result itself left out, and at the end.
    for (const from of [0, 300_001, 524_250, 9_999_999, 10_239_999]) {
      let path: unknown = `output:big@${from}`;
      for (let page = 0, at = from; page < 3 && path !== undefined; page++) {
        const { content, next, ...range } = dataOf(await bench.call('read_file', { path }));
        expect(range).toMatchObject({ start_byte: at, size: 10_240_000 });
        at = Number(range.end_byte);
        expect(content === expected.slice(Number(range.start_byte), at)).toBe(true);
        path = next;
      }
    }
    const past = await bench.call('read_file', { path: 'output:big@99999999' });
    expect([codeOf(past), past.status === 'failed' && past.error.message]).toEqual([
      'INVALID_ARGUMENTS',
      'This output has 10240000 bytes; there is nothing at 99999999.',
    ]);
  });
});

describe('an output id', () => {
  test('belongs to its session, and what is kept of it goes with the session', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'secret' } });
    bench.human(approveAll);
    await bench.call('read_file', { path: 'a.txt' }, { id: 'mine' });
    await bench.call('run_command', { command: 'yes | head -c 3000000' }, { id: 'big' });
    expect(dataOf(await bench.call('read_file', { path: 'output:mine' }))).toMatchObject({
      content: 'secret',
    });
    for (const path of ['output:mine', 'output:none', 'output:', 'output:mine@-1', 'output:../a.txt'])
      expect([path, codeOf(await bench.call('read_file', { path }, { session: 's2' }))]).toEqual([
        path,
        'FILE_NOT_FOUND',
      ]);
    expect(readdirSync(join(bench.home, 'output'))).toHaveLength(1);
    await bench.log.delete('s1');
    expect(readdirSync(join(bench.home, 'output'))).toEqual([]);
  });

  test('shows nothing that a rule denies to read, and a file of such a name can be read', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'secret', 'output:x': 'a file' } });
    await bench.call('read_file', { path: 'a.txt' }, { id: 'mine' });
    expect(dataOf(await bench.call('read_file', { path: 'output:x' }))).toMatchObject({ content: 'a file' });
    const session = await bench.host.session('s1');
    const rule = { id: 'no', effect: 'deny' as const, reason: 'No.', path: 'a.txt' };
    await session.commit(() => [{ type: 'rule.remembered', rule, by: { who: 'tester', via: 'test' } }]);
    expect(codeOf(await bench.call('read_file', { path: 'output:mine' }))).toBe('PERMISSION_DENIED');
  });
});
