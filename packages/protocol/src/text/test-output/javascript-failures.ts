// Failed tests in the output of runners for JavaScript: TAP, the list of `node --test`, vitest, jest and mocha.
import { blockAfter, type FailedTest, failureLines, isOwnFile, outdented, reasonIn } from './output-text.ts';

const tapIndent = 4;

/** `not ok 2 - adds` and the YAML block below it. A group that failed because of a nested test is not counted as a failure. */
export function readTap(lines: readonly string[]): FailedTest[] {
  const groups: string[] = [];
  return lines.flatMap((line, at) => {
    const level = line.search(/\S|$/) / tapIndent;
    const group = /^\s*# Subtest: (.+)$/.exec(line)?.[1];
    if (group !== undefined) groups.splice(Math.floor(level), groups.length, group);
    const name = /^\s*not ok \d+(?: -)? (.+)$/.exec(line)?.[1];
    if (name === undefined || /# (?:TODO|SKIP)\b/i.test(name)) return [];
    const block =
      lines[at + 1]?.trim() === '---' ? blockAfter(lines, at + 1, (next) => next.trim() === '...') : [];
    if (tapField(block, 'failureType').includes('subtestsFailed')) return [];
    const start = tapField(block, 'location|at').replace(/^.*\((.+)\)$/, '$1');
    const place = failedAt(start, tapStack(block));
    const path = [...groups.slice(0, Math.floor(level)), name.replaceAll('\\#', '#')];
    return [{ name: path.join(' › '), place, reason: tapReason(block), lines: tapLines(block) }];
  });
}

function tapReason(block: readonly string[]): string {
  const message = tapField(block, 'error|message');
  if (message !== '') return message;
  const [expected, actual] = [tapField(block, 'expected'), tapField(block, 'actual')];
  return expected === '' && actual === '' ? '' : `expected: ${expected}, actual: ${actual}`;
}

/** The whole message, the compared values, and the first stack frames. */
function tapLines(block: readonly string[]): string[] {
  const message = tapValue(block, 'error|message');
  const compared = ['expected|wanted', 'actual|found'].flatMap((names) => {
    const [first, ...rest] = tapValue(block, names);
    return first === undefined ? [] : [`${names.split('|')[0]}: ${first}`, ...rest];
  });
  return failureLines([...message, ...compared, ...tapStack(block)]);
}

function tapStack(block: readonly string[]): string[] {
  return tapValue(block, 'stack').map((line) => ` at ${line.trim().replace(/^at /, '')}`);
}

/** The value of a field in one line, also where it is a block of several lines (`error: |-`). */
function tapField(block: readonly string[], names: string): string {
  return reasonIn(tapValue(block, names));
}

function tapValue(block: readonly string[], names: string): string[] {
  const field = new RegExp(`^(\\s*)(?:${names}): *(.*)$`);
  const at = block.findIndex((line) => field.test(line));
  const [, indent = '', value = ''] = field.exec(block[at] ?? '') ?? [];
  if (at === -1) return [];
  if (value !== '' && !/^[|>]-?$/.test(value)) return [value.replace(/^(['"])(.*)\1$/, '$2')];
  return outdented(blockAfter(block, at, (line) => line !== '' && line.search(/\S/) <= indent.length));
}

const listedTest = /^(\s*)[✖✔] (.+?) \([\d.]+m?s\)$/;

/** `✖ adds (1.2ms)`: with reasons in the section at the end, without them where the output has lost that section. */
export function readNodeList(lines: readonly string[]): FailedTest[] {
  const section = lines.findLastIndex((line) => /^\s*✖ failing tests:$/.test(line));
  return section === -1 ? readNodeTree(lines) : readNodeSection(lines.slice(section + 1));
}

function readNodeSection(lines: readonly string[]): FailedTest[] {
  return lines.flatMap((line, at) => {
    const name = listedTest.exec(line)?.[2];
    if (name === undefined) return [];
    const start = /^test at (.+)$/.exec(lines[at - 1] ?? '')?.[1] ?? '';
    const block = blockAfter(lines, at, (next) => /^test at /.test(next));
    const message = blockAfter(block, -1, (next) => /^\s+at /.test(next));
    return [{ name, place: failedAt(start, block), reason: reasonIn(message), lines: failureLines(block) }];
  });
}

/** A line that follows lines indented further is the group of those. */
function readNodeTree(lines: readonly string[]): FailedTest[] {
  let indentBefore = 0;
  return lines.flatMap((line) => {
    const [, indent, name] = listedTest.exec(line) ?? [];
    if (indent === undefined || name === undefined) return [];
    const isGroup = indentBefore > indent.length;
    indentBefore = indent.length;
    return isGroup || !line.includes('✖') ? [] : [{ name, place: '', reason: '', lines: [] }];
  });
}

const vitestTest = /^ FAIL {2}(?:\|[^|]+\| )?(\S+\.\w+)(?: > (.+)|\s+\[.+\])?$/;

/** ` FAIL  lib/a.test.ts > group > adds`; tests that failed with the same error stand above it together. */
export function readVitest(lines: readonly string[]): FailedTest[] {
  return lines.flatMap((line, at) => {
    const [, file, path] = vitestTest.exec(line) ?? [];
    if (file === undefined) return [];
    const first = lines.findIndex((next, index) => index > at && !vitestTest.test(next));
    const block = blockAfter(lines, first - 1, (next) => /^⎯/.test(next) || vitestTest.test(next));
    const place = block.map((next) => /^ ❯ (?:.* )?(\S+:\d+:\d+)$/.exec(next)?.[1]).find(Boolean) ?? file;
    const message = blockAfter(block, -1, (next) => / ❯ /.test(next));
    return [
      {
        name: path?.split(' > ').join(' › ') ?? file,
        place,
        reason: reasonIn(message),
        lines: failureLines(block),
      },
    ];
  });
}

const jestTest = /^\s*● (?!Console$)(.+)$/;

/** `● group › adds`, with expected and received values where the matcher prints them. */
export function readJest(lines: readonly string[]): FailedTest[] {
  if (!lines.some((line) => /^FAIL\s/.test(line))) return [];
  return lines.flatMap((line, at) => {
    const name = jestTest.exec(line)?.[1];
    if (name === undefined) return [];
    const block = blockAfter(
      lines,
      at,
      (next) => jestTest.test(next) || /^(?:FAIL|PASS|Tests:)\s/.test(next),
    );
    const compared = block.filter((next) => /^\s*(?:Expected|Received)\b.*: /.test(next)).slice(0, 2);
    const place = framePlace(block);
    const reason = compared.length > 0 ? compared.map((next) => next.trim()).join(', ') : reasonIn(block);
    return [{ name, place, reason, lines: failureLines(block) }];
  });
}

const mochaTest = /^ {2}\d+\) (.+)$/;

/** `1) the cart`, the names of its groups and its own below each other up to a colon, then the error. */
export function readMocha(lines: readonly string[]): FailedTest[] {
  const section = lines.findLastIndex((line) => /^ {2}\d+ failing$/.test(line));
  if (section === -1) return [];
  return lines.slice(section).flatMap((line, at, all) => {
    const first = mochaTest.exec(line)?.[1];
    if (first === undefined) return [];
    const failureBlock = [first, ...blockAfter(all, at, (next) => mochaTest.test(next))];
    const end = failureBlock.findIndex((next) => next.endsWith(':'));
    const path = failureBlock.slice(0, end + 1).map((next) => next.trim());
    const block = failureBlock.slice(end + 1);
    const message = blockAfter(block, -1, (next) => /^\s+at /.test(next));
    return [
      {
        name: path.join(' › ').replace(/:$/, ''),
        place: framePlace(block),
        reason: reasonIn(message),
        lines: failureLines(block),
      },
    ];
  });
}

/** The first place in a stack that is a file of the project. */
function framePlace(block: readonly string[]): string {
  return framePlaces(block)[0] ?? '';
}

function framePlaces(block: readonly string[]): string[] {
  const places = block.flatMap((line) => /^\s+at .*?\(?([^\s()]+:\d+:\d+)\)?(?: \{)?$/.exec(line)?.[1] ?? []);
  return places.filter(isOwnFile).map((place) => place.replace(/^file:\/\//, ''));
}

const position = /(?::\d+){1,2}$/;

/**
 * The line of the failed test: Node prints the test's first line, and the stack has the assertion's line. Only a frame in the test's file
 * counts, so that tests of the same name in different files stay different.
 */
function failedAt(start: string, stack: readonly string[]): string {
  const places = framePlaces(stack);
  if (start === '') return places[0] ?? '';
  const file = start.replace(position, '');
  const inTest = places.find((place) =>
    `/${place.replace(position, '')}`.endsWith(`/${file.replace(/^\//, '')}`),
  );
  return inTest === undefined ? start : file + (position.exec(inTest)?.[0] ?? '');
}
