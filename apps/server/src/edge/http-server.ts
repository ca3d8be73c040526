// The server that listens, for HTTP and sockets on one port. What answers requests is loaded with the first of them: a gateway that is
// used over sockets alone starts without it.
import { createServer, type RequestListener, type Server } from 'node:http';
import { answerBrokenLine, answerExpectations } from './http-errors.ts';

/** `load` is called once; when it fails, the request is dropped and the next one tries again. */
export function createHttpServer(
  load: () => Promise<RequestListener>,
  onFault: (error: unknown) => void,
): Server {
  // A request without a host is refused by `createAuth`, with a message.
  const server = createServer({ requireHostHeader: false });
  server.requestTimeout = 60_000;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 72_000;
  server.on('clientError', answerBrokenLine);
  answerExpectations(server);
  let answer: RequestListener | undefined;
  let loading: Promise<RequestListener> | undefined;
  server.on('request', (request, response) => {
    if (answer !== undefined) return answer(request, response);
    loading ??= load();
    loading.then(
      (ready) => {
        answer = ready;
        ready(request, response);
      },
      (error: unknown) => {
        loading = undefined;
        onFault(error);
        response.destroy();
      },
    );
  });
  return server;
}
