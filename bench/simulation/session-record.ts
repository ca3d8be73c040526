// The accepted appends of one session, and the laws that hold for every append: one writer for each ownership, later ownerships only,
// entries in one chain, each call decided, started and finished at most once, and started only when it was approved.
import type { EventBody } from '@codelab/protocol';
import { chainHash, chainStart, readEvent } from '../../apps/server/src/log/entries.ts';
import { readEntries, readStanding, type Standing } from '../../apps/server/src/log/jetstream/message.ts';
import type { Stored } from './servers/stores.ts';

/** Notes the sentence when the law does not hold. */
export type Check = (isKept: boolean, law: () => string) => void;

type CallRecord = {
  received: number;
  decided: string[];
  isApproved: boolean;
  startedBy: string[];
  finished: number;
  isUnknown: boolean;
};

export type SessionRecord = {
  seq: number;
  hash: string;
  epoch: number;
  /** The writer and time of the last append. */
  writer: string;
  lastAt: number;
  calls: Map<string, CallRecord>;
  /** The node that ran each call. */
  ran: Map<string, string>;
  /** The calls of messages, and the decisions, that were acknowledged. */
  messages: string[];
  decisions: { callId: string; by: string }[];
  /** Whether the user of the session has finished. */
  isOver: boolean;
};

/** A user's final view of a session, and whether all its work is done. */
export type FinalView = { session: string; seq: number; hash: string; isDone: boolean };

export function newRecord(): SessionRecord {
  return {
    ...{ seq: 0, hash: chainStart, epoch: 0, writer: '', lastAt: 0, isOver: false },
    ...{ calls: new Map(), ran: new Map(), messages: [], decisions: [] },
  };
}

export function checkAtEnd(record: SessionRecord, view: FinalView, check: Check): void {
  const { calls, messages, decisions } = record;
  const { session, seq, hash, isDone } = view;
  for (const callId of messages)
    check(calls.get(callId)?.received === 1, () => `${callId}: acknowledged, and not once in the log`);
  for (const { callId, by } of decisions)
    check(
      calls.get(callId)?.decided[0] === by,
      () => `${callId}: the decision of ${by} was acknowledged and is not in the log`,
    );
  check(isDone, () => `${session}: not finished at the end`);
  check(
    record.seq === seq && record.hash === hash,
    () => `${session}: a user saw ${seq} entries, the log has ${record.seq}`,
  );
  for (const [callId, { isApproved, startedBy }] of calls)
    check(!isApproved || startedBy.length === 1, () => `${callId}: approved and not started`);
}

export type Appended = { session: string; stored: Stored; from: string; now: number };

export function checkAppend(
  record: SessionRecord,
  { session, stored, from, now }: Appended,
  check: Check,
): void {
  const standing = readStanding(stored.standing, stored.seq);
  checkOwner(record, { session, standing, from }, check);
  record.writer = from;
  record.lastAt = now;
  for (const { seq, time, json, hash } of readEntries(stored.data)) {
    check(seq === record.seq + 1, () => `${session}: entry ${seq} follows entry ${record.seq}`);
    check(
      hash === chainHash(record.hash, { session, seq, time, json }),
      () => `${session}: the hash of entry ${seq} does not follow`,
    );
    record.seq = seq;
    record.hash = hash;
    applyTo(
      record.calls,
      readEvent(json, () => ''),
      from,
    );
  }
  check(
    standing.seq === record.seq,
    () => `${session}: the index says ${standing.seq}, the log ${record.seq}`,
  );
  for (const [callId, call] of record.calls) {
    check(call.startedBy.length <= 1, () => `${callId}: started by ${call.startedBy.join(' and ')}`);
    check(call.decided.length <= 1, () => `${callId}: decided ${call.decided.length} times`);
    check(call.finished <= 1, () => `${callId}: finished ${call.finished} times`);
    check(call.startedBy.length === 0 || call.isApproved, () => `${callId}: started without an approval`);
  }
}

type By = { session: string; standing: Standing; from: string };

function checkOwner(record: SessionRecord, { session, standing: { owner }, from }: By, check: Check): void {
  const epoch = owner?.epoch ?? 0;
  check(
    epoch >= record.epoch,
    () => `${session}: ${from} wrote as owner ${epoch} after owner ${record.epoch}`,
  );
  check(
    epoch !== record.epoch || record.writer === '' || record.writer === from,
    () => `${session}: ${from} and ${record.writer} both wrote as owner ${epoch}`,
  );
  check(
    owner === undefined || owner.node === from,
    () => `${session}: ${from} wrote while ${owner?.node} is the owner`,
  );
  record.epoch = Math.max(epoch, record.epoch);
}

function applyTo(calls: Map<string, CallRecord>, body: EventBody, from: string): void {
  if (body.type === 'call.received') {
    const call = calls.get(body.call.id) ?? newCall();
    calls.set(body.call.id, call);
    call.received++;
  }
  const call = 'callId' in body ? calls.get(body.callId) : undefined;
  if (call === undefined) return;
  if (body.type === 'approval.decided') {
    call.decided.push(body.by.who);
    call.isApproved = body.decision.kind === 'approve';
  }
  if (body.type === 'call.started') call.startedBy.push(from);
  if (body.type === 'call.finished') {
    call.finished++;
    call.isUnknown = body.outcome.status === 'failed';
  }
}

function newCall(): CallRecord {
  return { received: 0, decided: [], isApproved: false, startedBy: [], finished: 0, isUnknown: false };
}
