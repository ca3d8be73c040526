// One session seen by four at once: the page, a terminal, `codelab connect`, which has the files, and a client in plain Python. Each of them
// decides or carries out a part of it; the gateway is killed while it asks; in the end all show what the log says.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionEvent } from '@codelab/protocol';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { freePort } from '../support/bad-lines.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { codelabProgram } from '../support/codelab-program.ts';
import { connectBench } from '../support/connect-bench.ts';
import { modelServer } from '../support/model-server.ts';
import { notBuilt } from '../support/page-bench.ts';
import { followInPython } from '../support/python-client.ts';
import { callAnswer, textAnswer } from '../support/run-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { hasTmux, openTerminal } from '../support/terminal.ts';

type Json = Record<string, unknown>;

const token = 'secret-token';
const session = 's1';
const write = (path: string, id: string) => callAnswer('write_file', { path, content: `${path}\n` }, id);
const script = [
  callAnswer('read_file', { path: 'a.txt' }, 'read_a'),
  write('b.txt', 'write_b'),
  write('c.txt', 'write_c'),
  write('d.txt', 'write_d'),
  textAnswer('All done.'),
];

/** The model's reply depends on the position in the conversation, so that it continues after a restart. */
const nextOf = (body: Json) => {
  const replyCount = ((body.messages ?? []) as Json[]).filter(({ role }) => role === 'assistant').length;
  return script[replyCount] ?? textAnswer('Nothing more.');
};

const missing = [noBrowser, notBuilt, hasTmux ? undefined : 'no tmux'].find((reason) => reason !== undefined);

describe.skipIf(missing !== undefined)(
  `four at one session (${missing ?? 'real'})`,
  { timeout: 120_000 },
  () => {
    test('see the same, through a gateway that is killed while it asks', async () => {
      await using stack = new AsyncDisposableStack();
      const remoteFolder = stack.use(scratchFolder());
      const localFolder = stack.use(scratchFolder({ files: { 'a.txt': 'one\n' } }));
      const model = stack.use(await modelServer(({ body }) => nextOf(body)));
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      let gateway = await serve({ ...remoteFolder, port, model: model.url });
      stack.defer(() => gateway.kill());
      const connect = stack.use(connectBench({ url, ...localFolder, session, args: ['--trust-gateway'] }));
      await connect.next('connected');
      const python = stack.use(followInPython({ port, token, session }));
      await python.next('session_info');
      const terminal = stack.use(openTerminal(remoteFolder.folder, 200, 50));
      const terminalEnv = { CODELAB_HOME: remoteFolder.home, PATH: process.env.PATH ?? '' };
      const atTerminal = (words: string): void =>
        terminal.run(
          `cd '${remoteFolder.root}' && '${process.execPath}' '${codelabProgram}' ${words}; sleep 60`,
          terminalEnv,
        );
      atTerminal('approvals watch --all');
      const browser = stack.use(await openBrowser());
      const page = await openPage(await browser.page({ viewport: { width: 1440, height: 900 } }), url);

      python.send({ type: 'user_message', content: 'Make the files.' });
      const approve = page.locator('[data-approval]').getByRole('button', { name: 'Approve' });
      await python.next(
        'tool_call',
        (message) => message.call_id === 'write_b' && message.requires_approval === true,
      );
      await page.locator('[data-approval]', { hasText: 'b.txt' }).waitFor();
      await terminal.see('b.txt');
      await approve.click();

      // The next question is on every screen, and then nobody asks any more.
      const question = await python.next('tool_call', (message) => message.call_id === 'write_c');
      await page.locator('[data-approval]', { hasText: 'c.txt' }).waitFor();
      await terminal.see('c.txt');
      await connect.next('call', (line) => JSON.stringify(line).includes('write_b'));
      await gateway.kill();
      await page.getByText('Connection lost').waitFor();
      gateway = await serve({ ...remoteFolder, port, model: model.url });
      await page.getByText('Connection lost').waitFor({ state: 'hidden' });
      await connect.next('connected');
      expect(existsSync(join(localFolder.root, 'c.txt'))).toBe(false);
      atTerminal(`approvals reject ${String(question.approval_id)} --feedback 'Not this one.'`);

      await python.next('tool_result', (message) => message.call_id === 'write_c');
      await python.next(
        'tool_call',
        (message) => message.call_id === 'write_d' && message.requires_approval === true,
      );
      python.send({ type: 'hitl_decision', call_id: 'write_d', decision: 'approve' });
      await python.next('done');
      await page.getByRole('log').getByText('All done.').waitFor();
      expect(['b.txt', 'c.txt', 'd.txt'].map((path) => existsSync(join(localFolder.root, path)))).toEqual([
        true,
        false,
        true,
      ]);

      const events = await logOf(url);
      const ended = endedCalls(events);
      expect(ended).toEqual({
        read_a: 'completed',
        write_b: 'completed',
        write_c: 'rejected',
        write_d: 'completed',
      });
      expect(deciders(events)).toEqual({ write_b: 'approve', write_c: 'reject', write_d: 'approve' });
      // Python heard every entry once and in order, as somebody who hears it all at once.
      const lateClient = stack.use(followInPython({ port, token, session }));
      await lateClient.next('done');
      expect(python.lasting()).toEqual(lateClient.lasting());
      expect(resultsIn(python.lasting())).toEqual(ended);
      // The page that lived through it shows what one shows that was opened now.
      const fresh = await openPage(await browser.page({ viewport: { width: 1440, height: 900 } }), url);
      expect(await callsOn(page)).toEqual(await callsOn(fresh));
      expect((await callsOn(page)).map(({ id }) => id)).toEqual(Object.keys(ended));
      // `connect` carried out what was agreed to, once, and with the same end.
      expect(outcomesOf(connect.printed)).toEqual({
        read_a: 'completed',
        write_b: 'completed',
        write_d: 'completed',
      });
      // The terminal lists the session too.
      atTerminal(`sessions show ${session}`);
      const screen = await terminal.see('write_d');
      expect(callsAt(screen)).toEqual(ended);
    });
  },
);

