// On whose behalf something is done, carried along with the work itself: whoever looks at the log's entries as they are appended learns it.
import { AsyncLocalStorage } from 'node:async_hooks';

export type Cause = {
  request?: string;
  who?: string;
  via?: string;
  /** W3C: what the request is part of, at its sender's. */
  traceparent?: string;
};

const causes = new AsyncLocalStorage<Cause>();

/** Adds to what is known already. */
export function because<T>(cause: Cause, work: () => T): T {
  return causes.run({ ...causes.getStore(), ...cause }, work);
}

export function currentCause(): Cause {
  return causes.getStore() ?? {};
}
