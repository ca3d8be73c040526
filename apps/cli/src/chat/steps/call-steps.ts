// The running calls, the plans that the log has so far, and the reads since the last other step.
import type { Kind, Outcome, Plan, ToolCall } from '@codelab/protocol';
import type { Paint } from '../../output/paint.ts';
import type { LinkOf } from '../markdown/path-links.ts';
import type { StepSetting } from './failed-test-lines.ts';
import { createReadGroup } from './read-group.ts';
import { type CallStep, endedLines, newStep, runningLine, withProgress } from './step-lines.ts';

export type CallSteps = {
  begin(call: ToolCall): void;
  plan(callId: string, plan: Plan): void;
  wait(callId: string): void;
  /** Called when a pending approval is decided. */
  goOn(): void;
  progress(callId: string, progress: Record<string, unknown>): void;
  /** The lines about a finished call; none yet for a read, which joins the group. */
  end(call: ToolCall, outcome: Outcome, text: string): string[];
  /** The lines of the group of reads: another step follows. */
  closeLooks(): string[];
  clear(): void;
  live(spinner: string): string[];
};

export type CallStepsOptions = {
  columns(): number;
  paint: Paint;
  kindOf(tool: string): Kind | undefined;
  /** The workspace, once it is open. */
  root?(): string | undefined;
  linkOf?: LinkOf | undefined;
};

/** Further concurrent calls are only counted. */
const liveRows = 4;

export function createCallSteps(options: CallStepsOptions): CallSteps {
  const { columns, paint, kindOf, root, linkOf } = options;
  const running = new Map<string, CallStep>();
  const plans = new Map<string, Plan>();
  const readGroup = createReadGroup(options);
  const setting = (): StepSetting => ({ columns: columns(), paint, root: root?.(), linkOf });
  const update = (id: string, change: (step: CallStep) => CallStep): void => {
    const step = running.get(id);
    if (step !== undefined) running.set(id, change(step));
  };
  return {
    begin: (call) => void running.set(call.id, newStep(call)),
    plan(callId, plan) {
      plans.set(callId, plan);
      update(callId, (step) => ({ ...step, plan }));
    },
    wait: (callId) => update(callId, (step) => ({ ...step, state: 'waiting', wasAsked: true })),
    goOn() {
      for (const [id, step] of running)
        if (step.state === 'waiting') running.set(id, { ...step, state: 'running', since: Date.now() });
    },
    progress: (callId, progress) => update(callId, (step) => withProgress(step, progress)),
    end(call, outcome, text) {
      const step = { ...(running.get(call.id) ?? newStep(call)), plan: plans.get(call.id) };
      running.delete(call.id);
      plans.delete(call.id);
      if (call.agent === undefined && readGroup.add(call, outcome, step.plan)) return [];
      return [...readGroup.close(), ...endedLines(step, outcome, text, setting())];
    },
    closeLooks: () => readGroup.close(),
    clear: () => running.clear(),
    live(spinner) {
      const isLook = ({ call, state }: CallStep): boolean => {
        const kind = kindOf(call.tool);
        return state === 'running' && (kind === 'read' || kind === 'search');
      };
      const others = [...running.values()].filter((step) => !isLook(step));
      const latest = [...running.values()].findLast(isLook);
      const hidden = others.length - liveRows;
      return [
        ...(readGroup.isEmpty ? [] : [`${paint('cyan', spinner)} ${readGroup.title}`]),
        ...(latest === undefined ? [] : [runningLine(latest, spinner, setting())]),
        ...others.slice(0, liveRows).map((step) => runningLine(step, spinner, setting())),
        ...(hidden > 0 ? [paint('dim', `  and ${hidden} more`)] : []),
      ];
    },
  };
}
