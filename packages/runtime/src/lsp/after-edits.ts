// Finds the diagnostics that an edit has introduced: those after the edit compared with those before, where the file's server was
// running.
import type { AnswerDiagnostic } from './answers.ts';
import { describeDiagnostic, type FoundDiagnostic } from './look-up.ts';
import { askServer, isUnanswered, type QuestionContext, textOnDisk } from './questions.ts';
import type { ServedFile } from './server/server-pool.ts';

type NewDiagnostic = FoundDiagnostic & { path: string };

export type EditWatch = {
  /** Call right before a call changes these files. Waits for nothing and starts no server. */
  before(callId: string, paths: readonly string[], context: QuestionContext): void;
  /** The diagnostics that the call has introduced, as far as they are known in time. */
  after(callId: string, context: QuestionContext): Promise<NewDiagnostic[]>;
};

const mostFiles = 5;
const mostCalls = 50;
const beforeMs = 2000;
const afterMs = 3000;
const mostTold = 20;

type Before = { path: string; items: Promise<readonly AnswerDiagnostic[] | undefined> };

export function createEditWatch(running: (path: string) => ServedFile | undefined): EditWatch {
  const calls = new Map<string, Before[]>();
  return {
    before(callId, paths, context) {
      const files = paths.slice(0, mostFiles).flatMap((path) => lookBefore(path, running(path), context));
      if (files.length === 0) return;
      calls.set(callId, files);
      const [oldest] = calls.keys();
      if (calls.size > mostCalls && oldest !== undefined) calls.delete(oldest);
    },
    async after(callId, context) {
      const files = calls.get(callId) ?? [];
      calls.delete(callId);
      const diagnostics = await Promise.all(files.map((file) => newIn(file, context)));
      return diagnostics.flat().slice(0, mostTold);
    },
  };
}

/** The server gets the old text before the edit replaces it. */
function lookBefore(path: string, served: ServedFile | undefined, context: QuestionContext): Before[] {
  const text = served && textOnDisk(path, context);
  if (served === undefined || text === undefined) return [];
  const { server, languageId } = served;
  const document = server.documents.sync(path, languageId, { text, isUnsaved: false });
  const wait = { signal: AbortSignal.timeout(beforeMs), mostMs: beforeMs };
  const items = server.diagnostics.of(document, wait).then(
    (answer) => (answer.isComplete ? answer.items : undefined),
    () => undefined,
  );
  return [{ path, items }];
}

async function newIn({ path, items }: Before, context: QuestionContext): Promise<NewDiagnostic[]> {
  const before = await items;
  // Without the old diagnostics every old error would look new.
  if (before === undefined) return [];
  const answer = await askServer(path, context, async ({ server, document }) => {
    const { signal } = context;
    const { items: after } = await server.diagnostics.of(document, { signal, mostMs: afterMs });
    return withoutOld(after, before).map((item) => ({ path, ...describeDiagnostic(item, document, server) }));
  }).catch(() => []);
  if (isUnanswered(answer)) return [];
  return answer.filter(({ severity }) => severity === 'error' || severity === 'warning');
}

/** An edit moves lines, so positions are not compared; the same message may occur several times. */
function withoutOld(
  after: readonly AnswerDiagnostic[],
  before: readonly AnswerDiagnostic[],
): AnswerDiagnostic[] {
  const oldCounts = new Map<string, number>();
  for (const item of before) oldCounts.set(keyOf(item), (oldCounts.get(keyOf(item)) ?? 0) + 1);
  return after.filter((item) => {
    const count = oldCounts.get(keyOf(item)) ?? 0;
    oldCounts.set(keyOf(item), count - 1);
    return count <= 0;
  });
}

function keyOf({ severity, code, message, source }: AnswerDiagnostic): string {
  return JSON.stringify([severity, code, message, source]);
}
