// Judges `git`: many of its commands read, but its own options and the repository's settings can make any of them start programs.
import { phrase } from '@codelab/protocol';
import { isProtected } from '../../built-in-rules.ts';
import type { Argument } from '../argument.ts';
import { allows, alwaysAsks, asks, type Judgement, strictest } from '../judgement.ts';
import type { LineState } from '../line-state.ts';
import { type ParsedOptions, readOptions } from '../options.ts';
import { leavingWords, resolvePlace } from '../places/resolve-place.ts';
import { valuesAsPlaces } from '../places/touch-places.ts';
import { faultOfGitSettings } from './git-settings.ts';
import { type ReadingGitCommand, readingGit, readingPairs } from './reading-git.ts';

const plainOptions = new Set([
  '--no-pager',
  '-P',
  '--no-optional-locks',
  '--literal-pathspecs',
  '--no-replace-objects',
]);
const outgoing = new Set(
  'push pull fetch clone ls-remote remote submodule send-email request-pull svn p4 archive bundle daemon instaweb http-backend fetch-pack send-pack upload-pack receive-pack'.split(
    ' ',
  ),
);
const starting = new Set(
  'difftool mergetool bisect filter-branch filter-repo hook config credential maintenance gui citool web--browse help var shell fast-import hash-object update-index replace lfs subtree sparse-checkout'.split(
    ' ',
  ),
);

export function judgeGit(args: readonly Argument[], state: LineState): Judgement {
  const rest = [...args];
  const { cwds } = state;
  try {
    while (rest[0]?.kind === 'exact' && (plainOptions.has(rest[0].value) || enters(rest, state)))
      rest.shift();
    return judgeCommand(rest, state);
  } finally {
    state.cwds = cwds;
  }
}

/** `-C` with a folder of the workspace: git works there; the rest of the line does not. Removes the option. */
function enters(rest: Argument[], state: LineState): boolean {
  const [option, folder] = rest;
  if (option?.value !== '-C' || folder?.kind !== 'exact' || state.cwds === undefined) return false;
  const places = state.cwds.map((cwd) => resolvePlace(state.workspace, cwd, folder.value, 'read'));
  const inside = places.flatMap((place) =>
    place.kind === 'inside' && place.isFolder && !place.isLinked
      ? [place.path === '.' ? '' : place.path]
      : [],
  );
  if (inside.length < places.length) return false;
  state.cwds = inside;
  rest.shift();
  return true;
}

function judgeCommand(rest: readonly Argument[], state: LineState): Judgement {
  const [command, ...commandArgs] = rest;
  if (command === undefined) return allows(phrase('program.help'));
  if (command.kind !== 'exact') return alwaysAsks(phrase('git.unclear'));
  if (command.value === '--version') return allows();
  const [first] = commandArgs;
  if (command.value === '-C')
    return alwaysAsks(
      first === undefined ? phrase('git.noFolder') : phrase('git.folder', { folder: first.text }),
    );
  if (command.value.startsWith('-'))
    return alwaysAsks(phrase('git.option', { option: command.text }), 'critical');
  const second = first?.kind === 'exact' ? `${command.value} ${first.value}` : '';
  const pair = readingPairs.get(second);
  if (pair) return judgeReadingGit(second, commandArgs.slice(1), pair, state);
  const reading = readingGit.get(command.value);
  const judgement = reading && judgeReadingGit(command.value, commandArgs, reading, state);
  if (judgement && (judgement.verdict === 'allow' || judgement.mustAsk || !isChanging(command.value)))
    return judgement;
  const part = state.parts.length - 1;
  if (overwritesFiles(command.value, commandArgs)) state.replaced.push({ part, path: '.', only: 'tracked' });
  if (overwritesIndex(command.value, commandArgs)) state.replaced.push({ part, path: '.', only: 'staged' });
  return judgeChangingGit(command.value, commandArgs);
}

// The command overwrites or removes tracked files without checking for changes since the last commit.
function overwritesFiles(command: string, args: readonly Argument[]): boolean {
  return /^(checkout|restore|rm)$/.test(command) || losesChanges(command, args);
}

