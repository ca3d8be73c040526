// A model's server on loopback: answers each request with the next given answer, and records the requests.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Asked = { path: string; headers: IncomingHttpHeaders; body: Record<string, unknown> };

export type ModelAnswer = {
  status?: number;
  headers?: Record<string, string>;
  /** Each piece is a separate chunk, sent before the next one is written. */
  pieces: readonly (string | Buffer)[];
  /** `cut` breaks the connection off after the pieces; `hang` says nothing more. */
  after?: 'end' | 'cut' | 'hang';
};

export type ModelServer = AsyncDisposable & {
  url: string;
  requests: Asked[];
  /** Connections made so far. */
  connections: number;
  /** Settles when the next connection is closed. */
  closed(): Promise<void>;
};

const stream = { 'content-type': 'text/event-stream; charset=utf-8' };

/** A function answers every request; a list is used up, its last answer repeats, and GET is answered only on request. */
export async function modelServer(
  answers: readonly ModelAnswer[] | ((request: Asked) => ModelAnswer),
  { answersGet = typeof answers === 'function' } = {},
): Promise<ModelServer> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    // A server's description of itself is not one of the conversation's answers.
    if (request.method === 'GET' && !answersGet)
      return void reply(response, json({ error: 'There is nothing here.' }, 404));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      // A request for the list of models has none.
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, unknown>;
      const modelRequest = { path: request.url ?? '', headers: request.headers, body };
      modelServer.requests.push(modelRequest);
      const next =
        typeof answers === 'function' ? answers(modelRequest) : answers[modelServer.requests.length - 1];
      const answer = next ?? (answers as readonly ModelAnswer[]).at(-1);
      if (answer !== undefined) void reply(response, answer);
    });
  });
  let wake = (): void => undefined;
  server.on('connection', (socket) => {
    modelServer.connections++;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      wake();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const modelServer: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    connections: 0,
    closed: () => new Promise((resolve) => (wake = resolve)),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return modelServer;
}

async function reply(response: ServerResponse, answer: ModelAnswer): Promise<void> {
  const { status = 200, headers = stream, pieces, after = 'end' } = answer;
  response.writeHead(status, headers);
  response.flushHeaders();
  for (const piece of pieces) {
    if (piece.length === 0 || response.destroyed) continue;
    await new Promise((resolve) => response.write(piece, resolve));
    // The other side reads in the meantime, so pieces arrive apart.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (after === 'end') response.end();
  else if (after === 'cut') response.socket?.destroy();
}

/** Server-sent events, as OpenAI writes them. */
export function chatStream(chunks: readonly unknown[]): string {
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
}

/** Server-sent events, as Anthropic writes them. */
export function messageStream(events: readonly { type: string }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): ModelAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    pieces: [JSON.stringify(value)],
  };
}

/** Pieces of a chat completion: text, calls of one tool, and its end. */
export function textCompletion(content: string): string {
  return completion({ content });
}

export function called(name: string, ...calls: object[]): string {
  const tool_calls = calls.map((args, index) => ({
    index,
    id: `call_${index + 1}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  return completion({ tool_calls }) + completion({}, 'tool_calls');
}

export const chatEnd = chatStream([]);

function completion(delta: unknown, finish_reason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason }];
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`;
}
