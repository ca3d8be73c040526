// A place where skills are kept, opened under the same path rules as any file; nothing in it is reached through a link.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import type { Directory } from '../workspace/directory.ts';
import { guarded } from '../workspace/fault.ts';
import { openRegular, readWhole, tooLarge } from '../workspace/read-bytes.ts';
import { decodeText } from '../workspace/text-files.ts';
import { Workspace } from '../workspace/workspace.ts';
import { type Skill, workspaceSkills } from './skill.ts';

export type SkillPlaces = { workspace: Workspace; home: string };

export type SkillFolder = Disposable & {
  source: Skill['source'];
  /** How a path in it is named to others. */
  shown(path: string): string;
  /** Undefined when it is not there. */
  read(path: string, maxBytes: number): string | undefined;
  open(path: string): Directory | undefined;
};

/** The user's own first: what comes with a workspace never takes the place of it. */
export function openSkillFolders({ workspace, home }: SkillPlaces): SkillFolder[] {
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
