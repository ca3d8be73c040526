// Reads and changes the review of a session in this workspace, in this process. Each change is a recorded call in the reviewer's name.
import {
  type Failure,
  lossNotes,
  type Outcome,
  reviewMessage,
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import {
  type Host,
  inspect,
  proposeCommit,
  type ReviewedFile,
  randomId,
  readReview,
  readReviewDraft,
  runConsented,
  type StoredReviewDraft,
  userName,
  viewedMark,
  writeReviewDraft,
} from '@codelab/runtime';
import { stillStaged } from '../undo/still-staged.ts';
import { gitDiff } from './review-diff.ts';

export type ReviewedFileState = Omit<ReviewedFile, 'base' | 'now' | 'origin' | 'hunks'> & {
  hunks: { id: string }[];
  viewed: boolean;
};

export type LoadedReview = {
  /** Null for the whole session. */
  turn: number | null;
  turns: number[];
  version: string;
  files: ReviewedFileState[];
  draft: StoredReviewDraft;
  /** Irreversible effects of commands. */
  losses: string[];
  commit: { message: string; paths: string[] } | null;
};

/** Hunks by id, files by path, or everything in the review. */
type Discard = {
  turn: number | null;
  hunks?: string[];
  edits?: { hunk: string; text: string }[];
  files?: string[];
  all?: true;
};

export type DiscardOutcome = {
  /** The command that restores the discarded changes. */
  undo?: string;
  discarded: { path: string; hunks: string[] }[];
  refused: { path: string; hunks: string[]; reason: string }[];
  /** Discarded files that git's index still has as the agent left them. */
  still_staged?: string[];
};

type Committed = { hash: string; branch: string | null; files_committed: number };

/** Comments as a message for the agent; `clear` removes them from the draft after the message is sent. */
export type SentComments = { message: string; clear(): void };

export type ReviewSource = {
  get(turn: number | null): Promise<LoadedReview>;
  /** The changes as one git diff. */
  diff(turn: number | null): Promise<string>;
  /** `unviewed` are files on the screen that are not viewed. */
  save(turn: number | null, draft: StoredReviewDraft, unviewed?: readonly string[]): void;
  /** The unsent comments of this turn's review; for a session, also those of its turns. */
  comments(turn: number | null): Promise<SentComments | undefined>;
  discard(request: Discard): Promise<DiscardOutcome>;
  commit(request: { message: string; turn: number | null }): Promise<Committed>;
};

type Options = { session: string; via: string };
type ReviewScope = { session: string; turn: number | null };

export function reviewSource(host: Host, { session, via }: Options): ReviewSource {
  const by = { who: userName(), via };
  const call = async (tool: string, args: Record<string, unknown>): Promise<Outcome> => {
    const toolCall: ToolCall = { id: randomId(), session, tool, args, dialect: 'codelab', by };
    return await runConsented(host, toolCall, by);
  };
  return {
    get: (turn) => readAll(host, { session, turn }),
    diff: (turn) => readDiff(host, { session, turn }),
    save: (turn, draft, unviewed) => writeReviewDraft(host.home, { session, turn }, draft, unviewed),
    comments: (turn) => readComments(host, { session, turn }),
    async discard(request) {
      const outcome = await call('discard_changes', request);
      if (outcome.status !== 'completed') return { discarded: [], refused: refusedBy(outcome.error) };
      const undo = `codelab undo --session ${session} --call ${outcome.callId}`;
      const staged = await stillStaged(host, outcome.effects);
      return {
        ...(outcome.data as DiscardOutcome),
        undo,
        ...(staged.length > 0 && { still_staged: staged }),
      };
    },
    async commit(request) {
      const outcome = await call('commit_review', request);
      if (outcome.status === 'completed') return outcome.data as Committed;
      throw failed(outcome.error);
    },
  };
}

// A discard that refused everything is an answer; anything else is an error.
function refusedBy(error: Failure): DiscardOutcome['refused'] {
  const { refused = [] } = (error.details ?? {}) as Partial<DiscardOutcome>;
  if (refused.length === 0) throw failed(error);
  return refused;
}

function failed({ code, message, details }: Failure): ToolError {
  return new ToolError(code, message, details);
}

async function readAll(host: Host, scope: ReviewScope): Promise<LoadedReview> {
  return await inspect(host, { session: scope.session }, async (context) => {
    const review = await readReview(context, scope);
    const draft = readReviewDraft(context.home, scope, review);
    const viewed = new Set(draft.viewed);
    const files = review.files.map(({ base: _base, now: _now, origin: _origin, hunks, ...file }) => ({
      ...file,
      hunks: hunks.map(({ id }) => ({ id })),
      viewed: viewed.has(viewedMark(file)),
    }));
    const { turn, turns, version } = review;
    const losses = await lossesIn(host, scope);
    return { turn, turns, version, files, draft, losses, commit: await proposeCommit(context, review) };
  });
}

async function lossesIn({ log }: Host, { session, turn }: ReviewScope): Promise<string[]> {
  const notes = new Set<string>();
  for (let since = 0; ; ) {
    const page = await log.read(session, { since, limit: 500, maxChars: 4_000_000 });
    for (const { body } of page)
      if (body.type === 'call.finished' && (turn === null || body.turn === turn))
        for (const note of lossNotes(body.outcome)) notes.add(note);
    const last = page.at(-1);
    if (last === undefined) return [...notes];
    since = last.seq;
  }
}

async function readDiff(host: Host, scope: ReviewScope): Promise<string> {
  const { session } = scope;
  const { files } = await inspect(host, { session }, (context) => readReview(context, scope));
  return files.map(gitDiff).join('');
}

async function readComments(host: Host, { session, turn }: ReviewScope): Promise<SentComments | undefined> {
  const sessionReview = await readAll(host, { session, turn });
  const others = turn === null ? sessionReview.turns : [];
  const reviews = [sessionReview];
  for (const otherTurn of others)
    if (unsentCount(host.home, session, otherTurn) > 0)
      reviews.push(await readAll(host, { session, turn: otherTurn }));
  const comments = reviews.flatMap(({ draft }) => draft.comments);
  if (comments.length === 0) return undefined;
  return {
    message: reviewMessage(
      comments,
      reviews.flatMap(({ files }) => files),
    ),
    clear() {
      for (const { turn: draftTurn, draft } of reviews)
        writeReviewDraft(host.home, { session, turn: draftTurn }, { ...draft, comments: [] });
    },
  };
}

/** The reviews of a session that have unsent comments; the session's own review comes first. */
export function waitingComments(
  home: string,
  session: string,
  lastTurn: number,
): { turn: number | null; count: number }[] {
  const turns = [null, ...Array.from({ length: lastTurn }, (_, i) => i + 1)];
  return turns
    .map((turn) => ({ turn, count: unsentCount(home, session, turn) }))
    .filter(({ count }) => count > 0);
}

function unsentCount(home: string, session: string, turn: number | null): number {
  return readReviewDraft(home, { session, turn }, { files: [] }).comments.length;
}
