// Failed tests in the output of pytest, `go test` and `cargo test`.
import { blockAfter, type FailedTest, failureLines, reasonIn } from './output-text.ts';

const pytestSummary = /^(?:FAILED|ERROR) (.+?\.py(?:::.+?)?)(?: - (.*))?$/;
const pytestHeading = /^_{3,} (?:ERROR (?:at \w+ of|collecting) )?(.+?) _{3,}$/;

/** The summary names the tests but cuts their reasons at the width of a terminal; the sections above it have them whole. */
export function readPytest(lines: readonly string[]): FailedTest[] {
  const sections = pytestSections(lines);
  const summaries = lines.flatMap((line): FailedTest[] => {
    const [, name, reason = ''] = pytestSummary.exec(line) ?? [];
    if (name === undefined) return [];
    const [file = '', ...path] = name.split('::');
    const section = sections.get(path.length === 0 ? file : path.join('.'));
    return [{ lines: [], reason, ...section, name, place: section?.place || file }];
  });
  return summaries.length > 0 ? summaries : [...sections].map(([name, section]) => ({ name, ...section }));
}

function pytestSections(lines: readonly string[]): Map<string, Omit<FailedTest, 'name'>> {
  const sections = new Map<string, Omit<FailedTest, 'name'>>();
  for (const [at, line] of lines.entries()) {
    const heading = pytestHeading.exec(line)?.[1];
    if (heading === undefined) continue;
    const block = blockAfter(lines, at, (next) => pytestHeading.test(next) || /^={3,}/.test(next));
    const [first] = block.flatMap((next) => /^E {3,}(.*)$/.exec(next)?.[1] ?? []);
    const place = block.map((next) => /^(\S+\.py:\d+): /.exec(next)?.[1]).findLast(Boolean) ?? '';
    const body = block.filter((next) => /^>|^E {3,}|^\S+\.py:\d+: /.test(next));
    // A heading of anything else, such as a report of slow tests, is followed by no error.
    if (first) sections.set(heading, { place, reason: reasonIn([first]), lines: failureLines(body) });
  }
  return sections;
}

const goTest = /^\s*--- FAIL: (\S+)/;
const goPlace = /^\s+(\S+\.go:\d+): ?(.*)$/;

/** `--- FAIL: TestAdds/zero (0.00s)`, with its log below, or above with `-v`. A test that failed because of a subtest is left out. */
export function readGo(lines: readonly string[]): FailedTest[] {
  const names = lines.flatMap((line) => goTest.exec(line)?.[1] ?? []);
  const tests = lines.flatMap((line, at): FailedTest[] => {
    const name = goTest.exec(line)?.[1];
    if (name === undefined || names.some((other) => other.startsWith(`${name}/`))) return [];
    const below = blockAfter(lines, at, (next) => !/^\s/.test(next) || /^\s*--- /.test(next));
    const above = blockAfter(lines.slice(0, at).toReversed(), -1, (next) => !/^\s/.test(next)).toReversed();
    const log = below.some((next) => goPlace.test(next)) ? below : above;
    const [, place = '', message = ''] = goPlace.exec(log.find((next) => goPlace.test(next)) ?? '') ?? [];
    return [{ name, place, reason: testifyReason(log) ?? message, lines: failureLines(log) }];
  });
  return [...tests, ...lines.flatMap(goBuildFailure)];
}

/** testify prints the reason in a field below the place, and the compared values in the lines after it. */
function testifyReason(log: readonly string[]): string | undefined {
  const at = log.findIndex((line) => /^\s+Error:\s/.test(line));
  if (at === -1) return undefined;
  const values = log.slice(at + 1).filter((line) => /^\s+(?:expected|actual) *: /.test(line));
  const compared = values.map((line) => line.trim().replace(/ +: /, ': ')).join(', ');
  return reasonIn([(log[at] ?? '').replace(/^\s+Error:\s+/, ''), compared]);
}

function goBuildFailure(line: string): FailedTest[] {
  const [, name, reason = ''] = /^FAIL\s+(\S+) \[((?:build|setup) failed)\]$/.exec(line) ?? [];
  return name === undefined ? [] : [{ name, place: '', reason, lines: [] }];
}

const cargoPanic = /^thread '.*' (?:\(\d+\) )?panicked at (?:'(.*)', )?(\S+?):?$/;

/** `test tests::adds ... FAILED`, and what the test printed when it panicked. */
export function readCargo(lines: readonly string[]): FailedTest[] {
  return lines.flatMap((line): FailedTest[] => {
    const name = /^test (.+) \.\.\. FAILED$/.exec(line)?.[1]?.replace(/ - should panic$/, '');
    if (name === undefined) return [];
    const heading = lines.indexOf(`---- ${name} stdout ----`);
    const block = heading === -1 ? [] : blockAfter(lines, heading, (next) => /^---- |^failures:$/.test(next));
    const panic = block.findIndex((next) => cargoPanic.test(next));
    const [, older, place = ''] = cargoPanic.exec(block[panic] ?? '') ?? [];
    const message = panic === -1 ? block : blockAfter(block, panic, (next) => /^note: /.test(next));
    const body = blockAfter(block, Math.max(panic, 0) - 1, (next) => /^note: run with /.test(next));
    return [{ name, place, reason: older ?? cargoReason(message), lines: failureLines(body) }];
  });
}

/** ``assertion `left == right` failed (left: 1, right: 2)`` */
function cargoReason(message: readonly string[]): string {
  const compared = message.map((line) => line.trim()).filter((line) => /^(?:left|right): /.test(line));
  return reasonIn(message).replace(/^note: /, '') + (compared.length > 0 ? ` (${compared.join(', ')})` : '');
}
