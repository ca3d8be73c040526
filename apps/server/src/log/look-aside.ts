// What is kept beside an entry, to find it faster: read off the entry itself, whether it is being written, verified or upgraded.
import type { EventBody } from '@codelab/protocol';

export function workspaceOf(first: EventBody | undefined): string {
  return first?.type === 'session.opened' ? first.workspace : '';
}

/** The session it was forked from. */
export function originOf(first: EventBody | undefined): string | undefined {
  return first?.type === 'session.opened' ? first.forkedFrom?.session : undefined;
}

export function changesFiles(body: EventBody): boolean {
  return body.type === 'call.finished' && body.outcome.effects.length > 0;
}
