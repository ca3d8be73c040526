// The laws of every run: at every append that the servers accept, whenever a command runs, and at the end: no acknowledged entry is lost,
// every approved call was started once, and users saw the log's content.
import type { Scheduler } from './machine/scheduler.ts';
import type { Stored } from './servers/stores.ts';
import { checkAppend, checkAtEnd, type FinalView, newRecord, type SessionRecord } from './session-record.ts';

type Acknowledged = { session: string; callId: string };
type AcknowledgedDecision = Acknowledged & { by: string };

export type Laws = {
  appended(stored: Stored, from: string): void;
  /** The command of a call runs now. */
  ran(session: string, callId: string, node: string): void;
  /** A user's message was acknowledged. */
  acknowledgedMessage(message: Acknowledged): void;
  /** A user's decision was acknowledged. */
  acknowledgedDecision(decision: AcknowledgedDecision): void;
  /** For the history that is printed with a broken law. */
  note(text: string): void;
  breaks(law: string): void;
  /** For a finished session, or at the end of the run. From then on nothing may happen in it. */
  atEnd(view: FinalView): void;
  record(session: string): SessionRecord | undefined;
  calls(): { run: number; unknown: number };
  readonly broken: readonly string[];
  readonly recent: readonly string[];
};

const keptNotes = 40;
const mostBroken = 100;

export function createLaws(scheduler: Scheduler): Laws {
  const sessions = new Map<string, SessionRecord>();
  const totals = { run: 0, unknown: 0 };
  const notes = createNotes(scheduler);
  const { breaks } = notes;

  function check(isKept: boolean, law: () => string): void {
    if (!isKept) breaks(law());
  }
  function recordOf(session: string): SessionRecord {
    const record = sessions.get(session) ?? newRecord();
    sessions.set(session, record);
    return record;
  }

  return {
    ...notes,
    record: (session) => sessions.get(session),
    calls: () => totals,
    appended(stored, from) {
      const session = stored.subject.slice(stored.subject.lastIndexOf('.') + 1);
      const record = recordOf(session);
      const { seq } = record;
      checkAppend(record, { session, stored, from, now: scheduler.now }, check);
      check(!record.isOver || record.seq === seq, () => `${session}: an entry came after the end`);
    },
    ran(session, callId, node) {
      const { calls, ran } = recordOf(session);
      check(!ran.has(callId), () => `${callId}: run by ${ran.get(callId)} and again by ${node}`);
      check(
        calls.get(callId)?.startedBy[0] === node,
        () => `${callId}: run by ${node} without its start in the log`,
      );
      ran.set(callId, node);
      totals.run++;
    },
    acknowledgedMessage: ({ session, callId }) => void recordOf(session).messages.push(callId),
    acknowledgedDecision: ({ session, ...decision }) => void recordOf(session).decisions.push(decision),
    atEnd(view) {
      const record = recordOf(view.session);
      checkAtEnd(record, view, check);
      totals.unknown += [...record.calls.values()].filter(({ isUnknown }) => isUnknown).length;
      // Keeping everything to the end of the run would need too much memory for a hundred thousand sessions.
      record.isOver = true;
      // A node that was paused after its start was stored runs the call when it continues, although others ended the call meanwhile.
      for (const [callId, { startedBy }] of record.calls)
        if (startedBy.length === 0 || record.ran.has(callId)) record.calls.delete(callId);
      record.ran.clear();
      for (const list of [record.messages, record.decisions]) list.length = 0;
    },
  };
}

/** The laws that were broken, and what happened lately. */
function createNotes(scheduler: Scheduler): Pick<Laws, 'broken' | 'recent' | 'note' | 'breaks'> {
  const broken: string[] = [];
  const recent: string[] = [];
  function note(text: string): void {
    recent.push(`${(scheduler.now / 1000).toFixed(3).padStart(9)} s  ${text}`);
    if (recent.length > keptNotes) recent.shift();
  }
  return {
    broken,
    recent,
    note,
    breaks(law) {
      note(`BROKEN ${law}`);
      if (broken.length < mostBroken) broken.push(law);
    },
  };
}
