// The text typed in chats, on the disk: sent messages, and unsent drafts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openHistory } from '../../apps/cli/src/chat/input/history.ts';
import { openUnsentStore } from '../../apps/cli/src/chat/input/unsent.ts';

const scratch = mkdtempSync(join(tmpdir(), 'codelab-chat-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('what was not sent', () => {
  const endedPid = spawnSync('true').pid;

  test('is kept soon, given once to the next chat of the workspace, and not while its chat runs', () => {
    const unsent = openUnsentStore(scratch, '/work');
    unsent.keep('half a thought');
    unsent.flush();
    const folder = join(scratch, 'unsent');
    const [name = ''] = readdirSync(folder);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    // As left by another process that has ended.
    renameSync(join(folder, name), join(folder, name.replace(/\d+$/, String(endedPid))));
    writeFileSync(join(folder, name.replace(/\d+$/, String(process.ppid))), 'of one that runs');
    expect(openUnsentStore(scratch, '/other').take()).toBe('');
    expect(openUnsentStore(scratch, '/work').take()).toBe('half a thought');
    expect(openUnsentStore(scratch, '/work').take()).toBe('');
    rmSync(folder, { recursive: true });
  });

  test('leaves nothing behind when the line is empty or begins with a space', () => {
    const unsent = openUnsentStore(scratch, '/work');
    for (const text of ['something', '', 'something', ' secret']) {
      unsent.keep(text);
      unsent.flush();
    }
    expect(readdirSync(join(scratch, 'unsent'))).toEqual([]);
  });
});

describe('history', () => {
  test('lasts, is private, leaves out repeats and what begins with a space', () => {
    const history = openHistory(scratch);
    for (const text of ['one', 'one', ' secret', 'two\nlines', '  ']) history.add(text);
    expect(openHistory(scratch).entries).toEqual(['one', 'two\nlines']);
    const file = join(scratch, 'chat-history.jsonl');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain('secret');
  });

  test('a damaged or huge file is cut down to what can be used', () => {
    const file = join(scratch, 'chat-history.jsonl');
    const entries = Array.from(
      { length: 3000 },
      (_, i) => `${JSON.stringify(`entry ${i} ${'x'.repeat(300)}`)}\n`,
    );
    writeFileSync(file, `{broken\n[1]\n${entries.join('')}`);
    const { entries: read } = openHistory(scratch);
    expect(read.length).toBe(1000);
    expect(read.at(-1)).toContain('entry 2999');
    expect(statSync(file).size).toBeLessThan(400_000);
  });
});
