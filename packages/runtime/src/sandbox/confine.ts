// Puts a command into the sandbox of this machine: the workspace and a private /tmp writable, the rest read-only, secrets hidden,
// the network there only when it was granted. Whatever it starts ends with it.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type Confinement, ToolError } from '@codelab/protocol';
import { chooseMounts } from './choose-mounts.ts';
import { findBubblewrap } from './find-bubblewrap.ts';
import type { SandboxChoice } from './sandbox-choice.ts';
import { writeMounts } from './write-mounts.ts';

type Held = {
  confinement: Confinement;
  /** The real path of the workspace. */
  root: string;
  /** CodeLab's own state folder. */
  home: string;
  /** A folder inside the workspace. */
  cwd: string;
  /** It has a terminal of its own, and must stay in that terminal's session. */
  pty?: boolean;
};

/** What commands are held in here. */
export function confinementOf(network: boolean, choice: SandboxChoice = 'auto'): Confinement {
  if (choice === 'off')
    return { sandbox: 'none', network: true, why: 'The sandbox is switched off in the configuration.' };
  const found = findBubblewrap();
  if ('path' in found) return { sandbox: 'bubblewrap', network };
  if (choice === 'required') {
    const text = `The configuration requires a sandbox, and there is none: ${found.why} See \`codelab doctor\`.`;
    throw new ToolError('PERMISSION_DENIED', text, { rule: 'sandbox-required' });
  }
  // Without a sandbox nothing keeps it from the network, whatever was asked for.
  return { sandbox: 'none', network: true, why: found.why };
}

/** The argv that runs `argv` so held. */
export function confine(argv: readonly string[], held: Held): string[] {
  const { confinement, root, home, cwd, pty = false } = held;
  if (confinement.sandbox === 'none') return [...argv];
  const found = findBubblewrap();
  if (!('path' in found))
    throw new ToolError('EXECUTION_FAILED', `The sandbox this command was to run in is gone: ${found.why}`);
  const mounts = chooseMounts({ root, home, network: confinement.network });
  return [
    found.path,
    ...found.namespaces,
    ...(confinement.network ? [] : ['--unshare-net']),
    ...(pty ? [] : ['--new-session']),
    ...writeMounts(mounts, home),
    ...Object.entries(scratch).flatMap(([name, folder]) => ['--setenv', name, join('/tmp', folder)]),
    '--chdir',
    realpathSync(cwd),
    '--',
    ...argv,
  ];
}

// Their usual places are below the user's home, where nothing can be written; without another one these programs give up.
const scratch = { TMPDIR: '', npm_config_cache: '.npm', YARN_CACHE_FOLDER: '.yarn', GOCACHE: '.go-build' };
