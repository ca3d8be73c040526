/**
 * Counts figures about how easy the sources are to navigate, prints them, and fails when one exceeds its limit. `--list` names the counted
 * items: folders, long functions, exported names, files.
 * Usage: node scripts/source-shape.ts [--list]
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Node, parseSync, Visitor } from 'oxc-parser';
import { catalogue } from '../packages/runtime/src/tools/catalogue.ts';

interface Figure {
  name: string;
  count: number;
  atLeast?: number;
  atMost: number;
  list: readonly string[];
}

const root = join(import.meta.dirname, '..');
const filesInFolder = 15;
const linesInFunction = 50;
/** These files describe tools, offer them, or spell them on a wire. */
const mayKnowTools =
  /^packages\/(runtime\/src\/(tools|core\/registry)|dialects\/|agent\/src\/(demo|profiles?))|^apps\/web\/src\/text\//;

const sources = globSync('{packages,apps}/*/src/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .toSorted()
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const parsed = sources.map((source) => ({ ...source, program: parseSync(source.file, source.text).program }));

const figures: Figure[] = [
  { name: 'source files beside tools and dialects', count: countedFiles(), atMost: 1_395, list: [] },
  { name: 'median lines of a file', count: medianLines(), atLeast: 60, atMost: 90, list: [] },
  figure(`folders with over ${filesInFolder} files`, crowdedFolders(), 0),
  figure(`functions over ${linesInFunction} lines`, longFunctions(), 0),
  figure('exported names declared in several files', repeatedExports(), 0),
  figure('files outside that know the name of a tool', knowTools(), 42),
];

for (const { name, count, atLeast = 0, atMost, list } of figures) {
  const isGood = count >= atLeast && count <= atMost;
  console.log(
    `${isGood ? 'ok    ' : 'OVER  '}  ${name.padEnd(44)} ${count} (${atLeast > 0 ? `${atLeast} to ` : 'at most '}${atMost})`,
  );
  if (!isGood) process.exitCode = 1;
  if (process.argv.includes('--list') || !isGood) for (const line of list) console.log(`          ${line}`);
}

function figure(name: string, list: readonly string[], atMost: number): Figure {
  return { name, count: list.length, atMost, list };
}

function medianLines(): number {
  const lengths = sources.map(({ text }) => text.split('\n').length - 1).toSorted((a, b) => a - b);
  return lengths[Math.floor(lengths.length / 2)] ?? 0;
}

/** A new tool or dialect adds files, and must not need a higher limit. */
function countedFiles(): number {
  return sources.filter(({ file }) => !/^packages\/(runtime\/src\/tools|dialects\/src)\//.test(file)).length;
}

/** `index.ts` is not counted as a concept. */
function crowdedFolders(): string[] {
  const counts = new Map<string, number>();
  for (const { file } of sources)
    if (basename(file) !== 'index.ts') counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > filesInFolder)
    .toSorted(([, a], [, b]) => b - a)
    .map(([folder, count]) => `${folder}: ${count}`);
}

function longFunctions(): string[] {
  return parsed.flatMap(({ file, text, program }) => {
    const found: string[] = [];
    const measure = ({ body, start }: { body?: Node | null; start: number }): void => {
      if (!body) return;
      const lines = text
        .slice(body.start, body.end)
        .split('\n')
        .filter((line) => line.trim() !== '').length;
      if (lines > linesInFunction)
        found.push(`${file}:${text.slice(0, start).split('\n').length}: ${lines} lines`);
    };
    new Visitor({
      FunctionDeclaration: measure,
      FunctionExpression: measure,
      ArrowFunctionExpression: measure,
    }).visit(program);
    return found;
  });
}

/** A name that two packages export, or two files of one package, means two things; `index.ts` only passes names on. */
function repeatedExports(): string[] {
  const places = new Map<string, string[]>();
  for (const { file, program } of parsed)
    for (const statement of program.body)
      if (statement.type === 'ExportNamedDeclaration' && statement.declaration)
        for (const name of namesOf(statement.declaration))
          places.set(name, [...(places.get(name) ?? []), file]);
  return [...places]
    .map(([name, files]) => ({ name, files: [...new Set(files)] }))
    .filter(({ files }) => files.length > 1)
    .map(({ name, files }) => `${name}: ${files.join(', ')}`)
    .toSorted();
}

function namesOf(declaration: Node): string[] {
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  const { id } = declaration as { id?: { name?: string } | null };
  return id?.name === undefined ? [] : [id.name];
}

function knowTools(): string[] {
  const names = new Set(catalogue.map(({ name }) => name).filter((name) => /[_.]/.test(name)));
  return parsed.flatMap(({ file, program }) => {
    if (mayKnowTools.test(file)) return [];
    const known = new Set<string>();
    new Visitor({
      Literal: ({ value }) => {
        if (typeof value === 'string' && names.has(value)) known.add(value);
      },
    }).visit(program);
    return known.size > 0 ? [`${file}: ${[...known].join(', ')}`] : [];
  });
}
