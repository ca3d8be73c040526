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

/** A skill: a folder with a SKILL.md that says how something is done, kept by the user or coming with the workspace. */
export type Skill = {
  name: string;
  description: string;
  source: 'workspace' | 'user';
  /** Of its SKILL.md, in the workspace or in the user's own folder. */
  path: string;
};

export type LoadedSkill = Skill & { content: string; files: string[] };

const workspaceSkills = '.codelab/skills';

export function isSkillName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(name);
}

/** A place where skills are kept, opened under the same path rules as any file; nothing in it is reached through a link. */
type SkillPlaces = { workspace: Workspace; home: string };

export type SkillFolder = Disposable & {
  source: Skill['source'];
  /** How a path in it is named to others. */
  shown(path: string): string;
  /** Undefined when it is not there. */
  read(path: string, maxBytes: number): string | undefined;
  open(path: string): Directory | undefined;
};

/** The user's own first: what comes with a workspace never takes the place of it. */
function openSkillFolders({ workspace, home }: SkillPlaces): SkillFolder[] {
  const own = join(home, 'skills');
  const folders = [folderIn(workspace, 'workspace', workspaceSkills)];
  if (existsSync(own)) folders.unshift(folderIn(Workspace.open(own), 'user', '.'));
  return folders;
}

/** `base` is where it lies in the workspace; a user's own is closed with it. */
export function folderIn(workspace: Workspace, source: Skill['source'], base: string): SkillFolder {
  const within = (path: string): string => (base === '.' ? path : `${base}/${path}`);
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
    shown: within,
    read(path, maxBytes) {
      using place = find(within(path));
      if (place.stat === undefined) return undefined;
      using file = openRegular(place);
      if (file.stat.size > maxBytes) throw tooLarge(within(path), Number(file.stat.size), maxBytes);
      return decodeText(readWhole(file, within(path)), within(path)).text;
    },
    open(path) {
      using place = find(path === '.' ? base : within(path));
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

/** All skills there are, the user's own before those of the workspace; what can't be read is named with the reason. */
const maxSkills = 200;

type SkillList = { skills: Skill[]; problems: string[] };

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

/** A skill by its name, with its text and what lies beside it. */
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
function readSkill(folder: SkillFolder, name: string): { skill: Skill; text: string } | undefined {
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
