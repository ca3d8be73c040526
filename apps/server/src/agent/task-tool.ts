// Hands a piece of work to a sub-agent and returns its summary. The calls of the sub-agent are judged and asked about like any other; this call only
// waits for them.

import { phrase, ToolError } from '@codelab/protocol';
import { defineTool, type Host, mayStartAgent, type Profile, type Role, type Tool } from '@codelab/runtime';
import * as z from 'zod/mini';
import type { RunningAgents } from './running-agents.ts';

const maxObjective = 50_000;
const shownObjective = 500;

const Input = () =>
  z.strictObject({
    agent: z.string().check(z.minLength(1), z.maxLength(64)),
    objective: z.string().check(z.regex(/\S/), z.maxLength(maxObjective)),
  });
const Output = () => z.strictObject({ ok: z.boolean(), agent: z.string(), summary: z.string() });
type Data = z.infer<ReturnType<typeof Output>>;

/** `host` is created after its tools, `agents` when the first agent begins to work. */
export function createTaskTool(host: () => Host, agents: () => RunningAgents): Tool {
  return defineTool<z.infer<ReturnType<typeof Input>>, Data, Role>({
    name: 'task',
    kind: 'think',
    startsAgents: true,
    summary:
      'Hand a piece of work to a sub-agent by its name. It sees nothing of this conversation: say all it needs in the objective. You get its summary.',
    input: Input,
    output: Output,

    async plan({ agent, objective }, { roles }) {
      const role = await findSubAgent(host(), agent, roles);
      const plan = {
        summary: phrase('plan.subAgent', { agent }),
        risk: 'low' as const,
        riskReason: phrase('risk.subAgent'),
        touches: [],
        notes: [objective.slice(0, shownObjective)],
        basis: [],
      };
      // The start is recorded, so that the sub-agent is never started a second time after a crash.
      return { plan, intents: [], isUnforeseeable: true, prepared: role };
    },

    async run({ objective }, role, context) {
      const { runSubAgent } = await import('./run-sub-agent.ts');
      return {
        data: await runSubAgent({ host: host(), agents: agents() }, { role, objective }, context),
        effects: [],
      };
    },

    tell: ({ agent, summary, ok }) => (ok ? summary : `${agent} did not finish. ${summary}`),
  });
}

async function findSubAgent({ profiles }: Host, name: string, roles: readonly Profile[]): Promise<Role> {
  const may = (await profiles.all()).filter(
    (one) => one.mode === 'subagent' && mayStartAgent(roles, one.name),
  );
  const found = may.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = may.map((one) => one.name).join(', ') || 'none';
  throw new ToolError(
    'INVALID_ARGUMENTS',
    `There is no sub-agent ${JSON.stringify(name)} that may be started here. There are: ${names}.`,
    { field: 'agent' },
  );
}
