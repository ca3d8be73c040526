// Starts a planned supervised process and waits for its readiness. The process is ended when nobody can learn that it was started.
import { ToolError } from '@codelab/protocol';
import type { Supervised } from '../process/supervised/supervised.ts';
import { portAnswers, waitReady } from '../process/supervised/wait-ready.ts';
import { keepInUse, sessionTmp } from '../sandbox/session-tmp.ts';
import type { RunContext } from '../tool/define-tool.ts';
import { launch } from './launch.ts';
import { openCwd, type PreparedCommand } from './plan-command.ts';

type Input = {
  command: string;
  process_id: string;
  ready_pattern?: string | undefined;
  ready_port?: number | undefined;
  ready_timeout_ms: number;
  pty: boolean;
};

type Started = { pid: number; isRunning: boolean; isReady: boolean };

export async function runPersistent(
  input: Input,
  prepared: PreparedCommand & { isInterpreter: boolean },
  context: RunContext,
): Promise<Started> {
  const { ready_pattern: pattern, ready_port: port, ready_timeout_ms: withinMs } = input;
  if (port !== undefined && (await portAnswers(port)))
    throw new ToolError('INVALID_ARGUMENTS', `Another program already listens on port ${port}.`, {
      field: 'ready_port',
    });
  const started = await start(input, prepared, context);
  try {
    const isReady = await waitReady(started, { pattern, port, withinMs }, context.signal);
    return { pid: started.pid, isRunning: started.exit === undefined, isReady };
  } catch (error) {
    await started.end({ graceMs: context.limits.killGraceMs });
    throw error;
  }
}

async function start(
  { command, process_id: id, pty }: Input,
  prepared: PreparedCommand & { isInterpreter: boolean },
  context: RunContext,
): Promise<Supervised> {
  const { processes, session, limits, home, workspace } = context;
  using cwd = openCwd(prepared.cwd, context);
  const launched = launch(['/bin/sh', '-c', command], prepared, cwd, context, { pty });
  const { isInterpreter, confinement } = prepared;
  const inUse = keepInUse(sessionTmp({ home, session, root: workspace.root.real }));
  try {
    return await processes().start(
      { id, session, command, isInterpreter, confinement },
      { ...launched, keptBytes: limits.outputBytes, pty, onEnded: () => inUse[Symbol.dispose]() },
    );
  } catch (error) {
    inUse[Symbol.dispose]();
    throw error;
  }
}
