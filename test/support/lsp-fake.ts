// A language server for files that end in `.fake`. How it behaves is its first argument; `fine` is one that counts characters in UTF-8,
// publishes a diagnostic for every line that says ERROR, and renames every whole word.
import { pathToFileURL } from 'node:url';

const [mode = 'fine'] = process.argv.slice(2);

type Message = { id?: number; method?: string; params?: Record<string, unknown>; result?: unknown };
type Document = { uri: string; text: string };

const documents = new Map<string, string>();
let rest = Buffer.alloc(0);

if (mode === 'crash') {
  process.stderr.write('fake: I can not go on\n');
  process.exit(3);
}
if (mode === 'garbage') process.stdout.write('Welcome to the fake server!\n'.repeat(20));
if (mode === 'endless') setInterval(() => process.stdout.write('Content-Length: '.padEnd(100_000, '9')), 1);

process.stdin.on('data', (bytes: Buffer) => {
  rest = Buffer.concat([rest, bytes]);
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    const length = Number(/Content-Length: (\d+)/i.exec(rest.toString('latin1', 0, end))?.[1]);
    if (end === -1 || rest.length < end + 4 + length) return;
    const message = JSON.parse(rest.toString('utf8', end + 4, end + 4 + length)) as Message;
    rest = rest.subarray(end + 4 + length);
    receive(message);
  }
});
process.stdin.on('end', () => mode !== 'clings' && process.exit(0));
if (mode === 'clings') {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
}

function send(message: object): undefined {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
  process.stdout.write(body);
}

function receive({ id, method = '', params = {} }: Message): undefined {
  if (method === 'initialize') {
    if (mode === 'hangs') return undefined;
    const encodings = (params.capabilities as { general: { positionEncodings: string[] } }).general
      .positionEncodings;
    const positionEncoding = encodings.includes('utf-8') ? 'utf-8' : 'utf-16';
    const all = {
      hoverProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      renameProvider: true,
      ...(mode === 'parts' && { executeCommandProvider: { commands: ['typescript.tsserverRequest'] } }),
    };
    return send({ id, result: { capabilities: { positionEncoding, textDocumentSync: 1, ...all } } });
  }
  if (method === 'shutdown') return send({ id, result: null });
  if (method === 'exit') return mode === 'clings' ? undefined : process.exit(0);
  if (method === 'textDocument/didOpen') return open(params.textDocument as Document);
  if (method === 'textDocument/didChange') {
    const [change] = params.contentChanges as { text: string }[];
    return open({ uri: (params.textDocument as Document).uri, text: change?.text ?? '' });
  }
  if (method === 'workspace/executeCommand') return send({ id, result: tsserver(params) });
  if (id !== undefined) answer(id, method, params);
}

/** Answers like the compiler behind typescript-language-server, in its own form. */
function tsserver(params: Record<string, unknown>): object {
  const [command, { file }] = params.arguments as [string, { file: string }];
  const text = documents.get(pathToFileURL(file).href) ?? '';
  const body = text.split('\n').flatMap((line, i) => {
    const at = line.indexOf('ERROR') + 1;
    const [start, end] = [at, at + 5].map((offset) => ({ line: i + 1, offset }));
    return at === 0 ? [] : [{ start, end, text: 'An error.', code: 7, category: 'error' }];
  });
  return { type: 'response', success: true, body: command === 'semanticDiagnosticsSync' ? body : [] };
}

function open({ uri, text }: Document): undefined {
  documents.set(uri, text);
  if (mode === 'flood') for (let i = 0; i < 20_000; i++) publish(`file:///flood/${i}`, 'ERROR '.repeat(100));
  // The parts that are ready first have no errors; the rest comes when it comes.
  publish(uri, mode === 'parts' ? '' : text);
}

function publish(uri: string, text: string): void {
  const diagnostics = text.split('\n').flatMap((line, i) => {
    const at = line.indexOf('ERROR');
    return at === -1
      ? []
      : [{ range: rangeOf(line, i, at, 5), message: `Line ${i} has an error.`, severity: 1 }];
  });
  send({ method: 'textDocument/publishDiagnostics', params: { uri, diagnostics } });
}

function rangeOf(line: string, row: number, at: number, length: number): object {
  const count = (units: number): number => Buffer.byteLength(line.slice(0, units));
  return { start: { line: row, character: count(at) }, end: { line: row, character: count(at + length) } };
}

