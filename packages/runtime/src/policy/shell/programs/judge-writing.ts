// Judges programs that change files: each file is checked like any other change to the workspace.
import { type Access, type Phrase, phrase } from '@codelab/protocol';
import type { RedirectOperator } from 'unbash';
import { findInTmp } from '../../../workspace/own-tmp.ts';
import { type Argument, exactly } from '../argument.ts';
import { allows, alwaysAsks, asks, asksUnlessHeld, type Judgement, strictest } from '../judgement.ts';
import type { LineState } from '../line-state.ts';
import { expandGlobs } from '../places/expand-globs.ts';
import { refuseHoldingState } from '../places/resolve-place.ts';
import { noteReplaced, touchPlace } from '../places/touch-places.ts';

type Writer = {
  access: Access;
  reason: Phrase;
  /** The first word of the program is a mode, an owner or a group, not a file. */
  hasMode?: boolean;
  /** The access to all but the last of several files. */
  sources?: Access;
  /** The file's content stays: only its dates, its permissions or text after its end change. */
  keepsContent?: RegExp;
};

const always = /^/;

export const writingPrograms: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['rm', { access: 'delete', reason: phrase('files.deletes') }],
  ['rmdir', { access: 'delete', reason: phrase('files.deletesFolders'), keepsContent: always }],
  ['unlink', { access: 'delete', reason: phrase('files.deletesOne') }],
  ['mv', { access: 'write', reason: phrase('files.moves'), sources: 'delete' }],
  ['cp', { access: 'write', reason: phrase('files.copies'), sources: 'read' }],
  ['ln', { access: 'write', reason: phrase('files.links'), sources: 'read' }],
  ['touch', { access: 'write', reason: phrase('files.touches'), keepsContent: always }],
  ['mkdir', { access: 'create', reason: phrase('files.createsFolders'), keepsContent: always }],
  ['tee', { access: 'write', reason: phrase('files.writes'), keepsContent: /^(-[a-z]*a|--append$)/ }],
  ['truncate', { access: 'write', reason: phrase('files.truncates') }],
  ['chmod', { access: 'write', reason: phrase('files.permissions'), hasMode: true, keepsContent: always }],
  ['chown', { access: 'write', reason: phrase('files.owner'), hasMode: true, keepsContent: always }],
  ['chgrp', { access: 'write', reason: phrase('files.owner'), hasMode: true, keepsContent: always }],
]);

export function judgeWriting(
  name: string,
  args: readonly Argument[],
  writer: Writer,
  state: LineState,
): Judgement {
  const isRecursive = args.some(({ value }) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(value));
  const words = expandGlobs(args, state);
  const end = words.findIndex(({ kind, value }) => kind === 'exact' && value === '--');
  const isOption = (word: Argument, i: number): boolean =>
    (end < 0 || i < end) && word.kind === 'exact' && word.value.startsWith('-') && word.value !== '-';
  const options = words.filter(isOption);
  const operands = words.filter((word, i) => !isOption(word, i) && i !== end);
  const [mode, ...rest] = operands;
  const files = writer.hasMode ? rest : operands;
  const risk = writer.access === 'delete' ? 'high' : 'medium';
  return strictest([
    asks(writer.reason, risk),
    ...options.flatMap(hiddenPath),
    ...(writer.hasMode ? gainsRights(mode) : modesOf(words).flatMap(gainsRights)),
    ...touchFiles({ name, files, options, writer, isRecursive }, state),
    ...(isRecursive && args.some(sweeps) ? [sweeping(name)] : []),
  ]);
}

type WritingCall = {
  name: string;
  files: readonly Argument[];
  options: readonly Argument[];
  writer: Writer;
  isRecursive: boolean;
};

function touchFiles(call: WritingCall, state: LineState): Judgement[] {
  const { files, options, writer } = call;
  const { access, sources } = writer;
  const last = files.at(-1);
  const targetFolders = options.flatMap(
    ({ value }) => /^(?:-t|--target[a-z-]*=)(.+)$/.exec(value)?.[1] ?? [],
  );
  for (const folder of targetFolders)
    for (const file of files)
      if (sources !== undefined) touchOne({ ...call, access }, inFolder(folder, file), state);
  if (sources === undefined || files.length < 2 || last === undefined)
    return files.flatMap((file) => touchOne({ ...call, access }, file, state));
  const from = files.slice(0, -1);
  const { against, places } = touchPlace(last, access, state);
  const folders = places.filter(({ isFolder }) => isFolder);
  noteReplaced(
    places.filter(({ isFolder }) => !isFolder),
    state,
  );
  // A file that is moved into a folder keeps its name.
  const inside = folders.length === 0 ? [] : from.map((file) => inFolder(last.value, file));
  return [
    ...against,
    ...from.flatMap((file) => touchOne({ ...call, access: sources }, file, state)),
    ...inside.flatMap((file) => touchOne({ ...call, access }, file, state)),
  ];
}

