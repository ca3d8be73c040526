// A command is one value: how it is typed, its options as a table (which also makes the help), and what it does.
import { parseArgs } from 'node:util';

export type Option = {
  type: 'string' | 'boolean';
  summary: string;
  /** What stands for the value in the help. */
  value?: string;
  choices?: readonly string[];
};

export type Options = Record<string, Option>;

type Value<T extends Option['type']> = T extends 'boolean' ? boolean : string;

export type Given<O extends Options> = {
  words: string[];
  options: { [K in keyof O]?: Value<O[K]['type']> };
};

type Spec<O extends Options> = {
  /** The words after the options, as the help shows them: `NAME [JSON]`. */
  words: string;
  takes: { min: number; max: number };
  about: string;
  options: O;
  examples?: readonly string[];
  /** Returns the exit code: 0 done, 1 the work failed, 130 interrupted. */
  run(given: Given<O>): Promise<number> | number;
};

export type Command = Spec<Options>;

export function defineCommand<const O extends Options>(spec: Spec<O>): Command {
  return spec;
}

/** Reads what was typed after a command's name by the command's own table. */
export function parseCommandLine(command: Command, args: readonly string[]): Given<Options> {
  const { values, positionals } = parse(command, args);
  const { min, max } = command.takes;
  if (positionals.length < min) throw new UsageError(`Something is missing: ${command.words}`);
  if (positionals.length > max)
    throw new UsageError(`${JSON.stringify(positionals[max])} is one word too many.`);
  for (const [name, value] of Object.entries(values)) checkChoice(name, value, command.options);
  return { words: positionals, options: values };
}

function parse(command: Command, args: readonly string[]): ReturnType<typeof typed> {
  try {
    return typed(command, args);
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')))
      throw error;
    const told = error.message.split('. ')[0]?.replace(/\.?$/, '.') ?? error.message;
    const typo = /^Unknown option '-*([^'=]*)/.exec(told)?.[1];
    const near = typo && nearestName(typo, [...Object.keys(command.options), 'help']);
    throw new UsageError(near ? `${told} Did you mean --${near}?` : told);
  }
}

function typed(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type }]) => [name, { type }]),
  );
  return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
}

function checkChoice(name: string, value: unknown, options: Options): void {
  const choices = options[name]?.choices;
  if (choices === undefined || (typeof value === 'string' && choices.includes(value))) return;
  const near = typeof value === 'string' ? nearestName(value, choices) : undefined;
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new UsageError(`--${name} must be one of: ${choices.join(', ')}.${hint}`);
}

/** Somebody typed what can't be understood: told on standard error, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The name that was probably meant: one that begins like it, or differs in a letter or two. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const begun = wanted === '' ? undefined : names.find((name) => name.startsWith(wanted));
  if (begun !== undefined) return begun;
  const ranked = names
    .map((name) => ({ name, steps: distance(wanted, name) }))
    .toSorted((a, b) => a.steps - b.steps);
  const [best] = ranked;
  return best !== undefined && best.steps <= 2 && best.steps < wanted.length ? best.name : undefined;
}

/** How many letters must be put in, taken out, replaced or swapped with their neighbour. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= Math.min(a.length, 40); i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
