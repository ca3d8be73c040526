// What a shell line would start and touch, told from its text alone: every program in it is a part, judged by itself.
import { existsSync } from 'node:fs';
import { type CommandPart, ToolError, type Touch } from '@codelab/protocol';
import { isStateFolderError } from '../../workspace/state-folder.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkText } from './check-text.ts';
import { insists, refuses } from './finding.ts';
import type { Scene } from './scene.ts';

export type LineReading = {
  parts: CommandPart[];
  touches: Touch[];
  /** What lies below folders that are read whole: judged like the rest, but too much to show. */
  within: Touch[];
};

export type Where = {
  workspace: Workspace;
  /** The folder it would start in, relative to the workspace; `''` is the root. */
  cwd: string;
};

/** Whose grammar a line is in. `/bin/sh` runs lines where there is one; elsewhere the shells of Windows would. */
export type ShellFlavour = 'posix' | 'cmd' | 'powershell';

const flavourHere: ShellFlavour = existsSync('/bin/sh') ? 'posix' : 'cmd';

export async function readLine(
  line: string,
  where: Where,
  flavour: ShellFlavour = flavourHere,
): Promise<LineReading> {
  const fault = checkText(line);
  if (fault !== undefined) return refused(line, fault);
  if (flavour !== 'posix') return unread(line, flavour);
  // Only lines need a grammar: other tools start without it.
  const [{ forEachChild, parse }, { walkScript }] = await Promise.all([
    import('unbash'),
    import('./walk-script.ts'),
  ]);
  return await readInto(line, where, (scene) => {
    const read = (source: string): void => walkScript(parse(source), { scene, source, forEachChild });
    scene.readScript = (text) => {
      const reason = checkText(text);
      if (reason !== undefined) throw new ToolError('COMMAND_NOT_ALLOWED', reason);
      // Another shell moves only itself.
      const { cwds } = scene;
      read(text);
      scene.cwds = cwds;
      scene.moved = undefined;
    };
    read(line);
  });
}

/** Reads into an empty scene; what turns out to be unreadable is one part that never runs. */
async function readInto(
  text: string,
  { workspace, cwd }: Where,
  read: (scene: Scene) => void,
): Promise<LineReading> {
  const start = cwd === '.' ? '' : cwd;
  const found = { parts: [], touches: [], within: [], gits: [] };
  const scene: Scene = {
    workspace,
    cwds: [start],
    ...found,
    programs: 0,
    depth: 0,
    readScript: () => undefined,
  };
  try {
    read(scene);
  } catch (error) {
    if (!(error instanceof ToolError) || isStateFolderError(error)) throw error;
    return refused(text, error.message);
  }
  if (scene.gits.length > 0) {
    const { noteShownByGit } = await import('./shown-by-git.ts');
    await noteShownByGit(scene);
  }
  const { parts, touches, within } = scene;
  return parts.length === 0 ? refused(text, 'There is no command in this line.') : { parts, touches, within };
}

// Their grammars are not read here, so nothing is proven about the line and no rule about its words fits: a human sees all of it.
function unread(text: string, flavour: ShellFlavour): LineReading {
  const reason = `A line for ${flavour === 'cmd' ? 'cmd' : 'PowerShell'} is not read; it may do anything.`;
  return {
    parts: [{ text, words: [], isDynamic: true, ...insists(reason, 'critical') }],
    touches: [],
    within: [],
  };
}

function refused(text: string, reason: string): LineReading {
  return { parts: [{ text, words: [], isDynamic: true, ...refuses(reason) }], touches: [], within: [] };
}

/** What one program with its arguments, started without a shell, would start and touch: each word is taken as it is. */
export async function readArgv(argv: readonly string[], where: Where): Promise<LineReading> {
  const text = argv.map(quote).join(' ');
  const fault = argv.map((word) => checkText(`${word} `)).find((one) => one !== undefined);
  if (fault !== undefined || argv.length === 0) return await readLine('\0', where);
  const [{ exactly }, { judgeWords }, { forEachChild, parse }, { walkScript }] = await Promise.all([
    import('./argument.ts'),
    import('./judge-words.ts'),
    import('unbash'),
    import('./walk-script.ts'),
  ]);
  return await readInto(text, where, (scene) => {
    scene.readScript = (source) => walkScript(parse(source), { scene, source, forEachChild });
    judgeWords(argv.map(exactly), text, scene);
  });
}

function quote(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
