// ToolHandler by itself: what it runs and what not, how often, how many at once, and how it ends.
import { join } from 'node:path';
import {
  type AskUser,
  type ToolExecutionSignal,
  ToolHandler,
  type ToolHandlerOptions,
  type ToolResult,
} from '@codelab/client';
import { openJournalStore } from '@codelab/client/node';
import { ToolError } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';

const approve: AskUser = () => Promise.resolve({ approved: true });

const resultOf = (tool_id: string): ToolResult => ({
  tool_id,
  tool_type: 'read_file',
  status: 'success',
  output: '',
  duration_ms: 1,
  timestamp: '',
});

function loneHandler(options: Partial<ToolHandlerOptions> = {}) {
  const sent: ToolResult[] = [];
  const rejected: unknown[] = [];
  const api = {
    sendToolResult: (_id: string, result: object) => {
      sent.push(result as ToolResult);
      return Promise.resolve({ status: 'received' });
    },
    approveToolExecution: () => Promise.resolve({ approval_id: '' }),
    rejectToolExecution: (id: string, reason: string, metadata?: object) => {
      rejected.push([id, reason, metadata]);
      return Promise.resolve({ approval_id: '' });
    },
  };
  const ran: string[] = [];
  const execute = ({ tool_id }: ToolExecutionSignal) => {
    ran.push(tool_id);
    return Promise.resolve(resultOf(tool_id));
  };
  const handler = new ToolHandler({ api, ask: approve, execute, ...options });
  return { handler, sent, ran, rejected };
}

const signalFor = (tool_id: string, user_approved = true): object => ({
  type: 'tool.execution_signal',
  tool_id,
  tool_type: 'read_file',
  args: { path: 'a.txt' },
  execution_context: { user_approved },
});

test('what nobody approved, or no tool knows, is not run and its failure is told', async () => {
  const { handler, sent, ran } = loneHandler();
  await handler.handleToolExecutionSignal(signalFor('t1', false));
  await handler.handleToolExecutionSignal({ ...signalFor('t2'), tool_type: 'format_disk' });
  await handler.handleToolExecutionSignal({ ...signalFor('t3'), args: { path: 1 } });
  expect(ran).toEqual([]);
  expect(sent.map(({ status, error }) => [status, error?.code])).toEqual([
    ['error', 'REJECTED'],
    ['error', 'TOOL_NOT_FOUND'],
    ['error', 'INVALID_ARGUMENTS'],
  ]);
});

test('approved here, a call needs no other word, unless it is another call by now', async () => {
  const { handler, ran } = loneHandler();
  const request = { tool_id: 't1', tool_name: 'read_file', args: { path: 'a.txt' } };
  await handler.handleToolApprovalRequest(request);
  await handler.handleToolExecutionSignal({ ...signalFor('t1', false), args: { path: 'other.txt' } });
  expect(ran).toEqual([]);
  await handler.handleToolApprovalRequest({ ...request, tool_id: 't2' });
  await handler.handleToolExecutionSignal(signalFor('t2', false));
  const command = { tool_id: 't3', tool_name: 'execute_command', args: { command: 'npm' } };
  await handler.handleToolApprovalRequest(command);
  const filledIn = { command: 'npm', args: [], cwd: '.' };
  await handler.handleToolExecutionSignal({
    ...signalFor('t3', false),
    tool_type: 'execute_command',
    args: filledIn,
  });
  expect(ran).toEqual(['t2', 't3']);
});

const asks = (tool_name: string, args: object, extra: object = {}): object => ({
  tool_id: 't1',
  tool_name,
  args,
  risk_level: 'high',
  ...extra,
});

test.each([
  ['an unknown tool', asks('format_disk', {}), /no tool "format_disk"/],
  ['a risk that is none', asks('read_file', { path: 'a' }, { risk_level: 'banana' }), /`risk_level`/],
  ['missing arguments', asks('write_file', { path: 'a' }), /content/],
  ['sudo', asks('execute_command', { command: 'sudo', args: ['rm', 'x'] }), /gains more rights/],
  ['a shell line', asks('execute_command', { command: 'bash', args: ['-c', 'id'] }), /as code/],
  [
    'a program behind another',
    asks('execute_command', { command: 'npm', args: ['exec', 'curl'] }),
    /network/,
  ],
  ['a program that is not listed', asks('execute_command', { command: 'gcc' }), /not on the list/],
  ['a path that leads out', asks('read_file', { path: '../../etc/passwd' }), /out of the workspace/],
  ['a hidden way out', asks('write_file', { path: 'a/../../b', content: '' }), /out of the workspace/],
  ['a folder that is outside', asks('execute_command', { command: 'ls', cwd: '..' }), /out of the workspace/],
  ['an empty path', asks('read_file', { path: '' }), /empty/],
  ['an encoding that nobody has', asks('read_file', { path: 'a', encoding: 'klingon' }), /klingon/],
])('nobody is asked about %s; the gateway is told why', async (_name, request, reason) => {
  const shownRequests: unknown[] = [];
  const { handler, rejected } = loneHandler({
    ask: (shownRequest) => {
      shownRequests.push(shownRequest);
      return Promise.resolve({ approved: true });
    },
  });
  await handler.handleToolApprovalRequest(request);
  expect(shownRequests).toEqual([]);
  expect(rejected).toEqual([['t1', expect.stringMatching(reason), { cause: 'invalid' }]]);
  const [entry] = handler.history;
  expect([entry?.status, entry?.userApproved]).toEqual(['rejected', undefined]);
});