type Served = { kill(): Promise<void> };

async function serve(at: { folder: string; home: string; port: number; model: string }): Promise<Served> {
  const words = ['serve', '--no-workspace', '--port', String(at.port), '--log-level', 'error'];
  const child = spawn(process.execPath, [codelabProgram, ...words], {
    cwd: at.folder,
    env: {
      ...process.env,
      CODELAB_HOME: at.home,
      CODELAB_TOKEN: token,
      OPENAI_BASE_URL: at.model,
      OPENAI_API_KEY: 'none',
      CODELAB_MODEL: 'openai/test',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  // The gateway prints its address when it is listening.
  await Promise.race([once(child.stdout, 'data'), exited.then(() => Promise.reject(new Error('it ended')))]);
  return {
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function openPage(page: Page, url: string): Promise<Page> {
  page.setDefaultTimeout(20_000);
  await page.goto(`${url}/?token=${token}`);
  await page.waitForURL(({ search }) => search === '');
  await page.goto(`${url}/#/${session}`);
  return page;
}

/** Each call with the words that stand on it; how long it took is left out. */
async function callsOn(page: Page): Promise<{ id: string; text: string }[]> {
  await page.getByRole('log').getByText('All done.').waitFor();
  return await page.locator('[data-call]').evaluateAll((cards) =>
    cards.map((card) => ({
      id: card.getAttribute('data-call') ?? '',
      text: (card.textContent ?? '').replaceAll(/[\d.]+ m?s/g, ''),
    })),
  );
}

async function logOf(url: string): Promise<SessionEvent[]> {
  const answer = await fetch(`${url}/api/v1/sessions/${session}/log?since=0`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { events: SessionEvent[] }).events;
}

function endedCalls(events: SessionEvent[]): Record<string, string> {
  const ends = events.flatMap(({ body }) =>
    body.type === 'call.finished' ? [[body.callId, body.outcome.status] as const] : [],
  );
  return Object.fromEntries(ends);
}

function deciders(events: SessionEvent[]): Record<string, string> {
  const calls = new Map(
    events.flatMap(({ body }) =>
      body.type === 'approval.requested' ? [[body.approval.id, body.approval.callId] as const] : [],
    ),
  );
  const decisions = events.flatMap(({ body }) =>
    body.type === 'approval.decided' ? [[calls.get(body.approvalId) ?? '', body.decision.kind] as const] : [],
  );
  return Object.fromEntries(decisions);
}

function resultsIn(messages: Json[]): Record<string, string> {
  const results = messages.filter(({ type }) => type === 'tool_result');
  const stateOf = ({ error_code }: Json): string =>
    error_code === undefined ? 'completed' : error_code === 'REJECTED' ? 'rejected' : String(error_code);
  return Object.fromEntries(results.map((result) => [String(result.call_id), stateOf(result)]));
}

function outcomesOf(lines: Json[]): Record<string, unknown> {
  return Object.fromEntries(
    lines.filter(({ event }) => event === 'outcome').map((line) => [String(line.call_id), line.status]),
  );
}

/** `TIME  TOOL PATH  STATE in …`, and some lines below it the id. */
function callsAt(screen: string): Record<string, string> {
  const calls = screen.matchAll(/^[\d:]{8} {2}\w+ \S+ {2}(\w+) in [\s\S]*?^ +call +(\w+)$/gm);
  return Object.fromEntries([...calls].map(([, state = '', id = '']) => [id, state]));
}
