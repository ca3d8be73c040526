// The times of a tool's plan and run, measured at the tool itself: the log records a reading call with one entry, at its end.
import type { Tool } from '@codelab/runtime';

type Period = { start: number; end: number };
export type StepTimes = { plan: Period; run: Period };

export type StepClock = {
  /** The tool with its plan and run timed. */
  timed(tool: Tool): Tool;
  /** Returns the times of a call that ended, and forgets them. */
  take(session: string, callId: string): StepTimes | undefined;
};

/** The limit for calls whose end is never recorded here. */
const maxKept = 10_000;

export function createStepClock(): StepClock {
  const timesByCall = new Map<string, StepTimes>();
  function keep(session: string, callId: string, times: StepTimes): void {
    timesByCall.set(keyOf(session, callId), times);
    if (timesByCall.size > maxKept) timesByCall.delete(timesByCall.keys().next().value ?? '');
  }
  return {
    timed: (tool) => timed(tool, keep),
    take(session, callId) {
      const found = timesByCall.get(keyOf(session, callId));
      timesByCall.delete(keyOf(session, callId));
      return found;
    },
  };
}

/** The tool's own prepared value, and the time of its plan. */
type Prepared = { toolPrepared: unknown; plan: Period };

function timed(tool: Tool, keep: (session: string, callId: string, times: StepTimes) => void): Tool {
  const { narrow } = tool;
  return {
    ...tool,
    async plan(input, context) {
      const start = Date.now();
      const planned = await tool.plan(input, context);
      const prepared: Prepared = { toolPrepared: planned.prepared, plan: { start, end: Date.now() } };
      return { ...planned, prepared };
    },
    async run(input, prepared, context) {
      const { toolPrepared, plan } = prepared as Prepared;
      const start = Date.now();
      try {
        return await tool.run(input, toolPrepared, context);
      } finally {
        keep(context.session, context.callId, { plan, run: { start, end: Date.now() } });
      }
    },
    narrow: narrow && ((input, prepared, take) => narrow(input, (prepared as Prepared).toolPrepared, take)),
  };
}

function keyOf(session: string, callId: string): string {
  return JSON.stringify([session, callId]);
}
