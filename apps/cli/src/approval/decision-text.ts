// One line that tells what was just decided.
import { type Decision, type HunkChoice, visibleLine } from '@codelab/protocol';
import type { Paint } from '../output/paint.ts';

export function decisionText(decision: Decision, paint: Paint): string {
  switch (decision.kind) {
    case 'approve':
      return paint(
        'green',
        `✔ Approved${decision.remember ? ` and remembered (${decision.remember.scope})` : ''}`,
      );
    case 'edit':
      return paint('green', '✔ Approved as you edited it');
    case 'hunks':
      return paint('green', `✔ Approved hunk ${hunksText(decision)}`);
    case 'reject':
      return paint('red', `✖ Rejected${decision.feedback ? `: ${visibleLine(decision.feedback)}` : ''}`);
    case 'answer':
      return paint('green', `✔ ${visibleLine(decision.action)}`);
  }
}

function hunksText({ take, edits = [] }: HunkChoice): string {
  const changed = new Set(edits.map(({ hunk }) => hunk));
  return take.map((number) => `${number}${changed.has(number) ? ' as you changed it' : ''}`).join(', ');
}
