// All skills there are, the user's own before those of the workspace; what can't be read is named with the reason.
import { ToolError } from '@codelab/protocol';
import { entriesOf } from '../workspace/tree.ts';
import { readSkill } from './load-skill.ts';
import { isSkillName, type Skill } from './skill.ts';
import { openSkillFolders, type SkillFolder, type SkillPlaces } from './skill-folder.ts';

const maxSkills = 200;

export type SkillList = { skills: Skill[]; problems: string[] };

/** `isDenied` says which are not even named. */
export function listSkills(
  places: SkillPlaces,
  isDenied: (path: string) => boolean = () => false,
): SkillList {
  const list: SkillList = { skills: [], problems: [] };
  const folders = openSkillFolders(places);
  try {
    for (const folder of folders)
      for (const name of attempt(list, () => namesIn(folder)) ?? [])
        if (folder.source === 'user' || !isDenied(folder.shown(`${name}/SKILL.md`)))
          addSkill(list, folder, name);
  } finally {
    for (const folder of folders) folder[Symbol.dispose]();
  }
  return list;
}

function addSkill(list: SkillList, folder: SkillFolder, name: string): void {
  const found = attempt(list, () => readSkill(folder, name));
  if (found === undefined) return;
  if (list.skills.some((skill) => skill.name === name))
    list.problems.push(`${found.skill.path} is not used: you have a skill of your own with that name.`);
  else if (list.skills.length < maxSkills) list.skills.push(found.skill);
}

function namesIn(folder: SkillFolder): string[] {
  using directory = folder.open('.');
  if (directory === undefined) return [];
  return entriesOf(directory)
    .map(({ name }) => name)
    .filter(isSkillName);
}

// One bad skill must not hide the others.
function attempt<T>({ problems }: SkillList, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (problems.length < maxSkills) problems.push(error.message);
    return undefined;
  }
}
