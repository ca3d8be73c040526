// Server errors and the messages about them; time limits, and cancelling.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type ModelEvent, openModel } from '@codelab/agent';
import { describe, expect, test } from 'vitest';
import { ask, failure, modelAt, question, secret, shownText } from '../support/ask-model.ts';
import { json, type ModelAnswer, modelServer } from '../support/model-server.ts';
import { chatBytes } from '../support/model-streams.ts';

const good: ModelAnswer = { pieces: [chatBytes] };
const hello = (text: string) => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;

function _retries(events: readonly ModelEvent[]) {
  return events.filter((event) => event.type === 'retry');
}

describe('what is told', () => {
  test.each([
    [
      401,
      json({ error: { message: `Incorrect key ${secret}` } }, 401),
      'Incorrect key [key]. Check OPENAI_API_KEY.',
    ],
    [404, json({ error: { message: 'The model does not exist' } }, 404), 'Check the name of the model'],
    [
      400,
      json({ error: { message: 'bad', code: 'context_length_exceeded' } }, 400),
      'Make the conversation shorter.',
    ],
    [429, json({ error: { message: 'x', code: 'insufficient_quota' } }, 429), 'no credit'],
    [403, { status: 403, pieces: ['just text\n  here'] }, '403: just text here. Check'],
    [400, { status: 400, pieces: ['<html><head><title>Bad gate</title></head>'] }, '400: Bad gate.'],
    [422, json({ detail: 'odd' }, 422), '422: odd.'],
    [404, json({ error: 'model "m" not found, try pulling it first' }, 404), 'try pulling it first'],
    [302, { status: 302, headers: { location: 'http://127.0.0.1:9/' }, pieces: [''] }, 'sends elsewhere'],
  ] as [number, ModelAnswer, string][])('%i once, with what to do', async (status, answer, message) => {
    await using server = await modelServer([answer]);
    const error = await failure(ask(await modelAt(server.url)));
    expect(error).toMatchObject({ code: 'LLM_ERROR', details: { status } });
    expect(error.message).toContain(message);
    // Of the list of models it is looked up which one was meant.
    expect(server.requests.filter(({ path }) => !path.endsWith('/models'))).toHaveLength(1);
  });

  test('an address may name the request itself, and one without a version is told of', async () => {
    await using server = await modelServer(({ path }) =>
      path.startsWith('/v1/') ? good : json({ error: { message: 'Not found' } }, 404),
    );
    const { origin } = new URL(server.url);
    const at = (path: string) => openModel('openai/m', { env: { OPENAI_BASE_URL: `${origin}${path}` } });
    await ask(await at('/v1/chat/completions'));
    expect(server.requests[0]?.path).toBe('/v1/chat/completions');
    expect((await failure(ask(await at('')))).message).toContain('it often ends in /v1');
  });

  test('a conversation that is too long can be told from other errors', async () => {
    const answer = json(
      { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 > 8' } },
      400,
    );
    await using server = await modelServer([answer]);
    const error = await failure(ask(await modelAt(server.url, 'anthropic')));
    expect(error.details).toMatchObject({ reason: 'context_length' });
  });

  test('an answer that is a web page', async () => {
    await using server = await modelServer([
      { headers: { 'content-type': 'text/html' }, pieces: ['<html>hi'] },
    ]);
    expect((await failure(ask(await modelAt(server.url)))).message).toMatch(/answered with a web page/);
  });

  test('nobody listens: the address without its password', async () => {
    const server = await modelServer([good]);
    await server[Symbol.asyncDispose]();
    const url = new URL(server.url);
    const env = { OPENAI_BASE_URL: `http://me:${secret}@${url.host}/v1?key=${secret}` };
    const model = await openModel('openai/m', { env, patience: { backoffMs: 1, attempts: 2 } });
    const error = await failure(ask(model));
    expect(error.message).toContain(
      `Nothing is listening at http://${url.host}/v1/chat/completions. Start the server`,
    );
  });
});

describe('time and cancelling', () => {
  test('cancelling closes the connection at once', async () => {
    await using server = await modelServer([{ pieces: [hello('Once upon')], after: 'hang' }]);
    const model = await modelAt(server.url);
    const stop = new AbortController();
    const closed = server.closed();
    const events: ModelEvent[] = [];
    const run = (async () => {
      for await (const event of model.stream(question, stop.signal)) {
        events.push(event);
        stop.abort();
      }
    })();
    expect(await failure(run)).toMatchObject({ code: 'CANCELLED' });
    await closed;
    expect(shownText(events)).toBe('Once upon');
  });

  test('cancelling works before the answer, while waiting to try again, and before asking', async () => {
    await using server = await modelServer([{ pieces: [], after: 'hang' }]);
    const model = await modelAt(server.url);
    expect(await failure(ask(model, question, AbortSignal.abort()))).toMatchObject({ code: 'CANCELLED' });
    expect(server.requests).toEqual([]);
    const stop = new AbortController();
    const closed = server.closed();
    const pending = failure(ask(model, question, stop.signal));
    await expect.poll(() => server.requests.length).toBe(1);
    stop.abort();
    expect(await pending).toMatchObject({ code: 'CANCELLED' });
    await closed;

    await using busy = await modelServer([json({}, 429, { 'retry-after': '50' })]);
    const secondAbort = new AbortController();
    const patient = (await modelAt(busy.url)).stream(question, secondAbort.signal)[Symbol.asyncIterator]();
    expect((await patient.next()).value).toMatchObject({ type: 'retry', afterMs: 50_000 });
    const next = failure(patient.next());
    secondAbort.abort();
    expect(await next).toMatchObject({ code: 'CANCELLED' });
  });

  test('who stops listening closes the connection', async () => {
    await using server = await modelServer([{ pieces: [hello('One'), hello('Two')], after: 'hang' }]);
    const closed = server.closed();
    for await (const _event of (await modelAt(server.url)).stream(question, new AbortController().signal))
      break;
    await closed;
  });

  test('a stream that stands still, and an answer that does not come, are given up', async () => {
    await using server = await modelServer([{ pieces: [hello('One')], after: 'hang' }]);
    const model = await modelAt(server.url, 'openai', { idleMs: 60, attempts: 1 });
    expect(await failure(ask(model))).toMatchObject({
      message: 'The stream stood still within 0.1 s.',
      details: { reason: 'timeout', partial: 'One' },
    });
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const quiet = await modelAt(url, 'openai', { firstByteMs: 60, attempts: 1 });
    expect((await failure(ask(quiet))).message).toBe('No answer came within 0.1 s.');
    silent.close();
  });
});
