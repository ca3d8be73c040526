// A chat over the plugin's API: its stream in either framing, read flat, and the requests beside it.
import type { Json } from './seed-case.ts';
import type { Stage } from './stage.ts';

type Framing = 'sse' | 'ndjson';
type Answer = { status: number; body: Json };

export type Chat = AsyncDisposable & {
  session: string;
  /** All events so far, without their envelope. */
  heard: Json[];
  next(type: string, matches?: (event: Json) => boolean): Promise<Json>;
  post(path: string, body: Json): Promise<Answer>;
  /** A second stream of the same chat, from its beginning. */
  again(): Promise<Chat>;
};

type Options = { framing: Framing; executor: 'client' | 'gateway' };

export async function openChat(stage: Stage, { framing, executor }: Options): Promise<Chat> {
  const { body } = await post(stage, '/my/projects/p1/chat/sessions/', { executor });
  return await listen(stage, String(body.session_id), framing, '');
}

async function post(stage: Stage, path: string, body: Json): Promise<Answer> {
  const response = await stage.gateway.request(path, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Json };
}

async function listen(stage: Stage, session: string, framing: Framing, query: string): Promise<Chat> {
  const accept = framing === 'sse' ? 'text/event-stream' : 'application/x-ndjson';
  const abort = new AbortController();
  const { body } = await stage.gateway.request(`/my/projects/p1/chat/${session}/events/${query}`, {
    headers: { accept },
    signal: AbortSignal.any([abort.signal, AbortSignal.timeout(20_000)]),
  });
  if (body === null) throw new Error('nothing is streamed');
  const events = eventsOf(body.pipeThrough(new TextDecoderStream()), framing);
  const received: Json[] = [];
  return {
    session,
    heard: received,
    post: (path, body) => post(stage, path, body),
    async next(type, matches = () => true) {
      for (;;) {
        const { value, done } = await events.next();
        if (done === true) throw new Error(`The stream ended: ${JSON.stringify(received.slice(-5))}`);
        received.push(value);
        if (value.type === type && matches(value)) return value;
      }
    },
    again: () => listen(stage, session, framing, '?since=0&role=approver'),
    async [Symbol.asyncDispose]() {
      abort.abort();
    },
  };
}

async function* eventsOf(texts: ReadableStream<string>, framing: Framing): AsyncGenerator<Json> {
  let buffered = '';
  for await (const text of texts) {
    buffered += text;
    const lines = buffered.split('\n');
    buffered = lines.pop() ?? '';
    for (const line of lines) {
      if (framing === 'sse' && line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as Json;
      if (framing === 'ndjson' && line !== '') {
        const { event_type, payload } = JSON.parse(line) as { event_type: string; payload: Json };
        yield { ...payload, type: event_type };
      }
    }
  }
}
