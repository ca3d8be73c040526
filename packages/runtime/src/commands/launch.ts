// Prepares the start of a planned command: its environment, its mark, and the sandbox around it.
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { safeGitEnvironment } from '../policy/shell/git/git-settings.ts';
import { childEnvironment } from '../process/child-environment.ts';
import { passedEnvironment } from '../process/passed-environment.ts';
import type { Launch } from '../process/spawn-child.ts';
import { traced } from '../sandbox/backends/trace-writes.ts';
import { confine } from '../sandbox/confine.ts';
import type { HostGate } from '../sandbox/host-gate.ts';
import { showTracked } from '../sandbox/mounts/show-tracked.ts';
import type { SandboxHold } from '../sandbox/sandbox-hold.ts';
import { scratchVariables } from '../sandbox/scratch-variables.ts';
import {
  bareTmp,
  hasSessionTmp,
  openSessionTmp,
  removeUnused,
  type SessionTmp,
  sessionTmp,
} from '../sandbox/session-tmp.ts';
import type { RunContext } from '../tool/define-tool.ts';
import type { OpenCwd, PreparedCommand } from './plan-command.ts';

/** `report`: where the writes of a sandboxed command are to be recorded. */
type LaunchOptions = { pty?: boolean; gate?: HostGate | undefined; report?: string | undefined };

export function launch(
  argv: readonly string[],
  prepared: PreparedCommand,
  { directory }: OpenCwd,
  context: RunContext,
  { pty = false, gate, report }: LaunchOptions = {},
): Launch {
  const { confinement, env, isReadOnly } = prepared;
  const { workspace, home, processes } = context;
  const root = workspace.root.real;
  const cwd = directory.at('.');
  const marker = processes().children.newMarker();
  const passedEnv = passedEnvironment(root, {
    added: context.environment,
    network: confinement.network && confinement.hosts === undefined,
  });
  const unasked = unaskedOf(prepared, context, passedEnv.places);
  const { tmp, variables } = tmpOf(prepared, context, unasked);
  const environment = { ...childEnvironment(root, marker, { ...passedEnv.env, ...env }), ...variables };
  const confined = confine(gate?.wrap(argv) ?? argv, {
    ...{ confinement, root, home, cwd, pty, unasked, tmp },
  });
  return {
    argv: report === undefined ? confined : traced(confined, { report, root }),
    cwd,
    // An unasked command was judged on the condition that git starts nothing that the repository names.
    env: isReadOnly ? { ...environment, ...safeGitEnvironment() } : environment,
    marker,
    limits: unasked && { ...context.limits, folder: tmp?.holder },
  };
}

type Tmp = { tmp: SessionTmp | undefined; variables: Record<string, string> };

/** The session's /tmp, created when the command may need it: a command that only reads leaves nothing there. */
function tmpOf(
  { confinement, isReadOnly }: PreparedCommand,
  { home, session, workspace, limits, later, closing }: RunContext,
  unasked: SandboxHold | undefined,
): Tmp {
  const owner = { home, session, root: workspace.root.real };
  if (confinement.sandbox === 'none') {
    const folder = isReadOnly ? undefined : bareTmp(owner);
    return { tmp: undefined, variables: folder === undefined ? {} : { TMPDIR: folder } };
  }
  if (isReadOnly && unasked !== undefined) {
    const tmp = hasSessionTmp(owner) ? sessionTmp(owner) : undefined;
    return { tmp, variables: scratchVariables({ confinement, tmp, unasked: 'reads' }) };
  }
  const tmp = openSessionTmp(owner, { mostBytes: limits.tmpBytes, later });
  if (tmp.isNew) later(removeUnused(home, closing));
  return { tmp, variables: scratchVariables({ confinement, tmp, unasked: unasked && 'works' }) };
}

/** Undefined for an asked command, and where there is no sandbox: there only a command that is proven to change nothing runs unasked. */
function unaskedOf(
  prepared: PreparedCommand,
  { isAsked, shows, limits, workspace }: RunContext,
  namedPlaces: readonly string[],
): SandboxHold | undefined {
  const { confinement, held, isReadOnly, usesGit, writesGit, leftOut, mustHold } = prepared;
  if ((isAsked && !mustHold) || confinement.sandbox === 'none') return undefined;
  if (held === undefined)
    throw new ToolError(
      'PERMISSION_DENIED',
      `The sandbox can't hold this command: ${confinement.unheld}. Ask for it with \`requires_approval\`.`,
    );
  const root = workspace.root.real;
  const { places, closed } = usesGit
    ? showTracked(held.places, workspace, isReadOnly)
    : { places: held.places, closed: [] };
  return {
    ...held,
    places: {
      ...places,
      hidden: [...new Set([...places.hidden, ...leftOut.map((path) => join(root, path))])],
    },
    closed,
    isReadOnly,
    writesGit,
    shows: [...shows, ...namedPlaces],
    mostTasks: threadsPerProcess * limits.processes,
  };
}

// The kernel counts threads, and a process has several, so its limit only stops what sampling would notice too late.
const threadsPerProcess = 8;
