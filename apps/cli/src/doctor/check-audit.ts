// Whether the session log can be read, whether the audit record can be signed, with which key, and whether its anchors were reached.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { damageAdvice, isDamage, keyFolder } from '@codelab/runtime';
import { isOnNats, logFile, openAuditKey, readNote } from '@codelab/server';
import type { DoctorFinding } from './finding.ts';

/** SQLite's own check of a large log would take minutes. */
const mostBytes = 256 * 1024 * 1024;

/** Whether the session log can be read; nothing where it is elsewhere or not there yet. */
export function checkLog({ home, env }: { home: string; env: NodeJS.ProcessEnv }): DoctorFinding[] {
  const file = isOnNats(env.CODELAB_LOG)
    ? undefined
    : (logFile(env.CODELAB_LOG) ?? join(home, 'sessions.db'));
  const size = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.size;
  if (file === undefined || size === undefined || size === 0) return [];
  const finding = { name: 'session log', isRequired: true };
  try {
    using db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
    const [found] = db
      .prepare(size > mostBytes ? 'SELECT count(*) AS n FROM heads' : 'PRAGMA quick_check(1)')
      .all();
    if (size <= mostBytes && found?.quick_check !== 'ok') return [broken(finding, file, 'damaged')];
    return [{ ...finding, status: 'ok', found: 'readable', advice: '`codelab audit verify` proves it' }];
  } catch (error) {
    if (isDamage(error)) return [broken(finding, file, `damaged: ${error.message}`)];
    return [{ ...finding, status: 'broken', found: String(error), advice: file }];
  }
}

function broken(
  finding: Pick<DoctorFinding, 'name' | 'isRequired'>,
  file: string,
  found: string,
): DoctorFinding {
  return {
    ...finding,
    status: 'broken',
    found,
    advice: `\`codelab audit verify\` says where. ${damageAdvice(file)}`,
  };
}

export function checkAudit({ home, env }: { home: string; env: NodeJS.ProcessEnv }): DoctorFinding {
  const finding = { name: 'audit key', isRequired: false };
  const keys = keyFolder(env);
  try {
    const key = openAuditKey(keys, { make: false });
    const note = readNote(
      keys,
      (isOnNats(env.CODELAB_LOG) ? undefined : logFile(env.CODELAB_LOG)) ?? join(home, 'sessions.db'),
    );
    if (key === undefined)
      return {
        ...finding,
        status: 'ok',
        found: 'created when first needed',
        advice: `in ${keys}, which CODELAB_KEYS sets`,
      };
    const failing = note?.anchors.find(({ problem }) => problem !== undefined);
    if (failing?.problem !== undefined)
      return {
        ...finding,
        status: 'broken',
        found: `an anchor could not be written: ${failing.problem}`,
        advice: '`codelab audit verify` names it; it is a setting in config.json, `audit.anchors`',
      };
    return {
      ...finding,
      status: 'ok',
      found: key.fingerprint,
      advice: `signs the record: ${key.file} (CODELAB_KEYS sets the folder)`,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...finding, status: 'broken', found: message, advice: 'without it the record is not signed' };
  }
}
