// Reads what was typed after a command's name by the command's own table.
import { parseArgs } from 'node:util';
import type { Command, Given, Options } from './define-command.ts';
import { UsageError } from './usage-error.ts';

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
    throw new UsageError(error.message.split('. ')[0]?.replace(/\.?$/, '.') ?? error.message);
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
  throw new UsageError(`--${name} must be one of: ${choices.join(', ')}.`);
}
