// The commands that run here now in some sessions, besides the long-running processes.
import type { Host, RunningCommand } from '@codelab/runtime';

export function runningCommands({ commands, tools }: Host, sessions: ReadonlySet<string>): RunningCommand[] {
  // A call that only waits for the calls of a sub-agent is no command.
  return commands
    .list()
    .filter(({ call }) => sessions.has(call.session) && tools.get(call.tool)?.startsAgents !== true);
}
