// A collector of traces on the loopback: takes what an OTLP exporter sends as JSON, and gives it back as plain spans.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Value = {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: Value[] };
};
type Attribute = { key: string; value: Value };

type WireSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: Attribute[];
  links?: { traceId: string; spanId: string }[];
  status?: { code?: number };
};

type Wire = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: WireSpan[] }[] }[];
};

export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  name: string;
  start: number;
  end: number;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  isError: boolean;
};

export type OtlpReceiver = AsyncDisposable & {
  url: string;
  spans: ReceivedSpan[];
  /** All received bodies, unparsed. */
  bodies: string[];
  requests: { path: string; headers: IncomingHttpHeaders }[];
  /** The first span that fits, now or later. */
  next(matches: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
  below(parent: ReceivedSpan | undefined): ReceivedSpan[];
};

export async function otlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const requests: OtlpReceiver['requests'] = [];
  const waiters = new Set<() => void>();
  const server = createServer();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    bodies.push(body);
    requests.push({ path: request.url ?? '', headers: request.headers });
    spans.push(...read(JSON.parse(body) as Wire));
    response.setHeader('content-type', 'application/json').end('{}');
    for (const check of [...waiters]) check();
  };
  server.on('request', (request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    requests,
    next: (matches) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no such span in ${names(spans)}`)), 15_000);
        function check(): void {
          const found = spans.find(matches);
          if (found === undefined) return;
          waiters.delete(check);
          clearTimeout(timer);
          resolve(found);
        }
        waiters.add(check);
        check();
      }),
    below: (parent) => spans.filter(({ parentId }) => parentId === parent?.spanId).sort(byStart),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function read({ resourceSpans }: Wire): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentId: span.parentSpanId || undefined,
        name: span.name,
        start: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
        end: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
        attributes: plainAttributes(span.attributes ?? []),
        resource: plainAttributes(resource.attributes),
        links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
        isError: span.status?.code === 2,
      })),
  );
}

function plainAttributes(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown {
  if (intValue !== undefined) return Number(intValue);
  return stringValue ?? doubleValue ?? boolValue ?? arrayValue?.values.map(plainValue);
}

// Spans with the same start stay in the order of arrival.
function byStart(a: ReceivedSpan, b: ReceivedSpan): number {
  return a.start - b.start;
}

function names(spans: readonly ReceivedSpan[]): string {
  return spans.map(({ name }) => name).join(', ');
}
