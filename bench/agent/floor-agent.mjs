// The floor: the least a plain Node program can do for the same work. No policy, no undo, nothing bounded. With FLOOR_RECORD it keeps a
// record in that database as well, and what ours has on the disk before it goes on is there before: an approval, and the start of an edit.
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';

const keepAlive = new http.Agent({ keepAlive: true });
const url = new URL(`${process.env.OPENAI_BASE_URL}/chat/completions`);
const names = ['read_file', 'edit_file', 'run_command'];
const tools = names.map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } }));
const most = 16 * 1024;
const messages = [{ role: 'user', content: process.argv[2] }];
const { FLOOR_RECORD: file, FLOOR_APPROVES: approves } = process.env;
const record = file && (await import('./floor-record.mjs')).openRecord(file);

for (;;) {
  const { message } = (await post({ model: 'bench', messages, tools })).choices[0];
  messages.push(message);
  record?.append([{ type: 'model.replied', message }]);
  if (!message.tool_calls) {
    console.log(message.content);
    break;
  }
  for (const { id, function: wanted } of message.tool_calls)
    messages.push({ role: 'tool', tool_call_id: id, content: await call(id, wanted) });
}
keepAlive.destroy();

async function call(id, { name, arguments: json }) {
  const args = JSON.parse(json);
  const asked = [
    { type: 'call.received', call: { id, name, args } },
    { type: 'call.planned', id, plan: { summary: `${name} ${json}`, touches: [args.path], risk: 'low' } },
  ];
  if (approves) {
    record?.append([...asked.splice(0), { type: 'approval.requested', id }]);
    record?.append([{ type: 'approval.decided', id }], { isSynced: true });
  }
  // Reads, and commands that change nothing, such as those of the rows, have no start of their own.
  if (name === 'edit_file')
    record?.append([...asked.splice(0), { type: 'call.started', id, args }], { isSynced: true });
  const content = await carryOut(name, args);
  record?.append([...asked, { type: 'call.finished', id, content }]);
  return content;
}

async function carryOut(name, args) {
  if (name === 'read_file') return await readFile(args.path, 'utf8');
  if (name === 'run_command') return await shell(args.command);
  const text = await readFile(args.path, 'utf8');
  const at = text.indexOf(args.old_string);
  if (at < 0 || text.indexOf(args.old_string, at + 1) >= 0) return 'not found exactly once';
  await writeFile(args.path, text.slice(0, at) + args.new_string + text.slice(at + args.old_string.length));
  return 'ok';
}

function shell(command) {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (data) => (output += data.toString('latin1', 0, most - Math.min(most, output.length)));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('close', (code) => resolve(`exit ${code}\n${output}`));
  });
}

function post(body) {
  return new Promise((resolve, reject) => {
    const data = Buffer.from(JSON.stringify(body));
    const headers = { 'content-type': 'application/json', 'content-length': data.length };
    const request = http.request(url, { method: 'POST', agent: keepAlive, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    });
    request.on('error', reject);
    request.end(data);
  });
}
