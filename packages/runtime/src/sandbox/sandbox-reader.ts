// Runs a program that only reads the workspace, such as a language server, in the sandbox: the workspace is read-only without its
// secrets, home and /tmp are private and end with the program, and there is no network.
import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { passedEnvironment } from '../process/passed-environment.ts';
import type { SandboxChoice } from '../tool/define-tool.ts';
import { isWithin, userHomes } from '../workspace/state-folder.ts';
import { confine, confinementOf } from './confine.ts';
import { findHold, type SandboxHold } from './sandbox-hold.ts';
import { scratchVariables } from './scratch-variables.ts';

export type SandboxedReader = {
  /** The absolute path of the program, and its arguments. */
  argv: readonly [string, ...string[]];
  /** Why the program must not be started without a sandbox; undefined when it may. */
  needsSandbox: string | undefined;
  mostTasks: number;
};

export type ReaderPlace = {
  root: string;
  home: string;
  sandbox: SandboxChoice;
  /** More folders that the program may read. */
  shows: readonly string[];
  /** Names of variables that the program gets besides the usual ones. */
  environment: readonly string[];
};

export type SandboxedCommand = { argv: readonly string[]; env: Record<string, string> };

/** Throws PERMISSION_DENIED where the program must not be started. */
export async function sandboxReader(program: SandboxedReader, place: ReaderPlace): Promise<SandboxedCommand> {
  const { root, home, environment, sandbox } = place;
  const { argv, needsSandbox, mostTasks } = program;
  const passedEnv = passedEnvironment(root, { added: environment, network: false });
  const confinement = confinementOf(false, sandbox);
  if (confinement.sandbox === 'none') {
    if (needsSandbox !== undefined) throw refused(needsSandbox);
    return { argv, env: passedEnv.env };
  }
  const hold = await findHold(root);
  if ('tooMany' in hold) throw refused(`The sandbox can't hold it: ${hold.tooMany}.`);
  const unasked: SandboxHold = {
    ...hold,
    isReadOnly: true,
    writesGit: false,
    closed: [],
    shows: [...place.shows, ...passedEnv.places, ...placesOf(argv[0], root)],
    mostTasks,
  };
  return {
    argv: confine(argv, { confinement, root, home, cwd: root, unasked }),
    env: { ...passedEnv.env, ...scratchVariables({ confinement, tmp: undefined, unasked: 'works' }) },
  };
}

function refused(text: string): ToolError {
  return new ToolError('PERMISSION_DENIED', text, { rule: 'needs-sandbox' });
}

/**
 * Where the rest of a program is: its folder of npm packages, or the folder above its own. Never a home, or a folder that contains one.
 */
function placesOf(path: string, root: string): string[] {
  const real = realpathSync(path);
  const packages = /^.*?\/node_modules(?=\/)/.exec(real)?.[0];
  const folder = dirname(real);
  const packageFolder = packages ?? (basename(folder) === 'bin' ? dirname(folder) : folder);
  return [dirname(path), packageFolder].filter(
    (folder) => folder !== '/' && ![root, ...userHomes()].some((hidden) => isWithin(hidden, folder)),
  );
}
