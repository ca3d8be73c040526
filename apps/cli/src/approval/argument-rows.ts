// A call's arguments, each quoted so that no space or line end hides. Long text that the diff shows is only counted here.
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';

type Row = readonly [label: string, text: string];

const longText = 120;

export function argumentRows({ args, plan }: ApprovalRequest): Row[] {
  const isInDiff = plan.diff !== undefined && !plan.diff.truncated && plan.diff.text !== '';
  // The line of a command stands above, as it is.
  const shown = Object.entries(args).filter(([, value]) => value !== plan.command?.line);
  return shown.map(([name, value], i): Row => {
    const isLong = typeof value === 'string' && (value.length > longText || value.includes('\n'));
    const text = isLong && isInDiff ? counted(value) : JSON.stringify(value);
    return [i === 0 ? 'arguments' : '', `${visibleLine(name)} = ${visibleLine(text)}`];
  });
}

function counted(text: string): string {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return `${lines} lines, ${text.length} characters; what it changes is in the diff`;
}
