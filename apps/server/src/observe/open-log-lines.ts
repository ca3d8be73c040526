// Structured log lines: one JSON object each, on stderr. A reader that has stopped reading costs lines, never the gateway's time.
import { hideLine } from './hide-line.ts';
import { type LineWriter, openStderr } from './open-stderr.ts';

type Fields = Record<string, unknown>;

export type LogLines = {
  /** Whether lines for every request and call are wanted. */
  isDebug: boolean;
  debug(fields: Fields, what: string): void;
  info(fields: Fields, what: string): void;
  warn(fields: Fields, what: string): void;
  error(fields: Fields, what: string): void;
  /** Resolves when all was written, or after a moment. */
  close(): Promise<void>;
};

export type LogOptions = {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Instead of stderr. */
  write?(line: string): void;
};

const none = (): void => undefined;
export const noLines: LogLines = {
  isDebug: false,
  debug: none,
  info: none,
  warn: none,
  error: none,
  close: async () => undefined,
};

export async function openLogLines(
  { level, write }: LogOptions,
  { secrets, env }: { secrets: readonly string[]; env: NodeJS.ProcessEnv },
): Promise<LogLines> {
  if (level === 'silent') return noLines;
  const { pino } = await import('pino');
  const hide = hideLine(secrets, env);
  const to: LineWriter = write ? { write, close: async () => undefined } : openStderr();
  const logger = pino(
    {
      level,
      base: { service: 'codelab' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => to.write(hide(line)) },
  );
  return {
    isDebug: logger.isLevelEnabled('debug'),
    debug: (fields, what) => logger.debug(fields, what),
    info: (fields, what) => logger.info(fields, what),
    warn: (fields, what) => logger.warn(fields, what),
    error: (fields, what) => logger.error(fields, what),
    close: () => to.close(),
  };
}
