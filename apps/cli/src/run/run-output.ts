// What a headless turn prints: while it goes on, and at its end.
import type { AgentSignal, SessionEvent } from '@codelab/protocol';
import type { RunResult } from './run-result.ts';

export type OutputOptions = {
  session: string;
  root: string;
  watch(listener: (event: SessionEvent) => void): void;
};

export type RunOutput = {
  /** Before the turn begins. */
  opened?(model: string): void;
  show(signal: AgentSignal): void;
  end(result: RunResult): void;
  /** Also ended with a result when no turn could be begun. */
  isForPrograms?: true;
};
