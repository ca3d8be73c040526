// Whether the audit record can be signed, with which key, and whether its anchors were reached.
import { join } from 'node:path';
import { keyFolder } from '@codelab/runtime';
import { isOnNats, logFile, openAuditKey, readNote } from '@codelab/server';
import type { DoctorFinding } from './finding.ts';

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
      return { ...finding, status: 'ok', found: 'created when first needed', advice: `in ${keys}` };
    const failing = note?.anchors.find(({ problem }) => problem !== undefined);
    if (failing?.problem !== undefined)
      return {
        ...finding,
        status: 'broken',
        found: `an anchor could not be written: ${failing.problem}`,
        advice: '`codelab audit verify` names it; it is a setting in config.json, `audit.anchors`',
      };
    return { ...finding, status: 'ok', found: key.fingerprint, advice: `signs the record: ${key.file}` };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...finding, status: 'broken', found: message, advice: 'without it the record is not signed' };
  }
}
