// A command is one value: how it is typed, its options as a table (which also makes the help), and what it does.
import { parseArgs } from 'node:util';
import { nearestName } from '@codelab/protocol';

export { nearestName };

export type Option = {
  type: 'string' | 'boolean';
  summary: string;
  /** The placeholder of the value in the help. */
  value?: string;
  /** The value may be left out, which gives an empty one; it is given as `--name=VALUE` only. */
  isValueOptional?: true;
  choices?: readonly string[];
  /** The option may be given more than once. */
  isRepeatable?: true;
};

export type Options = Record<string, Option>;

type Single<T extends Option['type']> = T extends 'boolean' ? boolean : string;
type Value<O extends Option> = O extends { isRepeatable: true } ? string[] : Single<O['type']>;

export type ParsedCommandLine<O extends Options> = {
  words: string[];
  options: { [K in keyof O]?: Value<O[K]> };
};

type Spec<O extends Options> = {
  /** The words after the options, as the help shows them: `NAME [JSON]`. */
  words: string;
  takes: { min: number; max: number };
  about: string;
  options: O;
  examples?: readonly string[];
  /** Returns the exit code: 0 done, 1 the work failed, 130 interrupted. */
  run(given: ParsedCommandLine<O>): Promise<number> | number;
};

export type CliCommand = Spec<Options>;

export function defineCommand<const O extends Options>(spec: Spec<O>): CliCommand {
  return spec;
}

/** Parses the arguments after a command's name by the command's own table. */
export function parseCommandLine(command: CliCommand, args: readonly string[]): ParsedCommandLine<Options> {
  const { values, positionals } = parse(command, args);
  const { min, max } = command.takes;
  if (positionals.length < min) throw new UsageError(`Missing argument: ${command.words}`);
  if (positionals.length > max)
    throw new UsageError(`${JSON.stringify(positionals[max])} is an unexpected argument.`);
  for (const [name, value] of Object.entries(values)) checkChoice(name, value, command.options);
  // A command's own types are made from the same table, so the cast holds.
  return { words: positionals, options: values as ParsedCommandLine<Options>['options'] };
}

function parse(command: CliCommand, args: readonly string[]): ReturnType<typeof typed> {
  try {
    return typed(command, args);
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')))
      throw error;
    const message = error.message.split('. ')[0]?.replace(/\.?$/, '.') ?? error.message;
    const typo = /^Unknown option '-*([^'=]*)/.exec(message)?.[1];
    const near = typo && nearestName(typo, [...Object.keys(command.options), 'help']);
    throw new UsageError(near ? `${message} Did you mean --${near}?` : message);
  }
}

function typed(command: CliCommand, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type, isRepeatable }]) => [
      name,
      { type, multiple: isRepeatable === true },
    ]),
  );
  return parseArgs({ args: withEmptyValues(command, args), options, allowPositionals: true, strict: true });
}

function withEmptyValues({ options }: CliCommand, args: readonly string[]): string[] {
  const end = args.indexOf('--');
  return args.map((arg, i) => {
    const isOption = arg.startsWith('--') && (end < 0 || i < end) && Object.hasOwn(options, arg.slice(2));
    return isOption && options[arg.slice(2)]?.isValueOptional ? `${arg}=` : arg;
  });
}

function checkChoice(name: string, value: unknown, options: Options): void {
  const choices = options[name]?.choices;
  if (choices === undefined || (typeof value === 'string' && choices.includes(value))) return;
  const near = typeof value === 'string' ? nearestName(value, choices) : undefined;
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new UsageError(`--${name} must be one of: ${choices.join(', ')}.${hint}`);
}

/** A command line that can't be understood: reported on standard error, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
