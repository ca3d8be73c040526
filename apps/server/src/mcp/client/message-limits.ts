// Limits on the messages of an MCP server, and the readers that enforce them: for lines, and for the body of a response. A server that
// exceeds them has failed; the session continues without it.

export const messageLimits = {
  messageBytes: 8 * 1024 * 1024,
  depth: 64,
  /** In one HTTP response, or from a program within the time below; the number of messages is limited as well. */
  streamBytes: 32 * 1024 * 1024,
  messages: 20_000,
  withinMs: 10_000,
} as const;

// Splits a stream of bytes into lines, whatever its pieces; a line that is too long is refused.

export function createLineSplitter(
  maxBytes: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): (bytes: Buffer) => void {
  let lineParts: Buffer[] = [];
  let size = 0;
  const keep = (bytes: Buffer): boolean => {
    size += bytes.length;
    // The caller reuses its buffer.
    if (size <= maxBytes) lineParts.push(Buffer.from(bytes));
    return size <= maxBytes;
  };
  return (bytes) => {
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      if (!keep(bytes.subarray(start, end))) return onTooLong();
      const line = Buffer.concat(lineParts).toString('utf8').replace(/\r$/, '');
      lineParts = [];
      size = 0;
      start = end + 1;
      if (line !== '') onLine(line);
    }
    if (!keep(bytes.subarray(start))) onTooLong();
  };
}

// The same response with a bounded body, and a callback when the body has ended.

export function watchBody(response: Response, maxBytes: number, onOver: () => void): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  let size = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          onOver();
          controller.close();
          return;
        }
        size += value.length;
        if (size > maxBytes) throw new Error(`It sent more than ${maxBytes} bytes.`);
        controller.enqueue(value);
      } catch (error) {
        onOver();
        controller.error(error);
        await reader.cancel(error).catch(() => undefined);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
