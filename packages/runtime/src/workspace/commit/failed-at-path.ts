// Names the change at which a set failed.
import { ToolError } from '@codelab/protocol';
import { changeFault, fault, type StatePlaces } from '../fault.ts';

/** One change of a set failed, and nothing was changed: the others may be possible without it. */
export class FailedAtPath extends ToolError {
  readonly path: string;
  constructor({ code, message, details }: ToolError, path: string) {
    super(code, message, details);
    this.path = path;
  }
}

/** An unexpected error stays as it is. */
export function failedAt(error: unknown, path: string, places?: StatePlaces): unknown {
  try {
    return new FailedAtPath(places ? changeFault(error, path, places) : fault(error, path), path);
  } catch {
    return error;
  }
}
