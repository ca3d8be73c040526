// A gateway with a small web IDE, and requests to it with exactly the headers that a browser or a forger would send.
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type GatewayBench, gatewayBench } from './gateway-bench.ts';
import { scratchFolder } from './scratch-folder.ts';

export async function smallWeb(): Promise<GatewayBench & { web: string }> {
  const { folder } = scratchFolder();
  const web = join(folder, 'web');
  mkdirSync(join(web, 'assets'), { recursive: true });
  writeFileSync(join(web, 'index.html'), '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__">App');
  writeFileSync(
    join(web, 'assets', 'app-1a2b.js.br'),
    brotliCompressSync('console.log("app");\n'.repeat(100)),
  );
  writeFileSync(join(web, 'files.json'), '{"assets/app-1a2b.js":".br","assets/gone.js":""}');
  writeFileSync(join(web, 'assets', 'unlisted.js'), 'not for you');
  writeFileSync(join(folder, 'secret.txt'), 'not for you');
  return Object.assign(await gatewayBench({ web }), { web });
}

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

export function ask(
  { running }: GatewayBench,
  path: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: object; body?: string } = {},
): Promise<Answer> {
  const { host, port } = new URL(running.url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { host, ...headers },
        setHost: false,
        agent: false,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export const json = { 'content-type': 'application/json' };
