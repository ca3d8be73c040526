// Makes spellings of paths that try to climb out: ways to write "up", separators, depths, beginnings and ends in all combinations.
const ups = [
  '..',
  '...',
  '. .',
  '.. ',
  '%2e%2e',
  '%252e%252e',
  '.%00.',
  '\uff0e\uff0e',
  '.\u200b.',
  '..;',
  '\u2025',
  '..\u0001',
];
const separators = ['/', '//', '/./', '\\', '\\/', '%2f', '%5c', '\uff0f', '\u2215', '%c0%af', '/\t/'];
const beginnings = [
  '',
  '/',
  './',
  'src/',
  '~/',
  '//',
  'file://',
  '/proc/self/cwd/',
  'src/link/',
  'C:\\',
  '\\\\?\\',
];
const ends = ['', '/', '/.', '\0.txt', ' ', '?x', '#x'];

/** `count` of them, spread evenly over all combinations; the same ones each time. */
export function traversalSpellings(targets: readonly string[], count: number): string[] {
  const all: string[] = [];
  for (const beginning of beginnings)
    for (const up of ups)
      for (const separator of separators)
        for (const depth of [1, 2, 5])
          for (const target of targets)
            for (const end of ends)
              all.push(beginning + (up + separator).repeat(depth) + target.replaceAll('/', separator) + end);
  const step = all.length / count;
  return Array.from({ length: count }, (_, i) => all[Math.floor(i * step)] ?? '');
}
