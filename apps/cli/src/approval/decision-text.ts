// One line that tells what was just decided.
import type { Decision } from '@codelab/protocol';
import { visibleLine } from '@codelab/protocol';
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
      return paint('green', `✔ Approved hunk ${decision.take.join(', ')}`);
    case 'reject':
      return paint('red', `✖ Rejected${decision.feedback ? `: ${visibleLine(decision.feedback)}` : ''}`);
    case 'answer':
      return paint('green', `✔ ${visibleLine(decision.action)}`);
  }
}
