// A decision as fields of a message; each dialect has its own name for some of them.
import type { Decision } from '@codelab/protocol';
import type { Json } from '../dialect.ts';
import { present } from './present.ts';

export function decisionFields(decision: Decision, names: { args: string; feedback: string }): Json {
  const { kind } = decision;
  switch (decision.kind) {
    case 'approve':
      return present({ decision: kind, remember: decision.remember });
    case 'edit':
      return present({ decision: kind, [names.args]: decision.args, [names.feedback]: decision.feedback });
    case 'hunks':
      return present({ decision: kind, take: decision.take, [names.feedback]: decision.feedback });
    case 'reject':
      return present({ decision: kind, [names.feedback]: decision.feedback, remember: decision.remember });
    case 'answer':
      return { decision: kind, action: decision.action };
  }
}
