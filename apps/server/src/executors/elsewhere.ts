// Sessions whose files are with a client: their tools forward to it, and nothing of this machine's files is in reach of their agent.
import type { DialectName } from '@codelab/protocol';
import { type Host, type ToolDecorator, Workspace } from '@codelab/runtime';
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
  /** The host whose tools that reach into files are carried out by a client where the session says so. */
  local: Host;
  /** The host as such a session sees it: no files, no tools of others, no profiles of a workspace. */
  host: Host;
};

type Options = {
  openings: Openings;
  hasFiles: boolean;
  /** Put around every tool, also around those that a client carries out. */
  watchTool: ToolDecorator | undefined;
};

const same: ToolDecorator = (tool) => tool;

export function openElsewhere(given: Host, { openings, hasFiles, watchTool = same }: Options): Elsewhere {
  const { home } = given;
  const executors = createExecutors(given);
  const nowhere = Workspace.open(nowhereIn(home));
  const clientOf = async (session: string): Promise<DialectName | undefined> =>
    (await openings.of(session))?.client ?? (hasFiles ? undefined : 'agent');
  const options = { executors, clientOf, nowhere };
  const local = given.decorated((tool) => remoteTool(tool, options)).decorated(watchTool);
  const profiles = profileSource({ home, root: nowhereIn(home), isTrusted: false });
  return {
    executors,
    root: given.workspace.root.real,
    clientOf,
    local,
    // Programs of others run on this machine and may read what they like.
    host: { ...local, workspace: nowhere, foreign: undefined, profiles },
    [Symbol.dispose]: () => nowhere[Symbol.dispose](),
  };
}
