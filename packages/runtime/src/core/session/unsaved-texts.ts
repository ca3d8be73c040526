// The unsaved texts of one session, as a fold over its log, and the check that no call changes a file that has one.
import type { Effect, EventBody, Touch } from '@codelab/protocol';
import type { PlanContext, Planned } from '../../tool/define-tool.ts';
import { refuseUnsaved } from '../../workspace/text-files.ts';

export type UnsavedTexts = {
  /** By the path in the workspace. */
  texts: ReadonlyMap<string, string>;
  apply(body: EventBody): void;
};

export function createUnsavedTexts(): UnsavedTexts {
  const texts = new Map<string, string>();
  /** Of calls that have not ended: the texts of the files that they change. */
  const changing = new Map<string, [path: string, text: string][]>();
  return {
    texts,
    apply(body) {
      if (body.type === 'context.changed') changeTexts(texts, body);
      if (body.type === 'call.planned') {
        const changed = [...texts].filter(([path]) =>
          body.plan.touches.some((touch) => changes(touch, path)),
        );
        if (changed.length > 0) changing.set(body.callId, changed);
        else changing.delete(body.callId);
      }
      if (body.type !== 'call.finished') return;
      const changed = changing.get(body.callId) ?? [];
      changing.delete(body.callId);
      if (body.outcome.status !== 'completed') return;
      // The file has been changed since: what the editor had is no longer newer. A text that came meanwhile stays.
      for (const [path, text] of changed) if (texts.get(path) === text) texts.delete(path);
    },
  };
}

type Changed = Extract<EventBody, { type: 'context.changed' }>;

function changeTexts(texts: Map<string, string>, { op, path, content }: Changed): void {
  if (op === 'clear') texts.clear();
  else if (path !== undefined && op === 'add_file' && content !== undefined) texts.set(path, content);
  else if (path !== undefined) texts.delete(path);
}

/** Throws STALE when the call would change a file whose unsaved text differs from the disk. A client that has the files checks its own. */
export function checkUnsaved(
  planned: Planned<unknown>,
  texts: ReadonlyMap<string, string>,
  context: Pick<PlanContext, 'unsaved'>,
): void {
  if (texts.size === 0 || planned.isElsewhere) return;
  const touches = [...planned.plan.touches, ...(planned.within ?? []), ...planned.intents.flatMap(touchesOf)];
  for (const path of texts.keys())
    if (touches.some((touch) => changes(touch, path))) refuseUnsaved(path, context);
}

type Place = Pick<Touch, 'path' | 'access'>;

function touchesOf({ op, path, from }: Effect): Place[] {
  const place: Place = { path, access: op === 'delete' ? 'delete' : 'write' };
  return from === undefined ? [place] : [place, { path: from, access: 'delete' }];
}

// What is inside a folder goes with it.
function changes({ path, access }: Place, file: string): boolean {
  return access !== 'read' && (path === file || (access === 'delete' && file.startsWith(`${path}/`)));
}
