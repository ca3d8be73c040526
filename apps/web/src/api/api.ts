// The gateway's API for this page: the client library, with the page's own proof of identity. Requests that may have taken effect are never
// repeated. Split by area, so that unused areas are not loaded.
import {
  approvalCalls,
  auditCalls,
  changeCalls,
  createRequester,
  gatewayCalls,
  participationCalls,
  policyCalls,
  processCalls,
  reviewCalls,
  screenCalls,
  sessionCalls,
  settingCalls,
  terminalCalls,
  usageCalls,
  worktreeCalls,
} from '@codelab/client';
import { pageFetch } from './page-session.ts';

const longestMs = 5 * 60_000;
/** For calls that depend on the session on the screen. */
export const requester = createRequester({ fetch: pageFetch, retries: 0, timeoutMs: longestMs });

export const api = {
  ...participationCalls(requester),
  sessions: sessionCalls(requester),
  approvals: approvalCalls(requester),
  audit: auditCalls(requester),
  changes: changeCalls(requester),
  policy: policyCalls(requester),
  processes: processCalls(requester),
  review: reviewCalls(requester),
  screen: screenCalls(requester),
  settings: settingCalls(requester),
  terminals: terminalCalls(requester),
  usage: usageCalls(requester),
  worktrees: worktreeCalls(requester),
  catalogue: gatewayCalls(requester),
};
