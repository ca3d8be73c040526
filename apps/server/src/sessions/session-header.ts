// The first entry of a session (its owner, its folder, and who carries out its calls), who may enter the session, and how far its rules reach.
import {
  type Decision,
  type DialectName,
  type EventBody,
  type Scope,
  SessionId,
  type SessionLog,
  type SessionSummary,
  type SessionWorktree,
  ToolError,
} from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { isInProject } from '../config/config-files.ts';
import type { Peer } from './gateway.ts';

// The first entry of a session: its owner, its folder, and who carries out its calls. The entry never changes, so it is cached; but another process
// may delete the session and reuse its name.
export type SessionHeader = {
  /** The creation time and the hash of the first entry: no other session of the same name has both. */
  time: number;
  hash: string;
  workspace: string;
  owner: string | undefined;
  /** The dialect of the client that runs the calls; undefined where this gateway runs them. */
  client: DialectName | undefined;
  /** The worktree, where the session works in one: `workspace` is its folder. */
  worktree?: SessionWorktree | undefined;
};

export type SessionHeaders = {
  of(session: string): Promise<SessionHeader | undefined>;
  /** Read from the log now, not from the cache. */
  fresh(session: string): Promise<SessionHeader | undefined>;
  kept(): ReadonlyMap<string, SessionHeader>;
  forget(session: string): void;
};

const maxKept = 10_000;

/** `onOther`: the one that was known is gone; `now` is another one of its name. */
export function createSessionHeaders(
  log: SessionLog,
  onOther: (session: string, now: SessionHeader | undefined) => Promise<void>,
): SessionHeaders {
  const cached = new Map<string, SessionHeader>();
  async function fresh(session: string): Promise<SessionHeader | undefined> {
    const found = await readHeader(log, session);
    const before = cached.get(session);
    cached.delete(session);
    if (cached.size >= maxKept) cached.delete(cached.keys().next().value ?? '');
    if (found !== undefined) cached.set(session, found);
    if (before !== undefined && before.hash !== found?.hash) await onOther(session, found);
    return found;
  }
  return {
    of: async (session) => cached.get(session) ?? (await fresh(session)),
    fresh,
    kept: () => cached,
    forget: (session) => void cached.delete(session),
  };
}

async function readHeader(log: SessionLog, session: string): Promise<SessionHeader | undefined> {
  const [first] = await log.read(session, { limit: 1 });
  if (first?.body.type !== 'session.opened') return undefined;
  const { workspace, owner, executor, dialect = 'plugin', worktree } = first.body;
  return {
    time: first.time,
    hash: first.hash,
    workspace,
    owner,
    client: executor === 'client' ? dialect : undefined,
    worktree,
  };
}

// Access to sessions: who may use one, and its header when it is created.

/** `client`: one that is made is carried out by a client with that dialect's tools. */
export type Admission = { mustExist?: boolean; client?: DialectName };

type Opened = Extract<EventBody, { type: 'session.opened' }>;
type More = Pick<Opened, 'forkedFrom' | 'title' | 'worktree'> & {
  client?: DialectName | undefined;
  /** Default: that of the gateway. */
  workspace?: string | undefined;
};

export type Owners = {
  /** Creates the session when it is missing. */
  admit(id: string, by: Peer, how: Admission): Promise<void>;
  make(id: string, by: Peer, more?: More): Promise<SessionHeader>;
  isFor(session: SessionSummary, by: Peer): Promise<boolean>;
  /** The dialect of the client that runs the session's calls; undefined where this gateway runs them. */
  clientOf(session: string): Promise<DialectName | undefined>;
  forget(id: string): void;
  /** Sessions of all workspaces are offered: the gateway that has the files serves them. */
  isShared: boolean;
};

export function createOwners(
  host: Host,
  { headers, hasFiles, isShared }: { headers: SessionHeaders; hasFiles: boolean; isShared: boolean },
): Owners {
  // Sessions deleted here: a caller that still holds one must not recreate it by using it.
  const deleted = new Set<string>();
  const root = host.workspace.root.real;
  const usual: DialectName | undefined = hasFiles ? undefined : 'agent';

  async function make(
    id: string,
    by: Peer,
    { client, workspace = root, ...fields }: More = {},
  ): Promise<SessionHeader> {
    const owner = by.isOperator ? {} : { owner: by.subject };
    const dialect = client ?? usual;
    const executor = dialect === undefined ? {} : { executor: 'client' as const, dialect };
    try {
      const body = { type: 'session.opened' as const, workspace, ...owner, ...executor, ...fields };
      await host.log.append(id, [body], { expected: 0 });
    } catch (error) {
      if (!(error instanceof ToolError && error.code === 'LOG_CONFLICT')) throw error;
    }
    return (await headers.of(id)) ?? { time: 0, hash: '', workspace, owner: by.subject, client: dialect };
  }

  return {
    make,
    isShared,
    clientOf: async (session) => (await headers.of(session))?.client ?? usual,
    async admit(id, by, { mustExist = false, client }) {
      checkId(id);
      const found = await headers.fresh(id);
      if (found === undefined && (mustExist || deleted.has(id))) throw unknown(id);
      const opened = found ?? (await make(id, by, { client }));
      if (!mayEnter(opened, by))
        throw new ToolError('PERMISSION_DENIED', `The session ${id} belongs to another user.`);
      // Gateways that share their sessions decide among themselves which one has the files.
      if (!isShared && !isInProject(host.home, root, opened.workspace)) throw unknown(id);
    },
    async isFor({ id }, by) {
      const opened = await headers.of(id);
      return opened !== undefined && mayEnter(opened, by);
    },
    forget(id) {
      headers.forget(id);
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

function mayEnter({ owner }: SessionHeader, by: Peer): boolean {
  return by.isOperator === true || owner === by.subject;
}

function unknown(id: string): ToolError {
  return new ToolError(
    'SESSION_NOT_FOUND',
    `There is no session ${id} in this workspace. List the sessions to see which there are.`,
  );
}

// Limits remembered rules: in a session of one of several people, a rule may cover only that session, since the workspace and the machine
// are shared.
type RuleScope = Exclude<Scope, 'once'>;

export async function scopesIn(log: SessionLog, session: string): Promise<RuleScope[]> {
  const [first] = await log.read(session, { limit: 1 });
  const isOwned = first?.body.type === 'session.opened' && first.body.owner !== undefined;
  return isOwned ? ['session'] : ['session', 'workspace', 'user'];
}

export async function checkScope(log: SessionLog, session: string, decision: Decision): Promise<void> {
  const scope = 'remember' in decision ? decision.remember?.scope : undefined;
  if (scope === undefined || scope === 'once' || (await scopesIn(log, session)).includes(scope)) return;
  throw new ToolError(
    'PERMISSION_DENIED',
    'A rule can be remembered for this session only; the gateway’s operator decides for the workspace.',
    { scope },
  );
}
