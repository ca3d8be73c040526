// Sessions whose files are with a client: their tools forward to it, and nothing of this machine's files is in reach of their agent.
import type { DialectName } from '@codelab/protocol';
import { type Host, Workspace } from '@codelab/runtime';
import { profileSource } from '../agent/profile-source.ts';
import type { Openings } from '../sessions/session-header.ts';
import { createExecutors, type Executors } from './executors.ts';
import { nowhereIn } from './nowhere-in.ts';
import { remoteTool } from './remote-tool.ts';

export type Elsewhere = Disposable & {
  executors: Executors;
  /** The workspace that its sessions are written down under. */
  root: string;
  /** Whose tools the client of a session has; undefined where the calls are carried out here. */
  clientOf(session: string): Promise<DialectName | undefined>;
  /** The host as such a session sees it: no files, no tools of others, no profiles of a workspace. */
  host: Host;
};

/** From now on the host's tools that reach into files are carried out by a client where the session says so. */
export function openElsewhere(
  host: Host,
  { openings, hasFiles }: { openings: Openings; hasFiles: boolean },
): Elsewhere {
  const { home } = host;
  const executors = createExecutors(host);
  const nowhere = Workspace.open(nowhereIn(home));
  const clientOf = async (session: string): Promise<DialectName | undefined> =>
    (await openings.of(session))?.client ?? (hasFiles ? undefined : 'agent');
  const options = { executors, clientOf, nowhere };
  host.tools = new Map([...host.tools].map(([name, tool]) => [name, remoteTool(tool, options)]));
  const { foreign } = host;
  // Programs of others run on this machine and may read what they like.
  if (foreign !== undefined)
    host.foreign = {
      ...foreign,
      async find(name, signal) {
        const tool = await foreign.find(name, signal);
        return tool && remoteTool(tool, options);
      },
    };
  const profiles = profileSource({ home, root: nowhereIn(home), isTrusted: false });
  return {
    executors,
    root: host.workspace.root.real,
    clientOf,
    host: { ...host, workspace: nowhere, foreign: undefined, profiles },
    [Symbol.dispose]: () => nowhere[Symbol.dispose](),
  };
}
