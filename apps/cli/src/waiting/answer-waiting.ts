// Answers one approval that waits, from any terminal: the decision goes to the log, where whoever runs the call sees it.
import { type Decision, ToolError } from '@codelab/protocol';
import { answerApproval } from '@codelab/runtime';
import { compose, isEmptyFolder } from '@codelab/server';
import { userName } from '../approval/user-name.ts';
import { openLog } from '../audit/open-log.ts';
import { composeOptions } from '../command-line/compose-options.ts';
import { findWaiting, type Waiting } from './find-waiting.ts';

export async function answerWaiting(
  id: string,
  choose: (waiting: Waiting) => Decision,
): Promise<{ waiting: Waiting; decision: Decision }> {
  const waiting = await findOne(id);
  const decision = choose(waiting);
  const { session, approval } = waiting;
  // Of the workspace it is about, wherever this is typed.
  const places = composeOptions({ workspace: session.workspace });
  const isFileless = isEmptyFolder(places.home, session.workspace);
  await using composed = await compose({ ...places, isFileless });
  const by = { who: userName(), via: 'codelab approvals' };
  await answerApproval(composed.host, { session: session.id, approvalId: approval.id, decision, by });
  return { waiting, decision };
}

async function findOne(id: string): Promise<Waiting> {
  await using log = openLog();
  const all = await findWaiting(log, {});
  const isNamed = ({ approval }: Waiting): boolean => approval.id === id || approval.callId === id;
  const found = all.filter(isNamed);
  const [only = undefined, ...more] = found.length > 0 ? found : all.filter(beginsWith(id));
  if (only === undefined)
    throw new ToolError(
      'APPROVAL_NOT_FOUND',
      `Nothing called ${id} waits. \`codelab approvals list --all\` lists what does.`,
    );
  if (more.length > 0)
    throw new ToolError(
      'APPROVAL_NOT_FOUND',
      `Several that wait begin with ${id}: ${[only, ...more].map(({ approval }) => approval.id).join(', ')}. Give more of the id.`,
    );
  return only;
}

// Long enough to be no slip, with or without the part that all ids begin with.
function beginsWith(id: string): (waiting: Waiting) => boolean {
  return ({ approval }) =>
    id.length >= 4 && (approval.id.startsWith(id) || approval.id.startsWith(`apr_${id}`));
}
