// Starts the program of a language server: without a shell, in its own session, with a short environment, in the sandbox where there is
// one, and with limits of memory and processes.
import { ToolError } from '@codelab/protocol';
import { type FamilyLimits, limitFamily } from '../../process/family/limit-family.ts';
import type { ChildProgram, ChildPrograms } from '../../process/programs.ts';
import type { FoundServer } from './find-server.ts';

/** Prepares a program for its start, in the sandbox where there is one; throws when it must not be started. */
export type Hold = (program: {
  argv: readonly [string, ...string[]];
  /** Why the program must not be started without a sandbox; undefined when it may. */
  needsSandbox: string | undefined;
  mostTasks: number;
}) => Promise<{ argv: readonly string[]; env: Record<string, string> }>;

/** The program must not be started here, and trying again would not help. */
export class NotStarted extends Error {}

type Order = {
  root: string;
  hold: Hold;
  memoryBytes: number;
  programs: ChildPrograms;
  onBytes(stream: 'stdout' | 'stderr', bytes: Buffer): void;
  /** Called when the program exceeds its limit of memory or processes. */
  onExcess(reason: string): void;
};

const mostProcesses = 64;
const threadsPerProcess = 32;
const lookMs = 2000;

export async function launchServer(found: FoundServer, order: Order): Promise<ChildProgram> {
  const { root, memoryBytes, programs, onBytes, onExcess } = order;
  const { argv, env } = await sandboxed(found, order.hold);
  const programEnv = found.program.env ?? {};
  const program = await programs.start({ argv, cwd: root, env: { ...env, ...programEnv }, onBytes });
  const limits: FamilyLimits = {
    ...{ memoryBytes, processes: mostProcesses },
    ...{ cpuMs: Number.POSITIVE_INFINITY, tmpBytes: Number.POSITIVE_INFINITY },
  };
  const limiting = limitFamily(program, limits, (excess) => onExcess(excessText(excess, limits)), lookMs);
  void program.exited.then(() => limiting[Symbol.dispose]());
  return program;
}

async function sandboxed({ path, program, isNamed, server, language }: FoundServer, hold: Hold) {
  const [, ...args] = program.argv;
  const needsSandbox =
    program.runsProjectCode && !isNamed
      ? `${server} executes code of the project, and there is no sandbox to hold it (\`codelab doctor\` says why). To start it anyway, name it in lsp.servers.${language} of your own configuration.`
      : undefined;
  try {
    return await hold({ argv: [path, ...args], needsSandbox, mostTasks: threadsPerProcess * mostProcesses });
  } catch (error) {
    throw error instanceof ToolError ? new NotStarted(error.message) : error;
  }
}

function excessText(excess: keyof FamilyLimits, { memoryBytes }: FamilyLimits): string {
  return excess === 'memoryBytes'
    ? `It took more than ${Math.round(memoryBytes / 1024 / 1024)} MiB of memory (lsp.memory_mb in the configuration).`
    : `It took more than ${mostProcesses} processes.`;
}
