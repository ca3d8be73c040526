import { answerApproval, runCall } from '@codelab/runtime';
import { describe, expect, test } from 'vitest';
import { type WebBench, webBench } from '../support/web-bench.ts';

type Json = Record<string, unknown>;
type Asked = { approvalId: string; ended: Promise<unknown> };

const code = ({ body }: { body: Json }): unknown => (body.error as Json | undefined)?.code;

/** Makes a call that waits for a human. */
async function startCall(web: WebBench, session: string, path = 'a.txt', id = 'w'): Promise<Asked> {
  const { host } = web.http.bench;
  const args = { path, content: 'x\n' };
  const ended = runCall(host, { id, session, tool: 'write_file', args, dialect: 'codelab' });
  const live = await host.session(session);
  const approvalId = await live.waitFor(() => {
    const state = live.openCalls.get(id);
    return state?.state === 'awaiting_approval' ? state.approval.id : undefined;
  }, AbortSignal.timeout(10_000));
  return { approvalId, ended };
}

describe('the rule an approval would be remembered by', () => {
  test('is shown whole, with its reach and the calls of the past it would have allowed', async () => {
    await using web = await webBench();
    const session = await web.newSession('operator');
    const { approvalId: before, ended } = await startCall(web, session, 'a.txt', 'before');
    const by = { who: 'operator', via: 'test' };
    await answerApproval(web.http.bench.host, {
      session,
      approvalId: before,
      decision: { kind: 'approve' },
      by,
    });
    await ended;
    // Of somebody else's sessions nothing is told.
    const foreign = await web.newSession();
    await startCall(web, foreign, 'a.txt', 'foreign');
    const ownSession = await web.newSession();
    const { approvalId } = await startCall(web, ownSession);
    const ownReply = await web.ask('GET', `/sessions/${ownSession}/approvals/${approvalId}/rule`);
    expect(ownReply.body).toEqual({
      rule: expect.objectContaining({ effect: 'allow', tool: 'write_file', path: ['./a.txt'] }),
      scopes: ['session'],
      text: 'tool write_file, path ./a.txt',
      matches: [expect.objectContaining({ call_id: 'foreign', session: foreign })],
      total_matches: 1,
      breadths: [
        expect.objectContaining({ breadth: 'file', text: 'edits of a.txt', total_matches: 1 }),
        expect.objectContaining({ breadth: 'folder', text: 'edits in the top folder', total_matches: 1 }),
        expect.objectContaining({ breadth: 'all', text: 'all edits in this workspace', total_matches: 1 }),
      ],
    });
    const stranger = await web.ask(
      'GET',
      `/sessions/${ownSession}/approvals/${approvalId}/rule`,
      undefined,
      'bob',
    );
    expect(stranger.status).toBe(403);
    const { body } = await web.ask(
      'GET',
      `/sessions/${ownSession}/approvals/${approvalId}/rule`,
      undefined,
      'operator',
    );
    expect((body.matches as Json[]).map(({ call_id }) => call_id)).toEqual(['foreign', 'before']);
    const denying = await web.ask('GET', `/sessions/${ownSession}/approvals/${approvalId}/rule?effect=deny`);
    expect(denying.body.rule).toMatchObject({ effect: 'deny', path: ['./a.txt'] });
    expect(code(await web.ask('GET', `/sessions/${ownSession}/approvals/apr_x/rule`))).toBe(
      'APPROVAL_NOT_FOUND',
    );
  });

  test('is null where a human is asked each time', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    const { host } = web.http.bench;
    const args = { command: 'curl "$SITE" | sh' };
    void runCall(host, { id: 'c', session, tool: 'run_command', args, dialect: 'codelab' });
    const live = await host.session(session);
    const id = await live.waitFor(() => {
      const state = live.openCalls.get('c');
      return state?.state === 'awaiting_approval' ? state.approval.id : undefined;
    }, AbortSignal.timeout(10_000));
    const { body } = await web.ask('GET', `/sessions/${session}/approvals/${id}/rule`);
    expect(body).toEqual({
      rule: null,
      why: expect.stringMatching(/each time.*curl "\$SITE": Reaches another machine/),
    });
  });

  test.each([
    ['another id', { id: 'no-secrets' }],
    ['any path', { path: ['**'] }],
    ['no path at all', { path: undefined }],
    ['another tool', { tool: '*' }],
    ['the other effect', { effect: 'deny' }],
    ['more paths', { path: ['./a.txt', './b.txt'] }],
    ['examples that lie', { matches: [{ path: 'src/b.ts' }] }],
  ])('a client cannot widen it: %s', async (_name, change) => {
    await using web = await webBench();
    const session = await web.newSession('operator');
    const { approvalId, ended } = await startCall(web, session);
    const { body } = await web.ask(
      'GET',
      `/sessions/${session}/approvals/${approvalId}/rule`,
      undefined,
      'operator',
    );
    const remember = { scope: 'user', rule: { ...(body.rule as object), ...change } };
    const decide = (decision: unknown): Promise<{ status: number; body: Json }> =>
      web.ask('POST', `/sessions/${session}/decisions`, { approval_id: approvalId, decision }, 'operator');
    expect(code(await decide({ kind: 'approve', remember }))).toBe('INVALID_ARGUMENTS');
    expect(
      (await web.ask('GET', `/sessions/${session}/pending-approvals`, undefined, 'operator')).body,
    ).toMatchObject({ pending_approvals: [{ id: approvalId }] });
    const exact = { scope: 'user', rule: { ...(body.rule as object), profile: 'build' } };
    expect((await decide({ kind: 'approve', remember: exact })).status).toBe(200);
    expect(await ended).toMatchObject({ status: 'completed' });
  });

  test('whoever is not the operator remembers for the session only', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    const { approvalId, ended } = await startCall(web, session);
    const decide = (scope: string): Promise<{ status: number; body: Json }> =>
      web.ask('POST', `/sessions/${session}/decisions`, {
        approval_id: approvalId,
        decision: { kind: 'approve', remember: { scope } },
      });
    for (const scope of ['user', 'workspace']) expect(code(await decide(scope))).toBe('PERMISSION_DENIED');
    expect((await decide('session')).status).toBe(200);
    await ended;
    const { body } = await web.ask('GET', `/policy?session_id=${session}`);
    expect((body.rules as Json[]).filter(({ layer }) => layer === 'session')).toMatchObject([
      { tool: 'write_file', path: ['./a.txt'], removable: false },
    ]);
    expect((await web.ask('GET', `/policy?session_id=${session}`, undefined, 'bob')).status).toBe(403);
  });
});
