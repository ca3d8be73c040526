// The resources of a session: pinned files, and commands whose whole output was stored.
import { dirname, join } from 'node:path';
import type { SessionEvent } from '@codelab/protocol';
import { logPages } from '../../../log/entries.ts';
import type { SharedSession } from '../../../sessions/gateway.ts';
import { recordedOutputFile } from './output-files.ts';

export type Survey = {
  pinned: Set<string>;
  /** Files by the ids of their calls, the oldest first. */
  outputs: Map<string, { path: string; time: number }>;
};

export async function surveySession({ host, id }: SharedSession): Promise<Survey> {
  const survey: Survey = { pinned: new Set(), outputs: new Map() };
  const folder = join(host.home, 'output');
  for await (const page of logPages(host.log, id)) for (const event of page) note(survey, event, folder);
  return survey;
}

/** Whether an entry changes the list of resources. */
export function changesSurvey(event: SessionEvent): boolean {
  return event.body.type === 'context.changed' || recordedOutputFile(event) !== undefined;
}

function note({ pinned, outputs }: Survey, event: SessionEvent, folder: string): void {
  const { body, time } = event;
  if (body.type === 'context.changed') {
    if (body.op === 'clear') pinned.clear();
    else if (body.path !== undefined && body.op === 'add_file') pinned.add(body.path);
    else if (body.path !== undefined) pinned.delete(body.path);
  }
  const path = recordedOutputFile(event);
  // The result of a foreign tool may name any path: only files in our own folder are read.
  if (path !== undefined && dirname(path) === folder && body.type === 'call.finished')
    outputs.set(body.callId, { path, time });
}
