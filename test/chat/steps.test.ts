// The steps of a turn as the chat tells them: looks in groups, commands with their end, changes with their diff, and a line that sums it up.
import type { AgentSignal, Kind, Outcome, Plan, ToolCall } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { createTranscript, type ScreenTranscript } from '../../apps/cli/src/chat/screen/transcript.ts';
import type { Paint } from '../../apps/cli/src/output/paint.ts';

const kinds: Record<string, Kind> = {
  read_file: 'read',
  list_files: 'read',
  git_status: 'read',
  search: 'search',
  run: 'execute',
  edit: 'edit',
};
const noPaint: Paint = (_style, text) => text;
const marked: Paint = (style, text) => `<${[style].flat().join('+')}>${text}</>`;

function telling({ columns = 70, paint = noPaint }: { columns?: number; paint?: Paint } = {}) {
  const printed: string[] = [];
  const transcript = createTranscript({
    columns: () => columns,
    paint,
    print: (lines) => printed.push(...lines),
    kindOf: (tool) => kinds[tool],
  });
  return { printed, transcript, ...callsIn(transcript) };
}

function callsIn(transcript: ScreenTranscript) {
  let count = 0;
  const begin = (tool: string, args: ToolCall['args'], agent?: string): ToolCall => {
    const id = `c${++count}`;
    const call: ToolCall = {
      id,
      session: 's',
      tool,
      args,
      dialect: 'codelab',
      turn: 1,
      ...(agent && { agent }),
    };
    transcript.show({ type: 'call', call });
    return call;
  };
  const end = (call: ToolCall, data: Record<string, unknown>, effects: Outcome['effects'] = []): void => {
    const outcome = { callId: call.id, status: 'completed', data, effects } as unknown as Outcome;
    transcript.show({ type: 'outcome', call, outcome, text: String(data.content ?? '') });
  };
  const read = (tool: string, args: ToolCall['args'], data: Record<string, unknown>): void =>
    end(begin(tool, args), data);
  const ended: AgentSignal = { type: 'ended', turn: 1, end: 'completed' };
  return { begin, end, look: read, ended };
}

test('what was only looked at is one row with line ranges, until something else is said or done', () => {
  const { printed, transcript, look, begin, ended } = telling();
  look('list_files', { path: '.' }, { path: '.', entries: [] });
  for (let i = 0; i < 12; i++)
    look('read_file', {}, { path: `src/module-${i}.ts`, content: 'x', start_line: i + 1, end_line: i + 40 });
  look('read_file', {}, { path: 'src/module-3.ts', content: 'x', start_line: 200, end_line: 210 });
  look('search', {}, { query: 'total', path: 'src', total: 3 });
  look('search', { pattern: '**/*.md' }, {});
  begin('read_file', { path: 'late.ts' });
  expect(printed).toEqual([]);
  expect(transcript.live('*')).toEqual([
    '* Read 12 files, listed 1 folder, searched 2 times',
    expect.stringMatching(/^\* read_file late\.ts · 0 s$/),
  ]);
  transcript.show({ type: 'text', delta: 'Well.\n' });
  expect(printed).toEqual([
    '',
    '✔ Read 12 files, listed 1 folder, searched 2 times',
    '  ./, src/module-0.ts, src/module-1.ts:2-41, src/module-2.ts:3-42,',
    '  src/module-3.ts:4-43,200-210, src/module-4.ts:5-44,',
    '  src/module-5.ts:6-45, src/module-6.ts:7-46, and 7 more · Ctrl-O',
    '',
    'Well.',
  ]);
  transcript.show(ended);
});

test('a single look says what it was; one that failed is red and stands alone', () => {
  const { printed, transcript, look, begin, ended } = telling();
  look('read_file', {}, { path: 'a.ts', content: 'x', start_line: 1, end_line: 9 });
  const call = begin('read_file', { path: 'nope.ts' });
  const error = { code: 'FILE_NOT_FOUND', message: 'File not found: nope.ts' };
  const outcome = { callId: call.id, status: 'failed', error, effects: [] } as unknown as Outcome;
  transcript.show({ type: 'outcome', call, outcome, text: '' });
  look('search', {}, { query: 'x', path: '.', total: 0 });
  transcript.show(ended);
  expect(printed.slice(0, 4)).toEqual([
    '',
    '✔ Read a.ts',
    '✖ read_file nope.ts · File not found: nope.ts',
    '✔ Searched "x" (0)',
  ]);
});

