// The address of a socket: which session, in which role, from where on.
import { ToolError } from '@codelab/protocol';

export type SocketRole = 'executor' | 'approver' | 'viewer';
/** The spelling of a socket; `neutral` is the log's own form, read-only. */
export type SocketSpelling = 'agent' | 'codelab' | 'neutral';
export type Address = {
  session: string;
  /** Undefined: by who carries the session's calls out. */
  role: SocketRole | undefined;
  since: number | undefined;
  speech: SocketSpelling;
  /** The executor's name, by which it is recognized when it reconnects. */
  executorId: string | undefined;
};

const path = /^\/(?:api\/v1\/)?ws\/([^/]{1,300})\/?$/;
const speeches: readonly string[] = ['agent', 'codelab', 'neutral'];
const roles: readonly string[] = ['executor', 'approver', 'viewer'];

/** Undefined when it is no address of a socket. */
export function readSocketAddress(url: string): Address | undefined {
  const [before = '', ...after] = url.split('?');
  const session = path.exec(before)?.[1];
  if (session === undefined) return undefined;
  const query = new URLSearchParams(after.join('?'));
  const role = query.get('role') ?? undefined;
  if (role !== undefined && !roles.includes(role))
    throw misfit('role', 'must be executor, approver or viewer');
  const speech = query.get('dialect') ?? 'agent';
  if (!speeches.includes(speech)) throw misfit('dialect', 'must be agent, codelab or neutral');
  if (speech === 'neutral' && role === 'executor')
    throw misfit('role', 'can’t be executor on a read-only wire');
  return {
    session: decoded(session),
    role: role as SocketRole | undefined,
    since: sinceOf(query),
    speech: speech as SocketSpelling,
    executorId: executorIn(query),
  };
}

function executorIn(query: URLSearchParams): string | undefined {
  const executorId = query.get('executor_id');
  if (executorId === null) return undefined;
  if (/^[\w.:-]{1,128}$/.test(executorId)) return executorId;
  throw misfit('executor_id', 'has at most 128 letters, digits, `.`, `_`, `:` and `-`');
}

function sinceOf(query: URLSearchParams): number | undefined {
  const sinceText = query.get('since');
  if (sinceText === null) return undefined;
  if (!/^\d{1,15}$/.test(sinceText)) throw misfit('since', 'must be the number of an entry');
  return Number(sinceText);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw misfit('session_id', 'can’t be read');
  }
}

function misfit(field: string, fault: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', `\`${field}\` ${fault}.`, { field });
}
