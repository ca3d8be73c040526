// The pending approvals of a session: the shown one, answers to several together, and answers typed in the composer.
import type { ApprovalRequest, Decision } from '@codelab/protocol';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { api } from '../../api/api.ts';
import { useSessionStore } from '../../session/session-store.ts';
import type { UiTexts } from '../../text/en.ts';
import { useText } from '../../text/use-text.ts';
import { toastError } from '../../ui/toast.tsx';
import { type Readiness, unsteadyMs } from './card-focus.ts';

// Pending approvals as questions: calls of one reply are one question, every other call is one by itself.
export type ApprovalQuestion = {
  key: string;
  approvals: readonly [ApprovalRequest, ...ApprovalRequest[]];
};

/** `isApart` says of which replies each call is to be asked for itself. */
export function questionsOf(
  pending: readonly ApprovalRequest[],
  isApart: (reply: string) => boolean,
): ApprovalQuestion[] {
  const questions = new Map<string, ApprovalQuestion>();
  for (const approval of pending) {
    const reply = replyOf(approval);
    const key = reply === undefined || isApart(reply) ? approval.id : reply;
    const known = questions.get(key);
    questions.set(key, { key, approvals: known ? [...known.approvals, approval] : [approval] });
  }
  return [...questions.values()];
}

/** Undefined for what is never one of many: a question of the agent, what could not be made good again, what was asked before. */
function replyOf({ plan, verdict, again, session, group }: ApprovalRequest): string | undefined {
  if (plan.question !== undefined || verdict.risk === 'critical' || again !== undefined) return undefined;
  return group === undefined ? undefined : `${session} ${group.id}`;
}

/** Replies whose calls are answered one by one, and those whose answer is on its way. */
export const useReplies = create<{ apart: ReadonlySet<string>; sending: ReadonlySet<string> }>(() => ({
  apart: new Set(),
  sending: new Set(),
}));

export function askOneByOne(reply: string): void {
  useReplies.setState(({ apart }) => ({ apart: new Set([...apart, reply]) }));
}

/** Gives one answer to each of the calls. Every decision is about its own call and holds for nothing else. True when all were taken. */
export async function sendAnswers(
  { key, approvals }: ApprovalQuestion,
  decisionFor: (approval: ApprovalRequest) => Decision,
): Promise<boolean> {
  markSending(key, true);
  let isTaken = true;
  for (const approval of approvals) {
    try {
      await api.decide(approval.session, approval.id, decisionFor(approval), approval.binding);
    } catch (error) {
      isTaken = false;
      toastError(error);
    }
  }
  markSending(key, false);
  return isTaken;
}

function markSending(key: string, isSending: boolean): void {
  useReplies.setState(({ sending }) => {
    const next = new Set(sending);
    if (isSending) next.add(key);
    else next.delete(key);
    return { sending: next };
  });
}

/** The question on the screen that an answer typed at the composer is for: the first one. */
type Shown = {
  question: ApprovalQuestion;
  /** Of its approvals: another question has another one. */
  ids: string;
  shownAt: number;
  wasReady(pressedAt: number): boolean;
};

const useShownQuestion = create<{ shown: Shown | undefined }>(() => ({ shown: undefined }));

/** Makes a card known as that question while it is the first. */
export function useShown(question: ApprovalQuestion, { wasReady }: Readiness, isFirst: boolean): void {
  const latest = useRef({ question, wasReady });
  latest.current = { question, wasReady };
  const ids = question.approvals.map(({ id }) => id).join(' ');
  useEffect(() => {
    if (!isFirst) return;
    const shown = {
      question: latest.current.question,
      ids,
      shownAt: performance.now(),
      wasReady: (at: number) => latest.current.wasReady(at),
    };
    useShownQuestion.setState({ shown });
    return () => useShownQuestion.setState((now) => (now.shown === shown ? { shown: undefined } : now));
  }, [ids, isFirst]);
}

