// A skill: a folder with a SKILL.md that says how something is done, kept by the user or coming with the workspace.

export type Skill = {
  name: string;
  description: string;
  source: 'workspace' | 'user';
  /** Of its SKILL.md, in the workspace or in the user's own folder. */
  path: string;
};

export type LoadedSkill = Skill & { content: string; files: string[] };

export const workspaceSkills = '.codelab/skills';

export function isSkillName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(name);
}
