// How a program that starts another hands it over to be judged.
import type { Argument } from './argument.ts';
import type { Finding } from './finding.ts';

export type Inner = (words: readonly Argument[]) => Finding;
