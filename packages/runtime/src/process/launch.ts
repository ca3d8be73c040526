// What a planned command is started with: its environment, its mark, and the sandbox around it.
import type { RunContext } from '../define-tool.ts';
import { safeGitEnvironment } from '../policy/shell/safe-git-environment.ts';
import { confine } from '../sandbox/confine.ts';
import { childEnvironment } from './child-environment.ts';
import type { OpenCwd } from './open-cwd.ts';
import type { PreparedCommand } from './plan-command.ts';
import type { Launch } from './spawn-child.ts';

export function launch(
  argv: readonly string[],
  { confinement, env, isReadOnly }: PreparedCommand,
  { directory }: OpenCwd,
  { workspace, home, processes }: RunContext,
  pty = false,
): Launch {
  const root = workspace.root.real;
  const cwd = directory.at('.');
  const marker = processes.children.newMarker();
  const own = childEnvironment(root, marker, env);
  return {
    argv: confine(argv, { confinement, root, home, cwd, pty }),
    cwd,
    // What runs unasked was judged on the condition that git starts nothing of the repository's choice.
    env: isReadOnly ? { ...own, ...safeGitEnvironment() } : own,
    marker,
  };
}
