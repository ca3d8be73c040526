// The least that a decision from another gateway can do: a request that is handed on over HTTP, then one message or two that must be stored
// before the next step. No checks, no log, no plan. As `front` it hands on to the given address, as `owner` it publishes, and says on request
// when the last message was stored.
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jetstream } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { sharedNow } from './hops.ts';

const [role = '', target = ''] = process.argv.slice(2);
/** As long as the entries and the header of our messages. */
const payload = 'x'.repeat(700);
const standing = 'x'.repeat(500);

type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

const answer = role === 'front' ? handOn() : await publishing();
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => answer(request, response, Buffer.concat(chunks)));
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('disconnect', () => process.exit());

function handOn(): Answer {
  const { hostname: host, port } = new URL(target);
  return ({ method, url: path, headers: sent }, response, body) => {
    const onward = httpRequest({ host, port, method, path, headers: sent });
    onward.once('response', (found) => {
      response.writeHead(found.statusCode ?? 502, found.headers);
      found.pipe(response);
    });
    onward.end(body);
  };
}

/** The path names the subject, and how many messages follow one another. */
async function publishing(): Promise<Answer> {
  const js = jetstream(await connect({ servers: target, noAsyncTraces: true }));
  let id = 0;
  let stored = Promise.resolve(0);
  process.on('message', () => void stored.then((at) => process.send?.(at)));
  const publish = async (subject: string, last: number): Promise<number> => {
    const header = headers();
    header.set('Standing', standing);
    const options = { headers: header, msgID: `m${id++}`, expect: { lastSubjectSequence: last } };
    return (await js.publish(subject, payload, options)).seq;
  };
  const run = async ({ url = '' }: IncomingMessage, response: ServerResponse): Promise<number> => {
    const [, subject = '', count] = url.split('/');
    const first = await publish(subject, 0);
    const second = count === '2' ? publish(subject, first) : undefined;
    // The second message is on its way before the answer.
    setImmediate(() => response.end('{"decided":true}'));
    await second;
    return sharedNow();
  };
  return (request, response) => {
    stored = run(request, response);
  };
}
