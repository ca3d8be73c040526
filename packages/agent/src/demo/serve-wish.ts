// Carries out one plain request: the call it stands for, then what came of it.
import type { DemoStep } from './demo-step.ts';
import type { DemoTurn } from './read-turn.ts';
import type { Wish } from './read-wish.ts';

const maxShownChars = 4000;

export const helpText = `I understand:
- \`read FILE\`, \`list\`, \`list FOLDER\`
- \`find TEXT\`, \`find TEXT in FOLDER\`
- \`replace X by Y in FILE\`, \`write FILE: TEXT\`, \`delete FILE\`
- \`run COMMAND\`
- \`undo\`, \`redo\`
- \`call TOOL {"argument": "value"}\` for any other tool
- \`demo\`: I mend the sample workspace examples/hello-shop, step by step.`;

export function serveWish(
  wish: Exclude<Wish, { kind: 'tour' }>,
  turn: DemoTurn,
  tools: ReadonlySet<string>,
): DemoStep {
  switch (wish.kind) {
    case 'help':
      return { text: helpText, calls: [] };
    case 'unclear':
      return { text: wish.problem, calls: [] };
    case 'call':
      break;
  }
  const { tool, args } = wish;
  const last = turn.done.at(-1);
  if (last !== undefined) return { text: report(last.result, last.isError), calls: [] };
  if (!tools.has(tool))
    return { text: `I would use the tool \`${tool}\`, but there is none here.`, calls: [] };
  return { text: `I call \`${tool}\`.`, calls: [{ tool, args }] };
}

function report(result: string, isError: boolean): string {
  const cut = result.length > maxShownChars ? `${result.slice(0, maxShownChars)}\n[…]` : result;
  const fence = '`'.repeat(Math.max(3, ...[...cut.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const said = cut.trim() === '' ? 'It gave nothing back.' : `${fence}\n${cut}\n${fence}`;
  return `${isError ? 'It did not work:' : 'Done:'}\n\n${said}`;
}
