// Retries of transient failures: how often, after how long, and with which notice.

import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { ModelEvent } from '@codelab/agent';
import { describe, expect, test, vi } from 'vitest';
import { ask, failure, modelAt, question } from '../support/ask-model.ts';
import { chatStream, json, type ModelAnswer, messageStream, modelServer } from '../support/model-server.ts';
import { chatBytes, chatReply, messageBytes, messageReply } from '../support/model-streams.ts';

const good: ModelAnswer = { pieces: [chatBytes] };
const hello = (text: string) => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;

function retries(events: readonly ModelEvent[]) {
  return events.filter((event) => event.type === 'retry');
}

describe('trying again', () => {
  test('429 with Retry-After, then success', async () => {
    const busy = json({ error: { message: 'slow down' } }, 429, { 'retry-after': '0' });
    await using server = await modelServer([busy, good]);
    const { reply, events } = await ask(await modelAt(server.url));
    expect(reply).toEqual(chatReply);
    expect(retries(events)).toEqual([
      {
        type: 'retry',
        attempt: 1,
        afterMs: 0,
        reason: 'openai/m answered 429: slow down. Too many requests: wait a little.',
        discards: false,
      },
    ]);
  });

  test.each([408, 500, 502, 503, 529])('%i is tried again as often as patience allows', async (status) => {
    await using server = await modelServer([json({ error: { message: 'no' } }, status)]);
    const error = await failure(ask(await modelAt(server.url, 'openai', { attempts: 3 })));
    expect(error).toMatchObject({ code: 'LLM_ERROR', details: { status, model: 'openai/m' } });
    expect(error.message).toContain('(asked 3 times)');
    expect(server.requests).toHaveLength(3);
  });

  test.each([
    [{ 'retry-after': '3600' }, 'It asks to wait 3600 s.'],
    [
      { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s' },
      'It asks to wait 360 s.',
    ],
  ])('a wait longer than five minutes is told, not waited for: %j', async (headers, message) => {
    await using server = await modelServer([json({ error: { message: 'no' } }, 429, headers)]);
    expect((await failure(ask(await modelAt(server.url)))).message).toContain(message);
    expect(server.requests).toHaveLength(1);
  });

  test('waits as long as a date says, and as Anthropic says it', async () => {
    const past = 'Wed, 21 Oct 2015 07:28:00 GMT';
    const answers = [
      json({}, 503, { 'retry-after': past }),
      json({}, 429, {
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2015-10-21T07:28:00Z',
      }),
      { pieces: [messageBytes] },
    ];
    await using server = await modelServer(answers);
    const { reply, events } = await ask(await modelAt(server.url, 'anthropic'));
    expect(reply).toEqual(messageReply);
    expect(retries(events).map((event) => event.type === 'retry' && event.afterMs)).toEqual([0, 0]);
  });

  test('a connection cut before the first word is tried again', async () => {
    await using server = await modelServer([{ pieces: [], after: 'cut' }, good]);
    const { reply, events } = await ask(await modelAt(server.url));
    expect(reply).toEqual(chatReply);
    expect(retries(events)).toMatchObject([{ discards: false }]);
  });

  test('a connection cut in the middle is asked again from the start, and what was said is void', async () => {
    await using server = await modelServer([{ pieces: [hello('Half a')], after: 'cut' }, good]);
    const { reply, events } = await ask(await modelAt(server.url));
    expect(reply).toEqual(chatReply);
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'text', delta: 'Half a' },
      { type: 'retry', attempt: 1, discards: true },
    ]);
  });

  test('a stream that ends without its end is not a reply; the last try keeps what was said', async () => {
    await using server = await modelServer([{ pieces: [hello('Half a')] }]);
    const error = await failure(ask(await modelAt(server.url, 'openai', { attempts: 3 })));
    expect(error).toMatchObject({ code: 'LLM_ERROR', details: { reason: 'cut', partial: 'Half a' } });
    expect(server.requests).toHaveLength(3);
  });

  test('an error inside a stream counts as one', async () => {
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    await using server = await modelServer([
      { pieces: [messageStream([overloaded])] },
      { pieces: [messageBytes] },
    ]);
    expect((await ask(await modelAt(server.url, 'anthropic'))).reply).toEqual(messageReply);
    await using other = await modelServer([
      { pieces: [chatStream([{ error: { message: 'bad', code: 400 } }])] },
    ]);
    const error = await failure(ask(await modelAt(other.url)));
    expect([error.message, other.requests.length]).toEqual([
      'openai/m answered 400: bad. The request does not suit this model or server.',
      1,
    ]);
  });

  test('a kept connection that the server closed meanwhile costs nothing but a new one', async () => {
    const completeReply = json({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] });
    await using server = await modelServer([completeReply]);
    const proxy = await staleProxy(server.url);
    const model = await modelAt(proxy.url);
    await ask(model);
    proxy.breakNext();
    const { events, reply } = await ask(model);
    expect(reply.text).toBe('Hi');
    expect([retries(events), proxy.broken()]).toEqual([[], 1]);
    proxy.close();
  });

  test('a server that refuses stream_options is asked without', async () => {
    const answers = (request: { body: Record<string, unknown> }): ModelAnswer =>
      'stream_options' in request.body
        ? json({ error: { message: 'unknown field stream_options' } }, 422)
        : good;
    await using server = await modelServer(answers);
    const model = await modelAt(server.url);
    expect((await ask(model)).reply).toEqual(chatReply);
    await ask(model);
    expect(server.requests.map(({ body }) => 'stream_options' in body)).toEqual([true, false, false]);
  });
});

