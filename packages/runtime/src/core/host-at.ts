// A host over another folder of the same project, such as a git worktree. It has its own files, rules, profiles and language servers, and
// shares everything else with the original host: log, lock, open sessions, scheduler, processes.

import { openStateFolder } from '../workspace/state-folder.ts';
import { createReadCache } from '../workspace/text-files.ts';
import { Workspace } from '../workspace/workspace.ts';
import { type Host, type HostOptions, lazyServers } from './host.ts';
import { createKnownVersions } from './session/live-calls.ts';

export type HostAtOptions = Pick<HostOptions, 'root' | 'rules' | 'foreign' | 'lsp'> &
  Required<Pick<HostOptions, 'profiles' | 'sandbox' | 'shows' | 'environment' | 'hosts'>>;

/** Disposing of it does not affect the original host. */
export function hostAt(host: Host, { root, lsp: settings, foreign, ...folderParts }: HostAtOptions): Host {
  const { home } = host;
  const workspace = Workspace.open(root, { state: openStateFolder(home) });
  const { sandbox, shows, environment } = folderParts;
  const lsp = lazyServers(workspace, { root, home, sandbox, shows, environment }, settings);
  const closing = new AbortController();
  return host.replaced({
    ...folderParts,
    ...(foreign && { foreign }),
    ...{ workspace, lsp },
    cache: createReadCache(),
    versions: createKnownVersions(),
    scheduler: {
      ...host.scheduler,
      run: (demand, work, signal) => host.scheduler.run({ ...demand, folder: root }, work, signal),
    },
    closing: AbortSignal.any([host.closing, closing.signal]),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await foreign?.[Symbol.asyncDispose]();
      await lsp[Symbol.asyncDispose]();
      workspace[Symbol.dispose]();
    },
  });
}
