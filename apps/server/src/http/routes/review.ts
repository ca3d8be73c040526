// The review of a turn or a session: its changes, a person's picks so far, discarding and committing.
import { type DiscardResult, type ReviewFile, reviewRoutes, type SessionReview } from '@codelab/api';
import { reviewTotals, ToolError } from '@codelab/protocol';
import {
  inspect,
  proposeCommit,
  type ReviewedFile,
  randomId,
  readReview,
  readReviewDraft,
  viewedMark,
  writeReviewDraft,
} from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import { actorOf, type Gateway, type Peer, type SharedSession } from '../../sessions/gateway.ts';
import { serveRoute } from '../route.ts';
import { callAsPerson } from '../work/call-as-person.ts';

const mostFiles = 2000;

/** A person's actions in a review, by their names in the log. */
export const reviewTools = ['discard_changes', 'commit_review'] as const;

export function serveReview(app: FastifyInstance, gateway: Gateway): void {
  serveRoute(app, reviewRoutes.get, ({ peer, params, query }) =>
    showReview(gateway, { id: params.id, turn: query.turn ?? null, by: peer }),
  );

  serveRoute(app, reviewRoutes.totals, async ({ peer, params, query }) => {
    const { host, id } = await gateway.session(params.id, peer, { mustExist: true });
    const scope = { session: id, turn: query.turn ?? null };
    return await inspect(host, { session: id }, async (context) =>
      reviewTotals((await readReview(context, scope)).files),
    );
  });

  serveRoute(app, reviewRoutes.draft, async ({ peer, params, body: { turn, unviewed, ...draft } }) => {
    const { id } = await gateway.session(params.id, peer, { mustExist: true });
    writeReviewDraft(gateway.host.home, { session: id, turn }, draft, unviewed);
    return undefined;
  });

  serveRoute(app, reviewRoutes.discard, async ({ peer, params, body }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    return await discard(session, { ...body, turn: body.turn ?? null }, peer);
  });

  serveRoute(app, reviewRoutes.commit, async ({ peer, params, body: { message, turn = null, paths } }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    return await callAsPerson(session, peer, 'commit_review', { message, turn, ...(paths && { paths }) });
  });
}

type ReviewQuery = { id: string; turn: number | null; by: Peer };

async function showReview(gateway: Gateway, { id, turn, by }: ReviewQuery): Promise<SessionReview> {
  const session = await gateway.session(id, by, { mustExist: true });
  const scope = { session: session.id, turn };
  return await inspect(session.host, { session: session.id }, async (context) => {
    const review = await readReview(context, scope);
    const draft = readReviewDraft(context.home, scope, review);
    const viewed = new Set(draft.viewed);
    const omitted = review.files.length - mostFiles;
    return {
      turn,
      turns: review.turns,
      version: review.version,
      files: review.files.slice(0, mostFiles).map((file) => shownFile(file, viewed)),
      ...(omitted > 0 && { more_files: omitted }),
      draft,
      commit: await proposeCommit(context, review),
    };
  });
}

type Refused = { path: string; hunks: string[]; reason: string };
type Discarded = { discarded: { path: string; hunks: string[] }[]; refused: Refused[] };

async function discard(
  session: SharedSession,
  args: Record<string, unknown>,
  by: Peer,
): Promise<DiscardResult> {
  const call = { id: randomId(), tool: 'discard_changes', args, dialect: 'codelab' as const };
  const outcome = await session.call(call, actorOf(by), { isConsented: true });
  if (outcome.status !== 'completed') {
    // When every file was refused, the result lists the reasons; any other failure is an error.
    const { code, message, details } = outcome.error;
    const { refused = [] } = (details ?? {}) as { refused?: Refused[] };
    if (refused.length === 0) throw new ToolError(code, message, details);
    return { call_id: null, files: refused.map(refusedFile), done: false };
  }
  const { discarded, refused } = outcome.data as Discarded;
  const discardedFiles = discarded.map(({ path, hunks }) => ({ path, state: 'done' as const, hunks }));
  return { call_id: outcome.callId, files: [...discardedFiles, ...refused.map(refusedFile)], done: true };
}

function refusedFile({ path, hunks, reason }: Refused): DiscardResult['files'][number] {
  return { path, state: 'refused', hunks, why: reason };
}

function shownFile(file: ReviewedFile, viewed: ReadonlySet<string>): ReviewFile {
  const { base: _base, now: _now, origin: _origin, hunks, ...view } = file;
  return { ...view, hunks: hunks.map(({ id }) => ({ id })), viewed: viewed.has(viewedMark(file)) };
}