/** Forwards to the server, and can break a kept connection off as soon as something comes over it. */
async function staleProxy(url: string): Promise<{
  url: string;
  breakNext(): void;
  broken(): number;
  close(): void;
}> {
  let breaks = false;
  let broken = 0;
  const proxy = createServer((from) => {
    const to = connect(Number(new URL(url).port), '127.0.0.1');
    for (const socket of [from, to]) socket.on('error', () => undefined);
    from.on('data', (data) => {
      if (!breaks) return to.write(data);
      breaks = false;
      broken++;
      return from.resetAndDestroy();
    });
    to.on('data', (data) => from.write(data));
    from.on('close', () => to.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    breakNext: () => (breaks = true),
    broken: () => broken,
    close: () => proxy.close(),
  };
}

describe('an outage', () => {
  const busy = json({ error: { message: 'Loading model' } }, 503);
  const overloaded = messageStream([
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } as { type: string },
  ]);

  test.each([
    ['8 s, 503', 8, 'openai', busy],
    ['8 s, overloaded in the stream', 8, 'anthropic', { pieces: [overloaded] }],
    ['8 s, a connection that is closed', 8, 'openai', { pieces: [], after: 'cut' }],
    ['3 min, 503', 180, 'openai', busy],
    ['3 min, 529', 180, 'anthropic', json({ error: { message: 'Overloaded' } }, 529)],
    ['3 min, told to wait', 180, 'openai', json({ error: { message: 'no' } }, 429, { 'retry-after': '70' })],
  ] as const)('of %s is waited out, with the wait told each time', async (_, seconds, wire, answer) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    try {
      let overAt = 0;
      const fine: ModelAnswer = { pieces: [wire === 'openai' ? chatBytes : messageBytes] };
      await using server = await modelServer(() => (Date.now() < overAt ? answer : fine));
      const model = await modelAt(server.url, wire, { backoffMs: 1000 });
      // The first request succeeds: an address that never answered is given up sooner.
      await ask(model);
      overAt = Date.now() + seconds * 1000;
      const delays: number[] = [];
      for await (const event of model.stream(question, new AbortController().signal)) {
        if (event.type === 'reply') expect(event.reply.text).not.toBe('');
        if (event.type !== 'retry') continue;
        delays.push(event.afterMs);
        // The clock moves while the model is waited for.
        setImmediate(() => void vi.advanceTimersByTimeAsync(event.afterMs));
      }
      expect(Date.now()).toBeGreaterThanOrEqual(overAt);
      expect(delays.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(seconds * 1000);
    } finally {
      vi.useRealTimers();
    }
  });
});
