// A failure after which something is changed all the same: the changes are recorded with it, so that they can be taken back.
import { type Effect, ToolError } from '@codelab/protocol';

export class FailedWithEffects extends ToolError {
  readonly effects: readonly Effect[];

  constructor({ code, message, details }: ToolError, effects: readonly Effect[]) {
    super(code, message, details);
    this.effects = effects;
  }
}
