// Runs a command in the sandbox of this machine. An asked command sees the machine read-only without its secrets, and the workspace
// writable; an unasked one sees only what it needs. All processes of a command end with it.
import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Confinement, englishText, phrase, ToolError } from '@codelab/protocol';
import type { SandboxChoice } from '../tool/define-tool.ts';
import { writeBubblewrap } from './backends/bubblewrap.ts';
import { type FoundSandbox, findSandbox } from './backends/find-sandbox.ts';
import { writeSeatbelt } from './backends/seatbelt.ts';
import { boundProcesses } from './backends/system-program.ts';
import { writeUtilLinux } from './backends/util-linux.ts';
import { chooseMounts, chooseTightMounts } from './mounts/choose-mounts.ts';
import type { MountPlan } from './mounts/mount.ts';
import type { SandboxHold } from './sandbox-hold.ts';
import { makeMountPoints, type SessionTmp } from './session-tmp.ts';

type ConfinedCommand = {
  confinement: Confinement;
  /** The real path of the workspace. */
  root: string;
  /** CodeLab's own state folder. */
  home: string;
  /** A folder inside the workspace. */
  cwd: string;
  /** The command has a terminal of its own, and must stay in that terminal's session. */
  pty?: boolean;
  /** Set for an unasked command. */
  unasked?: SandboxHold | undefined;
  /** The session's /tmp; without it, /tmp ends with the command. */
  tmp?: SessionTmp | undefined;
};

/** How commands are confined on this machine. */
export function confinementOf(
  network: boolean,
  choice: SandboxChoice = 'auto',
  requested: 'auto' | 'off' = 'auto',
  hosts: readonly string[] = [],
): Confinement {
  if (requested === 'off' && choice === 'required') {
    const text = 'The configuration requires the sandbox, so nothing runs outside it. Omit `sandbox`.';
    throw new ToolError('PERMISSION_DENIED', text, { rule: 'sandbox-required' });
  }
  if (requested === 'off')
    return { sandbox: 'none', network: true, why: englishText(phrase('sandbox.callAsks')) };
  if (choice === 'off')
    return { sandbox: 'none', network: true, why: englishText(phrase('sandbox.switchedOff')) };
  const sandbox = findSandbox();
  if (sandbox.sandbox === 'seatbelt' && network && hosts.length > 0) {
    const text =
      'Here the network can’t be limited to network_hosts of config.json. Remove the list to allow the whole network.';
    throw new ToolError('PERMISSION_DENIED', text, { rule: 'network-hosts' });
  }
  if (sandbox.sandbox !== 'none')
    return { sandbox: sandbox.sandbox, network, ...(network && hosts.length > 0 && { hosts: [...hosts] }) };
  if (choice === 'required') {
    const text = `The configuration requires a sandbox, and there is none: ${sandbox.why} See \`codelab doctor\`.`;
    throw new ToolError('PERMISSION_DENIED', text, { rule: 'sandbox-required' });
  }
  // Without a sandbox nothing blocks the network, whatever was requested.
  return { sandbox: 'none', network: true, why: sandbox.why };
}

/** The argv that runs `program` in the sandbox. */
export function confine(program: readonly string[], command: ConfinedCommand): string[] {
  const { confinement, root, home, unasked, tmp } = command;
  if (confinement.sandbox === 'none') return [...program];
  const sandbox = findSandbox();
  if (sandbox.sandbox !== confinement.sandbox) throw sandboxGone(sandbox);
  // The network is granted by a person, so an unasked command never has it.
  // A command that was granted some hosts reaches them through a proxy, from its own network.
  const network = confinement.network && confinement.hosts === undefined && unasked === undefined;
  const places = { root, home, network, tmp };
  const plan = unasked === undefined ? chooseMounts(places) : chooseTightMounts(places, unasked);
  if (tmp !== undefined) makeMountPoints(tmp.shared, namesInTmp(plan));
  const cwd = realpathSync(command.cwd);
  const argv = unasked === undefined ? program : [...boundProcesses(unasked.mostTasks), ...program];
  switch (sandbox.sandbox) {
    case 'bubblewrap': {
      const { path, namespaces } = sandbox.by;
      const session = [...(network ? [] : ['--unshare-net']), ...(command.pty ? [] : ['--new-session'])];
      const mounts = writeBubblewrap(plan, home, sandbox.by);
      return [path, ...namespaces, ...session, ...mounts, '--chdir', cwd, '--', ...argv];
    }
    case 'util-linux':
      return writeUtilLinux(argv, {
        ...{ plan, home, cwd, network, by: sandbox.by },
        hasLoopback: unasked?.isReadOnly !== true,
      });
    case 'seatbelt':
      return writeSeatbelt(argv, { plan, network, by: sandbox.by });
  }
  throw sandboxGone(sandbox);
}

function sandboxGone(sandbox: FoundSandbox): ToolError {
  const reason = 'why' in sandbox ? sandbox.why : `there is ${sandbox.sandbox} now`;
  const text = `The sandbox for this command is gone: ${reason} Request the call again, or see \`codelab doctor\`.`;
  return new ToolError('EXECUTION_FAILED', text);
}

/** The mounts directly below /tmp. */
function namesInTmp({ mounts }: MountPlan): string[] {
  const tmp = mounts.find(({ as }) => as === 'tmp')?.path;
  return mounts.filter(({ path }) => dirname(path) === tmp).map(({ path }) => basename(path));
}
