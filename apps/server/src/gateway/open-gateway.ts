// The gateway over one composed host: sessions with their owners, opened once and shared by all who may.
import { chooseModel, openModel as openNamedModel } from '@codelab/agent';
import { SessionId, type SessionSummary, ToolError } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { followLog } from './follow-log.ts';
import type { Gateway, Peer } from './gateway.ts';
import { type OwnSession, openSharedSession } from './shared-session.ts';

export type GatewayOptions = {
  host: Host;
  env: NodeJS.ProcessEnv;
  /** The model of turns whose profile wants none of its own. */
  model?: string;
  openModel?: Gateway['openModel'];
  onFault?(error: unknown): void;
};

export function openGateway({ host, env, model, ...options }: GatewayOptions): Gateway {
  const shared = new Map<string, Promise<OwnSession>>();
  const owners = createOwners(host);
  const openModel =
    options.openModel ?? ((name?: string) => openNamedModel(name ?? model ?? chooseModel(env), { env }));
  const onFault = options.onFault ?? (() => undefined);

  const following = followLog(host, {
    onFault,
    async onHeads(heads) {
      for (const [id, open] of shared) await (await open).catchUp(heads.get(id) ?? 0);
    },
  });

  async function close(id: string): Promise<void> {
    const open = shared.get(id);
    shared.delete(id);
    await (await open)?.[Symbol.asyncDispose]();
  }

  return {
    host,
    openModel,
    async session(id, by, { mustExist = false } = {}) {
      await owners.admit(id, by, mustExist);
      const found = shared.get(id) ?? openSharedSession({ host, id, openModel, onFault });
      shared.set(id, found);
      found.catch(() => shared.delete(id));
      return await found;
    },
    async sessions(by) {
      const here = (await host.log.sessions()).filter((one) => one.workspace === host.workspace.root.real);
      const mine = await Promise.all(here.map(async (one) => ((await owners.isFor(one, by)) ? [one] : [])));
      return mine.flat();
    },
    async deleteSession(id, by) {
      await owners.admit(id, by, true);
      await (await shared.get(id))?.cancel(by);
      await host.log.delete(id);
      owners.forget(id);
      await close(id);
    },
    async [Symbol.asyncDispose]() {
      following[Symbol.dispose]();
      await Promise.all([...shared.keys()].map(close));
    },
  };
}

type Owners = {
  /** Makes the session when it is not there. */
  admit(id: string, by: Peer, mustExist: boolean): Promise<void>;
  isFor(session: SessionSummary, by: Peer): Promise<boolean>;
  forget(id: string): void;
};

type Opened = { workspace: string; owner: string | undefined };

function createOwners(host: Host): Owners {
  const known = new Map<string, Opened>();
  // Whoever still holds one of these must not bring it back by using it.
  const deleted = new Set<string>();
  const root = host.workspace.root.real;

  async function find(id: string): Promise<Opened | undefined> {
    const before = known.get(id);
    if (before !== undefined) return before;
    const [first] = await host.log.read(id, { limit: 1 });
    if (first?.body.type !== 'session.opened') return undefined;
    const opened = { workspace: first.body.workspace, owner: first.body.owner };
    known.set(id, opened);
    return opened;
  }

  async function make(id: string, by: Peer): Promise<Opened> {
    const owner = by.isOperator ? {} : { owner: by.subject };
    try {
      await host.log.append(id, [{ type: 'session.opened', workspace: root, ...owner }], { expected: 0 });
    } catch (error) {
      if (!(error instanceof ToolError && error.code === 'LOG_CONFLICT')) throw error;
    }
    return (await find(id)) ?? { workspace: root, owner: by.subject };
  }

  return {
    async admit(id, by, mustExist) {
      if (!SessionId().safeParse(id).success)
        throw new ToolError(
          'INVALID_ARGUMENTS',
          `A session id has letters, digits, \`.\`, \`_\` and \`-\`.`,
          {
            field: 'session_id',
          },
        );
      const found = await find(id);
      if (deleted.has(id) || (found === undefined && mustExist)) throw unknown(id);
      const opened = found ?? (await make(id, by));
      if (!mayEnter(opened, by))
        throw new ToolError('PERMISSION_DENIED', `The session ${id} belongs to somebody else.`);
      if (opened.workspace !== root) throw unknown(id);
    },
    async isFor({ id }, by) {
      const opened = await find(id);
      return opened !== undefined && mayEnter(opened, by);
    },
    forget(id) {
      known.delete(id);
      deleted.add(id);
    },
  };
}

function mayEnter({ owner }: Opened, by: Peer): boolean {
  return by.isOperator === true || owner === by.subject;
}

function unknown(id: string): ToolError {
  return new ToolError(
    'SESSION_NOT_FOUND',
    `There is no session ${id} in this workspace. GET /api/v1/sessions lists them.`,
  );
}