/** Only what the agent's own turn waits for is answered at the composer; to others one says nothing there. */
function isOfTurn({ approvals }: ApprovalQuestion): boolean {
  const { calls } = useSessionStore.getState().model;
  return approvals.every(({ callId }) => calls.get(callId)?.call.turn !== undefined);
}

/**
 * The question that a text typed at that time is about; undefined while none could be seen. A text keeps it: what was typed for one question
 * must never decide another one that takes its place.
 */
export function questionTypedFor(typedAt: number): string | undefined {
  const { shown } = useShownQuestion.getState();
  return shown?.wasReady(typedAt) && isOfTurn(shown.question) ? shown.ids : undefined;
}

// Text that is typed while a call waits, as an answer to it: yes, no, one of the offered actions, or no with the text as the reason.
export type ComposerAnswer = {
  placeholder: string;
  /** The effect of Enter on the current text; undefined while there is none. */
  hint: string | undefined;
  /** Whether a press at that time can have been meant for this question. */
  wasReady(pressedAt: number): boolean;
  /** Whether a press at that time came late enough to have seen that the text is a message now. */
  wasShown(pressedAt: number): boolean;
  /** True when the answer was taken. Undefined when the text was typed for something else: then it is a message. */
  send: ((text: string) => Promise<boolean>) | undefined;
  /** Undefined where a plain yes is no answer. */
  approve: (() => Promise<boolean>) | undefined;
};

/** Undefined while nothing of the agent's turn waits: then what is typed is a message. */
export function useComposerAnswer(text: string, typedFor: string | undefined): ComposerAnswer | undefined {
  const words = useText().approval;
  const shown = useShownQuestion((state) => state.shown);
  if (shown === undefined || !isOfTurn(shown.question)) return undefined;
  const { question, wasReady, shownAt } = shown;
  const isAnswer = typedFor === shown.ids;
  const { approvals } = question;
  const takesYes = approvals.every(({ plan }) => plan.question === undefined);
  return {
    placeholder: takesYes ? words.typeAnswer : words.typeChoice,
    hint:
      text.trim() === ''
        ? undefined
        : isAnswer
          ? hintFor(text.trim(), approvals, words)
          : words.enterDecidesNothing,
    wasReady,
    wasShown: (pressedAt) => pressedAt > shownAt + unsteadyMs,
    send: isAnswer
      ? (typed) => sendAnswers(question, (approval) => readTypedAnswer(typed.trim(), approval))
      : undefined,
    approve: takesYes ? () => sendAnswers(question, () => ({ kind: 'approve' })) : undefined,
  };
}

const yes = new Set([
  'y',
  'yes',
  'ok',
  'okay',
  'approve',
  'да',
  'д',
  'ок',
  '好',
  '好的',
  '是',
  '批准',
  '可以',
]);
const no = new Set(['n', 'no', 'reject', 'нет', 'н', '不', '否', '拒绝', '不行']);

/** Whatever is neither a plain yes nor an offered action refuses, and the model reads why. */
export function readTypedAnswer(
  text: string,
  { plan: { question } }: Pick<ApprovalRequest, 'plan'>,
): Decision {
  const word = text.toLowerCase().replace(/[.!。！]+$/, '');
  const action = question?.actions.find((label) => label.trim().toLowerCase() === word);
  if (action !== undefined) return { kind: 'answer', action };
  if (question === undefined && yes.has(word)) return { kind: 'approve' };
  if (no.has(word)) return { kind: 'reject' };
  return { kind: 'reject', feedback: text };
}

function hintFor(
  text: string,
  approvals: readonly [ApprovalRequest, ...ApprovalRequest[]],
  words: UiTexts['approval'],
): string {
  const decision = readTypedAnswer(text, approvals[0]);
  switch (decision.kind) {
    case 'approve':
      return approvals.length > 1 ? words.enterApprovesAll(approvals.length) : words.enterApproves;
    case 'answer':
      return words.enterAnswers(decision.action);
    default:
      return approvals.length > 1 ? words.enterRejectsAll(approvals.length) : words.enterRejects;
  }
}