function answer(id: number, method: string, params: Record<string, unknown>): undefined {
  const { uri } = params.textDocument as Document;
  const { line, character } = params.position as { line: number; character: number };
  const text = documents.get(uri) ?? '';
  const word = wordAt(text.split('\n')[line] ?? '', character);
  switch (mode) {
    case 'silent':
      return undefined;
    case 'dies':
      return process.exit(1);
    case 'huge':
      process.stdout.write(`Content-Length: ${200 * 1024 * 1024}\r\n\r\n`);
      return stream(200);
    case 'odd':
      return send({ id, result: { contents: 42, changes: 'no' } });
    case 'hog':
      return hog();
  }
  if (method === 'textDocument/hover')
    return send({ id, result: { contents: { kind: 'plaintext', value: word } } });
  const outside = { uri: 'file:///etc/passwd', range: rangeOf('root', 0, 0, 4) };
  const lib = { uri: 'file:///usr/lib/lib.d.ts', range: rangeOf('x', 0, 0, 1) };
  if (method === 'textDocument/definition') return send({ id, result: mode === 'outside' ? outside : lib });
  const newText = String(params.newName);
  const places = [...documents].flatMap(([at, all]) =>
    placesOf(all, word).map((range) => ({ uri: at, range })),
  );
  if (mode === 'everywhere') {
    const other = new URL('%C3%BCbung%20b.fake', uri).href;
    places.push({ uri: other, range: rangeOf('x', 0, 0, 1) });
  }
  if (method === 'textDocument/references') return send({ id, result: places });
  const changes: Record<string, object[]> = {};
  for (const { uri: at, range } of places) changes[at] = [...(changes[at] ?? []), { range, newText }];
  if (mode === 'outside') changes[outside.uri] = [{ range: outside.range, newText }];
  if (mode === 'overlap') changes[uri] = [...(changes[uri] ?? []), ...(changes[uri] ?? [])];
  if (mode === 'liar') return send({ id, result: { changes: lie(newText, uri) } });
  if (mode === 'creates')
    return send({ id, result: { documentChanges: [{ kind: 'create', uri: `${uri}.new` }] } });
  send({ id, result: { changes } });
}

function lie(name: string, uri: string): Record<string, object[]> {
  const folder = uri.slice(0, uri.lastIndexOf('/'));
  const edit = (line: number, from: number, to: number): object => ({
    range: { start: { line, character: from }, end: { line, character: to } },
    newText: name,
  });
  const wrongEdits: Record<string, Record<string, object[]>> = {
    beyond: { [uri]: [edit(99_999, 0, 1)] },
    backwards: { [uri]: [edit(0, 5, 1)] },
    negative: { [uri]: [edit(-1, 0, 1)] },
    twice: { [uri]: [edit(0, 0, 5)], [uri.replace('a.fake', '%61.fake')]: [edit(0, 3, 7)] },
    dots: { [`${folder}/../../etc/passwd`]: [edit(0, 0, 1)] },
    encoded: { [`${folder}/%2e%2e/%2e%2e/passwd`]: [edit(0, 0, 1)] },
    slashes: { [`${folder}/..%2f..%2fpasswd`]: [edit(0, 0, 1)] },
    host: { [uri.replace('file://', 'file://elsewhere')]: [edit(0, 0, 1)] },
    scheme: { [uri.replace('file:', 'untitled:')]: [edit(0, 0, 1)] },
    linked: { [`${folder}/linked.fake`]: [edit(0, 0, 1)] },
    folder: { [folder]: [edit(0, 0, 1)] },
    missing: { [`${folder}/missing.fake`]: [edit(0, 0, 1)] },
  };
  return wrongEdits[name] ?? {};
}

function wordAt(line: string, bytes: number): string {
  const at = Buffer.from(line).subarray(0, bytes).toString('utf8').length;
  const before = /[\p{L}\p{N}_]*$/u.exec(line.slice(0, at))?.[0] ?? '';
  const after = /^[\p{L}\p{N}_]*/u.exec(line.slice(at))?.[0] ?? '';
  return before + after;
}

function placesOf(text: string, word: string): object[] {
  return text
    .split('\n')
    .flatMap((line, i) =>
      [...line.matchAll(new RegExp(`(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`, 'gu'))].map(
        ({ index }) => rangeOf(line, i, index, word.length),
      ),
    );
}

function stream(megabytes: number): undefined {
  if (megabytes > 0) process.stdout.write('x'.repeat(1024 * 1024), () => stream(megabytes - 1));
}

function hog(): undefined {
  const allocations: Buffer[] = [];
  setInterval(() => allocations.push(Buffer.alloc(64 * 1024 * 1024, 1)), 20);
}
