// A profile in the form that an agent gets: its prompt, followed by the sub-agents it may start and the skills it may load.
import type { AgentProfile } from '@codelab/agent';
import { ToolError } from '@codelab/protocol';
import {
  createRegistry,
  defaultProfile,
  type Host,
  listSkills,
  mayStartAgent,
  type Profile,
  type Skill,
  showsTool,
} from '@codelab/runtime';

const maxListed = 8000;

export async function agentProfile(
  host: Host,
  session: string,
  name = defaultProfile,
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
    (role) => role.mode === 'subagent' && mayStartAgent(roles, role.name),
  );
  return boundedList(
    'Sub-agents you can hand work to:',
    may.map((role) => `- ${role.name}: ${role.summary}`),
  );
}

async function skills(host: Host, session: string, name: string, roles: readonly Profile[]): Promise<string> {
  const tool = host.tools.get('skill');
  if (tool === undefined || !showsTool(roles, tool)) return '';
  const skills = await availableSkills(host, { session, profile: name });
  return boundedList(
    'Skills, which say how something is done here; load one when the work calls for it:',
    skills.map((skill) => `- ${skill.name}: ${skill.description}`),
  );
}

function boundedList(title: string, lines: readonly string[]): string {
  const fitting: string[] = [];
  let remaining = maxListed;
  for (const line of lines) {
    remaining -= line.length;
    if (remaining < 0) break;
    fitting.push(line);
  }
  return fitting.length === 0 ? '' : [title, ...fitting].join('\n');
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
