import { expect, test } from 'vitest';
import { httpBench } from '../support/http-bench.ts';

type Json = Record<string, unknown>;

test('/openapi.json describes every route, with the schemas they are checked with', async () => {
  await using http = await httpBench();
  const { body } = await http.get('/openapi.json');
  expect(body).toMatchObject({ openapi: '3.1.0' });
  const paths = body.paths as Record<string, Record<string, Json>>;
  for (const [path, method] of [
    ['/health', 'get'],
    ['/api/v1/sessions/{id}', 'patch'],
    ['/my/projects/{pid}/chat/{sid}/events', 'get'],
    ['/my/projects/{pid}/tools/execute', 'post'],
    ['/tools/{id}/approve', 'post'],
    ['/api/chat/stream', 'post'],
    ['/v1/chat/completions', 'post'],
    ['/metrics', 'get'],
  ] as const)
    expect(paths[path]?.[method]).toMatchObject({ summary: expect.any(String) });
  expect(paths['/my/projects/{pid}/tools/execute']?.post).toMatchObject({
    requestBody: {
      content: {
        'application/json': {
          schema: { type: 'object', required: ['tool_name'], additionalProperties: false },
        },
      },
    },
  });
  expect(paths['/tools/{id}/approve']?.post?.parameters).toEqual([
    { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
  ]);
});

test('/metrics counts calls, what waits and sessions', async () => {
  await using http = await httpBench({ files: { 'a.txt': 'one\n' } });
  const call = (tool_name: string, tool_params: object) =>
    http.post('/my/projects/p/tools/execute', { tool_name, tool_params, session_id: 's1' });
  await call('read_file', { path: 'a.txt' });
  await call('read_file', { path: 'a.txt' });
  await call('read_file', { path: 'none' });
  const { body } = await call('write_file', { path: 'b', content: '' });
  const first = String((await http.get('/metrics')).body.text);
  expect(first).toContain('codelab_calls_total{tool="read_file",kind="read",status="completed"} 2\n');
  expect(first).toContain('codelab_calls_total{tool="read_file",kind="read",status="failed"} 1\n');
  expect(first).toContain('codelab_approvals_waiting 1\n');
  expect(first).toContain('codelab_sessions 1\n');
  expect(first).toMatch(/codelab_event_loop_delay_seconds\{quantile="0.99"\} [\d.e-]+\n/);
  await http.post(`/tools/${body.tool_id}/reject`);
  await http.post('/v1/chat/completions', { model: 'demo', messages: [{ role: 'user', content: 'x' }] });
  const second = String((await http.get('/metrics')).body.text);
  expect(second).toContain('codelab_approvals_waiting 0\n');
  expect(second).toContain('codelab_llm_requests_total{model="demo"} 1\n');
});
