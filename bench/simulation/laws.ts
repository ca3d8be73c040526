// What must hold whatever happens: at every append that the servers take, whenever a command runs, and at the end: nothing is lost that was
// acknowledged, every call that was approved was started once, and users saw what the log says.
import type { Scheduler } from './machine/scheduler.ts';
import type { Stored } from './servers/stores.ts';
import { checkAppend, newRecord, type SessionRecord } from './session-record.ts';

/** What a user has seen of a session at the end, and whether everything that was to be done in it is done. */
export type FinalView = { session: string; seq: number; hash: string; isDone: boolean };

type Acknowledged = { session: string; callId: string };

export type Laws = {
  appended(stored: Stored, from: string): void;
  /** The command of a call runs now. */
  ran(session: string, callId: string, node: string): void;
  /** A user was told that the message was taken. */
  acknowledgedMessage(message: Acknowledged): void;
  /** A user was told that this decision holds. */
  acknowledgedDecision(decision: Acknowledged & { by: string }): void;
  /** For the list that is printed with a law that was broken. */
  note(text: string): void;
  breaks(law: string): void;
  atEnd(views: Iterable<FinalView>): void;
  record(session: string): SessionRecord | undefined;
  calls(): { run: number; unknown: number };
  readonly broken: readonly string[];
  readonly recent: readonly string[];
};

const keptNotes = 40;
const mostBroken = 100;

export function createLaws(scheduler: Scheduler): Laws {
  const sessions = new Map<string, SessionRecord>();
  const ran = new Map<string, string>();
  const messages: Acknowledged[] = [];
  const decisions: (Acknowledged & { by: string })[] = [];
  const notes = createNotes(scheduler);
  const { breaks } = notes;

  function check(holds: boolean, law: () => string): void {
    if (!holds) breaks(law());
  }
  const callOf = ({ session, callId }: Acknowledged): ReturnType<SessionRecord['calls']['get']> =>
    sessions.get(session)?.calls.get(callId);

  function checkView({ session, seq, hash, isDone }: FinalView): void {
    const record = sessions.get(session);
    check(isDone, () => `${session}: not finished at the end`);
    check(
      record?.seq === seq && record.hash === hash,
      () => `${session}: a user saw ${seq} entries, the log has ${record?.seq ?? 0}`,
    );
    for (const [callId, { isApproved, startedBy }] of record?.calls ?? [])
      check(!isApproved || startedBy.length === 1, () => `${callId}: approved and not started`);
  }

  return {
    ...notes,
    record: (session) => sessions.get(session),
    calls() {
      const all = [...sessions.values()].flatMap(({ calls }) => [...calls.values()]);
      return { run: ran.size, unknown: all.filter(({ isUnknown }) => isUnknown).length };
    },
    appended(stored, from) {
      const session = stored.subject.slice(stored.subject.lastIndexOf('.') + 1);
      const record = sessions.get(session) ?? newRecord();
      sessions.set(session, record);
      checkAppend(record, { session, stored, from, now: scheduler.now }, check);
    },
    ran(session, callId, node) {
      const startedBy = callOf({ session, callId })?.startedBy[0];
      check(!ran.has(callId), () => `${callId}: run by ${ran.get(callId)} and again by ${node}`);
      check(startedBy === node, () => `${callId}: run by ${node} without its start in the log`);
      ran.set(callId, node);
    },
    acknowledgedMessage: (message) => void messages.push(message),
    acknowledgedDecision: (decision) => void decisions.push(decision),
    atEnd(views) {
      for (const message of messages)
        check(
          callOf(message)?.received === 1,
          () => `${message.callId}: acknowledged, and not once in the log`,
        );
      for (const decision of decisions)
        check(
          callOf(decision)?.decided[0] === decision.by,
          () => `${decision.callId}: the decision of ${decision.by} was acknowledged and is not in the log`,
        );
      for (const view of views) checkView(view);
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