test('a command shows its end: red and open when it failed, with the counts of its tests', () => {
  const { printed, begin, end } = telling({ paint: marked });
  const stdout = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`).join('\n');
  end(begin('run', { command: 'npm test' }), {
    stdout: `${stdout}\n# pass 4\n# fail 2`,
    stderr: '',
    exit_code: 1,
    duration_ms: 65_000,
  });
  const passingRun = { stdout: '# pass 6\n# fail 0', stderr: '', exit_code: 0, duration_ms: 10 };
  end(begin('run', { command: 'npm test' }), passingRun);
  end(begin('run', { command: 'ls' }), { stdout: 'a\nb\nc\nd\n', stderr: '', exit_code: 0, duration_ms: 10 });
  expect(printed.filter((line) => !line.includes('│ line'))).toEqual([
    '',
    '<red>✖</> <bold>$ npm test</><dim> · </><red>2 failed</><dim> · </><dim>4 passed</><dim> · </><red>exit code 1</><dim> · </><dim>1 min 5 s</>',
    '<dim>  │ … 10 more lines above · Ctrl-O shows all</>',
    '<dim>  │ # pass 4</>',
    '<dim>  │ # fail 2</>',
    '<green>✔</> <bold>$ npm test</><dim> · </><green>6 passed</><dim> · </><dim>exit code 0</>',
    '<green>✔</> <bold>$ ls</><dim> · </><dim>exit code 0</>',
    '<dim>  │ … 1 more line above · Ctrl-O shows all</>',
    '<dim>  │ b</>',
    '<dim>  │ c</>',
    '<dim>  │ d</>',
  ]);
});

test('a failed test run lists the tests that failed with what the runner printed about them, in the place of its output', () => {
  const { printed, begin, end } = telling({ columns: 60 });
  const failures = Array.from({ length: 8 }, (_, i) => `not ok ${i + 1} - test ${i + 1}`);
  failures[0] +=
    "\n  ---\n  location: 'lib/a.js:4:1'\n  error: |-\n    These are not equal:\n\n    3 !== 4\n  stack: |-\n    run (/w/lib/a.js:9:3)\n  ...";
  end(begin('run', { command: 'npm test' }), {
    stdout: `${failures.join('\n')}\n# pass 1\n# fail 8`,
    stderr: '',
    exit_code: 1,
    duration_ms: 10,
  });
  expect(printed.slice(1)).toEqual([
    '✖ $ npm test · 8 failed · 1 passed · exit code 1',
    '  ✖ test 1 · lib/a.js:9:3',
    ...['These are not equal:', '3 !== 4', 'at run (/w/lib/a.js:9:3)'].map((line) => `    │ ${line}`),
    ...[2, 3, 4, 5, 6].map((number) => `  ✖ test ${number}`),
    '  … 2 more failed tests · Ctrl-O shows the output',
  ]);
});

test('paths of the workspace are short, and links where the terminal shows links', () => {
  const printed: string[] = [];
  const transcript = createTranscript({
    columns: () => 100,
    paint: noPaint,
    print: (lines) => printed.push(...lines),
    kindOf: (tool) => kinds[tool],
    root: () => '/work/shop',
    linkOf: (path, line) => `file:${path}#${line ?? ''}`,
  });
  const { begin, end, look } = callsIn(transcript);
  look('read_file', {}, { path: 'src/a.ts', content: 'x', start_line: 8, end_line: 20 });
  look('read_file', {}, { path: 'src/a.ts', content: 'x', start_line: 21, end_line: 30 });
  end(begin('run', { command: 'npm test' }), {
    stdout:
      "not ok 1 - sums\n  ---\n  location: '/work/shop/test/a.test.ts:4:1'\n  stack: |-\n    run (file:///work/shop/lib/a.ts:9:3)\n  ...\n# pass 0\n# fail 1",
    exit_code: 1,
  });
  const link = (target: string, text: string): string => `\x1b]8;;file:${target}\x1b\\${text}\x1b]8;;\x1b\\`;
  expect(printed).toEqual([
    '',
    '✔ Read 1 file',
    `  ${link('src/a.ts#8', 'src/a.ts:8-30')}`,
    '✖ $ npm test · 1 failed · 0 passed · exit code 1',
    `  ✖ sums · ${link('test/a.test.ts#4', 'test/a.test.ts:4:1')}`,
    `    │ at run (${link('lib/a.ts#9', 'lib/a.ts:9:3')})`,
    '  Ctrl-O shows the output',
  ]);
});

