// Whose the sessions of a gateway are: who may enter one, and what is written down when one is made.
import { sessionRoutes } from '@codelab/api';
import {
  type DialectName,
  type EventBody,
  SessionId,
  type SessionSummary,
  ToolError,
} from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { Peer } from './gateway.ts';
import type { Opening, Openings } from './session-header.ts';

/** `client`: one that is made is carried out by a client with that dialect's tools. */
export type Admission = { mustExist?: boolean; client?: DialectName };

type Opened = Extract<EventBody, { type: 'session.opened' }>;
type More = Pick<Opened, 'forkedFrom' | 'title'> & { client?: DialectName | undefined };

export type Owners = {
  /** Makes the session when it is not there. */
  admit(id: string, by: Peer, how: Admission): Promise<void>;
  make(id: string, by: Peer, more?: More): Promise<Opening>;
  isFor(session: SessionSummary, by: Peer): Promise<boolean>;
  forget(id: string): void;
};

export function createOwners(
  host: Host,
  { openings, hasFiles }: { openings: Openings; hasFiles: boolean },
): Owners {
  // Whoever still holds one of these must not bring it back by using it.
  const deleted = new Set<string>();
  const root = host.workspace.root.real;

  async function make(id: string, by: Peer, { client, ...more }: More = {}): Promise<Opening> {
    const owner = by.isOperator ? {} : { owner: by.subject };
    const dialect = client ?? (hasFiles ? undefined : 'agent');
    const executor = dialect === undefined ? {} : { executor: 'client' as const, dialect };
    try {
      const body = { type: 'session.opened' as const, workspace: root, ...owner, ...executor, ...more };
      await host.log.append(id, [body], { expected: 0 });
    } catch (error) {
      if (!(error instanceof ToolError && error.code === 'LOG_CONFLICT')) throw error;
    }
    return (
      (await openings.of(id)) ?? { time: 0, hash: '', workspace: root, owner: by.subject, client: dialect }
    );
  }

  return {
    make,
    async admit(id, by, { mustExist = false, client }) {
      checkId(id);
      const found = await openings.fresh(id);
      if (found === undefined && (mustExist || deleted.has(id))) throw unknown(id);
      const opened = found ?? (await make(id, by, { client }));
      if (!mayEnter(opened, by))
        throw new ToolError('PERMISSION_DENIED', `The session ${id} belongs to somebody else.`);
      if (opened.workspace !== root) throw unknown(id);
    },
    async isFor({ id }, by) {
      const opened = await openings.of(id);
      return opened !== undefined && mayEnter(opened, by);
    },
    forget(id) {
      openings.forget(id);
      deleted.add(id);
    },
  };
}

function checkId(id: string): void {
  if (SessionId().safeParse(id).success) return;
  throw new ToolError('INVALID_ARGUMENTS', 'A session id has letters, digits, `.`, `_` and `-`.', {
    field: 'session_id',
  });
}

function mayEnter({ owner }: Opening, by: Peer): boolean {
  return by.isOperator === true || owner === by.subject;
}

function unknown(id: string): ToolError {
  return new ToolError(
    'SESSION_NOT_FOUND',
    `There is no session ${id} in this workspace. GET ${sessionRoutes.list.path} lists them.`,
  );
}
