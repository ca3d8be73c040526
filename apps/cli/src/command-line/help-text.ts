// The help of one command, made from its table.

import type { Paint } from '../output/paint.ts';
import { columns } from '../output/text-width.ts';
import type { CliCommand, Option } from './define-command.ts';

export function helpText(name: string, command: CliCommand, paint: Paint): string {
  const options = Object.entries({ ...command.options, help });
  const lines = [
    `${paint('bold', 'Usage:')} codelab ${[name, command.words, '[options]'].filter(Boolean).join(' ')}`,
    '',
    command.about,
    '',
    paint('bold', 'Options'),
    ...columns(
      options.map(([option, definition]) => [`  ${spelling(option, definition)}`, summary(definition)]),
    ),
  ];
  if (command.examples !== undefined && command.examples.length > 0)
    lines.push('', paint('bold', 'Examples'), ...command.examples.map((example) => `  ${example}`));
  return `${lines.join('\n')}\n`;
}

const help: Option = { type: 'boolean', summary: 'show this help' };

function spelling(name: string, { value, isValueOptional }: Option): string {
  if (isValueOptional) return `--${name}[=${value}]`;
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** The choices come before the default: `output format: text, json (default: text)`. */
function summary({ summary, choices }: Option): string {
  if (choices === undefined) return summary;
  const [, text = summary, preset = ''] = /^(.*?)( \(default: .*\))$/.exec(summary) ?? [];
  return `${text}: ${choices.join(', ')}${preset}`;
}
