import { gatewayRoutes, type Session, sessionRoutes } from '@codelab/api';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { checkAnswers } from './check-answers.ts';
import { serveRoute } from './route.ts';

const session: Session = {
  id: 's1',
  session_id: 's1',
  title: '',
  created_at: null,
  updated_at: null,
  last_seq: 0,
  turns: 0,
  pending_approvals: 0,
  status: 'idle',
  agent_type: 'coder',
  mode: 'strict',
  state: 'idle',
  pinned: false,
  archived: false,
  queued: 0,
  forked_from: null,
  worktree: null,
};

/** An app with only the check and an error handler in the gateway's form; `faults` collects the reported errors. */
function checkedApp(): { app: FastifyInstance; faults: string[] } {
  const app = fastify();
  const faults: string[] = [];
  checkAnswers(app);
  app.setErrorHandler((error: Error, _request, reply) => {
    faults.push(error.message);
    return reply
      .code(500)
      .type('application/json')
      .send({ error: { code: 'INTERNAL', message: 'A defect.' } });
  });
  return { app, faults };
}

test('an answer that the table does not describe is a defect: more, less and other fields', async () => {
  const { app, faults } = checkedApp();
  let answerBody: object = session;
  serveRoute(app, sessionRoutes.get, () => answerBody as Session);
  const statusOf = async (answer: object): Promise<number> => {
    answerBody = answer;
    return (await app.inject('/api/v1/sessions/s1')).statusCode;
  };
  const { title: _title, ...untitled } = session;
  expect(await statusOf(session)).toBe(200);
  expect(await statusOf({ ...session, colour: 'red' })).toBe(500);
  expect(await statusOf(untitled)).toBe(500);
  expect(await statusOf({ ...session, status: 'dancing' })).toBe(500);
  const prefix = 'GET /api/v1/sessions/s1: the answer with 200 is not that of getSession:';
  expect(faults).toEqual([
    `${prefix} unrecognized_keys (colour)`,
    `${prefix} title: invalid_type`,
    `${prefix} status: invalid_value`,
  ]);
});

test('an error in another form, another status and another media type are defects as well', async () => {
  const { app, faults } = checkedApp();
  serveRoute(app, gatewayRoutes.live, ({ reply }) => reply.code(404).send({ oops: true }));
  serveRoute(app, gatewayRoutes.metrics, ({ reply }) => reply.type('text/html').send('<p>'));
  serveRoute(app, gatewayRoutes.agents, ({ reply }) => reply.code(202).send({ agents: [], default: '' }));
  for (const path of ['/health/live', '/metrics', '/api/v1/agents'])
    expect((await app.inject(path)).statusCode).toBe(500);
  expect(faults).toEqual([
    expect.stringContaining('the answer with 404 is not that of getLiveness: error: invalid_type'),
    expect.stringContaining('text/html was not promised'),
    expect.stringContaining('another status was promised'),
  ]);
});
