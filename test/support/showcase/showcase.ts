// The web IDE as it looks after a few days of work: real calls over a real project, earlier sessions, and three approvals that wait.
import type { Model } from '@codelab/agent';
import type { Reply, SessionEvent, WantedCall } from '@codelab/protocol';
import { type PageBench, pageBench } from '../page-bench.ts';
import { type Clock, moveClock } from './clock.ts';
import { earlier } from './earlier.ts';
import { projectFiles } from './project.ts';
import { asks, pendingCalls, replies, type Said } from './says.ts';

export type Showcase = AsyncDisposable & { web: PageBench; session: string };

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const hourMs = 60 * minuteMs;
const name = 'openai/gpt-5';
/** The person's successive answer times, in seconds. */
const answerSeconds = [4, 9, 24, 6, 48, 13, 2, 95, 7, 18, 5, 33, 8];
let answerCount = 0;

export async function showcase(): Promise<Showcase> {
  await using stack = new AsyncDisposableStack();
  const clock = stack.use(moveClock());
  const upcoming: Said[] = [];
  const web = stack.use(
    await pageBench({
      files: projectFiles,
      script: speaking(upcoming, clock),
      mode: 'balanced',
      approvalMs: hourMs,
      // The port is closed: there is no list of models, and nothing leaves this machine.
      env: {
        PATH: process.env.PATH,
        CODELAB_MODEL: name,
        OPENAI_API_KEY: 'showcase',
        OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      },
    }),
  );
  for (const { daysAgo, title, ask, replies } of earlier) {
    clock.setBack(daysAgo * dayMs + ((daysAgo * 7) % 5) * hourMs);
    upcoming.push(...replies);
    await play(web, { session: await web.session(title), ask, clock });
  }
  clock.setBack(26 * minuteMs);
  const session = await web.session('Limit requests per client');
  await post(web, `/sessions/${session}/context`, { action: 'add_file', path: 'README.md' });
  await post(web, `/sessions/${session}/context`, { action: 'add_file', path: 'src/orders/routes.js' });
  upcoming.push(...replies);
  for (const [at, ask] of asks.entries()) {
    const isLast = at === asks.length - 1;
    clock.setBack((isLast ? 0.2 : 26 - 12 * at) * minuteMs);
    await play(web, { session, ask, clock, ...(isLast && { waitFor: 1 }) });
  }
  for (const [tool, args] of pendingCalls) await ask(web, session, { tool, args });
  clock.setBack(0);
  const resources = stack.move();
  return { web, session, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** A call that waits for a person; it ends with the gateway. */
async function ask(web: PageBench, session: string, call: object): Promise<void> {
  const { log } = web.gateway.running.gateway.host;
  const since = (await log.read(session)).length;
  const finished = new AbortController();
  void post(web, `/sessions/${session}/calls`, call).catch(() => undefined);
  for await (const { body } of log.subscribe(session, { since, signal: finished.signal }))
    if (body.type === 'approval.requested') finished.abort();
}

type Play = { session: string; ask: string; clock: Clock; waitFor?: number };

/** One turn with a person who approves everything; with `waitFor`, until this many approvals are pending. */
async function play(web: PageBench, { session, ask, clock, waitFor }: Play): Promise<void> {
  const { log } = web.gateway.running.gateway.host;
  const since = (await log.read(session)).length;
  const finished = new AbortController();
  const { signal } = finished;
  await post(web, `/sessions/${session}/messages`, { content: ask });
  let times = 0;
  for await (const { body } of log.subscribe(session, { since, signal })) {
    const isAsked = body.type === 'approval.requested';
    if (isAsked) times++;
    if (isAsked && waitFor === undefined) await approve(web, { session, body, clock });
    if (times === waitFor || body.type === 'turn.ended') finished.abort();
  }
}

type Asked = {
  session: string;
  body: Extract<SessionEvent['body'], { type: 'approval.requested' }>;
  clock: Clock;
};

async function approve(web: PageBench, { session, body, clock }: Asked): Promise<void> {
  clock.pass((answerSeconds[answerCount++ % answerSeconds.length] ?? 5) * 1000);
  const decision = { kind: 'approve' };
  await post(web, `/sessions/${session}/decisions`, { approval_id: body.approval.id, decision });
}

async function post(web: PageBench, path: string, body: object): Promise<void> {
  const answer = await web.gateway.request(`/api/v1${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
}

/** Returns the next reply in the list; each reply takes its time on the clock. */
function speaking(upcoming: Said[], clock: Clock): Model {
  let step = 0;
  return {
    name,
    contextTokens: 200_000,
    async *stream() {
      const scripted = upcoming.shift() ?? { text: 'Done.', tokens: [100, 10, 0] };
      clock.pass(1500 + ((step * 31) % 7) * 900);
      if (scripted.text !== '') yield { type: 'text', delta: scripted.text };
      yield { type: 'reply', reply: replyOf(scripted, step++) };
    },
  };
}

function replyOf({ text, reasoning, calls = [], tokens }: Said, step: number): Reply {
  const [inputTokens, outputTokens, cachedTokens] = tokens;
  const wantedCalls = calls.map(([tool, args], i): WantedCall => ({ id: `call_${step}_${i}`, tool, args }));
  const cost = ((inputTokens - cachedTokens) * 1.25 + cachedTokens * 0.125 + outputTokens * 10) / 1_000_000;
  return {
    model: name,
    text,
    ...(reasoning !== undefined && { reasoning }),
    calls: wantedCalls,
    usage: { inputTokens, outputTokens, cachedTokens, cost },
    stop: wantedCalls.length > 0 ? 'calls' : 'end',
  };
}
