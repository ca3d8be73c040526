// The parts of a host for agents: their profiles, the agents at work in its sessions, and the tool that starts a sub-agent.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Conversation, Model } from '@codelab/agent';
import { phrase, ToolError } from '@codelab/protocol';
import {
  buildProfile,
  defineTool,
  type Host,
  mayStartAgent,
  type Profile,
  type ProfileSource,
  type Role,
  type Tool,
  unknownProfile,
} from '@codelab/runtime';
import * as z from 'zod/mini';
import type { Hooks } from '../config/hooks.ts';
import type { KnownProfile, LoadedProfiles, ProfilePlaces } from './load-profiles.ts';

/** The profiles of a workspace for the runtime. The default one costs two stats; the others are read when one is needed. */
export function profileSource(places: ProfilePlaces): ProfileSource {
  let loaded: Promise<LoadedProfiles> | undefined;
  let isPlain: boolean | undefined;
  async function load(): Promise<LoadedProfiles> {
    return (await import('./load-profiles.ts')).loadProfiles(places);
  }
  async function known(name: string): Promise<KnownProfile> {
    loaded ??= load();
    const profiles = await loaded;
    const profile = profiles.get(name);
    if (profile === undefined) throw unknownProfile(name, [...profiles.keys()]);
    if (profile instanceof ToolError) throw profile;
    return profile;
  }
  return {
    async find(name) {
      isPlain ??= isUntouched(places);
      return name === buildProfile.name && isPlain ? [buildProfile] : (await known(name)).holding;
    },
    role: async (name) => (await known(name)).role,
    async all() {
      loaded ??= load();
      return [...(await loaded).values()].flatMap((profile) =>
        profile instanceof ToolError ? [] : [profile.role],
      );
    },
  };
}

/** The same profiles, each of which sees only these tools; names and patterns as in a profile. Without a list they see all of theirs. */
export function narrowedTo(tools: readonly string[] | undefined, source: ProfileSource): ProfileSource {
  if (tools === undefined) return source;
  // An empty list in a profile is no limit.
  const held = tools.length === 0 ? ['-*'] : tools;
  return {
    ...source,
    // The added profile has the same name, so that rules about the profile apply as before.
    find: async (name) => [...(await source.find(name)), { ...buildProfile, name, tools: held }],
  };
}

/** Whether the default profile is unchanged. */
function isUntouched({ home, root }: ProfilePlaces): boolean {
  const folders = [join(home, 'agents'), join(root, '.codelab', 'agents')];
  return folders.every((folder) => !existsSync(join(folder, `${buildProfile.name}.md`)));
}

type RunningAgent = {
  agent: Agent;
  talk: Conversation;
  /** Opens a model for a profile that names one. */
  openModel(name?: string): Promise<Model>;
};

/** The agents at work in the sessions of a host: a call knows only its session, and may start a sub-agent. */
export type RunningAgents = {
  /** The hooks before and after their calls; undefined when there are none. */
  readonly hooks: Hooks | undefined;
  /** `id` is the call that started a sub-agent. */
  find(session: string, id?: string): RunningAgent | undefined;
  /** Registers an agent until the result is disposed of. */
  add(agent: RunningAgent): Disposable;
};

/** `config.hooks` is read when an agent starts to work. */
export function createRunningAgents(config: { readonly hooks: Hooks | undefined }): RunningAgents {
  const running = new Map<string, RunningAgent>();
  const keyOf = (session: string, id?: string): string => JSON.stringify([session, id ?? null]);
  return {
    get hooks() {
      return config.hooks;
    },
    find: (session, id) => running.get(keyOf(session, id)),
    add(agent) {
      const key = keyOf(agent.agent.log.session, agent.agent.id);
      running.set(key, agent);
      return {
        [Symbol.dispose]() {
          if (running.get(key) === agent) running.delete(key);
        },
      };
    },
  };
}

const maxObjective = 50_000;
const shownObjective = 500;

const Input = () =>
  z.strictObject({
    agent: z.string().check(z.minLength(1), z.maxLength(64)),
    objective: z.string().check(z.regex(/\S/), z.maxLength(maxObjective)),
  });
const Output = () => z.strictObject({ ok: z.boolean(), agent: z.string(), summary: z.string() });
type Data = z.infer<ReturnType<typeof Output>>;

/**
 * Delegates work to a sub-agent and returns its summary. The sub-agent's calls are judged and approved like any other; this call only waits
 * for them. `host` is created after its tools, `agents` when the first agent starts to work.
 */
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
    (role) => role.mode === 'subagent' && mayStartAgent(roles, role.name),
  );
  const matchingRole = may.find((role) => role.name === name);
  if (matchingRole !== undefined) return matchingRole;
  const names = may.map((role) => role.name).join(', ') || 'none';
  throw new ToolError(
    'INVALID_ARGUMENTS',
    `There is no sub-agent ${JSON.stringify(name)} that may be started here. There are: ${names}.`,
    { field: 'agent' },
  );
}
