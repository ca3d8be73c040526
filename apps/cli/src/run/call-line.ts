// A call in one line: the tool and its most telling arguments.
import { type ToolCall, visibleLine } from '@codelab/protocol';

const most = 120;

export function callLine({ tool, args }: Pick<ToolCall, 'tool' | 'args'>): string {
  const told = Object.entries(args)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) =>
      ['path', 'file_path', 'command', 'query', 'pattern'].includes(name)
        ? String(value)
        : `${name}=${String(value)}`,
    );
  const line = visibleLine(`${tool} ${told.join(' ')}`.trim());
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
