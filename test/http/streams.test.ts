import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { type HttpBench, httpBench } from '../support/http-bench.ts';

type Json = Record<string, unknown>;

const base = '/my/projects/p1';
const sse = { accept: 'text/event-stream' };
const ndjson = { accept: 'application/x-ndjson' };

async function newChat(http: HttpBench): Promise<string> {
  const { status, body } = await http.post(`${base}/chat/sessions/`, { title: 'A chat' });
  expect(status).toBe(201);
  return String(body.session_id);
}

test('lines of JSON in the envelope of the server, with `since` to go on', async () => {
  await using http = await httpBench({ files: { 'a.txt': 'one\n' } });
  const sid = await newChat(http);
  const events = await http.open(`${base}/chat/${sid}/events/`, { headers: ndjson });
  expect(events.headers.get('content-type')).toContain('application/x-ndjson');
  const read = { tool_name: 'read_file', tool_params: { path: 'a.txt' }, session_id: sid };
  const { body } = await http.post(`${base}/tools/execute`, read);
  expect(body).toMatchObject({ status: 'completed', result: 'one\n', requires_approval: false });
  const line = JSON.parse(await events.until((eventLine) => eventLine.includes('tool_result'))) as Json;
  events.close();
  expect(line).toMatchObject({
    event_type: 'tool_result',
    session_id: sid,
    payload: { tool_id: body.tool_id, status: 'success', output: 'one\n' },
  });
  const replay = await http.open(`${base}/chat/${sid}/events/?since=${Number(line.seq) - 1}`, {
    headers: ndjson,
  });
  expect(JSON.parse(await replay.until((eventLine) => eventLine.includes('tool_result')))).toEqual(line);
  replay.close();
  const byHeader = await http.open(`${base}/chat/${sid}/events/?since=0`, {
    headers: { ...sse, 'last-event-id': String(Number(line.seq) - 1) },
  });
  expect(await byHeader.until((eventLine) => eventLine.startsWith('id: '))).toBe(`id: ${line.seq}`);
  byHeader.close();
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test.skipIf(!hasCurl)('curl -N follows the stream', async () => {
  await using http = await httpBench({ files: { 'a.txt': 'one\n' } });
  const sid = await newChat(http);
  const curl = spawn('curl', ['-sN', `${http.url}${base}/chat/${sid}/events/?since=0&token=${http.token}`]);
  let text = '';
  const firstChunk = new Promise<void>((resolve) => {
    curl.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('event: tool_result')) resolve();
    });
  });
  const read = { tool_name: 'read_file', tool_params: { path: 'a.txt' }, session_id: sid };
  await http.post(`${base}/tools/execute`, read);
  await firstChunk;
  curl.kill();
  await once(curl, 'close');
  expect(text).toContain('"output":"one\\n"');
});

const eventSource = `
const source = new EventSource(process.argv[1]);
source.addEventListener('tool_result', ({ data, lastEventId }) => {
  console.log(JSON.stringify({ data: JSON.parse(data), lastEventId }));
  source.close();
});
source.onerror = (event) => console.error(event.message);
`;

test('an EventSource follows the stream', async () => {
  await using http = await httpBench({ files: { 'a.txt': 'one\n' } });
  const sid = await newChat(http);
  const read = { tool_name: 'read_file', tool_params: { path: 'a.txt' }, session_id: sid };
  await http.post(`${base}/tools/execute`, read);
  const url = `${http.url}${base}/chat/${sid}/events/?since=0&token=${http.token}`;
  const child = spawn(process.execPath, [
    '--experimental-eventsource',
    '--no-warnings',
    '-e',
    eventSource,
    url,
  ]);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'close');
  expect(JSON.parse(text)).toMatchObject({ data: { type: 'tool_result', output: 'one\n' } });
});

const python = `
import json, sys, urllib.request
request = urllib.request.Request(sys.argv[1], headers={"Authorization": "Bearer " + sys.argv[2], "Accept": "application/x-ndjson"})
with urllib.request.urlopen(request, timeout=10) as lines:
    for line in lines:
        event = json.loads(line)
        if event["event_type"] == "tool_result":
            print(json.dumps(event["payload"]))
            break
`;
const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)('Python reads the lines', async () => {
  await using http = await httpBench({ files: { 'a.txt': 'one\n' } });
  const sid = await newChat(http);
  const read = { tool_name: 'read_file', tool_params: { path: 'a.txt' }, session_id: sid };
  await http.post(`${base}/tools/execute`, read);
  const child = spawn('python3', [
    '-c',
    python,
    `${http.url}${base}/chat/${sid}/events/?since=0`,
    http.token,
  ]);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'close');
  expect(JSON.parse(text)).toMatchObject({ status: 'success', output: 'one\n' });
});
