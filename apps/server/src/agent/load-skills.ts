// The skills an agent is told of: all that no rule denies. Being told of one needs no approval; loading it is a call like any other.

import { ToolError } from '@codelab/protocol';
import { createRegistry, type Host, listSkills, type Skill } from '@codelab/runtime';

type Asking = { session: string; profile: string };

export async function availableSkills(host: Host, { session, profile }: Asking): Promise<Skill[]> {
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