// `branch`, `tag`, `remote`, `reflog` and `symbolic-ref` read with some options and change the repository with others.
function isChanging(command: string): boolean {
  return ['branch', 'tag', 'remote', 'reflog', 'symbolic-ref'].includes(command);
}

function judgeReadingGit(
  name: string,
  args: readonly Argument[],
  table: ReadingGitCommand,
  state: LineState,
): Judgement {
  const options = readOptions(args, table);
  const { operands, fault } = options;
  if (fault) {
    const judgement = fault.isStart ? alwaysAsks(fault.reason, 'critical') : asks(fault.reason);
    return strictest([judgement, ...leavingWords(args, state)]);
  }
  const unclear = operands.find(({ kind }) => kind !== 'exact');
  if (unclear) return alwaysAsks(phrase('git.unclearWord', { word: unclear.text }), 'high');
  if (table.operands === 'none' && operands.length > 0 && !isListing(name, options.optionNames))
    return asks(phrase('git.changesWith', { name, word: operands[0]?.text ?? '' }));
  if (table.max !== undefined && operands.length > table.max)
    return asks(phrase('git.changesWithTwo', { name }));
  if (name === 'reflog' && operands.some(({ value }) => /^(expire|delete|write|drop)$/.test(value)))
    return alwaysAsks(phrase('git.losesHistory'), 'critical');
  // Other settings may hold passwords and tokens.
  if (
    name.startsWith('config') &&
    !operands.every(({ value }) => /^(user|core|branch|init|pull|push)\./i.test(value))
  )
    return asks(phrase('git.readsSettings'), 'high');
  // `%G?` checks a signature, with a program that the settings choose.
  if (args.some(({ value }) => /%G|%\(signature/.test(value)))
    return alwaysAsks(phrase('git.signatures'), 'high');
  if (args.some(({ value }) => /%\(\*?raw/.test(value))) return alwaysAsks(phrase('git.raw'), 'high');
  const settings = faultOfGitSettings(state);
  if (settings !== undefined) return alwaysAsks(settings, 'high');
  addReading(name, args, options, state);
  return strictest([
    allows(),
    ...valuesAsPlaces(options, state),
    ...operands.flatMap(({ value }) => readOperand(value, state)),
  ]);
}

const showing =
  /^(log|show|diff|diff-tree|reflog|stash list|stash show|grep|cat-file|remote|remote get-url|config get|config --get)$/;

/** The output depends on the contents of the repository; git is asked about them after the whole line is parsed. */
function addReading(name: string, args: readonly Argument[], options: ParsedOptions, state: LineState): void {
  const isVerbose = name === 'status' && (options.optionNames.has('v') || options.optionNames.has('verbose'));
  if (!isVerbose && !showing.test(name)) return;
  const words = args.map(({ value }) => value);
  const first = args.findIndex((arg) => arg.value === '--' || options.operands.includes(arg));
  const operandsAt = first < 0 ? args.length : first;
  const part = state.parts.length - 1;
  for (const cwd of state.cwds ?? []) state.gits.push({ part, cwd, name, args: words, operandsAt, options });
}

// `git branch --list 'x*'` and `git tag -l x` take patterns; `git branch --format --list x` does not.
function isListing(name: string, options: ReadonlySet<string>): boolean {
  return (name === 'branch' || name === 'tag') && (options.has('list') || options.has('l'));
}

// An operand is a commit, a range, `commit:file` or a file; one that looks like an outside path makes `git diff` read there.
function readOperand(value: string, { workspace, cwds, touches }: LineState): Judgement[] {
  const file = /^(?::[0-3]|[^:]*):(.+)$/s.exec(value)?.[1] ?? value;
  if (/^[/~]|(^|\/)\.\.(\/|$)/.test(file))
    return [alwaysAsks(phrase('git.mayLeave', { word: value }), 'high')];
  if (file.startsWith('-')) return [asks(phrase('git.likeOption', { word: value }))];
  for (const cwd of cwds ?? []) {
    const place = resolvePlace(workspace, cwd, file, 'read');
    // A file deleted from the folder may still be in the history.
    const isNamed = place.kind === 'inside' && (place.exists || file !== value || isProtected(place.path));
    if (isNamed) touches.push({ asked: place.asked, path: place.path, access: 'read' });
    // Outside a repository `git diff` reads link targets.
    if (place.kind === 'outside' && file === value)
      return [alwaysAsks(phrase('git.mayLeave', { word: value }), 'high')];
  }
  return [];
}

// The command replaces staged content without checking whether a commit or the file has it as well.
function overwritesIndex(command: string, args: readonly Argument[]): boolean {
  const has = (pattern: RegExp): boolean => args.some(({ value }) => pattern.test(value));
  if (command === 'reset') return !has(/^--soft$/);
  return (
    /^(checkout|read-tree)$/.test(command) ||
    (/^(restore|rm)$/.test(command) && has(/^(-S|--staged|--cached|--source|-s)/))
  );
}

/** Commits, stashes and reflogs, which undo does not cover. */
function losesHistory(command: string, args: readonly Argument[]): boolean {
  const words = args.map(({ value }) => value);
  const has = (...names: string[]): boolean => words.some((word) => names.includes(word));
  const shortFlag = (flag: string): boolean =>
    words.some((word) => new RegExp(`^-[a-zA-Z]*${flag}`).test(word));
  switch (command) {
    case 'gc':
    case 'prune':
    case 'prune-packed':
    case 'repack':
    case 'update-ref':
    case 'symbolic-ref':
    case 'filter-branch':
      return true;
    case 'reflog':
      return has('expire', 'delete', 'drop');
    case 'stash':
      return has('drop', 'clear');
    case 'branch':
      return has('--force') || shortFlag('[DMCf]');
    case 'checkout':
      return shortFlag('B');
    case 'switch':
      return shortFlag('C') || has('--force-create');
    case 'tag':
      return shortFlag('[df]') || has('--delete', '--force');
    case 'worktree':
      return has('remove', 'prune');
    default:
      return false;
  }
}

/** Undo restores these changes; the approval names them nevertheless. */
function losesChanges(command: string, args: readonly Argument[]): boolean {
  const has = (pattern: RegExp): boolean => args.some(({ value }) => pattern.test(value));
  if (has(/^--(hard|merge|discard-changes)$/)) return true;
  if (command === 'restore') return !has(/^(-S|--staged)$/) || has(/^(-W|--worktree)$/);
  return /^(checkout|switch)$/.test(command) && has(/^(-f|--force|--|\.)$/);
}

function judgeChangingGit(command: string, args: readonly Argument[]): Judgement {
  const overwrites = (value: string): boolean =>
    /^(-[a-zA-Z]*[fd]|--(force|delete|mirror|prune))|^[+:]/.test(value);
  if (command === 'push' && args.some(({ value }) => overwrites(value)))
    return alwaysAsks(phrase('git.overwritesHistory'), 'critical');
  if (outgoing.has(command)) return alwaysAsks(phrase('program.network'), 'high');
  if (command === 'config') return alwaysAsks(phrase('git.changesSettings'), 'critical');
  if (starting.has(command)) return alwaysAsks(phrase('git.starts', { command }), 'critical');
  if (command === 'clean') return alwaysAsks(phrase('git.cleans'), 'critical');
  const isMessage = (at: number): boolean =>
    command === 'commit' &&
    args[at]?.isOneWord === true &&
    /^(-m|-am|--message)$/.test(args[at - 1]?.value ?? '');
  const unknownWord = args.find(({ kind }, at) => kind === 'unknown' && !isMessage(at));
  if (unknownWord) return alwaysAsks(phrase('program.unclear', { word: unknownWord.text }));
  const starts = args.find(({ value }) =>
    /^(-x|--exec|--upload-pack|--receive-pack|--template|--config|-c|--strategy|-s|--editor|--ext-diff|--textconv|--output|-O|--open-files-in-pager|--no-index)/.test(
      value,
    ),
  );
  if (starts && command !== 'commit')
    return alwaysAsks(phrase('git.optionStarts', { option: starts.text }), 'critical');
  if (losesHistory(command, args)) return alwaysAsks(phrase('git.losesHistory'), 'critical');
  return losesChanges(command, args)
    ? asks(phrase('git.losesChanges'), 'high')
    : asks(phrase('git.changes', { command }), 'medium');
}
