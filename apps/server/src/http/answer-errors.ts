// The response to a failed request: our codes, or the response of the gateway that has the session.
import { type ErrorCode, resourceLimit, ToolError } from '@codelab/protocol';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SessionElsewhere } from '../cluster/cluster.ts';
import type { Auth } from '../edge/auth/create-auth.ts';
import { forwardRequest, refuseSecondHop, unreachableNode } from '../edge/forward.ts';
import { httpRefusalOf, httpStatus } from '../edge/http-errors.ts';

export function answerErrors(
  app: FastifyInstance,
  auth: Pick<Auth, 'vouch'>,
  onFault: ((error: unknown) => void) | undefined,
): void {
  app.setErrorHandler(async (thrown: FastifyError | ToolError | SessionElsewhere, request, reply) => {
    const error =
      thrown instanceof SessionElsewhere ? (await handOn(thrown, auth, { request, reply })).error : thrown;
    if (error === undefined) return reply;
    const answer = describe(error);
    // A client that disconnected has aborted its own request, which is no defect of ours.
    const isAborted = error.name === 'AbortError' && reply.raw.destroyed;
    if (answer.code === 'INTERNAL' && !isAborted) onFault?.(error);
    if (answer.code === 'RATE_LIMITED') void reply.header('retry-after', '60');
    if (answer.error.details?.moved === true) void reply.header('retry-after', '1');
    if (answer.code === 'UNAUTHORIZED') void reply.header('www-authenticate', 'Bearer');
    return reply.code(answer.status).send({ error: answer.error });
  });
  app.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .send({ error: { code: 'INVALID_ARGUMENTS', message: `Nothing is served at ${pathOf(request)}.` } }),
  );
}

type Exchange = { request: FastifyRequest; reply: FastifyReply };
type Target = Pick<SessionElsewhere, 'url' | 'gone'>;

/** Does nothing when no gateway listens there. */
export async function handOnIfReached(...[target, auth, exchange]: Parameters<typeof handOn>): Promise<void> {
  const { error, isReached } = await handOn(target, auth, exchange);
  if (isReached && error) throw error;
}

/** Without an error when the other gateway has answered. */
async function handOn(
  target: Target,
  auth: Pick<Auth, 'vouch'>,
  { request, reply }: Exchange,
): Promise<{ error?: ToolError; isReached: boolean }> {
  try {
    refuseSecondHop(request.raw);
    const onAnswer = (): void => void reply.hijack();
    const { raw, rawBody: body, peer } = request;
    const hop = auth.vouch?.(peer, { method: raw.method, url: raw.url, body }) ?? '-';
    await forwardRequest(target, { request: raw, body, response: reply.raw, onAnswer, hop });
    return { isReached: true };
  } catch (error) {
    if (error instanceof ToolError) return { error, isReached: true };
    return { error: unreachableNode(), isReached: (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' };
  }
}

type Said = {
  status: number;
  code: ErrorCode;
  error: { code: ErrorCode; message: string; details?: Record<string, unknown> };
};

function describe(error: FastifyError | ToolError): Said {
  const limited = resourceLimit(error);
  if (limited !== undefined) return describe(limited);
  if (error instanceof ToolError) {
    const { code, message, details } = error;
    return { status: httpStatus(error), code, error: { code, message, ...(details && { details }) } };
  }
  // Refusals by fastify itself: too large, unknown content type, unreadable address.
  const status = error.statusCode ?? 500;
  if (status < 500) {
    const refusal = status === 400 ? httpRefusalOf(0, error.message) : httpRefusalOf(status, error.message);
    return { status, code: refusal.code, error: refusal };
  }
  const message = 'Something went wrong in the gateway.';
  return { status: 500, code: 'INTERNAL', error: { code: 'INTERNAL', message } };
}

function pathOf({ url }: FastifyRequest): string {
  return url.slice(0, 200).replace(/\?.*$/, '');
}
