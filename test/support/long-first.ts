// The order of the test files: long ones start first, so that none is left alone at the end while the other cores are idle. Files of one
// project stay together, because a process continues only with files of the same project.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const projects = ['pages', 'editor', 'alone', 'whole', 'memory', 'units'];

// The longest first. Where durations were recorded they decide within a line; on a fresh checkout there are none.
const long = [
  /\/test\/web\/a11y/,
  /\/test\/recovery\/sweep-(faults|kills)/,
  /\/test\/(gateway\/(.*chaos|flood)|recovery\/(crash|sweep)|log\/delete|git\/(apply|hostile)|calls\/scenarios|.*\blaws?\.)/,
];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => projectOf(a) - projectOf(b) || rank(a) - rank(b));
  }
}

const projectOf = ({ project }: TestSpecification): number => projects.indexOf(project.name);

function rank({ moduleId }: TestSpecification): number {
  const found = long.findIndex((names) => names.test(moduleId));
  return found === -1 ? long.length : found;
}
