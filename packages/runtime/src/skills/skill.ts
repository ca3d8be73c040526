// Skills: folders with a SKILL.md, found in the workspace and in the home, listed by name and loaded whole.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError, visibleLine } from '@codelab/protocol';
import type { Directory } from '../workspace/directory.ts';
import { guarded } from '../workspace/fault.ts';
import { openRegular, readWhole, tooLarge } from '../workspace/read-bytes.ts';
import { decodeText } from '../workspace/text-files.ts';
import { listTree } from '../workspace/trees/list-tree.ts';
import { entriesOf } from '../workspace/trees/tree.ts';
import { Workspace } from '../workspace/workspace.ts';
import { readFrontMatter } from './front-matter.ts';

/** A skill: a folder with a SKILL.md that says how something is done, from the user or from the workspace. */
export type Skill = {
  name: string;
  description: string;
  source: 'workspace' | 'user';
  /** Path of the SKILL.md, in the workspace or in the user's folder. */
  path: string;
};

export type LoadedSkill = Skill & { content: string; files: string[] };

const workspaceSkills = '.codelab/skills';

export function isSkillName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(name);
}

/** Folders of skills, opened under the same path rules as any file; nothing in them is reached through a link. */
type SkillPlaces = { workspace: Workspace; home: string };

export type SkillFolder = Disposable & {
  source: Skill['source'];
  /** The path as messages show it. */
  shown(path: string): string;
  /** Undefined when the file does not exist. */
  read(path: string, maxBytes: number): string | undefined;
  open(path: string): Directory | undefined;
};

/** The user's skills come first: a workspace's skill never replaces one of the user. */
function openSkillFolders({ workspace, home }: SkillPlaces): SkillFolder[] {
  const userSkills = join(home, 'skills');
  const folders = [folderIn(workspace, 'workspace', workspaceSkills)];
  if (existsSync(userSkills)) folders.unshift(folderIn(Workspace.open(userSkills), 'user', '.'));
  return folders;
}

/** `base` is the folder in the workspace; a folder of the user is closed with it. */
export function folderIn(workspace: Workspace, source: Skill['source'], base: string): SkillFolder {
  const inSkill = (path: string): string => (base === '.' ? path : `${base}/${path}`);
  const find = (path: string) => {
    const place = workspace.locate(path, { followLast: false, access: 'read', pathChars: 4096 });
    if (place.links.length === 0 && !place.stat?.isSymbolicLink()) return place;
    place[Symbol.dispose]();
    throw new ToolError('INVALID_PATH', `${path} is reached through a symbolic link; skills are not.`, {
      reason: 'symlink',
    });
  };
  return {
    source,
    shown: inSkill,
    read(path, maxBytes) {
      using place = find(inSkill(path));
      if (place.stat === undefined) return undefined;
      using file = openRegular(place);
      if (file.stat.size > maxBytes) throw tooLarge(inSkill(path), Number(file.stat.size), maxBytes);
      return decodeText(readWhole(file, inSkill(path)), inSkill(path)).text;
    },
    open(path) {
      using place = find(path === '.' ? base : inSkill(path));
      if (!place.stat?.isDirectory()) return undefined;
      return guarded(place.asked, () =>
        place.name === '.' ? place.parent.again() : place.parent.openBelow(place.name),
      );
    },
    [Symbol.dispose]() {
      if (source === 'user') workspace[Symbol.dispose]();
    },
  };
}

/** All skills, the user's before those of the workspace; a skill that cannot be read is listed with the reason. */
const maxSkills = 200;

type SkillList = { skills: Skill[]; problems: string[] };

/** `isDenied` decides which skills are not even listed. */
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

// A bad skill must not hide the others.
function attempt<T>({ problems }: SkillList, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (problems.length < maxSkills) problems.push(error.message);
    return undefined;
  }
}

/** A skill by name, with its text and the files beside it. */
const maxBytes = 100 * 1024;
const maxDescription = 1024;
const maxFiles = 100;

export function loadSkill(places: SkillPlaces, name: string, signal: AbortSignal): LoadedSkill {
  if (!isSkillName(name)) throw notThere(name);
  const folders = openSkillFolders(places);
  try {
    for (const folder of folders) {
      const skill = readSkill(folder, name);
      if (skill !== undefined)
        return { ...skill.skill, content: skill.text, files: filesOf(folder, name, signal) };
    }
  } finally {
    for (const folder of folders) folder[Symbol.dispose]();
  }
  throw notThere(name);
}

/** Undefined when the folder has no such skill; throws when the skill cannot be read. */
function readSkill(folder: SkillFolder, name: string): { skill: Skill; text: string } | undefined {
  const path = `${name}/SKILL.md`;
  const text = folder.read(path, maxBytes);
  if (text === undefined) return undefined;
  const file = folder.shown(path);
  const { fields } = readFrontMatter(text, file);
  const declaredName = fields.get('name');
  if (declaredName?.value !== name)
    throw new ToolError(
      'INVALID_FORMAT',
      `${file}:${declaredName?.line ?? 1} must have the name of its folder: \`name: ${name}\`.`,
    );
  const descriptionField = fields.get('description');
  if (typeof descriptionField?.value !== 'string' || descriptionField.value.trim() === '')
    throw new ToolError(
      'INVALID_FORMAT',
      `${file}:${descriptionField?.line ?? 1} needs a \`description\` that says when to use it.`,
    );
  const description = visibleLine(descriptionField.value.trim().replace(/\s+/g, ' ')).slice(
    0,
    maxDescription,
  );
  return { skill: { name, description, source: folder.source, path: file }, text };
}

function filesOf(folder: SkillFolder, name: string, signal: AbortSignal): string[] {
  using directory = folder.open(name);
  if (directory === undefined) return [];
  const isListed = (path: string): boolean => path !== 'SKILL.md';
  const options = {
    prefix: '',
    recursive: true,
    includeHidden: false,
    wanted: isListed,
    maxEntries: maxFiles,
    signal,
  };
  const { entries } = guarded(folder.shown(name), () => listTree(directory, options));
  return entries
    .filter(({ type }) => type === 'file')
    .map(({ path }) => visibleLine(folder.shown(`${name}/${path}`)));
}

function notThere(name: string): ToolError {
  return new ToolError(
    'FILE_NOT_FOUND',
    `There is no skill ${JSON.stringify(name.slice(0, 100))}. List the skills to see them.`,
  );
}
