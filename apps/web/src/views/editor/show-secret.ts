// Shows a file that a rule asks about: the person at the screen agrees to one reading, which is recorded. It can't be edited here.
import { ApiError } from '@codelab/client';
import { api } from '../../api/api.ts';
import { ensureSession } from '../../session/ensure-session.ts';
import { openBuffer } from './buffers.ts';
import { putFile } from './open-files.ts';

export async function showSecret(path: string): Promise<void> {
  const session = await ensureSession();
  const outcome = await api.call(session, { tool: 'read_file', args: { path }, approve: true });
  if (outcome.status !== 'completed') {
    const { code, message } = outcome.error;
    throw new ApiError({ code, message, status: 403 });
  }
  const text = String(outcome.data.content ?? '');
  openBuffer(path, text, true);
  putFile(path, {
    status: 'ready',
    disk: { text, encoding: 'utf-8', line_ending: 'none', fingerprint: null },
    isReadOnly: true,
    isSaving: false,
    theirs: undefined,
  });
}
