// The laws for sessions of a cluster, whatever happened to its nodes: compares each user's view, the log and the commands that really ran.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { SessionEvent, SessionLog } from '@codelab/protocol';
import type { ClusterUser } from './cluster-client.ts';

export type Found = { failures: string[]; turns: number; calls: number; unknown: number };

export async function checkCluster(
  log: SessionLog,
  users: readonly ClusterUser[],
  runs: string,
): Promise<Found> {
  const ran = new Map<string, number>();
  for (const line of readFileSync(runs, 'utf8').split('\n'))
    if (line !== '') ran.set(line, (ran.get(line) ?? 0) + 1);
  const found: Found = { failures: [], turns: 0, calls: 0, unknown: 0 };
  for (const [text, times] of ran) if (times > 1) found.failures.push(`${text} was run ${times} times`);
  for (const user of users) {
    const entries = await log.read(user.session);
    const damage = await log.prove(user.session, new AbortController().signal);
    if (damage !== undefined) found.failures.push(`${user.session}: ${JSON.stringify(damage)}`);
    found.failures.push(...user.faults, ...checkView(user, entries), ...checkUser(user, entries));
    checkCalls(entries, ran, found);
  }
  return found;
}

function* checkView({ session, view }: ClusterUser, entries: readonly SessionEvent[]): Generator<string> {
  if (view.size !== entries.length)
    yield `${session}: ${view.size} entries were told, the log has ${entries.length}`;
  const wrong = entries.find((entry) => !isDeepStrictEqual(view.get(entry.seq), entry));
  if (wrong !== undefined) yield `${session}: entry ${wrong.seq} was told otherwise`;
}

/** An acknowledged message exists once, and an acknowledged decision counts. */
function* checkUser(
  { session, sentTexts, decided }: ClusterUser,
  entries: readonly SessionEvent[],
): Generator<string> {
  for (const text of sentTexts) {
    const count = entries.filter(({ body }) => body.type === 'turn.started' && body.text === text).length;
    if (count !== 1) yield `${session}: ${text} began ${count} turns`;
  }
  for (const id of decided) {
    const count = entries.filter(
      ({ body }) => body.type === 'approval.decided' && body.approvalId === id,
    ).length;
    if (count !== 1) yield `${session}: the decision of ${id} is there ${count} times`;
  }
}

function checkCalls(entries: readonly SessionEvent[], ran: ReadonlyMap<string, number>, found: Found): void {
  found.turns += entries.filter(({ body }) => body.type === 'turn.ended').length;
  const started = entries.flatMap(({ body }) => (body.type === 'call.started' ? [body] : []));
  for (const { callId, args } of started) {
    const [id, text] = [`${entries[0]?.session} ${callId}`, /turn-[\w-]+/.exec(JSON.stringify(args))?.[0]];
    const starts = started.filter((call) => call.callId === callId).length;
    if (starts !== 1) found.failures.push(`${id} was started ${starts} times`);
    const ends = entries.flatMap(({ body }) =>
      body.type === 'call.finished' && body.callId === callId ? [body.outcome] : [],
    );
    if (ends.length !== 1) found.failures.push(`${id} has ${ends.length} ends`);
    found.calls++;
    const isKnown = ends[0]?.status === 'completed';
    if (!isKnown) found.unknown++;
    if (isKnown && ran.get(text ?? '') !== 1) found.failures.push(`${id} completed, and ${text} was not run`);
  }
}
