/** `npm run vsix`: builds the VS Code extension and writes it as a .vsix into dist/ (--out FOLDER writes it elsewhere). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildVscode } from './build-vscode.ts';
import { makeVsix } from './pack/vsix.ts';

const root = join(import.meta.dirname, '..');
const { values: flags } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist') } } });

await buildVscode();
const { name, bytes, files } = makeVsix(root);
mkdirSync(flags.out, { recursive: true });
writeFileSync(join(flags.out, name), bytes);
console.log(`vsix: ${join(flags.out, name)}, ${(bytes.length / 1e6).toFixed(2)} MB in ${files} files`);
