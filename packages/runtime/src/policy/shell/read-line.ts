// What a shell line would start and touch, told from its text alone: every program in it is a part, judged by itself.
import { existsSync } from 'node:fs';
import { type CommandPart, type Phrases, phrase, phraseOf, ToolError, type Touch } from '@codelab/protocol';
import type { OwnTmp } from '../../workspace/own-tmp.ts';
import { isStateFolderError } from '../../workspace/state-folder.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkText } from './check-text.ts';
import { deniedLine, insists, refuses, UnreadableLine } from './judgement.ts';
import type { Scene } from './scene.ts';

export type LineReading = {
  parts: CommandPart[];
  touches: Touch[];
  /** What lies below folders that are read whole: judged like the rest, but too much to show. */
  within: Touch[];
  /** Of that, what may hold secrets: left out where the sandbox can, judged like the rest elsewhere. */
  secrets: Touch[];
  /** Why a shell would not take the line; undefined when it would. */
  torn?: ToolError;
};

export type LineContext = {
  workspace: Workspace;
  /** The folder it would start in, relative to the workspace; `''` is the root. */
  cwd: string;
  /** The /tmp of the session, where commands are held in a sandbox. */
  tmp?: OwnTmp | undefined;
};

/** Whose grammar a line is in. `/bin/sh` runs lines where there is one; elsewhere the shells of Windows would. */
export type ShellFlavour = 'posix' | 'cmd' | 'powershell';

const nothing = { touches: [], within: [], secrets: [] };

const flavourHere: ShellFlavour = existsSync('/bin/sh') ? 'posix' : 'cmd';

export async function readLine(
  line: string,
  where: LineContext,
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
      if (reason !== undefined) throw deniedLine(reason);
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
  { workspace, cwd, tmp }: LineContext,
  read: (scene: Scene) => void,
): Promise<LineReading> {
  const start = cwd === '.' ? '' : cwd;
  const found = { parts: [], touches: [], within: [], secrets: [], gits: [] };
  const scene: Scene = {
    workspace,
    tmp,
    cwds: [start],
    ...found,
    programs: 0,
    depth: 0,
    isFedNames: false,
    readScript: () => undefined,
  };
  try {
    read(scene);
  } catch (error) {
    if (!(error instanceof ToolError) || isStateFolderError(error)) throw error;
    const isTorn = error.code === 'INVALID_ARGUMENTS';
    const reason = error instanceof UnreadableLine ? error.sentence : phraseOf(error.message);
    return { ...refused(text, reason), ...(isTorn && { torn: error }) };
  }
  if (scene.gits.length > 0) {
    const { noteShownByGit } = await import('./git/shown-by-git.ts');
    await noteShownByGit(scene);
  }
  const { parts, touches, within, secrets } = scene;
  if (parts.length === 0) return refused(text, phrase('line.noCommand'));
  return { parts, touches, within, secrets };
}

// The grammars of PowerShell and cmd are not read here, so no rule about words fits the line: a person is shown all of it.
function unread(text: string, flavour: ShellFlavour): LineReading {
  const reason = phrase('line.otherShell', { shell: flavour === 'cmd' ? 'cmd' : 'PowerShell' });
  return {
    parts: [{ text, words: [], isDynamic: true, ...insists(reason, 'critical') }],
    ...nothing,
  };
}

function refused(text: string, reason: Phrases): LineReading {
  return { parts: [{ text, words: [], isDynamic: true, ...refuses(reason) }], ...nothing };
}

/** What one program with its arguments, started without a shell, would start and touch: each word is taken as it is. */
export async function readArgv(argv: readonly string[], where: LineContext): Promise<LineReading> {
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
