// The options of an unattended turn: its limits, additional instructions, and the required form of its answer.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { imageFrom } from '@codelab/agent';
import { findDialect } from '@codelab/dialects';
import { type ImagePart, imageLimits, longestTimerMs } from '@codelab/protocol';
import {
  nearestName,
  type Options,
  type ParsedCommandLine as Parsed,
  UsageError,
} from '../command-line/define-command.ts';

export const headlessOptions = {
  'max-turns': { type: 'string', value: 'N', summary: 'stop after N replies of the model (exit code 3)' },
  'max-cost': {
    type: 'string',
    value: 'USD',
    summary: 'stop once the turn has cost this much (exit code 4)',
  },
  timeout: { type: 'string', value: 'TIME', summary: 'cancel after 90s, 10m or 1h (exit code 124)' },
  'allowed-tools': {
    type: 'string',
    value: 'NAMES',
    summary: 'offer only these tools, separated by commas; * matches any characters',
  },
  'system-append': { type: 'string', value: 'TEXT', summary: 'add this to the system prompt' },
  image: {
    type: 'string',
    value: 'FILE',
    isRepeatable: true,
    summary: 'attach a PNG, JPEG, GIF or WebP image; can be repeated',
  },
  'output-schema': {
    type: 'string',
    value: 'FILE',
    summary: 'JSON Schema that the answer must match (exit code 9)',
  },
} as const satisfies Options;

type Given = Parsed<typeof headlessOptions>['options'];

export type Headless = {
  maxTurns: number | undefined;
  maxCost: number | undefined;
  timeout: { ms: number; text: string } | undefined;
  /** Names of the core's tools, and patterns for those of MCP servers. */
  allowedTools: readonly string[] | undefined;
  systemAppend: string | undefined;
  images: readonly ImagePart[];
  outputSchema: string | undefined;
};

const maxAppended = 100_000;

export function readHeadless(flags: Given): Headless {
  const { 'max-turns': turns, 'max-cost': cost, timeout, 'allowed-tools': tools } = flags;
  const systemAppend = flags['system-append'];
  if (systemAppend !== undefined && systemAppend.length > maxAppended)
    throw new UsageError(`--system-append takes at most ${maxAppended} characters.`);
  return {
    maxTurns: turns === undefined ? undefined : readCount(turns),
    maxCost: cost === undefined ? undefined : readMoney(cost),
    timeout: timeout === undefined ? undefined : { ms: readTime(timeout), text: timeout },
    allowedTools: tools === undefined ? undefined : readTools(tools),
    systemAppend,
    images: readImages(flags.image ?? []),
    outputSchema: flags['output-schema'],
  };
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`--max-turns takes a whole number of 1 or more, not ${JSON.stringify(text)}.`);
}

function readMoney(text: string): number {
  const [, amount] = /^\$?(\d{1,6}(?:\.\d{1,6})?)$/.exec(text) ?? [];
  if (amount !== undefined && Number(amount) > 0) return Number(amount);
  throw new UsageError(`--max-cost takes US dollars, such as 0.50, not ${JSON.stringify(text)}.`);
}

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function readTime(text: string): number {
  const [, amount, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)?$/.exec(text) ?? [];
  const ms = Math.round(Number(amount) * (unitMs[unit] ?? 0));
  if (ms >= 1 && ms <= longestTimerMs) return ms;
  throw new UsageError(`--timeout takes a time such as 90s, 10m or 1h, not ${JSON.stringify(text)}.`);
}

function readTools(text: string): string[] {
  const { tools } = findDialect('codelab');
  const names = text.split(',').map((name) => name.trim());
  const missing = names
    .filter((name) => name !== '')
    .flatMap((name) => {
      // The tools of an MCP server are known only after it has started.
      if (name.startsWith('mcp:')) return [name];
      const matchesGlob = globTest(name);
      const core = tools
        .filter((row) => matchesGlob(row.name) || matchesGlob(row.tool))
        .map((row) => row.tool);
      if (core.length > 0) return core;
      const nearest = nearestName(
        name,
        tools.map((row) => row.name),
      );
      const hint = nearest === undefined ? '`codelab tools` lists them.' : `Did you mean ${nearest}?`;
      throw new UsageError(`--allowed-tools: there is no tool ${JSON.stringify(name)}. ${hint}`);
    });
  if (missing.length === 0)
    throw new UsageError('--allowed-tools needs at least one name. `codelab tools` lists them.');
  return [...new Set(missing)];
}

function globTest(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}$`);
  return (name) => expression.test(name);
}

/** Files that the user names are read from anywhere on the machine. */
function readImages(files: readonly string[]): ImagePart[] {
  if (files.length > imageLimits.count)
    throw new UsageError(`--image can be given at most ${imageLimits.count} times.`);
  return files.map((file) => {
    try {
      return imageFrom(readFileSync(file), basename(file));
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      const problem = error instanceof Error ? error.message : String(error);
      throw new UsageError(
        isMissing ? `--image: there is no file ${JSON.stringify(file)}.` : `--image: ${problem}`,
      );
    }
  });
}
