// Sends a change of the settings, and says how it went.
import type { SettingsChange } from '@codelab/api';
import { changeSettings } from '../../settings-store.ts';
import { toast, toastError } from '../../ui/toast.tsx';

/** Whether it was taken. */
export async function applyChange(change: SettingsChange, said: string): Promise<boolean> {
  try {
    await changeSettings(change);
    toast(said);
    return true;
  } catch (error) {
    toastError(error);
    return false;
  }
}
