// Programs that only read, each with the options that keep it so. What is not listed here is asked about.
import { readingFolders } from './reading-folders.ts';
import type { ReadingProgram } from './reading-program.ts';
import { readingSystem } from './reading-system.ts';
import { readingText } from './reading-text.ts';

export const readingPrograms: ReadonlyMap<string, ReadingProgram> = new Map([
  ...readingFolders,
  ...readingText,
  ...readingSystem,
]);