function inFolder(folder: string, { value }: Argument): Argument {
  return exactly(`${folder}/${value.split('/').at(-1) ?? ''}`);
}

function touchOne(
  { name, options, writer, access, isRecursive }: WritingCall & { access: Access },
  file: Argument,
  state: LineState,
): Judgement[] {
  const { against, places } = touchPlace(file, access, state);
  const keepsContent = access === 'read' || options.some(({ value }) => writer.keepsContent?.test(value));
  if (!keepsContent && writer.keepsContent !== always) noteReplaced(places, state);
  if (isRecursive) refuseHoldingState(places, state);
  const isRoot = isRecursive && access === 'delete' && places.some(({ path }) => path === '.');
  return isRoot ? [...against, sweeping(name)] : against;
}

// `*`, `./*`, `.*`: everything in an unnamed folder.
function sweeps({ kind, text }: Argument): boolean {
  return kind === 'glob' && /^(\.\/)*[.*?]*\*$/.test(text);
}

function sweeping(name: string): Judgement {
  return alwaysAsks(phrase('files.everything', { name }), 'critical');
}

// `-t/etc` and `--target-directory=/etc` name a place inside an option.
function hiddenPath({ text, value }: Argument): Judgement[] {
  return /[/~]|=|^-t|^--target/.test(value)
    ? [asksUnlessHeld(phrase('files.otherTarget', { word: text }))]
    : [];
}

// `-m 4755`, `-m4755` and `--mode=4755`.
function modesOf(words: readonly Argument[]): Argument[] {
  return words.flatMap((word, i) => {
    const [, mode] = /^(?:-m|--mode=)(.+)$/.exec(word.value) ?? [];
    if (mode !== undefined) return [exactly(mode)];
    return /^(-m|--mode)$/.test(words[i - 1]?.value ?? '') ? [word] : [];
  });
}

function gainsRights(mode: Argument = exactly('')): Judgement[] {
  const isSpecial = mode.kind !== 'exact' || /[+=][a-zA-Z]*s|^[2-7]\d{3}$|^0[2-7]\d{3}$/.test(mode.value);
  return isSpecial ? [alwaysAsks(phrase('files.givesRights', { word: mode.text }), 'critical')] : [];
}

// Judges redirections: what a line reads or writes beside its programs.

/** Undefined when the redirection has no effect on files: `2>&1`, `>/dev/null`. */
export function judgeRedirect(
  operator: RedirectOperator,
  target: Argument | undefined,
  isNamed: boolean,
  state: LineState,
): Judgement | undefined {
  if (target === undefined) return asksUnlessHeld(phrase('line.redirectUnclear'), 'critical');
  const isDuplicate = operator === '>&' || operator === '<&';
  if (isDuplicate && target.kind === 'exact' && /^([012]-?|-)$/.test(target.value)) return undefined;
  // The process that started CodeLab may have left other descriptors open.
  if (isDuplicate && target.kind === 'exact' && /^\d+-?$/.test(target.value))
    return asks(phrase('line.openedElsewhere', { word: `${operator}${target.text}` }));
  const access = operator === '<' ? 'read' : 'write';
  // A redirection takes one name; with several matches, shells differ.
  const { against, places } = touchPlace(target, access, state);
  // The redirection becomes the next part.
  if (access === 'write' && operator !== '>>' && operator !== '&>>')
    noteReplaced(places, state, state.parts.length);
  const isDevice = against.length === 0 && places.length === 0;
  // A redirection is a separate part, so that its basis includes the file's present contents.
  if (isDevice && findInTmp(state.tmp, target.value))
    return allows(phrase('line.readsFile', { word: target.text }));
  const ownJudgement = isDevice
    ? []
    : access === 'read'
      ? []
      : [asks(phrase('line.writesFile', { word: target.text }))];
  const findings = [
    ...ownJudgement,
    ...against,
    ...(isNamed ? [asksUnlessHeld(phrase('line.differing'))] : []),
  ];
  return findings.length === 0 ? undefined : strictest(findings);
}
