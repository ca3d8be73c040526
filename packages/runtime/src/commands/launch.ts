// What a planned command is started with: its environment, its mark, and the sandbox around it.
import { ToolError } from '@codelab/protocol';
import { safeGitEnvironment } from '../policy/shell/safe-git-environment.ts';
import { childEnvironment } from '../process/child-environment.ts';
import type { Launch } from '../process/spawn-child.ts';
import { confine } from '../sandbox/confine.ts';
import { spareTracked } from '../sandbox/spare-tracked.ts';
import type { Unasked } from '../sandbox/unasked.ts';
import type { RunContext } from '../tool/define-tool.ts';
import type { OpenCwd, PreparedCommand } from './plan-command.ts';

export function launch(
  argv: readonly string[],
  prepared: PreparedCommand,
  { directory }: OpenCwd,
  context: RunContext,
  pty = false,
): Launch {
  const { confinement, env, isReadOnly } = prepared;
  const { workspace, home, processes } = context;
  const root = workspace.root.real;
  const cwd = directory.at('.');
  const marker = processes.children.newMarker();
  const unasked = unaskedOf(prepared, context);
  const own = childEnvironment(root, marker, env);
  return {
    argv: confine(argv, { confinement, root, home, cwd, pty, unasked }),
    cwd,
    // What runs unasked was judged on the condition that git starts nothing of the repository's choice.
    env: isReadOnly ? { ...own, ...safeGitEnvironment() } : own,
    marker,
    most: unasked && context.limits,
  };
}

/** Undefined for what was asked about, and where there is no sandbox: there only what is proven to change nothing runs unasked. */
function unaskedOf(
  prepared: PreparedCommand,
  { isAsked, shows, limits, workspace }: RunContext,
): Unasked | undefined {
  const { confinement, held, isReadOnly, usesGit, writesGit } = prepared;
  if (isAsked || confinement.sandbox === 'none') return undefined;
  if (held === undefined)
    throw new ToolError(
      'PERMISSION_DENIED',
      `The sandbox can't hold this command: ${confinement.unheld}. Ask for it with \`requires_approval\`.`,
    );
  const { places, closed } = usesGit
    ? spareTracked(held.places, workspace, isReadOnly)
    : { places: held.places, closed: [] };
  return {
    ...held,
    places,
    closed,
    isReadOnly,
    writesGit,
    shows,
    mostTasks: threadsPerProcess * limits.processes,
  };
}

// The kernel counts threads; processes have several, so its limit is only for what nobody would look at in time.
const threadsPerProcess = 8;
