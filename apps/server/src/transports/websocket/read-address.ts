// The address of a socket: which session, in which role, from where on.
import { ToolError } from '@codelab/protocol';

export type Role = 'executor' | 'approver' | 'viewer';
export type Address = { session: string; role: Role; since: number | undefined; dialect: string };

const path = /^\/(?:api\/v1\/)?ws\/([^/]{1,300})\/?$/;
const roles: readonly string[] = ['executor', 'approver', 'viewer'];

/** Undefined when it is no address of a socket. */
export function readAddress(url: string): Address | undefined {
  const [before = '', ...after] = url.split('?');
  const session = path.exec(before)?.[1];
  if (session === undefined) return undefined;
  const query = new URLSearchParams(after.join('?'));
  const role = query.get('role') ?? 'approver';
  if (!roles.includes(role)) throw misfit('role', 'must be approver or viewer');
  const dialect = query.get('dialect') ?? 'agent';
  if (dialect !== 'agent' && dialect !== 'codelab') throw misfit('dialect', 'must be agent or codelab');
  return { session: decoded(session), role: role as Role, since: sinceOf(query), dialect };
}

function sinceOf(query: URLSearchParams): number | undefined {
  const given = query.get('since');
  if (given === null) return undefined;
  if (!/^\d{1,15}$/.test(given)) throw misfit('since', 'must be the number of an entry');
  return Number(given);
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
