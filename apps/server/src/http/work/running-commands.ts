// The commands that run here now in some sessions, besides the long-running processes.
import type { Host, UnderWay } from '@codelab/runtime';

export function runningCommands({ underWay, tools }: Host, own: ReadonlySet<string>): UnderWay[] {
  // A call that only waits for the calls of a sub-agent is no command.
  return underWay
    .list()
    .filter(({ call }) => own.has(call.session) && tools.get(call.tool)?.startsAgents !== true);
}
