// Is a name one that people and the tables take for a certain program?
import { judgeBuiltin } from './judge-builtin.ts';
import { isInterpreter } from './judge-interpreter.ts';
import { isPackageManager } from './judge-packages.ts';
import { writingPrograms } from './judge-writing.ts';
import { knownPrograms } from './known-programs.ts';
import { readingPrograms } from './reading-programs.ts';
import { wrappers } from './wrappers.ts';

const others = new Set(['git', 'find', 'env', 'sed', 'gsed', 'awk', 'gawk', 'mawk', 'nawk']);

export function isKnownName(name: string): boolean {
  const isListed = [readingPrograms, writingPrograms, wrappers, knownPrograms].some((table) =>
    table.has(name),
  );
  return (
    isListed ||
    others.has(name) ||
    isInterpreter(name) ||
    isPackageManager(name) ||
    judgeBuiltin(name, []) !== undefined
  );
}