test('a client may ask about less, about tools of its gateway, and by rules of its own', async () => {
  const shownTools: string[] = [];
  const { handler, rejected } = loneHandler({
    commands: ['ls'],
    maxFileBytes: 3,
    gatewayTools: ['edit_file'],
    validate: async (_tool, { path }) => {
      if (path === 'secret') throw new ToolError('PERMISSION_DENIED', 'Not here.');
      if (path === 'broken') throw new TypeError('path is undefined');
    },
    ask: ({ tool_name }) => {
      shownTools.push(tool_name);
      return Promise.resolve({ approved: false, reason: 'no' });
    },
  });
  for (const request of [
    ...['git', 'ls'].map((command) => asks('execute_command', { command })),
    asks('write_file', { path: 'a', content: 'äö' }),
    ...['secret', 'broken'].map((path) => asks('read_file', { path })),
    asks('edit_file', { path: 'a', old_string: 'b', new_string: 'c' }),
  ])
    await handler.handleToolApprovalRequest(request);
  expect(shownTools).toEqual(['execute_command', 'edit_file']);
  expect(rejected).toEqual([
    ['t1', 'git is not on the list of this client.', { cause: 'invalid' }],
    ['t1', 'no', {}],
    ['t1', 'The content has 4 bytes; at most 3 are written.', { cause: 'invalid' }],
    ['t1', 'Not here.', { cause: 'invalid' }],
    ['t1', 'The call could not be checked here: TypeError: path is undefined', { cause: 'invalid' }],
    ['t1', 'no', {}],
  ]);
});

test('the same question is shown once while it waits, and nonsense is told and left out', async () => {
  const shownIds: string[] = [];
  const notices: string[] = [];
  const { handler } = loneHandler({
    onNotice: (text) => notices.push(text),
    ask: ({ tool_id }) => {
      shownIds.push(tool_id);
      return new Promise(() => undefined);
    },
  });
  const request = { tool_id: 't1', tool_name: 'write_file', args: { path: 'a.txt', content: '' } };
  void handler.handleToolApprovalRequest(request);
  await handler.handleToolApprovalRequest(request);
  await handler.handleToolApprovalRequest({ tool_id: '' });
  await handler.handleToolExecutionSignal(null);
  handler.handleToolResultAck({ tool_id: 't9', receipt_status: 'rejected', message: 'Too late.' });
  expect([shownIds, notices.length, notices.at(-1)]).toEqual([['t1'], 3, 'Too late.']);
  await handler.dispose();
  expect(handler.history).toMatchObject([{ status: 'rejected', error: 'The client was closed.' }]);
});

test('three at once, the fourth waits and is told as well; only a full queue refuses', async () => {
  let running = 0;
  let highest = 0;
  const gates: (() => void)[] = [];
  const { handler, sent } = loneHandler({
    queued: 2,
    execute: async ({ tool_id }) => {
      highest = Math.max(highest, ++running);
      await new Promise<void>((resolve) => gates.push(resolve));
      running--;
      return resultOf(tool_id);
    },
  });
  const all = ['t1', 't2', 't3', 't4', 't5', 't6'].map((id) =>
    handler.handleToolExecutionSignal(signalFor(id)),
  );
  await all[5];
  expect(sent).toMatchObject([
    { tool_id: 't6', status: 'error', error: { code: 'CONCURRENT_LIMIT_EXCEEDED' } },
  ]);
  await expect.poll(() => gates.length).toBe(3);
  while (sent.length < 6) {
    gates.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(all);
  expect([highest, new Set(sent.map(({ tool_id }) => tool_id)).size]).toEqual([3, 6]);
});

test('no call is carried out twice, neither when it is signalled again nor after a restart', async () => {
  using scratch = scratchFolder();
  const file = join(scratch.folder, 'journal');
  {
    using store = openJournalStore(file);
    const { handler, sent, ran } = loneHandler({ store });
    await Promise.all([
      handler.handleToolExecutionSignal(signalFor('t1')),
      handler.handleToolExecutionSignal(signalFor('t1')),
    ]);
    await handler.handleToolExecutionSignal(signalFor('t1'));
    expect([ran, sent.length]).toEqual([['t1'], 2]);
    // Begun, and then the process is gone.
    await store.begin(JSON.stringify(['', 't2']));
  }
  using store = openJournalStore(file);
  const { handler, sent, ran } = loneHandler({ store });
  for (const id of ['t1', 't2', 't3']) await handler.handleToolExecutionSignal(signalFor(id));
  expect(ran).toEqual(['t3']);
  expect(sent.map(({ status, error }) => [status, error?.code])).toEqual([
    ['success', undefined],
    ['error', 'OUTCOME_UNKNOWN'],
    ['success', undefined],
  ]);
});

test('closing cancels what runs, tells so, and leaves nothing behind', async () => {
  const { handler, sent } = loneHandler({
    execute: (_signal, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  });
  const running = handler.handleToolExecutionSignal(signalFor('t1'));
  await expect.poll(() => handler.activeExecutions.length).toBe(1);
  await handler.dispose();
  await running;
  expect(sent).toMatchObject([{ tool_id: 't1', status: 'error', error: { code: 'CANCELLED' } }]);
  await handler.handleToolExecutionSignal(signalFor('t2'));
  expect(sent.length).toBe(1);
});
