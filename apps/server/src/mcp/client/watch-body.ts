// The same response, but bounded, and somebody is told when its body is over.

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
