// Puts a command into the sandbox of this machine. One that a person approved sees the machine read-only without its secrets, and the
// workspace writable; one that nobody was asked about, only what it needs. Whatever it starts ends with it.
import { realpathSync } from 'node:fs';
import { type Confinement, ToolError } from '@codelab/protocol';
import type { SandboxChoice } from '../tool/define-tool.ts';
import { chooseMounts, chooseTightMounts } from './choose-mounts.ts';
import { type FoundSandbox, findSandbox } from './find-sandbox.ts';
import { writeSeatbelt } from './seatbelt.ts';
import { scratchVariables } from './stand-ins.ts';
import { boundProcesses } from './system-program.ts';
import type { Unasked } from './unasked.ts';
import { writeBubblewrap } from './write-bubblewrap.ts';
import { writeUtilLinux } from './write-util-linux.ts';

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
  /** Nobody was asked about it. */
  unasked?: Unasked | undefined;
};

/** What commands are held in here. */
export function confinementOf(network: boolean, choice: SandboxChoice = 'auto'): Confinement {
  if (choice === 'off')
    return { sandbox: 'none', network: true, why: 'The sandbox is switched off in the configuration.' };
  const found = findSandbox();
  if (found.sandbox !== 'none') return { sandbox: found.sandbox, network };
  if (choice === 'required') {
    const text = `The configuration requires a sandbox, and there is none: ${found.why} See \`codelab doctor\`.`;
    throw new ToolError('PERMISSION_DENIED', text, { rule: 'sandbox-required' });
  }
  // Without a sandbox nothing keeps it from the network, whatever was asked for.
  return { sandbox: 'none', network: true, why: found.why };
}

/** The argv that runs `program` so held. */
export function confine(program: readonly string[], held: Held): string[] {
  const { confinement, root, home, unasked } = held;
  if (confinement.sandbox === 'none') return [...program];
  const found = findSandbox();
  if (found.sandbox !== confinement.sandbox) throw gone(found);
  // The network is granted by a person, so nothing that nobody was asked about can have it.
  const network = confinement.network && unasked === undefined;
  const wanted = { root, home, network };
  const plan = unasked === undefined ? chooseMounts(wanted) : chooseTightMounts(wanted, unasked);
  const cwd = realpathSync(held.cwd);
  const argv = unasked === undefined ? program : [...boundProcesses(unasked.mostTasks), ...program];
  switch (found.sandbox) {
    case 'bubblewrap': {
      const { path, namespaces } = found.by;
      const session = [...(network ? [] : ['--unshare-net']), ...(held.pty ? [] : ['--new-session'])];
      const mounts = writeBubblewrap(plan, home, found.by);
      return [path, ...namespaces, ...session, ...mounts, ...variables(), '--chdir', cwd, '--', ...argv];
    }
    case 'util-linux':
      return writeUtilLinux(argv, {
        ...{ plan, home, cwd, network, by: found.by },
        hasLoopback: unasked?.isReadOnly !== true,
      });
    case 'seatbelt':
      return writeSeatbelt(argv, { plan, home, network, by: found.by });
  }
  throw gone(found);
}

function gone(found: FoundSandbox): ToolError {
  const why = 'why' in found ? found.why : `there is ${found.sandbox} now`;
  const text = `The sandbox this command was to run in is gone: ${why} Ask for it again, or see \`codelab doctor\`.`;
  return new ToolError('EXECUTION_FAILED', text);
}

function variables(): string[] {
  return scratchVariables('/tmp').flatMap(([name, value]) => ['--setenv', name, value]);
}
