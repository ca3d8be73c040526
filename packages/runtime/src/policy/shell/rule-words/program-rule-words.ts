// The program and subcommand by which a rule with any arguments identifies a part: the same for each spelling whose arguments are known to
// be harmless, and undefined for any other. Proposing and matching a rule both compare this form.
import { posix } from 'node:path';
import { findInTmp } from '../../../workspace/own-tmp.ts';
import { isProtectedPath } from '../../protected-names.ts';
import type { Argument } from '../argument.ts';
import type { LineState } from '../line-state.ts';
import { leavingWords } from '../places/resolve-place.ts';
import { namesSecret, writesPlainly } from '../places/touch-places.ts';
import { writingPrograms } from '../programs/judge-writing.ts';
import { knownPrograms } from '../programs/known-programs.ts';
import { readPackageTarget } from '../programs/package-managers.ts';
import { readingPrograms } from '../programs/reading-programs.ts';
import {
  checkArguments,
  isExact,
  isPlainArgument,
  ownProgramRuleWords,
  type RuleWords,
  subcommandIn,
  subcommandRuleWords,
} from './checked-arguments.ts';
import { argumentsOf, type KnownArguments } from './known-arguments.ts';
import { subcommandsOf } from './known-subcommands.ts';
import { ofCompiler, ofGo, ofJava, ofMaven, ofModule, ofPackages } from './program-families.ts';

/** `words`: those of the part, with globs replaced by the matching names. */
export function programRuleWords(words: readonly Argument[], state: LineState): RuleWords {
  const [program, ...args] = words;
  if (program?.kind !== 'exact' || program.value === '') return undefined;
  const isPath = program.value.includes('/');
  const name = program.value.split('/').at(-1) ?? '';
  // Code in /tmp is not reviewed; files that are only copied or written there do no harm.
  const isWriting = writingPrograms.has(name) && !isPath;
  const places = isWriting
    ? args.filter(({ value }) => findInTmp(state.tmp, value)?.isLinked !== false)
    : args;
  if (namesSecret(args, state)) return undefined;
  if (leavingWords([...places, ...(isPath ? [program] : [])], state).length > 0) return undefined;
  const rest = isPath && !isKnown(name) ? ownProgramRuleWords(args) : ruleWordsOf(name, args, state);
  return rest && [program.value, ...rest];
}

/** For a redirection: to or from any file of the folder. For a variable: any number, since words in a value may name code to load. */
export function shellRuleWords([first = '', target]: readonly string[]): RuleWords {
  const [, name] = /^(\w+)=(?:\d*|true|false|yes|no|on|off)$/i.exec(first) ?? [];
  if (name !== undefined) return [`${name}=`];
  return target !== undefined && /^[<>&|]+$/.test(first) ? [first, `${posix.dirname(target)}/`] : undefined;
}

function isKnown(name: string): boolean {
  return (
    families.has(name) ||
    subcommandsOf(name) !== undefined ||
    argumentsOf(name) !== undefined ||
    scriptOptions.some(([names]) => names.test(name))
  );
}

/** The rule words after the program's own name. */
function ruleWordsOf(name: string, args: readonly Argument[], state: LineState): RuleWords {
  const family = families.get(name);
  if (family !== undefined) return family(args, name, state);
  const subcommands = subcommandsOf(name);
  if (subcommands !== undefined) return ofSubcommand(subcommands, args, beforeSubcommand.get(name));
  const table = argumentsOf(name);
  if (table !== undefined) return writesPlainly(name, args, state) ? checkArguments(args, table) : undefined;
  const interpreter = scriptOptions.find(([names]) => names.test(name));
  if (interpreter !== undefined) return ofScript(args, interpreter[1]);
  // A known program without a table may do anything with other words; a reading program is remembered by name.
  const hasTable =
    readingPrograms.has(name) ||
    alsoReading.has(name) ||
    knownPrograms.has(name) ||
    writingPrograms.has(name) ||
    bringing.has(name);
  return hasTable ? undefined : ofUnknown(args);
}

const alsoReading = new Set('find env awk gawk mawk nawk jq date ps strings command xargs'.split(' '));

// Programs that copy, move or unpack whole folders, like those in the tables.
const bringing = new Set('gcp gmv gln ginstall bsdtar gtar jar rclone xcopy robocopy'.split(' '));

type Family = (args: readonly Argument[], name: string, state: LineState) => RuleWords;

const families: ReadonlyMap<string, Family> = new Map<string, Family>([
  ...['npm', 'pnpm', 'yarn', 'bun'].map((name): [string, Family] => [name, ofManager]),
  ...['npx', 'pnpx', 'bunx'].map((name): [string, Family] => [name, ofInstalled]),
  ...['poetry', 'uv', 'pipenv', 'pdm', 'hatch', 'rye', 'bundle'].map((name): [string, typeof ofRun] => [
    name,
    ofRun,
  ]),
  ...['gcc', 'g++', 'cc', 'c++', 'clang', 'clang++'].map((name): [string, typeof ofCompiler] => [
    name,
    ofCompiler,
  ]),
  ['go', ofGo],
  ['mvn', ofMaven],
  ['mvnw', ofMaven],
  ['java', ofJava],
]);

