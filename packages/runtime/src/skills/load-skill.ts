// A skill by its name, with its text and what lies beside it.
import { ToolError, visibleLine } from '@codelab/protocol';
import { readFrontMatter } from '../front-matter/read-front-matter.ts';
import { guarded } from '../workspace/fault.ts';
import { listTree } from '../workspace/list-tree.ts';
import { isSkillName, type LoadedSkill, type Skill } from './skill.ts';
import { openSkillFolders, type SkillFolder, type SkillPlaces } from './skill-folder.ts';

const maxBytes = 100 * 1024;
const maxDescription = 1024;
const maxFiles = 100;

export function loadSkill(places: SkillPlaces, name: string, signal: AbortSignal): LoadedSkill {
  if (!isSkillName(name)) throw notThere(name);
  const folders = openSkillFolders(places);
  try {
    for (const folder of folders) {
      const found = readSkill(folder, name);
      if (found !== undefined)
        return { ...found.skill, content: found.text, files: filesOf(folder, name, signal) };
    }
  } finally {
    for (const folder of folders) folder[Symbol.dispose]();
  }
  throw notThere(name);
}

/** Undefined when the folder has no such skill; one that can't be read is an error that says why. */
export function readSkill(folder: SkillFolder, name: string): { skill: Skill; text: string } | undefined {
  const path = `${name}/SKILL.md`;
  const text = folder.read(path, maxBytes);
  if (text === undefined) return undefined;
  const file = folder.shown(path);
  const { fields } = readFrontMatter(text, file);
  const said = fields.get('name');
  if (said?.value !== name)
    throw new ToolError(
      'INVALID_FORMAT',
      `${file}:${said?.line ?? 1} must have the name of its folder: \`name: ${name}\`.`,
    );
  const about = fields.get('description');
  if (typeof about?.value !== 'string' || about.value.trim() === '')
    throw new ToolError(
      'INVALID_FORMAT',
      `${file}:${about?.line ?? 1} needs a \`description\` that says when to use it.`,
    );
  const description = visibleLine(about.value.trim().replace(/\s+/g, ' ')).slice(0, maxDescription);
  return { skill: { name, description, source: folder.source, path: file }, text };
}

function filesOf(folder: SkillFolder, name: string, signal: AbortSignal): string[] {
  using directory = folder.open(name);
  if (directory === undefined) return [];
  const wanted = (path: string): boolean => path !== 'SKILL.md';
  const options = { prefix: '', recursive: true, includeHidden: false, wanted, maxEntries: maxFiles, signal };
  const { entries } = guarded(folder.shown(name), () => listTree(directory, options));
  return entries
    .filter(({ type }) => type === 'file')
    .map(({ path }) => visibleLine(folder.shown(`${name}/${path}`)));
}

function notThere(name: string): ToolError {
  return new ToolError(
    'FILE_NOT_FOUND',
    `There is no skill ${JSON.stringify(name.slice(0, 100))}. List the skills to see which there are.`,
  );
}
