// The size of a turn's change: the chat's summary, its status line, the offer of a review and the review itself count alike, as git does.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChatBench, chatBench } from '../support/chat-bench.ts';
import { modelServer } from '../support/model-server.ts';
import { newRepository, type RealGit } from '../support/real-git.ts';
import { callAnswer, textAnswer } from '../support/run-bench.ts';
import { hasTmux } from '../support/terminal.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('');

let bench: ChatBench;
let git: RealGit;
beforeEach(() => {
  bench = chatBench({ 'old/a.txt': lines(20), 'old/deep/b.txt': lines(10), 'kept.txt': lines(3) });
  git = newRepository(bench.root);
  git('add', '.');
  git('commit', '-qm', 'Start');
});
afterEach(() => bench[Symbol.dispose]());

describe.runIf(hasTmux)('a turn that deletes a folder by a command', { timeout: 60_000 }, () => {
  test('has the same files and lines everywhere; the commit has the files that are not discarded', async () => {
    const command = 'rm -rf old && echo more >> kept.txt';
    await using server = await modelServer([callAnswer('run_command', { command }), textAnswer('All done.')]);
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'k', CODELAB_MODE: '' };
    await bench.start(['--model', 'openai/m', '--mode', 'review'], env);
    bench.send('please tidy up');
    await bench.see('3 files changed, +1 −30 · r and Enter to review');
    expect(git('diff', '--shortstat')).toBe(' 3 files changed, 1 insertion(+), 30 deletions(-)\n');
    const screen = bench.screen();
    expect(screen.find((line) => line.includes('1 step ·'))).toMatch(/ · 3 files changed, \+1 −30$/);
    await bench.see('· +1 −30');
    await bench.idle();
    bench.send('r');
    await bench.see('Review of turn 1 · 3 files · +1 −30');
    await bench.see('(1/3)');
    bench.press('d');
    await bench.see('(2/3)');
    bench.press('k');
    await bench.see('(3/3)');
    bench.press('k');
    await bench.see('discard 1 hunk, then commit 2 files');
  });
});