/** `poetry run pytest`, `bundle exec rspec`: the rule words of the inner command. */
function ofRun(args: readonly Argument[], _name: string, state: LineState): RuleWords {
  const [first, program, ...rest] = args;
  if (first === undefined || !isExact(first, /^(run|exec)$/)) return undefined;
  if (program === undefined || !isExact(program, /^[\w.]/)) return undefined;
  const form = ruleWordsOf(program.value.split('/').at(-1) ?? '', rest, state);
  return form && [first.value, program.value, ...form];
}

function ofManager(args: readonly Argument[], name: string, state: LineState): RuleWords {
  const target = readPackageTarget(name, args);
  const [first, ...rest] = target?.rest ?? args;
  if (first === undefined || !isExact(first, /^exec$/)) return ofPackages(args, name);
  const form = ofInstalled(rest, name, state);
  return form && [...(target?.words ?? []), 'exec', ...form];
}

/** `npx tsc`: the rule words of the started program. A possible download always needs approval, so no rule gets that far. */
function ofInstalled(args: readonly Argument[], _name: string, state: LineState): RuleWords {
  const at = args.findIndex((word) => !isExact(word, /^(-y|--yes|--no|--no-install|-q|--quiet|--silent)$/));
  const [program, ...rest] = at < 0 ? [] : args.slice(at);
  if (program === undefined || !isExact(program, /^[a-z][\w-]*$/i)) return undefined;
  const form = ruleWordsOf(program.value, rest, state);
  return form && [program.value, ...form];
}

/** Options before a subcommand that do not change what the subcommand does. */
const beforeSubcommand: ReadonlyMap<string, RegExp> = new Map([
  ['git', /^(--no-pager|-P|--no-optional-locks)$/],
  ['cargo', /^(-q|--quiet|-v|--offline|--locked)$/],
]);

function ofSubcommand(
  subcommands: Readonly<Record<string, KnownArguments>>,
  args: readonly Argument[],
  skipped: RegExp = /^$/,
): RuleWords {
  const at = args.findIndex((word) => !isExact(word, skipped));
  const [first, second] = at < 0 ? [] : args.slice(at);
  if (first !== undefined && first.kind !== 'exact') return undefined;
  const pair = `${first?.value} ${second?.value}`;
  if (second?.kind === 'exact' && Object.hasOwn(subcommands, pair))
    return subcommandRuleWords(pair.split(' '), args.slice(at + 2), subcommands[pair]);
  const name = first?.value ?? '';
  if (Object.hasOwn(subcommands, name) && name !== '')
    return subcommandRuleWords([name], args.slice(at + 1), subcommands[name]);
  const alone = subcommands[''];
  return alone && checkArguments(args, alone);
}

// Interpreters: the script is part of the rule; the script's own arguments are not.
const scriptOptions: readonly (readonly [RegExp, RegExp])[] = [
  [/^(python|pypy)[\d.]*$/, /^-[uBqO]+$/],
  [
    /^(node|nodejs)$/,
    /^--(expose-gc|enable-source-maps|no-warnings|trace-warnings|experimental-strip-types)$/,
  ],
  [/^(ruby|perl|php|lua|Rscript|julia|groovy)[\d.]*$/, /^-w$/],
  [/^(sh|bash|dash|zsh|ksh)$/, /^-[eux]+$/],
];

function ofScript(args: readonly Argument[], options: RegExp): RuleWords {
  if (args.some((word) => isExact(word, /^-m$/))) return ofModule(args);
  const at = args.findIndex((word) => !isExact(word, options));
  const script = args[at];
  if (script === undefined || !isExact(script, /^[^-@]/)) return undefined;
  const rest = ownProgramRuleWords(args.slice(at + 1));
  return rest && [script.value, ...rest];
}

/** All options and the words after them are part of the rule: it is unknown which options take a value. */
function ofUnknown(args: readonly Argument[]): RuleWords {
  const last = args.findLastIndex(({ value }) => value.startsWith('-'));
  const end = last < 0 ? 0 : args[last]?.value.includes('=') === true ? last + 1 : last + 2;
  const fixed = args.slice(0, end);
  const rest = args.slice(end);
  // One of the words may be a file that the program writes.
  const isPlain = (word: Argument): boolean => isPlainArgument(word) && !isProtectedPath(word.value);
  const isKnown = fixed.every(({ kind }) => kind === 'exact') && rest.every(isPlain);
  if (!isKnown || rest.some(({ value }) => value.includes('='))) return undefined;
  const subcommand = fixed.length === 0 ? subcommandIn(rest) : [];
  // When every word is fixed, the pattern would equal the words themselves.
  return rest.length > subcommand.length ? [...fixed.map(({ value }) => value), ...subcommand] : undefined;
}
