// Checks the arguments of one program by its table. With an unknown argument, no rule with any arguments is offered.
import { posix } from 'node:path';
import type { Argument } from '../argument.ts';
import { readOptions } from '../options.ts';
import type { KnownArguments } from './known-arguments.ts';

/** The words that distinguish rules; undefined when no rule with any arguments covers this spelling. */
export type RuleWords = string[] | undefined;

/** The options and operands that are part of the rule; undefined when one is not known to be harmless. */
export function checkArguments(args: readonly Argument[], table: KnownArguments): RuleWords {
  const end = table.after === undefined ? -1 : args.findIndex((word) => isExact(word, /^--$/));
  const options = readOptions(end < 0 ? args : args.slice(0, end), table);
  const { operands, paths, values, optionNames, fault } = options;
  if (fault !== undefined || paths.length > 0) return undefined;
  if (table.needs !== undefined && !namesIn(table.needs).some((name) => optionNames.has(name)))
    return undefined;
  if (!values.every(({ name, value }) => isHarmlessValue(name, value, table))) return undefined;
  if (!operands.every((word) => isHarmlessOperand(word, table))) return undefined;
  const after = end < 0 ? [] : afterDashes(args.slice(end + 1), table.after);
  if (after === undefined) return undefined;
  const inRule = namesIn(table.inRule ?? '').filter((name) => optionNames.has(name));
  const fixed = values.filter(({ name }) => namesIn(table.fixed ?? '').includes(name));
  return [
    ...inRule.map(dashed),
    ...fixed.map(({ name, value }) => `${dashed(name)}=${value.value}`),
    ...namedBy(operands, table),
    ...after,
  ];
}

function namedBy(operands: readonly Argument[], table: KnownArguments): string[] {
  if (table.operands === 'inRule') return operands.map(({ value }) => value);
  if (table.operands !== 'folder') return [];
  return [...new Set(operands.map(({ value }) => `${posix.dirname(value)}/`))].sort();
}

function afterDashes(args: readonly Argument[], table: KnownArguments['after']): RuleWords {
  const rest = table === 'any' ? ownProgramRuleWords(args) : table && checkArguments(args, table);
  return rest && (rest.length > 0 ? ['--', ...rest] : []);
}

function isHarmlessValue(name: string, value: Argument, { texts = '', words = '' }: KnownArguments): boolean {
  if (value.kind !== 'exact') return namesIn(texts).includes(name) && value.isOneWord;
  if (namesIn(words).includes(name)) return /^[\w.,:+=-]*$/.test(value.value);
  return !value.value.startsWith('@') || namesIn(texts).includes(name);
}

function isHarmlessOperand({ kind, value }: Argument, { operands }: KnownArguments): boolean {
  if (kind !== 'exact' || value.startsWith('@') || operands === 'none') return false;
  return !(operands instanceof RegExp) || operands.test(value);
}

function namesIn(names: string): string[] {
  return names.split(/\s+/).filter((name) => name !== '');
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

export function isExact({ kind, value }: Argument, pattern: RegExp): boolean {
  return kind === 'exact' && pattern.test(value);
}

/** `manage.py migrate`: the first word that is not an option's value is the subcommand. */
export function subcommandIn(args: readonly Argument[]): string[] {
  const isValue = (at: number): boolean => {
    const option = args[at - 1];
    return option !== undefined && isExact(option, /^-[^=]*$/) && !isExact(option, sparing);
  };
  const subcommand = args.find((word, at) => isExact(word, /^[a-z][a-z0-9:_-]*$/i) && !isValue(at));
  return subcommand === undefined ? [] : [subcommand.value];
}

// Without these options a command does more, so a rule requires them.
const sparing = /^--?(dry-?run|check|plan|diff|list|no-?op|simulate|preview|what-?if|print-only)$/;

function sparingIn(args: readonly Argument[]): string[] {
  return args.filter((word) => isExact(word, sparing)).map(({ value }) => value);
}

// Options by which many programs run text, load code or settings, or skip a confirmation.
const steering =
  /^-[a-zA-Z]*[ceErIxX]$|^--?(eval|exec|execute|command|cmd|run|shell|script|config|conf|settings|rc|require|import|load|init|plugin|preload|loader|module|hook|env|pythonpath|classpath|force|yes|assume-yes|prod|production|deploy|publish|delete|remove|purge|reset|upload|host|url|remote)(?![a-z])/i;

export function isPlainArgument(word: Argument): boolean {
  return word.kind === 'exact' && !/^@|\p{Cc}|:\/\//u.test(word.value) && !steering.test(word.value);
}

export function subcommandRuleWords(
  names: string[],
  args: readonly Argument[],
  table: KnownArguments | undefined,
): RuleWords {
  const rest = table && checkArguments(args, table);
  return rest && [...names, ...rest];
}

/** A program of the workspace interprets its arguments itself, so a rule for it covers any plain arguments. */
export function ownProgramRuleWords(args: readonly Argument[]): RuleWords {
  return args.every(isPlainArgument) ? [...subcommandIn(args), ...sparingIn(args)] : undefined;
}
