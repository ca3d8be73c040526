// A model on loopback that plays a script and notes when each request had arrived and when each answer left.
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type Step = { tool: string; args: Record<string, unknown> } | { text: string };

export type ModelServer = AsyncDisposable & {
  url: string;
  /** Restarts the script; resolves to the measurements. */
  play(steps: readonly Step[], options?: { onRequest?: (n: number) => Promise<void> | void }): Played;
};

type Played = {
  arrived: number[];
  remaining: number[];
  /** The time between an answer and the request that follows it: the agent's own cost of that step. */
  gaps(): number[];
};

export async function startModelServer(): Promise<ModelServer> {
  let current:
    | { steps: readonly Step[]; played: Played; onRequest?: (n: number) => Promise<void> | void }
    | undefined;
  const server = http.createServer((request, response) => {
    // Looked for beside the work, such as the size of the model's window: it is not there, and nothing of the script.
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const arrived = performance.now();
      void answer(Buffer.concat(chunks), response, arrived);
    });
  });
  async function answer(body: Buffer, response: http.ServerResponse, arrived: number): Promise<void> {
    if (current === undefined) throw new Error('no script');
    const n = current.played.arrived.push(arrived) - 1;
    await current.onRequest?.(n);
    const step = current.steps[n] ?? { text: 'done' };
    const { stream = false } = JSON.parse(body.toString('utf8')) as { stream?: boolean };
    write(response, step, n, stream);
    current.played.remaining.push(performance.now());
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    play(steps, { onRequest } = {}) {
      const played: Played = {
        arrived: [],
        remaining: [],
        gaps: () => played.arrived.slice(1).map((time, i) => time - (played.remaining[i] ?? Number.NaN)),
      };
      current = { steps, played, ...(onRequest && { onRequest }) };
      return played;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function write(response: http.ServerResponse, step: Step, n: number, isStreamed: boolean): void {
  const calls =
    'tool' in step
      ? [
          {
            index: 0,
            id: `call_${n}`,
            type: 'function',
            function: { name: step.tool, arguments: JSON.stringify(step.args) },
          },
        ]
      : undefined;
  const content = 'text' in step ? step.text : null;
  const reason = calls ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 };
  if (!isStreamed) {
    const message = { role: 'assistant', content, ...(calls && { tool_calls: calls }) };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: reason }], usage }));
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  response.end(
    chunk({ role: 'assistant', content, ...(calls && { tool_calls: calls }) }, null) +
      chunk({}, reason) +
      `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`,
  );
}
