// What a command is: its line, where it runs, every program in it with what policy says to it, and what holds it in.
import { type Command, type CommandPart, type Confinement, visible, visibleLine } from '@codelab/protocol';

type Row = readonly [label: string, text: string];

const verdicts: Record<CommandPart['verdict'], string> = {
  allow: 'only reads',
  ask: 'to decide',
  deny: 'never runs',
};

export function commandRows({ line, cwd, parts, confinement }: Command): Row[] {
  const lines = visible(line).split('\n');
  return [
    ...lines.map((one, i): Row => [i === 0 ? 'line' : '', one.replaceAll('\t', '⇥')]),
    ['in folder', visibleLine(cwd)],
    ...parts.flatMap(partRows),
    ['sandbox', sandboxText(confinement)],
    ['network', confinement.network ? 'yes, it can reach everything this machine can' : 'no'],
  ];
}

function partRows({ text, verdict, risk, reason, isDynamic, depth = 0 }: CommandPart, i: number): Row[] {
  const indent = '  '.repeat(Math.min(depth, 8));
  const unknown = isDynamic ? ' Some of it is known only when it runs.' : '';
  return [
    [i === 0 ? 'starts' : '', `${indent}${visibleLine(text)}`],
    ['', `${indent}  ${verdicts[verdict]}, ${risk} risk: ${visibleLine(reason)}${unknown}`],
  ];
}

function sandboxText({ sandbox, why }: Confinement): string {
  if (sandbox !== 'none') return `yes (${sandbox}): writes only in the workspace and a /tmp of its own`;
  return `NO: it can do whatever you can. ${why === undefined ? '' : visibleLine(why)}`.trimEnd();
}
