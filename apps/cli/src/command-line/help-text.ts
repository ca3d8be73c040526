// The help of one command, made from its table.

import type { Paint } from '../output/paint.ts';
import { columns } from '../output/text-width.ts';
import type { CliCommand, Option } from './define-command.ts';

export function helpText(name: string, command: CliCommand, paint: Paint): string {
  const options = Object.entries({ ...command.options, help: help });
  const lines = [
    `${paint('bold', 'Usage:')} codelab ${[name, command.words, '[options]'].filter(Boolean).join(' ')}`,
    '',
    command.about,
    '',
    paint('bold', 'Options'),
    ...columns(options.map(([option, about]) => [`  ${spelling(option, about)}`, summary(about)])),
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
  const [, what = summary, preset = ''] = /^(.*?)( \(default: .*\))$/.exec(summary) ?? [];
  return `${what}: ${choices.join(', ')}${preset}`;
}
