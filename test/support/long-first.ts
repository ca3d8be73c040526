// The order of the test files: those that take long begin first, so that none of them is left alone at the end while the other cores are idle.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The longest first. Where durations were recorded they decide within a line; on a fresh checkout there are none.
const long = [
  /\/test\/web-a11y/,
  /\/test\/web-(?!api)/,
  /\/test\/(gateway-.*chaos|crash|sweep|log-delete|git-(apply|hostile)|scenarios|.*-laws?\.)/,
  /\/test\//,
];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const found = long.findIndex((names) => names.test(moduleId));
  return found === -1 ? long.length : found;
}
