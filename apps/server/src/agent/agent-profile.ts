// A profile as an agent is given it: its prompt, followed by the sub-agents it may start and the skills it may load.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentProfile } from '@codelab/agent';
import { ToolError } from '@codelab/protocol';
import {
  buildProfile,
  createRegistry,
  defaultProfile,
  type Host,
  listSkills,
  mayStartAgent,
  type Profile,
  type ProfileSource,
  type Skill,
  showsTool,
  unknownProfile,
} from '@codelab/runtime';
import type { KnownProfile, LoadedProfiles, ProfilePlaces } from './load-profiles.ts';

const maxListed = 8000;

export async function agentProfile(
  host: Host,
  session: string,
  name: string = defaultProfile,
): Promise<AgentProfile> {
  const { prompt, model, steps } = await host.profiles.role(name);
  const roles = await host.profiles.find(name);
  const parts = [prompt, await subAgents(host, roles), await skills(host, session, name, roles)];
  return {
    name,
    prompt: parts.filter((part) => part !== '').join('\n\n'),
    ...(model !== undefined && { model }),
    ...(steps !== undefined && { steps }),
  };
}

async function subAgents(host: Host, roles: readonly Profile[]): Promise<string> {
  if (![...host.tools.values()].some((tool) => tool.startsAgents && showsTool(roles, tool))) return '';
  const may = (await host.profiles.all()).filter(
    (one) => one.mode === 'subagent' && mayStartAgent(roles, one.name),
  );
  return listed(
    'Sub-agents you can hand work to:',
    may.map((one) => `- ${one.name}: ${one.summary}`),
  );
}

async function skills(
  host: Host,
  session: string,
  profile: string,
  roles: readonly Profile[],
): Promise<string> {
  const tool = host.tools.get('skill');
  if (tool === undefined || !showsTool(roles, tool)) return '';
  const found = await availableSkills(host, { session, profile });
  return listed(
    'Skills, which say how something is done here; load one when the work calls for it:',
    found.map((one) => `- ${one.name}: ${one.description}`),
  );
}

function listed(title: string, lines: readonly string[]): string {
  const shown: string[] = [];
  let room = maxListed;
  for (const line of lines) {
    room -= line.length;
    if (room < 0) break;
    shown.push(line);
  }
  return shown.length === 0 ? '' : [title, ...shown].join('\n');
}

/** The skills an agent is offered: all that no rule denies. Being offered one needs no approval; loading it is a call like any other. */
export async function availableSkills(
  host: Host,
  { session, profile }: { session: string; profile: string },
): Promise<Skill[]> {
  const { skills } = listSkills(host);
  if (skills.length === 0) return [];
  const registry = await createRegistry(host, { session, profile, dialect: 'codelab' });
  const allowed: Skill[] = [];
  for (const skill of skills)
    if (await isLoadable(() => registry.approvalRequest('skill', { action: 'load', name: skill.name })))
      allowed.push(skill);
  return allowed;
}

async function isLoadable(judge: () => Promise<{ verdict: { verdict: string } }>): Promise<boolean> {
  try {
    return (await judge()).verdict.verdict !== 'deny';
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

// The profiles of a workspace for the runtime. The default one costs two stats; the others are read when one is needed.
export function profileSource(places: ProfilePlaces): ProfileSource {
  let loaded: Promise<LoadedProfiles> | undefined;
  let isPlain: boolean | undefined;
  async function load(): Promise<LoadedProfiles> {
    return (await import('./load-profiles.ts')).loadProfiles(places);
  }
  async function known(name: string): Promise<KnownProfile> {
    loaded ??= load();
    const all = await loaded;
    const found = all.get(name);
    if (found === undefined) throw unknownProfile(name, [...all.keys()]);
    if (found instanceof ToolError) throw found;
    return found;
  }
  return {
    async find(name) {
      isPlain ??= isUntouched(places);
      return name === buildProfile.name && isPlain ? [buildProfile] : (await known(name)).holding;
    },
    role: async (name) => (await known(name)).role,
    async all() {
      loaded ??= load();
      return [...(await loaded).values()].flatMap((one) => (one instanceof ToolError ? [] : [one.role]));
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

/** Whether nobody has replaced the default profile. */
function isUntouched({ home, root }: ProfilePlaces): boolean {
  const folders = [join(home, 'agents'), join(root, '.codelab', 'agents')];
  return folders.every((folder) => !existsSync(join(folder, `${buildProfile.name}.md`)));
}