test('a command that was cancelled shows what it had printed', () => {
  const { printed, transcript, begin } = telling();
  const call = begin('run', { command: 'npm run watch' });
  transcript.show({ type: 'progress', callId: call.id, progress: { stdout: 'one\ntwo\n' } });
  const error = { code: 'CANCELLED', message: 'The command was cancelled.' };
  const outcome = { callId: call.id, status: 'cancelled', error, effects: [] } as unknown as Outcome;
  transcript.show({ type: 'outcome', call, outcome, text: '' });
  expect(printed).toEqual([
    '',
    '✖ $ npm run watch · cancelled: The command was cancelled.',
    '  │ one',
    '  │ two',
  ]);
});

test('a retry says when it happens, and counts down until the model answers', () => {
  const { printed, transcript } = telling();
  const retry = { type: 'retry' as const, attempt: 1, afterMs: 6500, reason: 'Busy.', discards: false };
  transcript.show(retry);
  expect(printed).toEqual(['↻ Busy. Retrying in 7 s.']);
  expect(transcript.live('*')).toEqual([expect.stringMatching(/^\* Retrying in [67] s$/)]);
  transcript.show({ type: 'text', delta: 'Here' });
  expect(transcript.live('*')).toEqual(['Here']);
});

test('what runs is one line with its time and its latest output', () => {
  const { transcript, begin } = telling({ columns: 50 });
  const call = begin('run', { command: 'npm run a-very-long-script-name -- --with --options' });
  transcript.show({ type: 'progress', callId: call.id, progress: { stdout: 'first\nsecond line\n' } });
  expect(transcript.live('*')).toEqual(['* $ npm run a-very-long-s… · 0 s · second line']);
});

test('a turn ends with its steps, time, tokens, cost, and the changes that its review counts', async () => {
  const { printed, transcript, begin, end, ended } = telling();
  transcript.show({ type: 'status', status: 'thinking' });
  const usage = { inputTokens: 1200, outputTokens: 34, cost: 0.0123 };
  const reply = { model: 'm', text: 'Ok.', calls: [], usage, stop: 'end' as const };
  const call = begin('edit', {});
  const diff = {
    text: '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n',
    additions: 1,
    deletions: 1,
    hunks: 1,
    truncated: false,
  };
  const touches = [{ asked: 'a.ts', path: 'a.ts', access: 'write' }];
  transcript.plan(call.id, { summary: 'Change a.ts (+1 −1 lines)', touches, diff } as unknown as Plan);
  const states = { before: { type: 'file', digest: 'a' }, after: { type: 'file', digest: 'b' } };
  end(call, {}, [{ op: 'modify', path: 'a.ts', ...states }] as unknown as Outcome['effects']);
  transcript.show({ type: 'reply', reply });
  transcript.show(ended);
  await transcript.summarize(async () => ({ files: 2, added: 1, removed: 30 }));
  expect(printed).toEqual([
    '',
    '✔ Change a.ts · +1 −1',
    '  @@ -1 +1 @@',
    '     1 − a',
    '     1 + b',
    '',
    'Ok.',
    '',
    expect.stringMatching(/^ {2}1 step · 0\.\d s · 1\.2k tokens · \$0\.0123 · 2 files changed, \+1 −30$/),
  ]);
});

test('what undo can’t bring back is a warning of the row', () => {
  const { printed, begin, end } = telling({ paint: marked, columns: 200 });
  const lossNote = "Removed, and undo can't bring it back: data.";
  end(begin('run', { command: 'sh go.sh' }), {
    ...{ stdout: '', stderr: '', exit_code: 0 },
    notes: ['Undo leaves out what is not readable: x.', lossNote],
  });
  expect(printed.slice(-1)).toEqual([`  <yellow>${lossNote}</>`]);
});
