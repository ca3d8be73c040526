// Parses a shell line into the programs it would start and the files it would touch, from its text alone: every program is a part and
// judged by itself.
import { existsSync } from 'node:fs';
import { type CommandPart, type Phrases, phrase, phraseOf, ToolError, type Touch } from '@codelab/protocol';
import type { OwnTmp } from '../../workspace/own-tmp.ts';
import { isStateFolderError } from '../../workspace/state-folder.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkText } from './check-text.ts';
import { alwaysAsks, deniedLine, refuses, UnreadableLine } from './judgement.ts';
import type { LineState, ReplacedContent } from './line-state.ts';

export type LineReading = {
  parts: CommandPart[];
  touches: Touch[];
  /** Files below folders that are read whole: judged like the rest, but too many to show. */
  within: Touch[];
  /** The files of `within` that may hold secrets: hidden where the sandbox can hide them, otherwise judged like the rest. */
  secrets: Touch[];
  replaced: ReplacedContent[];
  /** Why a shell would reject the line; undefined when it would not. */
  torn?: ToolError;
};

export type LineContext = {
  workspace: Workspace;
  /** The folder the line would start in, relative to the workspace; `''` is the root. */
  cwd: string;
  /** The /tmp of the session, where commands are held in a sandbox. */
  tmp?: OwnTmp | undefined;
};

/** The shell grammar of a line. `/bin/sh` runs lines where it exists; elsewhere the shells of Windows would. */
export type ShellFlavour = 'posix' | 'cmd' | 'powershell';

const nothing = { touches: [], within: [], secrets: [], replaced: [] };

const flavourHere: ShellFlavour = existsSync('/bin/sh') ? 'posix' : 'cmd';

export async function readLine(
  line: string,
  context: LineContext,
  flavour: ShellFlavour = flavourHere,
): Promise<LineReading> {
  const fault = checkText(line);
  if (fault !== undefined) return refused(line, fault);
  if (flavour !== 'posix') return unread(line, flavour);
  // The parser is loaded here because only lines need it, so other tools start faster.
  const [{ forEachChild, parse }, { walkScript }] = await Promise.all([
    import('unbash'),
    import('./walk-script.ts'),
  ]);
  return await readInto(line, context, (state) => {
    const read = (source: string): void => walkScript(parse(source), { state, source, forEachChild });
    state.readScript = (text) => {
      const reason = checkText(text);
      if (reason !== undefined) throw deniedLine(reason);
      // A `cd` in another shell changes the folder of that shell only.
      const { cwds } = state;
      read(text);
      state.cwds = cwds;
      state.moved = undefined;
    };
    read(line);
  });
}

/** Parses into an empty state; an unreadable line becomes one part that never runs. */
async function readInto(
  text: string,
  { workspace, cwd, tmp }: LineContext,
  read: (state: LineState) => void,
): Promise<LineReading> {
  const start = cwd === '.' ? '' : cwd;
  const found = { parts: [], touches: [], within: [], secrets: [], replaced: [], gits: [] };
  const state: LineState = {
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
    read(state);
  } catch (error) {
    if (!(error instanceof ToolError) || isStateFolderError(error)) throw error;
    const isTorn = error.code === 'INVALID_ARGUMENTS';
    const reason = error instanceof UnreadableLine ? error.sentence : phraseOf(error.message);
    return { ...refused(text, reason), ...(isTorn && { torn: error }) };
  }
  if (state.gits.length > 0) {
    const { noteShownByGit } = await import('./git/shown-by-git.ts');
    await noteShownByGit(state);
  }
  const { parts, touches, within, secrets, replaced } = state;
  if (parts.length === 0) return refused(text, phrase('line.noCommand'));
  return { parts, touches, within, secrets, replaced };
}

// PowerShell and cmd are not parsed, so no rule about words matches the line, and a person is shown all of it.
function unread(text: string, flavour: ShellFlavour): LineReading {
  const reason = phrase('line.otherShell', { shell: flavour === 'cmd' ? 'cmd' : 'PowerShell' });
  return {
    parts: [{ text, words: [], isDynamic: true, ...alwaysAsks(reason, 'critical') }],
    ...nothing,
  };
}

function refused(text: string, reason: Phrases): LineReading {
  return { parts: [{ text, words: [], isDynamic: true, ...refuses(reason) }], ...nothing };
}

/** Parses one program, started without a shell: each word is literal. */
export async function readArgv(argv: readonly string[], context: LineContext): Promise<LineReading> {
  const text = argv.map(quote).join(' ');
  const fault = argv.map((word) => checkText(`${word} `)).find((problem) => problem !== undefined);
  if (fault !== undefined || argv.length === 0) return await readLine('\0', context);
  const [{ exactly }, { judgeWords }, { forEachChild, parse }, { walkScript }] = await Promise.all([
    import('./argument.ts'),
    import('./judge-words.ts'),
    import('unbash'),
    import('./walk-script.ts'),
  ]);
  return await readInto(text, context, (state) => {
    state.readScript = (source) => walkScript(parse(source), { state, source, forEachChild });
    judgeWords(argv.map(exactly), text, state);
  });
}

function quote(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
