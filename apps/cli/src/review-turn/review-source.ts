// Reads and changes the review of a session in this workspace, in this process. Each change is a recorded call in the reviewer's name.
import { createHash } from 'node:crypto';
import { type Failure, type Outcome, reviewMessage, type ToolCall, ToolError } from '@codelab/protocol';
import {
  type FilePatch,
  formatPatch,
  type Host,
  inspect,
  proposeCommit,
  quotePath,
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
  /** The command that restores what was discarded. */
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
  discard(wanted: Discard): Promise<DiscardOutcome>;
  commit(wanted: { message: string; turn: number | null }): Promise<Committed>;
};

type Options = { session: string; via: string };

export function reviewSource(host: Host, { session, via }: Options): ReviewSource {
  const by = { who: userName(), via };
  const call = async (tool: string, args: Record<string, unknown>): Promise<Outcome> => {
    const made: ToolCall = { id: randomId(), session, tool, args, dialect: 'codelab', by };
    return await runConsented(host, made, by);
  };
  return {
    get: (turn) => readAll(host, { session, turn }),
    diff: (turn) => readDiff(host, { session, turn }),
    save: (turn, draft, unviewed) => writeReviewDraft(host.home, { session, turn }, draft, unviewed),
    comments: (turn) => readComments(host, { session, turn }),
    async discard(wanted) {
      const outcome = await call('discard_changes', wanted);
      if (outcome.status !== 'completed') return { discarded: [], refused: refusedBy(outcome.error) };
      const undo = `codelab undo --session ${session} --call ${outcome.callId}`;
      const staged = await stillStaged(host, outcome.effects);
      return {
        ...(outcome.data as DiscardOutcome),
        undo,
        ...(staged.length > 0 && { still_staged: staged }),
      };
    },
    async commit(wanted) {
      const outcome = await call('commit_review', wanted);
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

async function readAll(host: Host, scope: { session: string; turn: number | null }): Promise<LoadedReview> {
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
    return { turn, turns, version, files, draft, commit: await proposeCommit(context, review) };
  });
}

async function readDiff(host: Host, scope: { session: string; turn: number | null }): Promise<string> {
  const { session } = scope;
  const { files } = await inspect(host, { session }, (context) => readReview(context, scope));
  return files.map(gitDiff).join('');
}

/** What a diff can't show is told in a line that programs which apply diffs skip. */
function gitDiff(file: ReviewedFile): string {
  const { path, from = path, base, now, op, folder, gone, truncated } = file;
  const name = quotePath(path);
  if (gone !== undefined) return `# ${name}: ${gone}\n`;
  if (truncated) return `# ${name}: the diff is too long to be shown.\n`;
  if (folder)
    return op === 'move' ? `# folder ${quotePath(from)} moved to ${name}\n` : `# folder ${name}: ${op}\n`;
  const hunks = file.hunks.flatMap(({ hunk }) => (hunk === undefined ? [] : [hunk]));
  const gonePart: Part = { base, now: null, oldPath: from, newPath: null, hunks };
  const newPart: Part = { base: null, now, oldPath: null, newPath: path, hunks };
  // As in git, a file that becomes a link is deleted and made anew. The hunks are those of the side that is text.
  if (base !== null && now !== null && base.state.type !== now.state.type)
    return formatPatch([patchOf(gonePart), patchOf(newPart)], 'notice');
  const oldPath = base === null ? null : from;
  return formatPatch([patchOf({ base, now, oldPath, newPath: now && path, hunks })], 'notice');
}

type Side = ReviewedFile['base'];
type Part = Pick<FilePatch, 'oldPath' | 'newPath' | 'hunks'> & { base: Side; now: Side };

function patchOf({ base, now, oldPath, newPath, hunks }: Part): FilePatch {
  const sides = [base, now].filter((side) => side !== null);
  const isLink = sides.some(({ state }) => state.type === 'symlink');
  const isText = isLink || sides.every(({ lines }) => lines !== undefined);
  const operation =
    base === null ? 'create' : now === null ? 'delete' : oldPath === newPath ? 'update' : 'rename';
  const [oldMode, newMode] = gitModes(base, now);
  const isSameMode = base?.state.mode === now?.state.mode;
  const isSame = base?.state.digest !== undefined && base.state.digest === now?.state.digest;
  return {
    ...{ oldPath, newPath, operation, hunks: isLink ? linkHunks(base, now) : isText ? hunks : [] },
    ...(oldMode && !isSameMode && { oldMode }),
    ...(newMode && !isSameMode && { newMode }),
    ...(isLink && { isLink: true }),
    ...(!isText && !isSame && { binary: binaryNotice(base, now) }),
  };
}

/** Nothing of a binary file is shown but that it differs. */
function binaryNotice(base: Side, now: Side): NonNullable<FilePatch['binary']> {
  const rest = { method: 'literal' as const, size: 0, deflated: Buffer.alloc(0), lines: [] };
  return { oldHash: gitHash(base), newHash: gitHash(now), ...rest };
}

function gitHash(side: Side): string {
  if (side?.bytes === undefined) return '0000000';
  const header = `blob ${side.bytes.length}\0`;
  return createHash('sha1').update(header).update(side.bytes).digest('hex').slice(0, 7);
}

/** git knows only whether a file can be run; other changes of the mode are told by the mode itself. */
function gitModes(base: Side, now: Side): (number | null)[] {
  const sides = [base, now];
  const known = sides.map((side) => {
    if (side === null) return null;
    if (side.state.type === 'symlink') return 0o120000;
    return (side.state.mode & 0o100) === 0 ? 0o100644 : 0o100755;
  });
  return known[0] === known[1] ? sides.map((side) => side && 0o100000 | side.state.mode) : known;
}

/** The text of a link is where it leads, without a line end. */
function linkHunks(base: Side, now: Side): FilePatch['hunks'] {
  const lines = [
    ...(base?.link === undefined ? [] : [`-${base.link}`, noLineEnd]),
    ...(now?.link === undefined ? [] : [`+${now.link}`, noLineEnd]),
  ];
  if (lines.length === 0 || base?.link === now?.link) return [];
  const [oldLines, newLines] = [base?.link, now?.link].map((link) => (link === undefined ? 0 : 1));
  return [
    {
      oldStart: oldLines ?? 0,
      oldLines: oldLines ?? 0,
      newStart: newLines ?? 0,
      newLines: newLines ?? 0,
      lines,
    },
  ];
}

const noLineEnd = '\\ No newline at end of file';

async function readComments(
  host: Host,
  { session, turn }: { session: string; turn: number | null },
): Promise<SentComments | undefined> {
  const whole = await readAll(host, { session, turn });
  const others = turn === null ? whole.turns : [];
  const reviews = [whole];
  for (const one of others)
    if (waiting(host.home, session, one) > 0) reviews.push(await readAll(host, { session, turn: one }));
  const comments = reviews.flatMap(({ draft }) => draft.comments);
  if (comments.length === 0) return undefined;
  return {
    message: reviewMessage(
      comments,
      reviews.flatMap(({ files }) => files),
    ),
    clear() {
      for (const { turn: of, draft } of reviews)
        writeReviewDraft(host.home, { session, turn: of }, { ...draft, comments: [] });
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
    .map((turn) => ({ turn, count: waiting(home, session, turn) }))
    .filter(({ count }) => count > 0);
}

function waiting(home: string, session: string, turn: number | null): number {
  return readReviewDraft(home, { session, turn }, { files: [] }).comments.length;
}
